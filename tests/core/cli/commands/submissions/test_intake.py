from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.tables.submission_table import read_submissions
from jurydesk.core.intake.submission_ledger import load_rules, submission_marks
from support import toy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return two teams' files of equal names; the late one contains another system name."""
    for team, value, hour in (("north", 2.25, 9), ("south", 2.5, 12)):
        path = toy.write(tmp_path / "in" / team / "run.txt", {"a": 1, "b": value, "c": 3}, "a name")
        seconds = datetime(2018, 5, 1, hour, tzinfo=UTC).timestamp()
        os.utime(path, (seconds, seconds))
    return tmp_path / "in"


DEADLINE = "2018-05-01 10:00 UTC"


def test_a_folder_is_listed_with_its_late_submissions(jurydesk, folder: Path) -> None:
    done = jurydesk("intake", "toy", folder, "--deadline", DEADLINE)
    assert done.out.splitlines() == [
        "team   file           received          remarks",
        "north  north/run.txt  2018-05-01 09:00",
        "south  south/run.txt  2018-05-01 12:00  late by 2 h",
    ]
    assert "warning  run.txt: south was received 2 h after the deadline." in done.err
    assert done.err.endswith("2 submissions, 1 of them late.\n")
    assert done.code == 0


def test_only_the_newest_file_of_a_team_counts_with_latest(jurydesk, folder: Path) -> None:
    path = toy.write(folder / "north" / "other.txt", {"a": 1, "b": 2, "c": 3}, "a name")
    seconds = datetime(2018, 5, 1, 8, tzinfo=UTC).timestamp()
    os.utime(path, (seconds, seconds))
    assert jurydesk("intake", "toy", folder).err.endswith("3 submissions.\n")
    assert jurydesk("intake", "toy", folder, "--latest").err.endswith("2 submissions, 1 older.\n")


def test_the_json_list_has_hashes_and_times(jurydesk, folder: Path) -> None:
    done = jurydesk("intake", "toy", folder, "--deadline", DEADLINE, "--json", "-")
    found = json.loads(done.out)
    assert found["deadline"] == DEADLINE
    assert [one["system"] for one in found["submissions"]] == ["north", "south"]
    assert [one["late_seconds"] for one in found["submissions"]] == [None, 7200]
    assert all(len(one["sha256"]) == 64 for one in found["submissions"])


def test_a_single_submission_has_its_hash_in_the_list(jurydesk, folder: Path) -> None:
    shutil.rmtree(folder / "south")
    done = jurydesk("intake", "toy", folder, "--json", "-")
    (alone,) = json.loads(done.out)["submissions"]
    content = next((folder / "north").iterdir()).read_bytes()
    assert alone["sha256"] == hashlib.sha256(content).hexdigest()


def test_a_desk_keeps_the_rules_for_a_later_intake(jurydesk, folder: Path, tmp_path: Path) -> None:
    desk = tmp_path / "toy.jurydesk"
    jurydesk("intake", "toy", folder, "--deadline", DEADLINE, "--desk", desk)
    assert "late by 2 h" in jurydesk("intake", "toy", folder, "--desk", desk).out
    with Desk.open(desk) as opened:
        assert str(load_rules(opened).deadline) == DEADLINE
        assert [one.team for one in read_submissions(opened)] == ["north", "south"]


def test_a_folder_and_a_zip_are_scored_under_the_teams_names(
    jurydesk, folder: Path, tmp_path: Path, truth: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in sorted(folder.rglob("*.txt")):
            archive.write(path, path.relative_to(folder).as_posix())
    by_folder = jurydesk("score", "toy", "--truth", truth, "--submissions", folder)
    by_zip = jurydesk("score", "toy", "--truth", truth, "--submissions", tmp_path / "all.zip")
    assert by_folder.code == by_zip.code == 0
    assert "north" in by_folder.out
    assert "south" in by_folder.out
    assert "a name" not in by_folder.out
    assert by_zip.out == by_folder.out


def test_scoring_into_a_desk_records_late_submissions(
    jurydesk, folder: Path, tmp_path: Path, truth: Path
) -> None:
    desk = tmp_path / "toy.jurydesk"
    arguments = ("--truth", truth, "--submissions", folder, "--deadline", DEADLINE)
    assert jurydesk("score", "toy", *arguments, "--desk", desk).code == 0
    with Desk.open(desk) as opened:
        assert submission_marks(opened) == {"south": "late by 2 h"}


def test_checking_a_folder_lists_the_defects_of_the_intake_too(
    jurydesk, folder: Path, truth: Path
) -> None:
    (folder / "north" / "link.txt").symlink_to(truth)
    (folder / "east").mkdir()
    (folder / "east" / "run.txt").write_text("# east\na one\n")
    done = jurydesk("check", "toy", "--truth", truth, "--submissions", folder)
    assert "link.txt: It is a link, which is not followed." in done.out
    assert 'run.txt, line 2: "one" is no number.' in done.out
    assert done.code == 1


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        ((), "Missing option '--guesses' FILE... (or '--submissions' FOLDER_OR_ZIP).", 2),
        (("--submissions", "nowhere"), "nowhere does not exist.", 1),
        (("--submissions", "{empty}"), "No submission found in {empty}.", 1),
        (
            ("--submissions", "{in}", "--deadline", "soon"),
            "--deadline: “soon” is not a deadline.",
            2,
        ),
    ],
)
def test_files_that_cannot_be_read_are_reported(
    jurydesk, folder: Path, tmp_path: Path, truth: Path, arguments, sentence: str, code: int
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"empty": tmp_path / "empty", "in": folder}
    given = [one.format(**places) for one in arguments]
    done = jurydesk("score", "toy", "--truth", truth, *given)
    assert done.err.startswith(f"Error: {sentence.format(**places)}")
    assert done.code == code


def test_a_desk_of_another_competition_is_refused(jurydesk, folder: Path, tmp_path: Path) -> None:
    with Desk.create(tmp_path / "v.jurydesk") as desk:
        desk.set_competition("vist", "Stories", {})
    done = jurydesk("intake", "toy", folder, "--desk", tmp_path / "v.jurydesk")
    assert done.err.endswith("is a desk of vist, not of toy.\n")
    assert done.code == 1


def test_the_json_list_names_the_file_that_counts_instead(jurydesk, folder: Path) -> None:
    path = toy.write(folder / "north" / "other.txt", {"a": 1, "b": 2, "c": 3}, "a name")
    seconds = datetime(2018, 5, 1, 8, tzinfo=UTC).timestamp()
    os.utime(path, (seconds, seconds))
    done = jurydesk("intake", "toy", folder, "--latest", "--json", "-")
    instead = {one["name"]: one["counts_instead"] for one in json.loads(done.out)["submissions"]}
    assert instead["north/run.txt"] is None
    assert instead["south/run.txt"] is None
    assert instead["north/other.txt"].endswith("run.txt")


@pytest.fixture
def inbox(folder: Path) -> Path:
    """Return the folder of two teams, in which an older file of the first one scores best."""
    path = toy.write(folder / "north" / "old.txt", {"a": 1, "b": 2, "c": 3}, "a name")
    os.utime(path, (0, 0))
    (folder.parent / "link").symlink_to(folder)
    return folder


def listing(jurydesk, truth: object, inbox: object, desk: Path) -> tuple[object, ...]:
    """Return what intake, check and score say, and what the desk then holds."""
    shared = ("--submissions", inbox, "--latest")
    listed = jurydesk("intake", "toy", inbox, "--latest", "--json", "-")
    checked = jurydesk("check", "toy", "--truth", truth, *shared, "--json", "-")
    scored = jurydesk("score", "toy", "--truth", truth, *shared)
    assert jurydesk("score", "toy", "--truth", truth, *shared, "--desk", desk).out == scored.out
    with Desk.open(desk, read_only=True) as opened:
        systems = [(one.system, one.submission, one.scores) for one in opened.evaluations()]
        inputs = [(entry.source, entry.state) for entry in opened.inputs()]
        return listed, checked, scored, systems, inputs, read_submissions(opened)


@pytest.mark.parametrize(
    ("place", "given"),
    [("in", "."), ("", "in"), ("in/north", ".."), ("", "./in/../in"), ("", "~/in")],
)
def test_a_relative_folder_gives_what_the_absolute_one_gives(
    jurydesk, inbox: Path, truth: Path, tmp_path: Path, monkeypatch, place: str, given: str
) -> None:
    absolute = listing(jurydesk, truth, inbox, tmp_path / "absolute.jurydesk")
    systems = absolute[3]
    assert [name for name, *_ in systems] == ["north", "south"]
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / place)
    relative = Path(os.path.relpath(truth))
    assert listing(jurydesk, relative, given, tmp_path / "relative.jurydesk") == absolute


PACKED = {
    ".zip": "zip",
    ".tar": "tar",
    ".tar.gz": "gztar",
    ".tar.bz2": "bztar",
    ".tar.xz": "xztar",
}
"""Formats of `shutil.make_archive` by suffix."""


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize(("place", "before"), [("", ""), ("in", "../"), ("", "~/")])
def test_an_archive_gives_the_same_for_every_spelling_of_its_path(
    jurydesk, folder: Path, tmp_path: Path, monkeypatch, suffix: str, place: str, before: str
) -> None:
    made = shutil.make_archive(str(tmp_path / "made"), PACKED[suffix], folder)
    path = Path(made).rename(tmp_path / f"all{suffix}")
    absolute = jurydesk("intake", "toy", path, "--json", "-")
    teams = [one["system"] for one in json.loads(absolute.out)["submissions"]]
    assert teams == ["north", "south"]
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / place)
    assert jurydesk("intake", "toy", f"{before}all{suffix}", "--json", "-") == absolute


def test_a_link_to_an_archive_is_read_as_the_archive(
    jurydesk, folder: Path, tmp_path: Path, monkeypatch
) -> None:
    made = Path(shutil.make_archive(str(tmp_path / "made"), "zip", folder))
    link = tmp_path / "link.zip"
    link.symlink_to(made)
    monkeypatch.chdir(tmp_path)
    found = json.loads(jurydesk("intake", "toy", "link.zip", "--json", "-").out)
    assert [one["system"] for one in found["submissions"]] == ["north", "south"]


def test_a_folder_whose_path_is_longer_than_260_characters_is_read(
    jurydesk, inbox: Path, truth: Path, tmp_path: Path
) -> None:
    deep = tmp_path.joinpath(*["a folder with quite a long name of its own"] * 7, "in")
    shutil.copytree(inbox, deep)
    assert len(str(deep)) > 300
    done = jurydesk("score", "toy", "--truth", truth, "--submissions", deep)
    assert done.code == 0
    assert {"north", "south"} <= set(done.out.split())


def test_a_folder_given_by_a_link_keeps_the_link_s_name(
    jurydesk, inbox: Path, truth: Path, tmp_path: Path, monkeypatch
) -> None:
    link = inbox.with_name("link")
    absolute = listing(jurydesk, truth, link, tmp_path / "absolute.jurydesk")
    monkeypatch.chdir(tmp_path)
    assert listing(jurydesk, truth, "link", tmp_path / "relative.jurydesk") == absolute
    assert [path for _, path, _ in absolute[3]] == [
        str(link / team / "run.txt") for team in ("north", "south")
    ]
    plain = listing(jurydesk, truth, inbox, tmp_path / "plain.jurydesk")
    assert [(one[0], one[2]) for one in plain[3]] == [(one[0], one[2]) for one in absolute[3]]


def test_equal_archives_of_two_teams_are_two_systems(
    jurydesk, tmp_path: Path, truth: Path, near: Path
) -> None:
    for team in ("alpha", "beta"):
        path = tmp_path / "in" / f"{team}.zip"
        path.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(near, "run.txt")
    desk = tmp_path / "toy.jurydesk"
    done = jurydesk("score", "toy", "--truth", truth, "--submissions", path.parent, "--desk", desk)
    assert "beta has the same content as alpha, byte for byte.\n       Both are scored." in done.err
    with Desk.open(desk, read_only=True) as opened:
        assert opened.systems() == ("alpha", "beta")
        assert submission_marks(opened) == {"beta": "same as alpha"}


def test_a_submission_that_is_given_twice_is_one(jurydesk, inbox: Path, truth: Path) -> None:
    path = inbox / "south" / "run.txt"
    given = ("--guesses", path, "--guesses", path.parent / ".." / "south" / "run.txt")
    done = jurydesk("score", "toy", "--truth", truth, *given, "--name", "ours")
    assert (done.code, done.err) == (0, "")
    both = jurydesk("score", "toy", "--truth", truth, *given, "--submissions", inbox, "--latest")
    assert "a name" in both.out
    assert "north" in both.out
    assert "south" not in both.out
    assert "same content" not in both.err

from __future__ import annotations

import os
import random
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.intake.collect import resolve_submissions
from jurydesk.core.intake.deadlines import parse_deadline, time_zone
from jurydesk.core.intake.received_list import read_received
from jurydesk.core.intake.resolve import resolve_names
from jurydesk.core.intake.submission import IntakeRules, SubmissionIntake, remarks
from jurydesk.core.intake.take_in import find_submissions
from jurydesk.core.model.defects import Severity
from support.windows import toy_competition

TASK = toy_competition.TASK
GUESS = "# someone\na 1.0\n"


def write_files(folder: Path, files: Mapping[str, str], *, at: str = "") -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if at:
            set_time(path, at)
    return folder


def set_time(path: Path, at: str) -> None:
    seconds = datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp()
    os.utime(path, (seconds, seconds))


def took(
    *given: Path,
    rules: IntakeRules = IntakeRules(),  # noqa: B008
    watched: bool = False,
) -> SubmissionIntake:
    store = given[0].parent / "store"
    found = find_submissions(TASK, given, store, Run(), watched=watched)
    intake = resolve_submissions(None, found.files, Run(), rules)
    return replace(intake, defects=(*found.defects, *intake.defects))


def named(intake: SubmissionIntake) -> dict[str, str]:
    """Return the label of every submission by its path."""
    return {"/".join(one.parts): one.label for one in intake.submissions}


def sentences(intake: SubmissionIntake) -> list[str]:
    return [
        f"{one.severity}: {one.found} {one.expected} {one.hint}".rstrip() for one in intake.defects
    ]


def test_files_of_one_folder_are_systems_that_can_name_themselves(tmp_path: Path) -> None:
    found = took(write_files(tmp_path / "in", {"north.txt": GUESS, "south.txt": "# s\na 2\n"}))
    assert named(found) == {"north.txt": "north", "south.txt": "south"}
    assert [one.system for one in found.submissions] == ["", ""]
    assert found.defects == ()


def test_folders_are_team_names(tmp_path: Path) -> None:
    found = took(
        write_files(tmp_path / "in", {"north/run.txt": GUESS, "south/run.txt": "# s\na 2\n"})
    )
    assert [one.system for one in found.submissions] == ["north", "south"]


def test_a_folder_that_contains_everything_is_not_a_team_name(tmp_path: Path) -> None:
    flat = write_files(tmp_path / "a", {"all/north.txt": GUESS, "all/south.txt": "# s\na 2\n"})
    assert set(named(took(flat)).values()) == {"north", "south"}
    deep = write_files(
        tmp_path / "b", {"all/north/run.txt": GUESS, "all/south/run.txt": "# s\na 2\n"}
    )
    assert set(named(took(deep)).values()) == {"north", "south"}
    one = write_files(tmp_path / "c", {"north/run.txt": GUESS})
    assert set(named(took(one)).values()) == {"north"}


def test_in_a_watched_folder_names_do_not_change_when_more_teams_arrive(tmp_path: Path) -> None:
    folder = write_files(
        tmp_path / "in", {"north/first.txt": GUESS, "north/second.txt": "# n\na 3\n"}
    )
    before = named(took(folder, watched=True))
    write_files(folder, {"south/run.txt": "# s\na 2\n", "east.txt": "# e\na 4\n"})
    after = named(took(folder, watched=True))
    assert before.items() <= after.items()
    assert before == {"north/first.txt": "north (first)", "north/second.txt": "north (second)"}


def test_equal_names_become_distinct_and_give_the_reason(tmp_path: Path) -> None:
    files = {"x.txt": GUESS, "x/run.txt": "# s\na 2\n", "x/more/b.txt": "# s\na 3\n"}
    found = took(write_files(tmp_path / "in", files), watched=True)
    names = named(found)
    assert len(set(names.values())) == 3
    assert all(name.startswith("x (") for name in names.values())


def test_names_and_marks_do_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    texts = ["# a\na 1\n", "# a\na 2\n", "# a\na 3\n"]
    shuffle = random.Random(3)
    files = {
        f"t{team}/{sub}run{run}.txt": shuffle.choice(texts)
        for team in range(4)
        for sub in ("", "old/")
        for run in range(2)
    }
    write_files(folder, files, at="2018-05-01T10:00")
    rules = IntakeRules(parse_deadline("2018-05-01 09:00 UTC"))
    found = took(folder, rules=rules)
    plain = [
        replace(one, system="", twin="", counts_instead="", late=None) for one in found.submissions
    ]
    for _ in range(20):
        shuffle.shuffle(plain)
        assert SubmissionIntake(resolve_names(plain, rules)).submissions == found.submissions
    labels = [one.label for one in found.submissions]
    counting = [one.label for one in found.counting]
    assert len(set(counting)) == len(counting) == 8
    assert len(labels) == 16


def test_a_copy_is_reported_with_the_name_of_the_first_file_received(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "in", {"north/a.txt": GUESS, "south/b.txt": GUESS})
    set_time(folder / "north" / "a.txt", "2018-05-02T10:00")
    set_time(folder / "south" / "b.txt", "2018-05-01T10:00")
    found = took(folder)
    assert [one.twin for one in found.submissions] == ["south", ""]
    assert sentences(found) == [
        "warning: north has the same content as south, byte for byte. Both are scored. "
        "Ask the teams which one is whose."
    ]


def test_empty_files_are_not_copies(tmp_path: Path) -> None:
    found = took(write_files(tmp_path / "in", {"north.txt": "", "south.txt": ""}))
    assert [one.twin for one in found.submissions] == ["", ""]


def test_a_file_after_the_deadline_is_marked_with_its_delay(tmp_path: Path) -> None:
    folder = write_files(
        tmp_path / "in", {"a.txt": GUESS, "b.txt": "# b\na 2\n"}, at="2018-05-02T12:00"
    )
    set_time(folder / "b.txt", "2018-05-02T14:09:30")
    found = took(folder, rules=IntakeRules(parse_deadline("2018-05-01 AoE")))
    assert [remarks(one) for one in found.submissions] == ["late by 1 min", "late by 2 h 10 min"]
    assert sentences(found)[1] == (
        "warning: b was received 2 h 10 min after the deadline. It is scored, and marked as late."
    )
    assert not any(one.severity is Severity.ERROR for one in found.defects)


def test_the_organiser_s_own_list_overrides_file_times(tmp_path: Path) -> None:
    folder = write_files(
        tmp_path / "in", {"north/a.txt": GUESS, "south/b.txt": "# b\na 2\n"}, at="2018-05-09T12:00"
    )
    (tmp_path / "times.csv").write_text(
        "team,time\nnorth,2018-05-01 10:00\nsouth/b.txt,2018-05-01T08:30Z\n"
    )
    given = read_received(tmp_path / "times.csv", time_zone("+02:00"))
    assert given.data is not None
    rules = IntakeRules(parse_deadline("2018-05-01 10:00 +02:00"), received=given.data)
    assert [remarks(one) for one in took(folder, rules=rules).submissions] == [
        "",
        "late by 30 min",
    ]


def test_errors_of_a_list_of_times_are_reported_by_line(tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text("team,time\nnorth,soon\na,b,c\n\nsouth,2018-02-30 10:00\n")
    given = read_received(tmp_path / "times.csv", UTC)
    assert given.data is None
    assert [(one.place.line, one.found[:22]) for one in given.defects] == [
        (2, "“soon” is not a time. "),
        (3, "The line has 3 columns"),
        (5, "“2018-02-30 10:00” is "),
    ]


@pytest.mark.parametrize("latest", [False, True])
def test_the_newest_submission_of_a_team_replaces_its_older_ones(
    tmp_path: Path, latest: bool
) -> None:
    folder = write_files(tmp_path / "in", {"north/1/run.txt": GUESS}, at="2018-05-01T10:00")
    write_files(folder, {"north/2/run.txt": "# n\na 2\n"}, at="2018-05-01T11:00")
    write_files(folder, {"north/other.txt": "# n\na 3\n"}, at="2018-05-01T09:00")
    write_files(folder, {"south/run.txt": "# s\na 4\n"}, at="2018-05-01T08:00")
    found = took(folder, rules=IntakeRules(latest=latest))
    instead = {"/".join(one.parts): bool(one.counts_instead) for one in found.submissions}
    assert instead == {
        "north/1/run.txt": True,
        "north/2/run.txt": False,
        "north/other.txt": latest,
        "south/run.txt": False,
    }
    assert len(found.counting) == (2 if latest else 3)


def test_a_late_submission_never_replaces_one_in_time(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "in", {"north/1/run.txt": GUESS}, at="2018-05-01T10:00")
    write_files(folder, {"north/2/run.txt": "# n\na 2\n"}, at="2018-05-01T11:00")
    found = took(folder, rules=IntakeRules(parse_deadline("2018-05-01 10:30 UTC")), watched=True)
    assert [one.parts[1] for one in found.counting] == ["1"]
    assert remarks(found.submissions[1]) == "late by 30 min, north/1/run.txt counts instead"
    assert found.counting[0].label == "north"


def test_pictures_belong_to_the_submission_of_their_folder(tmp_path: Path) -> None:
    files = {"north/run.txt": GUESS, "north/images/1.png": "x", "south/run.txt": GUESS}
    found = took(write_files(tmp_path / "in", files))
    north, south = found.submissions
    assert (north.files, south.files) == (2, 1)
    assert north.sha256 != south.sha256
    assert (north.twin, south.twin) == ("", "")
    assert found.defects == ()


def test_pictures_beside_a_file_belong_to_the_file_named_like_their_folder(
    tmp_path: Path,
) -> None:
    files = {"run.txt": GUESS, "run2.txt": "# b\na 2\n", "run2-pictures/1.png": "x"}
    found = took(write_files(tmp_path / "in", files))
    assert [one.files for one in found.submissions] == [1, 2]
    assert found.defects == ()


def test_a_file_that_does_not_look_like_a_submission_is_reported(tmp_path: Path) -> None:
    files = {"run.txt": GUESS, "truth.txt": "# truth\na 1\n", "notes.doc": "x", "x/1.png": "x"}
    found = took(write_files(tmp_path / "in", files))
    assert named(found) == {"run.txt": "run"}
    assert sentences(found) == [
        "warning: It looks like a shared file of the competition (Truth), not a submission. "
        "It was left out.",
        "note: 2 files not recognized as a submission: notes.doc, x/1.png.  They were left out.",
    ]


def test_a_single_file_that_does_not_look_like_a_submission_is_one(tmp_path: Path) -> None:
    found = took(write_files(tmp_path / "in", {"run.txt": GUESS, "notes.doc": "x"}))
    assert sentences(found) == [
        "note: 1 file not recognized as a submission: notes.doc.  It was left out."
    ]


def test_an_unrecognized_file_counts_if_its_team_sent_no_other(tmp_path: Path) -> None:
    files = {"north/run.txt": "broken", "south/run.txt": GUESS, "south/log.txt": "done"}
    found = took(write_files(tmp_path / "in", files))
    assert named(found) == {"north/run.txt": "north", "south/run.txt": "south"}


def test_hidden_files_and_links_are_left_out(tmp_path: Path) -> None:
    folder = write_files(
        tmp_path / "in", {"run.txt": GUESS, ".git/x.txt": GUESS, ".hidden.txt": GUESS}
    )
    (tmp_path / "secret.txt").write_text(GUESS)
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "loop").symlink_to(folder)
    found = took(folder)
    assert named(found) == {"run.txt": "run"}
    assert [one.found for one in found.defects] == [
        "It is a link, which is not followed.",
        "It is a link, which is not followed.",
        "2 hidden files created by operating systems.",
    ]


def archive(path: Path, files: Mapping[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as file:
        for name, text in files.items():
            file.writestr(zipfile.ZipInfo(name, (2018, 5, 1, 12, 0, 0)), text)
    return path


def test_a_zip_of_forty_submissions_equals_its_folder(tmp_path: Path) -> None:
    files = {f"all/team {n:02d}/run.txt": f"# t\na {n}\n" for n in range(40)}
    zipped = took(archive(tmp_path / "all.zip", files))
    plain = took(write_files(tmp_path / "in", files))
    assert [one.label for one in zipped.submissions] == [f"team {n:02d}" for n in range(40)]
    assert [one.label for one in plain.submissions] == [one.label for one in zipped.submissions]
    assert [one.sha256 for one in plain.submissions] == [one.sha256 for one in zipped.submissions]


def test_a_folder_of_zips_has_one_team_in_each(tmp_path: Path) -> None:
    for team in ("north", "south"):
        archive(tmp_path / "in" / f"{team}.zip", {"run.txt": f"# {team}\na 1\n", "1.png": "x"})
    found = took(tmp_path / "in")
    assert [one.label for one in found.submissions] == ["north", "south"]
    assert [one.files for one in found.submissions] == [2, 2]


def test_several_archives_are_named_by_their_own_names(tmp_path: Path) -> None:
    one = archive(tmp_path / "north.zip", {"run.txt": GUESS})
    two = archive(tmp_path / "south.zip", {"run.txt": "# s\na 2\n"})
    assert [each.label for each in took(one, two).submissions] == ["north", "south"]


def test_times_of_an_archive_use_the_deadline_s_zone_with_a_note(
    tmp_path: Path,
) -> None:
    path = archive(tmp_path / "all.zip", {"a.txt": GUESS})
    found = took(path, rules=IntakeRules(parse_deadline("2018-05-01 11:00 +02:00")))
    assert [remarks(one) for one in found.submissions] == ["late by 1 h"]
    found = took(path, rules=IntakeRules(parse_deadline("2018-05-01 12:00 AoE")))
    assert found.submissions[0].late is None
    assert sentences(found) == [
        "note: The archive does not record the time zone of 1 file.  Their times were read as AoE."
    ]


def test_other_archives_are_reported(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "in", {"north.rar": "x", "south.7z": "x", "a.txt": GUESS})
    (folder / "west.zip").write_bytes(b"7z\xbc\xaf\x27\x1c\0\4")  # renamed
    found = took(folder)
    assert [one.found for one in found.defects] == ["This archive format is not supported."] * 3


def test_an_empty_folder_contains_no_submissions(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    assert took(tmp_path / "in") == SubmissionIntake(())


def test_teams_that_differ_in_capitals_only_are_reported(tmp_path: Path) -> None:
    found = took(write_files(tmp_path / "in", {"North/a.txt": GUESS, "north/a.txt": "# n\na 2\n"}))
    assert sentences(found) == [
        "warning: The teams North, north differ in capital letters only. "
        "They are treated as different teams."
    ]


def test_a_damaged_line_of_a_list_of_times_is_reported(tmp_path: Path) -> None:
    own = tmp_path / "times.csv"
    own.write_text(f"a,2018-05-01 22:10 UTC\n{'x' * 200_000},2018-05-01 22:10 UTC\n")
    found = read_received(own, UTC)
    assert found.data is None
    assert [(one.place.line, one.found) for one in found.defects] == [
        (2, "The line is damaged: field larger than field limit (131072).")
    ]

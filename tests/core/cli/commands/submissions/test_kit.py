from __future__ import annotations

import json
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.model.evaluation import Source
from jurydesk.core.participant_kit.kit import read_kit
from jurydesk.core.system.paths import resources_folder

VIST = resources_folder() / "examples" / "vist"
DENSE = resources_folder() / "examples" / "densecap"
REFERENCES = ("--references", VIST / "human-stories.json", "--template", VIST / "template.json")


@pytest.fixture
def kit(jurydesk, tmp_path: Path) -> Path:
    path = tmp_path / "stories.jurycomp"
    assert jurydesk("kit", "vist", *REFERENCES, path).code == 0
    return path


def test_data_that_leave_the_computer_are_listed(jurydesk, tmp_path: Path) -> None:
    done = jurydesk(
        "kit",
        "vist",
        *REFERENCES,
        "--title",
        "Stories",
        tmp_path / "k.jurycomp",
        tmp_path / "k.html",
    )
    lines = done.out.splitlines()
    assert lines[:4] == [
        "Of the reference data and your options, the kit contains only:",
        "  The album and the photo ids of 12 required sequences.",
        "  The name of the file of required sequences: template.json.",
        "  The option profile: published.",
    ]
    assert lines[4:6] == [
        "Only your own check can find the following, which needs the reference data:",
        "  Copies of the reference data, unusual texts, and what scoring alone finds.",
    ]
    assert lines[6].startswith("Rules ")
    assert done.err.count("Written: ") == 2
    assert read_kit(tmp_path / "k.jurycomp").title == "Stories"
    assert b"Stories" in (tmp_path / "k.html").read_bytes()


def test_limits_of_the_kit_are_stated_to_both_sides(jurydesk, tmp_path: Path) -> None:
    truth = ("--ground-truth", DENSE / "people.json")
    done = jurydesk("kit", "densecap", *truth, tmp_path / "k.jurycomp")
    assert "Only your own check can find the following, which needs the reference data:" in done.out
    checked = jurydesk("check", "--kit", tmp_path / "k.jurycomp", DENSE / "grid.json")
    assert "Only the organiser can check: box format and scale" in checked.err


def test_a_participant_gets_the_same_defects_as_the_organiser(
    jurydesk, kit: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "mine.json"
    broken.write_text((VIST / "happy.json").read_text().replace("album_id", "albumid", 1))
    for submission in (broken, VIST / "happy.json"):
        mine = jurydesk("check", "--kit", kit, submission)
        theirs = jurydesk("check", "vist", *REFERENCES, "--submission", submission)
        needs_gold = "warning  happy.json: 12 of 12 texts are the same text"
        assert (mine.out, mine.code) == (theirs.out.partition(needs_gold)[0], theirs.code)
    assert jurydesk("check", f"--kit={kit}", broken, "--json", "-").code == 1
    found = json.loads(jurydesk("check", f"--kit={kit}", broken, "--json", "-").out)
    assert 'Is "albumid" meant?' in found["systems"][0]["defects"][0]["found"]


def test_the_kit_of_a_desk_is_that_of_its_files_and_options(
    jurydesk, kit: Path, tmp_path: Path
) -> None:
    desk = tmp_path / "v.jurydesk"
    jurydesk("score", "vist", *REFERENCES, "--submission", VIST / "happy.json", "--desk", desk)
    done = jurydesk("kit", "--desk", desk, tmp_path / "d.jurycomp")
    assert done.code == 0
    assert read_kit(tmp_path / "d.jurycomp").facts == read_kit(kit).facts


def test_a_desk_without_its_reference_files_cannot_make_one(jurydesk, tmp_path: Path) -> None:
    with Desk.create(tmp_path / "v.jurydesk") as desk:
        desk.set_competition("vist", "Stories", {})
    done = jurydesk("kit", "--desk", tmp_path / "v.jurydesk", tmp_path / "d.jurycomp")
    assert done.err == "Error: The desk has no file for Human stories, or the file is missing.\n"
    assert done.code == 1


def test_reference_files_with_errors_make_no_kit(jurydesk, tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_text("[]")
    done = jurydesk("kit", "vist", "--references", tmp_path / "gold.json", tmp_path / "k.jurycomp")
    assert "error  gold.json" in done.err
    assert done.code == 1
    assert not (tmp_path / "k.jurycomp").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        (("kit", "vist", *REFERENCES, "out.zip"), "the name must end with .jurycomp or .html.", 2),
        (("kit", "toy", "--truth", "x", "k.html"), "Toy has no participant kit.", 1),
        (("check", "--kit", "nowhere.jurycomp", "x"), "cannot be read: no such file", 1),
        (("check", "--kit", VIST / "happy.json", "x"), "happy.json is not a participant kit.", 1),
    ],
)
def test_impossible_requests_are_reported(
    jurydesk, tmp_path: Path, monkeypatch, arguments, sentence: str, code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    done = jurydesk(*arguments)
    assert sentence in done.err
    assert done.code == code


def test_dense_captions_have_a_browser_page(jurydesk, tmp_path: Path) -> None:
    page = tmp_path / "k.html"
    done = jurydesk("kit", "densecap", "--ground-truth", DENSE / "people.json", page)
    assert done.code == 0
    assert "  The ids of the 12 images." in done.out
    assert "<title>Check your submission</title>" in page.read_text()


def test_a_missing_browser_checker_is_reported_and_nothing_is_written(
    jurydesk, tmp_path: Path, monkeypatch
) -> None:
    from dataclasses import replace

    from jurydesk.core.cli.commands.submissions import kit as command

    require_redaction = command.require_redaction
    monkeypatch.setattr(
        command, "require_redaction", lambda task: replace(require_redaction(task), scripts=())
    )
    files = [tmp_path / "k.jurycomp", tmp_path / "k.html"]
    done = jurydesk("kit", "vist", *REFERENCES, *files)
    assert "has no browser checker for its files." in done.err
    assert done.code == 1
    assert not any(file.exists() for file in files)


def test_a_kit_of_an_unknown_competition_is_reported(jurydesk, kit: Path) -> None:
    from dataclasses import replace

    from jurydesk.core.participant_kit.kit import kit_bytes

    kit.write_bytes(kit_bytes(replace(read_kit(kit), task_id="chess")))
    done = jurydesk("check", "--kit", kit, VIST / "happy.json")
    assert "is a kit of the competition 'chess', which this installation does not have" in done.err
    assert done.code == 1


def test_a_kit_of_a_desk_has_its_title_or_the_given_one(jurydesk, tmp_path: Path) -> None:
    desk = tmp_path / "v.jurydesk"
    with Desk.create(desk) as made:
        made.set_competition("vist", "Autumn", {})
        files = zip(("references", "template"), REFERENCES[1::2], strict=True)
        made.merge_inputs([Source(role, str(path), 1, "") for role, path in files], "stories")
    found = []
    for number, title in enumerate(((), ("--title", "Spring"))):
        path = tmp_path / f"{number}.jurycomp"
        done = jurydesk("kit", "--desk", desk, *title, path)
        assert done.code == 0, done.err
        found.append(read_kit(path).title)
    assert found == ["Autumn", "Spring"]

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.tables.submission_table import add_submissions, read_submissions
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.deadlines import parse_deadline
from jurydesk.core.intake.submission import IntakeRules, remarks
from jurydesk.core.intake.submission_ledger import (
    current_submissions,
    load_rules,
    scored_share,
    store_rules,
    submission_marks,
    submission_names,
)
from jurydesk.core.model.input_file import InputFile, files_by_role
from support import toy


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk.create(tmp_path / "a.jurydesk") as made:
        yield made


def submission(name: str, sha256: str, hour: int) -> InputFile:
    team = name.split("/")[0]
    return InputFile(
        Path("/in") / name,
        size=10,
        parts=tuple(name.split("/")),
        team=team,
        sha256=sha256,
        changed=datetime(2018, 5, 1, hour, tzinfo=UTC),
        system=team,
    )


def test_rules_are_stored_with_the_desk(desk: Desk) -> None:
    assert load_rules(desk) == IntakeRules()
    rules = IntakeRules(
        parse_deadline("2018-05-01 23:59 Europe/Berlin"),
        latest=True,
        received={"north": datetime(2018, 5, 1, tzinfo=UTC)},
    )
    store_rules(desk, rules)
    assert load_rules(desk) == rules


def test_a_deadline_in_an_unknown_zone_is_ignored(desk: Desk) -> None:
    with desk.writing() as connection:
        connection.execute(
            "INSERT INTO setting VALUES ('submission rules', "
            '\'{"deadline": "2018-05-01 23:59 Moon/Base"}\')'
        )
    assert load_rules(desk) == IntakeRules()


def test_received_submissions_stay_in_the_history(desk: Desk) -> None:
    first = submission("north/run.txt", "aa", 9)
    second = replace(first, sha256="bb", changed=datetime(2018, 5, 1, 10, tzinfo=UTC))
    for seen in ([first], [first], [second]):
        add_submissions(desk, seen)
    assert read_submissions(desk) == [first, second]
    assert current_submissions(desk) == {str(second.path): replace(second, received=second.changed)}


def test_a_system_is_named_once_by_its_team_or_its_file(desk: Desk) -> None:
    assert submission_names(desk) == ()
    first, second = submission("north/a.txt", "1", 1), submission("south.txt", "2", 2)
    add_submissions(desk, [first, replace(second, system="")])
    add_submissions(desk, [replace(first, sha256="3")])
    assert submission_names(desk) == ("north", "south")


def test_marks_follow_the_current_rules(desk: Desk) -> None:
    add_submissions(
        desk, [submission("north/run.txt", "aa", 9), submission("south/run.txt", "aa", 11)]
    )
    assert list(map(remarks, current_submissions(desk).values())) == ["", "same as north"]
    store_rules(desk, IntakeRules(parse_deadline("2018-05-01 10:00 UTC")))
    assert [remarks(one) for one in current_submissions(desk).values()] == [
        "",
        "late by 1 h, same as north",
    ]


def test_systems_on_the_board_have_the_marks_of_their_files(desk: Desk, tmp_path: Path) -> None:
    truth = toy.write(tmp_path / "truth.txt", {"a": 1.0})
    paths = [toy.write(tmp_path / f"{name}.txt", {"a": 1.0}, f"{name} 7") for name in ("n", "s")]
    result = score_submissions(
        toy.TASK,
        files_by_role({"truth": (truth,), "guesses": tuple(paths)}),
        toy.Options(),
        Run(),
        resamples=10,
    )
    for evaluation in result.evaluations:
        desk.add(evaluation)
    at = datetime(2018, 5, 1, 10, tzinfo=UTC)
    add_submissions(
        desk,
        [
            InputFile(path, parts=(path.name,), team=path.stem, sha256=path.stem, changed=changed)
            for path, changed in zip(paths, (at, at.replace(hour=12)), strict=True)
        ],
    )
    store_rules(desk, IntakeRules(parse_deadline("2018-05-01 11:00 UTC")))
    assert submission_marks(desk) == {"s 7": "late by 1 h"}
    assert scored_share(desk) == ""
    add_submissions(desk, [submission("west/run.txt", "ww", 9), submission("up/run.txt", "uu", 9)])
    sentence = "2 of 4 submissions are scored. Not scored yet: west, up."
    assert scored_share(desk) == sentence

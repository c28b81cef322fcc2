from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import toy

from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import score
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.deadlines import deadline
from jurydesk.core.intake.submission import Rules, Submission
from jurydesk.core.intake.submission_ledger import (
    history,
    marks,
    names,
    remember,
    rules_of,
    set_rules,
    standing,
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk.create(tmp_path / "a.jurydesk") as made:
        yield made


def submission(name: str, sha256: str, hour: int) -> Submission:
    team = name.split("/")[0]
    return Submission(
        team,
        Path("/in") / name,
        tuple(name.split("/")),
        10,
        sha256,
        received=datetime(2018, 5, 1, hour, tzinfo=UTC),
        system=team,
    )


def test_rules_are_kept_with_the_desk(desk: Desk) -> None:
    assert rules_of(desk) == Rules()
    rules = Rules(
        deadline("2018-05-01 23:59 Europe/Berlin"),
        latest=True,
        received={"north": datetime(2018, 5, 1, tzinfo=UTC)},
    )
    set_rules(desk, rules)
    assert rules_of(desk) == rules


def test_a_deadline_of_an_unknown_zone_is_none(desk: Desk) -> None:
    with desk.writing() as connection:
        connection.execute(
            "INSERT INTO setting VALUES ('submission rules', "
            '\'{"deadline": "2018-05-01 23:59 Moon/Base"}\')'
        )
    assert rules_of(desk) == Rules()


def test_what_came_in_stays_in_the_history(desk: Desk) -> None:
    first = submission("north/run.txt", "aa", 9)
    second = replace(first, sha256="bb", received=datetime(2018, 5, 1, 10, tzinfo=UTC))
    for seen in ([first], [first], [second]):
        remember(desk, seen)
    assert history(desk) == (first, second)
    assert standing(desk) == (second,)


def test_systems_are_named_once_by_their_team_or_their_file(desk: Desk) -> None:
    assert names(desk) == ()
    first, second = submission("north/a.txt", "1", 1), submission("south.txt", "2", 2)
    remember(desk, [first, replace(second, system="")])
    remember(desk, [replace(first, sha256="3")])
    assert names(desk) == ("north", "south")


def test_marks_follow_the_rules_of_the_day(desk: Desk) -> None:
    remember(desk, [submission("north/run.txt", "aa", 9), submission("south/run.txt", "aa", 11)])
    assert [one.marks() for one in standing(desk)] == ["", "same as north"]
    set_rules(desk, Rules(deadline("2018-05-01 10:00 UTC")))
    assert [one.marks() for one in standing(desk)] == ["", "late by 1 h, same as north"]


def test_systems_on_the_board_have_the_marks_of_their_files(desk: Desk, tmp_path: Path) -> None:
    truth = toy.write(tmp_path / "truth.txt", {"a": 1.0})
    paths = [toy.write(tmp_path / f"{name}.txt", {"a": 1.0}, f"{name} 7") for name in ("n", "s")]
    result = score(
        toy.TASK, {"truth": (truth,), "guesses": tuple(paths)}, toy.Options(), Run(), resamples=10
    )
    for evaluation in result.evaluations:
        desk.add(evaluation)
    at = datetime(2018, 5, 1, 10, tzinfo=UTC)
    remember(
        desk,
        [
            Submission("n", paths[0], ("n.txt",), 1, "aa", received=at),
            Submission("s", paths[1], ("s.txt",), 1, "bb", received=at.replace(hour=12)),
        ],
    )
    set_rules(desk, Rules(deadline("2018-05-01 11:00 UTC")))
    assert marks(desk) == {"s 7": "late by 1 h"}

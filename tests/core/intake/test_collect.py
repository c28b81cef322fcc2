"""Submissions received by a desk: names, marks and times, resolved by its rules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.tables.submission_table import read_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.collect import resolve_submissions
from jurydesk.core.intake.deadlines import parse_deadline
from jurydesk.core.intake.submission import IntakeRules, SubmissionIntake, remarks
from jurydesk.core.intake.submission_ledger import current_submissions, store_rules
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.platform_entry import PlatformEntry

NOON = (2018, 5, 1, 12, 0, 0)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk.create(tmp_path / "a.jurydesk") as made:
        yield made


@pytest.fixture
def given(tmp_path: Path) -> tuple[InputFile, InputFile]:
    """Return two teams' files, both written at noon UTC on 1 May 2018."""
    made = []
    for team in ("north", "south"):
        path = tmp_path / team / "run.txt"
        path.parent.mkdir()
        path.write_text(f"# {team}\na 1\n")
        seconds = datetime(*NOON, tzinfo=UTC).timestamp()
        os.utime(path, (seconds, seconds))
        made.append(InputFile(path, parts=(team, "run.txt")))
    return made[0], made[1]


def marks(settled: SubmissionIntake) -> dict[str, str]:
    return {one.path.parent.name: remarks(one) for one in settled.submissions if remarks(one)}


def test_the_time_of_a_file_counts(desk: Desk, given: tuple[InputFile, InputFile]) -> None:
    store_rules(desk, IntakeRules(parse_deadline("2018-05-01 11:00 UTC")))
    assert marks(resolve_submissions(desk, given, Run())) == {
        "north": "late by 1 h",
        "south": "late by 1 h",
    }


def test_a_touched_file_keeps_its_time(desk: Desk, given: tuple[InputFile, InputFile]) -> None:
    resolve_submissions(desk, given, Run())
    os.utime(given[0].path)
    store_rules(desk, IntakeRules(parse_deadline("2018-05-01 13:00 UTC")))
    assert marks(resolve_submissions(desk, given, Run())) == {}


def test_a_time_without_a_zone_in_an_archive_uses_the_zone_of_the_current_deadline(
    desk: Desk, given: tuple[InputFile, InputFile]
) -> None:
    packed = [replace(given[0], archived=datetime(*NOON))]
    resolve_submissions(desk, packed, Run())
    for zone, late in (("Asia/Tokyo", "late by 1 h"), ("AoE", "late by 1 h")):
        store_rules(desk, IntakeRules(parse_deadline(f"2018-05-01 11:00 {zone}")))
        settled = resolve_submissions(desk, packed, Run())
        assert marks(settled) == {"north": late}
        assert [one.found for one in settled.defects if "zone" in one.found] == [
            "The archive does not record the time zone of 1 file."
        ]
        assert settled.defects[-1].hint == f"Their times were read as {zone}."


def test_without_a_deadline_no_zone_is_requested(
    desk: Desk, given: tuple[InputFile, InputFile]
) -> None:
    packed = [replace(given[0], archived=datetime(*NOON))]
    assert resolve_submissions(desk, packed, Run()).defects == ()


def test_a_list_of_times_overrides_file_times_and_can_be_removed(
    desk: Desk, given: tuple[InputFile, InputFile]
) -> None:
    until = parse_deadline("2018-05-01 11:00 UTC")
    store_rules(desk, IntakeRules(until, received={"north": datetime(2018, 5, 1, 10, tzinfo=UTC)}))
    assert marks(resolve_submissions(desk, given, Run())) == {"south": "late by 1 h"}
    assert list(map(remarks, current_submissions(desk).values())) == ["", "late by 1 h"]
    store_rules(desk, IntakeRules(until))
    assert [remarks(one) for one in current_submissions(desk).values()] == [
        "late by 1 h",
        "late by 1 h",
    ]
    assert marks(resolve_submissions(desk, given, Run())) == {
        "north": "late by 1 h",
        "south": "late by 1 h",
    }


def test_a_missing_file_is_left_out_and_stays_in_the_history(
    desk: Desk, given: tuple[InputFile, InputFile]
) -> None:
    resolve_submissions(desk, given, Run())
    given[0].path.unlink()
    assert [one.system for one in resolve_submissions(desk, given, Run()).counting] == ["south"]
    assert [one.team for one in read_submissions(desk)] == ["north", "south"]


def test_files_are_compared_without_a_desk(given: tuple[InputFile, InputFile]) -> None:
    given[1].path.write_text(given[0].path.read_text())
    twins = resolve_submissions(None, given, Run())
    assert marks(twins) == {"south": "same as north"}


def test_without_hashes_a_file_has_a_size_alone(
    given: tuple[InputFile, InputFile],
) -> None:
    beside = replace(given[1], parts=("north", "more.txt"))
    gone = InputFile(given[1].path.with_name("gone.txt"), parts=("north", "gone.txt"))
    team = replace(given[0], beside=(beside, gone))
    (alone,) = resolve_submissions(None, [team], Run(), hashes=False).submissions
    assert (alone.team, alone.sha256) == ("north", "")
    assert alone.size == sum(one.path.stat().st_size for one in given)


@pytest.mark.parametrize("hashes", [True, False])
def test_a_file_that_cannot_be_read_has_no_submission(
    given: tuple[InputFile, InputFile], hashes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> NoReturn:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "open", refuse)
    given[0].path.unlink()
    for one in given:
        assert resolve_submissions(None, [one], Run(), hashes=hashes).submissions == []


@pytest.mark.parametrize("hashes", [True, False])
def test_what_is_no_regular_file_is_never_opened(tmp_path: Path, hashes: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        one = InputFile(path)
        (found,) = resolve_submissions(None, [one], Run(), hashes=hashes).submissions
        assert (found.size, found.sha256) == (0, "")


def test_a_later_table_with_another_time_of_an_entry_is_told_once(
    desk: Desk, given: tuple[InputFile, InputFile]
) -> None:
    noon = datetime(*NOON, tzinfo=UTC)
    entry = PlatformEntry("EvalAI", "7", "north", received=noon, received_known="exact")
    day = replace(entry, received=noon.replace(hour=0), received_known="day")
    later = replace(entry, received=noon.replace(hour=13))

    def told(*entries: PlatformEntry) -> list[str]:
        files = [replace(one, entry=entry) for one, entry in zip(given, entries, strict=False)]
        return [one.found for one in resolve_submissions(desk, files, Run()).defects]

    other = replace(entry, id="8", team="south")
    assert told(entry, other) == []
    assert told(day, other) == []
    assert told(later, other) == ["1 entry with several times in the tables: 7."]
    assert told(later, other) == []
    assert told(replace(later, id="9"), other) == []

"""The organiser's rules for submissions, and the result of intake."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.intake.deadlines import (
    Deadline,
    TimeError,
    duration_text,
    local_zone,
    parse_time,
    time_zone,
)
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.input_file import InputFile, Parts
from jurydesk.core.readers.text_file import read_text

MAX_BYTES = 16 << 20
EXPECTED = "Expected: file or team, time (2018-05-01 22:10 or 2018-05-01T20:10Z)."

Received = Mapping[str, datetime]
"""Times in UTC by the name of a file, its path in the folder, or a team."""


def read_received(path: Path, zone: tzinfo) -> Reading[Received]:
    """Read a CSV file with two columns; times without a zone are in `zone`."""
    text = read_text(path, limit=MAX_BYTES)
    if text.data is None:
        return Reading(None, text.defects)
    rows = csv.reader(text.data.splitlines())
    try:
        found, defects = _times(rows, path, zone)
    except csv.Error as problem:
        place = Place(str(path), rows.line_num)
        return Reading(
            None, (*text.defects, error(place, fill("The line is damaged: {problem}.", problem)))
        )
    return Reading(None if defects else found, (*text.defects, *defects))


def _times(
    rows: Iterable[list[str]], path: Path, zone: tzinfo
) -> tuple[dict[str, datetime], list[Defect]]:
    found: dict[str, datetime] = {}
    defects: list[Defect] = []
    for number, row in enumerate(rows, start=1):
        if not any(cell.strip() for cell in row):
            continue
        place = Place(str(path), number)
        if len(row) != 2:
            defects.append(error(place, fill("The line has {row} columns.", len(row)), EXPECTED))
            continue
        name, when = (cell.strip() for cell in row)
        try:
            found[name] = parse_time(when, zone)
        except TimeError as problem:
            if number > 1:  # the first line may be a header
                defects.append(error(place, str(problem), EXPECTED))
    return found, defects


@dataclass(frozen=True, slots=True)
class IntakeRules:
    """Organiser's rules: deadline, whether only a team's newest counts, times of receipt."""

    deadline: Deadline | None = None
    latest: bool = False
    received: Received = field(default_factory=dict)

    @property
    def zone(self) -> tzinfo:
        """Zone of times without one: the deadline's, else this computer's."""
        return time_zone(self.deadline.zone) if self.deadline else local_zone()


_MARKS = {
    (False, False, False): "",
    (True, False, False): translatable("late by {duration}"),
    (False, True, False): translatable("same as {twin}"),
    (False, False, True): translatable("{file} counts instead"),
    (True, True, False): translatable("late by {duration}, same as {twin}"),
    (True, False, True): translatable("late by {duration}, {file} counts instead"),
    (False, True, True): translatable("same as {twin}, {file} counts instead"),
    (True, True, True): translatable("late by {duration}, same as {twin}, {file} counts instead"),
}
"""Remarks on a submission that is late, a copy, replaced by another one."""


def remarks(file: InputFile) -> str:
    """Return the remarks on a submission in a few words: `late by 2 h, same as north`."""
    late = duration_text(file.late) if file.late is not None else ""
    marks = _MARKS[bool(late), bool(file.twin), bool(file.counts_instead)]
    return marks.format(duration=late, twin=file.twin, file=file.counts_instead)


@dataclass(frozen=True, slots=True)
class SubmissionIntake:
    """Files that were taken in, in the order given, and defects.

    A file that cannot be read has no team.
    """

    files: tuple[InputFile, ...]
    defects: tuple[Defect, ...] = ()

    @property
    def submissions(self) -> list[InputFile]:
        """Submissions that can be read, sorted by name."""
        return sorted((one for one in self.files if one.team), key=submission_order)

    @property
    def counting(self) -> list[InputFile]:
        """Submissions that are scored."""
        return [one for one in self.submissions if not one.counts_instead]


NO_TIME = datetime.min.replace(tzinfo=UTC)
"""Time of a submission without one."""


def submission_order(one: InputFile) -> tuple[Parts, datetime, str]:
    """Return the key that sorts submissions by name, then by time and content."""
    return one.parts, one.received or NO_TIME, one.sha256

"""The nouns of intake: submissions, the organiser's rules, and what was taken in."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
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
from jurydesk.core.intake.safe_names import Parts
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.readers.text_file import read_text

MOST_BYTES = 16 << 20
EXPECTED = "A line is: file or team, time (2018-05-01 22:10 or 2018-05-01T20:10Z)."

Received = Mapping[str, datetime]
"""Moments in UTC by the name of a file, its path in the folder, or a team."""


def read_received(path: Path, zone: tzinfo) -> Reading[Received]:
    """The list of a CSV file with two columns; times without a zone are those of `zone`."""
    text = read_text(path, limit=MOST_BYTES)
    if text.data is None:
        return Reading(None, text.defects)
    rows = csv.reader(text.data.splitlines())
    try:
        found, defects = _times(rows, path, zone)
    except csv.Error as wrong:
        place = Place(str(path), rows.line_num)
        return Reading(None, (*text.defects, error(place, f"The line is damaged: {wrong}.")))
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
            defects.append(error(place, f"The line has {len(row)} columns.", EXPECTED))
            continue
        name, when = (cell.strip() for cell in row)
        try:
            found[name] = parse_time(when, zone)
        except TimeError as wrong:
            if number > 1:  # the first line may hold the columns' names
                defects.append(error(place, str(wrong), EXPECTED))
    return found, defects


@dataclass(frozen=True, slots=True)
class IntakeRules:
    """The organiser's rules: the deadline, whether only each team's newest counts, own times."""

    deadline: Deadline | None = None
    latest: bool = False
    received: Received = field(default_factory=dict)

    @property
    def zone(self) -> tzinfo:
        """The zone of times that name none: the deadline's, else this computer's."""
        return time_zone(self.deadline.zone) if self.deadline else local_zone()


@dataclass(frozen=True, slots=True)
class ReceivedSubmission:
    """One system of one team: the file that is scored, and what is odd of it.

    `team` is that of its folder, or else the file's stem; `system` is a unique name made of it,
    empty where the file itself may name the system. `files` counts it and what belongs to it,
    and `sha256` is that of all of them. `received` (UTC) is when it came in by the rules, and
    `changed` what the file itself says of that. `twin` is the system with the same
    content of another team that came before; `counts_instead` the file that takes the place of
    this one.
    """

    team: str
    path: Path
    parts: Parts
    size: int
    sha256: str
    files: int = 1
    received: datetime | None = None
    changed: datetime | None = field(default=None, compare=False)
    late: timedelta | None = None
    system: str = ""
    twin: str = ""
    counts_instead: str = ""

    @property
    def label(self) -> str:
        """How sentences name it."""
        return self.system or self.team

    @property
    def by_folder(self) -> bool:
        """Whether the folder names the team."""
        return len(self.parts) > 1

    def marks(self) -> str:
        """What is odd of it, in a few words: `late by 2 h, same as north`."""
        said = [f"late by {duration_text(self.late)}"] if self.late is not None else []
        said += [f"same as {self.twin}"] if self.twin else []
        said += [f"{self.counts_instead} counts instead"] if self.counts_instead else []
        return ", ".join(said)


@dataclass(frozen=True, slots=True)
class SubmissionIntake:
    """What was taken in: the submissions by their names, and every defect on the way."""

    submissions: tuple[ReceivedSubmission, ...]
    defects: tuple[Defect, ...]

    @property
    def counting(self) -> tuple[ReceivedSubmission, ...]:
        """The submissions that are scored."""
        return tuple(one for one in self.submissions if not one.counts_instead)

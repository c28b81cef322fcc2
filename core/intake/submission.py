"""The organiser's rules for submissions, and the result of intake."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from jurydesk.core.intake.deadlines import (
    Deadline,
    duration_text,
    local_zone,
    time_zone,
)
from jurydesk.core.intake.received_list import Received
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.input_file import InputFile, Parts


@dataclass(frozen=True, slots=True)
class IntakeRules:
    """Organiser's rules: deadline, whether only a team's newest counts, times of receipt.

    `received_list` is the path of the list of times, for messages.
    """

    deadline: Deadline | None = None
    latest: bool = False
    received: Received = field(default_factory=dict)
    received_list: str = ""

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


def lateness_text(file: InputFile) -> str:
    """Return the time after the deadline, of a day alone the least; empty for a timely file."""
    if file.late is None:
        return ""
    late = duration_text(file.late)
    return fill("at least {duration}", late) if file.is_day_known else late


def remarks(file: InputFile) -> str:
    """Return the remarks on a submission in a few words: `late by 2 h, same as north`."""
    late = lateness_text(file)
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

"""Results of a published program's own submission checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jurydesk.core.execution.check_record import NOT_CHECKED

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.model.checks import CheckRecord, Outcome


@dataclass(frozen=True, slots=True)
class PublishedCheck:
    """One check in the program's words, with the submissions by outcome.

    `unknown` has the reason for each submission that could not be checked; in those of
    `not_reached` the program stops before this check.
    """

    sentence: str
    passed: tuple[Path, ...] = ()
    failed: tuple[Path, ...] = ()
    unknown: tuple[tuple[Path, str], ...] = ()
    not_reached: tuple[Path, ...] = ()

    @property
    def outcome(self) -> Outcome | Literal["not reached"]:
        """Failed if one submission fails, passed if all of them pass."""
        if self.failed:
            return "failed"
        if self.not_reached:
            return "not reached"
        return "passed" if self.passed and not self.unknown else "unknown"


def published_checks(
    task: AnyTask, submissions: Sequence[Path], checked: CheckRecord
) -> tuple[PublishedCheck, ...]:
    """Derive each published check from a check record; empty if the task declares none."""
    checklist = task.submission_checks.checklist
    if checklist is None:
        return ()
    passed: dict[tuple[str, Path], bool | None] = {}
    unknown = []
    for path in submissions:
        file = checked.of(path)
        if file is None or file.outcome == "unknown":
            unknown.append((path, file.reason if file else NOT_CHECKED))
            continue
        defects = [defect for defect in checked.defects.all if defect.place.path == str(path)]
        passed |= {(sentence, path): holds for sentence, holds in checklist(defects)}
    return tuple(
        PublishedCheck(
            sentence,
            tuple(path for path in submissions if passed.get((sentence, path)) is True),
            tuple(path for path in submissions if passed.get((sentence, path)) is False),
            tuple(unknown),
            tuple(path for path in submissions if passed.get((sentence, path), True) is None),
        )
        for sentence, _ in checklist(())
    )

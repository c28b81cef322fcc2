"""Results of a published program's own submission checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    `unknown` has the reason for each submission that could not be checked, or passed and cannot be
    read any more; in those of `not_reached` the program stops before this check.
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
    holds: dict[tuple[str, Path], bool | None] = {}
    reasons: dict[Path, str] = {}
    for path in submissions:
        file = checked.of(path)
        reasons[path] = file.reason if file else NOT_CHECKED
        if file is not None and file.outcome != "unknown":
            defects = [defect for defect in checked.defects.all if defect.place.path == str(path)]
            holds |= {(sentence, path): outcome for sentence, outcome in checklist(defects)}
    return tuple(_published_check(sentence, holds, reasons) for sentence, _ in checklist(()))


def _published_check(
    sentence: str, holds: Mapping[tuple[str, Path], bool | None], reasons: Mapping[Path, str]
) -> PublishedCheck:
    """Return one check; a file that passed and cannot be read any more is unknown."""
    found: dict[object, list[Path]] = {}
    for path, reason in reasons.items():
        outcome = holds.get((sentence, path), "unknown")
        found.setdefault("unknown" if outcome is True and reason else outcome, []).append(path)
    return PublishedCheck(
        sentence,
        tuple(found.get(True, ())),
        tuple(found.get(False, ())),
        tuple((path, reasons[path]) for path in found.get("unknown", ())),
        tuple(found.get(None, ())),
    )

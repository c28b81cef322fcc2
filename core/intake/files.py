"""Submissions that a desk was given one by one or in folders: settled whenever they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.defects import Defect
from core.intake.archive import Stamped
from core.intake.folder import Found
from core.intake.ledger import history, remember, rules_of
from core.intake.safe_names import Parts
from core.intake.settling import settle, told, zoneless
from core.intake.submission import Rules, Submission
from core.intake.submissions import submission
from core.paths import fingerprint

if TYPE_CHECKING:
    from core.desk import Desk
    from core.run.run import Run


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """A submission's file, its path in what was given with it, and its time in an archive."""

    path: Path
    parts: Parts = ()
    stamped: Stamped | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """The systems' names by file, what is odd of each, and the files that others stand in for."""

    names: Mapping[Path, str] = field(default_factory=dict)
    marks: Mapping[Path, str] = field(default_factory=dict)
    left_out: frozenset[Path] = frozenset()
    defects: tuple[Defect, ...] = ()


def resolve_submissions(desk: Desk, given: Sequence[ReceivedFile], run: Run) -> Resolution:
    """Settle the files by the rules of their desk, which remembers them. Raises Cancelled.

    A file whose folder is not known any more is that of the desk's memory, where it has one.
    """
    rules = rules_of(desk)
    known = {one.path: one for one in history(desk)}
    made: list[Submission] = []
    for number, one in enumerate(given):
        run.report(number, len(given), "Comparing the submissions")
        try:
            found = fingerprint(one.path, run.check)
            own = datetime.fromtimestamp(one.path.stat().st_mtime, UTC)
        except (OSError, ValueError, OverflowError):
            continue
        before = known.get(one.path)
        parts = one.parts or (before.parts if before else (one.path.name,))
        when = one.stamped.moment(rules.zone) if one.stamped else None
        if when is None:
            same = before is not None and before.sha256 == found.sha256
            when = (before.received if before and same else None) or own
        made.append(submission(Found(one.path, parts), when, found.size, found.sha256))
    settled = settle(made, rules)
    if not desk.read_only:
        remember(desk, settled)
    return Resolution(
        {one.path: one.system for one in settled if one.system and not one.counts_instead},
        {one.path: one.marks() for one in settled if one.marks()},
        frozenset(one.path for one in settled if one.counts_instead),
        (*told(settled), *_zoneless(given, rules)),
    )


def _zoneless(given: Sequence[ReceivedFile], rules: Rules) -> Iterator[Defect]:
    """With a deadline, the archived files whose times name no zone."""
    own = [one.path for one in given if one.stamped is not None and one.stamped.utc is None]
    if own and rules.deadline is not None and not rules.received:
        yield zoneless(own[0], len(own), rules.deadline)

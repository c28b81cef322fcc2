"""Verification of a desk: its results from their inputs, and what it shows beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.analysis.contradictions import contradictions
from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.desk import Desk
from jurydesk.core.desk.item_queries import declared_metrics, load_stamps
from jurydesk.core.language import fill
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.verification.desk_parts import StampedDesk, changed_groups, parts_without_stamp
from jurydesk.core.verification.desk_submissions import unconfirmed_submissions
from jurydesk.core.verification.scored_before import ScoredBefore
from jurydesk.core.verification.stamp_record import verify_record
from jurydesk.core.verification.stored_results import (
    as_stored,
    differences_from_inputs,
    has_other_defects,
)
from jurydesk.core.verification.verify_stamp import Verdict

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.run import Run

Tell = Callable[[str, Verdict], None]
"""What is done with the verdict on each system."""


@dataclass(slots=True)
class DeskFindings:
    """Verdicts on the results that could be compared, what differs, and what was not checked."""

    verdicts: list[Verdict] = field(default_factory=list)
    altered: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def verify_desk(
    desk: Desk, task: AnyTask, folders: Sequence[Path], run: Run, tell: Tell
) -> DeskFindings:
    """Compute scores again from rows, rows from the inputs at hand, and the rest from files.

    Raises StampError for a stamp that does not fit the competition, and Cancelled.
    """
    found = DeskFindings()
    summaries, records = desk.evaluations(), load_stamps(desk)
    stamps = {key: Stamp.from_json(record) for key, record in records.items()}
    known = with_metrics(task, declared_metrics(desk))
    found.altered += [sentence for _, sentence in contradictions(desk, known, summaries)]
    found.altered += changed_groups(desk, folders, run)
    before = ScoredBefore()
    for one in summaries:
        if one.id not in stamps:
            found.unchecked.append(one.system)
            continue
        verdict = verify_record(records[one.id], stamps[one.id], task, folders, run, before)
        tell(one.system, verdict)
        _compare(desk, one.id, verdict, found)
        if one.created != stamps[one.id].created:
            found.unchecked.append(fill("{system}: its time", one.system))
    opened = StampedDesk(desk, known, summaries, stamps, folders, run)
    found.unchecked += parts_without_stamp(opened)
    found.unchecked += unconfirmed_submissions(opened, found.verdicts)
    found.altered = list(dict.fromkeys(found.altered))
    found.unchecked = list(dict.fromkeys(found.unchecked))
    return found


def _compare(desk: Desk, key: int, verdict: Verdict, found: DeskFindings) -> None:
    """Compare a result with what its inputs give, if they are at hand."""
    stored = desk.load(key, as_stored)
    if not verdict.compared:
        found.unchecked.append(stored.system)
        return
    found.verdicts.append(verdict)
    if verdict.match and verdict.evaluation is not None:
        again = verdict.evaluation
        found.altered += differences_from_inputs(stored, again, other_code=not verdict.same_code)
        if has_other_defects(stored, again):
            found.unchecked.append(fill("{system}: defects", stored.system))

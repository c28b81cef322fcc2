"""Check and score: read the files of a competition, and keep the outcome in its desk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.workflow.desk_state import Results, load_results

if TYPE_CHECKING:
    from core.defects import Defect
    from core.desk import Desk
    from core.intake.files import ReceivedFile, Resolution
    from core.model import Evaluation, Evidence
    from core.run.engine import Entry, Result
    from core.run.run import Run
    from core.task import Inputs
    from core.tasks.registry import AnyTask

Tell = Callable[[object], None]
"""Gets what is known before the work has ended: a `Resolution` or `Results`."""


@dataclass(frozen=True, slots=True)
class Received:
    """The submissions that came in, and the defects of what could not be taken in."""

    files: Sequence[ReceivedFile] = ()
    defects: tuple[Defect, ...] = ()


NOTHING = Received()


@dataclass(frozen=True, slots=True)
class Competition:
    """A competition with the files and options in use, and the path of its desk.

    The desk is opened by the work itself, so that the window can read it meanwhile.
    """

    desk: Path
    task: AnyTask
    inputs: Inputs
    options: Any
    received: Received = NOTHING


def check(competition: Competition, run: Run, tell: Tell) -> Result:
    """Read every file, find every defect, and keep the defects in the desk. Raises Cancelled."""
    from core.desk import Desk
    from core.intake.misplaced import placed
    from core.run.engine import check

    with Desk.open(competition.desk) as desk:
        resolution, counting = _resolved(competition, desk, run, tell)
    task = competition.task
    found = check(task, counting, competition.options, run, names=resolution.names)
    result = placed(task, counting, found)
    run.check()
    with Desk.open(competition.desk) as desk:
        _keep_defects(desk, competition.received, resolution, result.defects)
    return result


def score(competition: Competition, run: Run, tell: Tell) -> Result:
    """Score every submission into the desk. Raises Cancelled.

    `tell` gets the resolution first, and the results whenever a system was kept in the desk.
    """
    from core.desk import Desk
    from core.intake.misplaced import placed
    from core.run.engine import score

    task, options = competition.task, competition.options
    with Desk.open(competition.desk) as desk:
        run.cache = desk.cache

        def keep(entry: Entry) -> None:
            if entry.evaluation is not None:
                desk.add(_with_progress(entry.evaluation, run))
                tell(load_results(desk))

        resolution, counting = _resolved(competition, desk, run, tell)
        found = score(task, counting, options, run, names=resolution.names, on_entry=keep)
        result = placed(task, counting, found)
        if result.sources:
            desk.set_inputs(result.sources)
        _keep_defects(desk, competition.received, resolution, result.defects)
        tell(load_results(desk))
        return result


def resolve(
    desk_path: Path, received: Received, read: Sequence[Defect], run: Run, tell: Tell
) -> Resolution:
    """Apply the desk's rules to the submissions; `read` are the defects of their files."""
    from core.desk import Desk
    from core.intake.files import resolve_submissions

    with Desk.open(desk_path) as desk:
        resolution = resolve_submissions(desk, received.files, run)
        _keep_defects(desk, received, resolution, read)
        return resolution


def reload_results(desk: Desk, run: Run, tell: Tell) -> Results:
    """Read the results again after files have changed."""
    return load_results(desk)


def _resolved(
    competition: Competition, desk: Desk, run: Run, tell: Tell
) -> tuple[Resolution, dict[str, Sequence[Path]]]:
    """The resolution, and the inputs without submissions that others replace."""
    from core.intake.files import resolve_submissions

    resolution = resolve_submissions(desk, competition.received.files, run)
    tell(resolution)
    inputs, role = competition.inputs, competition.task.submission_input().role
    own = [path for path in inputs.get(role, ()) if path not in resolution.left_out]
    return resolution, {**inputs, role: own}


def _keep_defects(
    desk: Desk, received: Received, resolution: Resolution, read: Sequence[Defect]
) -> None:
    from core.intake.ledger import set_not_taken

    set_not_taken(desk, received.defects)
    desk.set_defects((*received.defects, *resolution.defects, *read))


def _with_progress(evaluation: Evaluation, run: Run) -> Evaluation:
    """The evaluation with evidence that reports how much of it was kept, and can be stopped."""
    items = evaluation.items
    load = items.evidence
    if load is None:
        return evaluation

    def watched(number: int) -> Evidence:
        run.report(number, len(items), f"Keeping the details of {evaluation.system}")
        return load(number)

    return replace(evaluation, items=replace(items, evidence=watched))

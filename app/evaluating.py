"""What the jobs of the evaluator do: they check, settle and score into a desk, and know no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.standing import Standing, standing

if TYPE_CHECKING:
    from app.jobs import Tell
    from core.defects import Defect
    from core.desk import Desk
    from core.intake.files import Given, Settled
    from core.model import Evaluation, Evidence
    from core.run.engine import Entry, Result
    from core.run.run import Run
    from core.task import Inputs
    from core.tasks.registry import AnyTask


@dataclass(frozen=True, slots=True)
class Came:
    """The submissions as they came in, and what is wrong with what was not taken of them."""

    given: Sequence[Given] = ()
    defects: tuple[Defect, ...] = ()


NOTHING = Came()


@dataclass(frozen=True, slots=True)
class Competition:
    """A competition with the files and options in use, and the desk that keeps what comes of it.

    The desk is opened a second time, so that the window may read it meanwhile.
    """

    desk: Path
    task: AnyTask
    inputs: Inputs
    options: Any
    came: Came = NOTHING


def check(competition: Competition, run: Run, tell: Tell) -> Result:
    """Read every file, find every defect, and keep them in the desk.

    `tell` gets what was settled of the submissions.
    """
    from core.desk import Desk
    from core.intake.misplaced import placed
    from core.run.engine import check

    with Desk.open(competition.desk) as desk:
        settled, counting = _settled(competition, desk, run, tell)
    task = competition.task
    found = check(task, counting, competition.options, run, names=settled.names)
    result = placed(task, counting, found)
    run.check()
    with Desk.open(competition.desk) as desk:
        _keep_told(desk, competition.came, settled, result.defects)
    return result


def score(competition: Competition, run: Run, tell: Tell) -> Result:
    """Score every submission into the desk, and tell how it stands whenever a system is safe there.

    Before that `tell` gets what was settled of the submissions.
    """
    from core.desk import Desk
    from core.intake.misplaced import placed
    from core.run.engine import score

    task, options = competition.task, competition.options
    with Desk.open(competition.desk) as desk:
        run.cache = desk.cache

        def keep(entry: Entry) -> None:
            if entry.evaluation is not None:
                desk.add(_watched(entry.evaluation, run))
                tell(standing(desk))

        settled, counting = _settled(competition, desk, run, tell)
        found = score(task, counting, options, run, names=settled.names, on_entry=keep)
        result = placed(task, counting, found)
        if result.sources:
            desk.set_inputs(result.sources)
        _keep_told(desk, competition.came, settled, result.defects)
        tell(standing(desk))
        return result


def settle(desk_path: Path, came: Came, read: Sequence[Defect], run: Run, tell: Tell) -> Settled:
    """What the desk's rules say of the submissions now; `read` are the defects of their files."""
    from core.desk import Desk
    from core.intake.files import settle_given

    with Desk.open(desk_path) as desk:
        settled = settle_given(desk, came.given, run)
        _keep_told(desk, came, settled, read)
        return settled


def look_again(desk: Desk, run: Run, tell: Tell) -> Standing:
    """How the desk stands after its files have changed."""
    return standing(desk)


def _settled(
    competition: Competition, desk: Desk, run: Run, tell: Tell
) -> tuple[Settled, dict[str, Sequence[Path]]]:
    """What is settled of the submissions, and the inputs without those that others stand in for."""
    from core.intake.files import settle_given

    settled = settle_given(desk, competition.came.given, run)
    tell(settled)
    inputs, role = competition.inputs, competition.task.submission_input().role
    own = [path for path in inputs.get(role, ()) if path not in settled.left_out]
    return settled, {**inputs, role: own}


def _keep_told(desk: Desk, came: Came, settled: Settled, read: Sequence[Defect]) -> None:
    from core.intake.ledger import set_not_taken

    set_not_taken(desk, came.defects)
    desk.set_defects((*came.defects, *settled.defects, *read))


def _watched(evaluation: Evaluation, run: Run) -> Evaluation:
    """The evaluation with evidence that reports how much of it was taken, and can be stopped."""
    items = evaluation.items
    load = items.evidence
    if load is None:
        return evaluation

    def watched(number: int) -> Evidence:
        run.report(number, len(items), f"Keeping the details of {evaluation.system}")
        return load(number)

    return replace(evaluation, items=replace(items, evidence=watched))

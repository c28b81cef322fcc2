"""Input files of a stamped result, for scoring them again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.comparison.pairwise import (
    MetricComparison,
    compare_resampled,
    compare_systems,
)
from jurydesk.core.analysis.significance.leaderboard_significance import load_entrant
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.competition.task import AnyTask, Task
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.language import Message, fill, join_messages
from jurydesk.core.model.evaluation import MetricInfo, Units, UsageError
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.statistics.combined_scores import UNIT_RESAMPLES

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference


def require_stamp(desk: Desk, summary: Summary) -> Stamp:
    """Return the stamp of a system; raise DeskError if the desk has none."""
    stamp = desk.load(summary.id).stamp
    if not stamp:
        raise DeskError(fill("{system} has no stamp: score it again.", summary.system))
    return Stamp.from_json(stamp)


def stamped_inputs(desk: Desk, task: Task[Any, Any, Any], stamp: Stamp) -> dict[str, list[Path]]:
    """Return the files of a system; raise DeskError if one is missing, changed or of no role."""
    role = task.submission_input().role
    entries = [
        entry
        for entry in desk.inputs()
        if entry.source.role != role or entry.source.sha256 == stamp.submission.sha256
    ]
    outdated = [entry for entry in entries if entry.state != "current"]
    if outdated:
        names = join_messages(
            [fill("{name} ({state})", one.path.name, Message(one.state)) for one in outdated], ", "
        )
        raise DeskError(fill("The inputs differ from those scored: {names}.", names))
    known = {one.role for one in task.inputs}
    if strange := [one.source.role for one in entries if one.source.role not in known]:
        taken = "The desk has an input {role}, which {id} does not take."
        raise DeskError(fill(taken, repr(strange[0]), task.id))
    inputs: dict[str, list[Path]] = {}
    for entry in entries:
        inputs.setdefault(entry.source.role, []).append(entry.path)
    if role not in inputs:
        raise DeskError(fill("The file of {system} is not among the desk's inputs.", stamp.system))
    inputs[role] = inputs[role][:1]
    return inputs


def compare_by_metric(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    pair: tuple[Summary, Summary],
    run: Run,
    resamples: int | None,
    inference: Inference,
) -> MetricComparison:
    """Compare two systems of a desk by one metric; some are tested only with `resamples`."""
    if resamples is not None and metric.name in task.scoring.on_request:
        return compare_requested(desk, task, metric, pair, run, resamples)
    first, second = pair
    one, other = load_entrant(desk, task, metric, first), load_entrant(desk, task, metric, second)
    return compare_systems(task, metric, first.profile, one, other, run, inference=inference)


def compare_requested(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    systems: tuple[Summary, Summary],
    run: Run,
    resamples: int = UNIT_RESAMPLES,
) -> MetricComparison:
    """Compare two systems by a metric that is resampled on request only.

    Raises UsageError, ResourceMissing or DeskError if something it needs is missing, and Cancelled.
    """
    one, other = (load_units(desk, task, metric, summary, run) for summary in systems)
    first, second = (load_entrant(desk, task, metric, summary) for summary in systems)
    return compare_resampled(metric, first, second, (one, other), run, resamples)


def load_units(desk: Desk, task: AnyTask, metric: MetricInfo, system: Summary, run: Run) -> Units:
    """Load the resampling units of a system from the files that it was scored from."""
    stamp = require_stamp(desk, system)
    options, inputs = options_of_stamp(task, stamp), stamped_inputs(desk, task, stamp)
    references = task.readers.read_references(inputs, options, run).data
    (path,) = inputs[task.submission_input().role]
    found = (
        None if references is None else task.readers.read_submission(path, references, options, run)
    )
    if references is None or found is None or found.data is None:
        raise UsageError(
            fill(
                "The files of {system} can no longer be read: run check for the defects.",
                system.system,
            )
        )
    return task.scoring.on_request[metric.name](references, found.data, options, run)

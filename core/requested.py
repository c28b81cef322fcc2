"""Tests that are made only where somebody asks: what they need was kept when systems were scored.

The Frechet distance is one: its resamples take long, and come from the features of pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.comparison import Comparison, compare_drawn
from core.contest import entrant
from core.model import MetricInfo, Units, UsageError
from core.rescoring import inputs_of, stamp_of
from core.separating import UNIT_RESAMPLES
from core.task import Task
from core.verify import options_from

if TYPE_CHECKING:
    from core.desk import Desk, Summary
    from core.run.run import Run

AnyTask = Task[Any, Any, Any]


def compare_requested(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    systems: tuple[Summary, Summary],
    run: Run,
    resamples: int = UNIT_RESAMPLES,
) -> Comparison:
    """Whether two systems differ by a metric that is resampled on request only.

    Raises UsageError, ResourceMissing or DeskError where what it needs is not here any more, and
    Cancelled.
    """
    one, other = (units_of(desk, task, metric, summary, run) for summary in systems)
    first, second = (entrant(desk, task, metric, summary) for summary in systems)
    return compare_drawn(metric, first, second, (one, other), run, resamples)


def units_of(desk: Desk, task: AnyTask, metric: MetricInfo, system: Summary, run: Run) -> Units:
    """What is drawn of one system, from the files that it was scored from."""
    stamp = stamp_of(desk, system)
    options, inputs = options_from(task, stamp), inputs_of(desk, task, stamp)
    references = task.readers.read_references(inputs, options, run).data
    (path,) = inputs[task.submission_input().role]
    found = (
        None if references is None else task.readers.read_submission(path, references, options, run)
    )
    if references is None or found is None or found.data is None:
        raise UsageError(f"The files of {system.system} cannot be read any more: see check.")
    return task.scoring.on_request[metric.name](references, found.data, options, run)

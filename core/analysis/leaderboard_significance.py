"""The systems of a desk compared with each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.copied_systems import CopiedPair, find_copies, telling_marks
from jurydesk.core.analysis.leaderboard import find_score, headline_metric
from jurydesk.core.analysis.significance import (
    PairwiseSignificance,
    compare_all_pairs,
    required_columns,
)
from jurydesk.core.analysis.significance_methods import Entrant
from jurydesk.core.competition.task import GROUP
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.item_queries import load_item_columns
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.competition.task import Task
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import MetricInfo

Enter = Callable[["MetricInfo", Sequence["Summary"]], Sequence[Entrant]]
"""Gives those of some systems of one profile that can be compared by a metric."""

COMPARED = 8
"""Metrics whose values tell a copy: its other ones are the same, too."""


def desk_significance(
    desk: Desk,
    task: Task[Any, Any, Any],
    summaries: Sequence[Summary],
    run: Run,
    inference: Inference | None = None,
) -> dict[str, PairwiseSignificance]:
    """Test all pairs of systems by the headline metric, for each profile. Raises Cancelled.

    Without `inference` the choices of the desk count.
    """
    chosen = load_inference(desk) if inference is None else inference
    return significance_by_profile(task, summaries, partial(load_entrants, desk, task), run, chosen)


def significance_by_profile(
    task: Task[Any, Any, Any],
    summaries: Sequence[Summary],
    enter: Enter,
    run: Run,
    inference: Inference,
) -> dict[str, PairwiseSignificance]:
    """What separates systems by the headline metric, for each profile. Raises Cancelled."""
    headline = headline_metric(task, summaries)
    found: dict[str, PairwiseSignificance] = {}
    if headline is None:
        return found
    for profile in dict.fromkeys(one.profile for one in summaries):
        alike = [one for one in summaries if one.profile == profile]
        entrants = enter(headline, alike)
        separation = compare_all_pairs(task, headline, profile, entrants, run, inference=inference)
        if separation is not None:
            found[profile] = separation
    return found


def find_copied_systems(
    desk: Desk, task: Task[Any, Any, Any], summaries: Sequence[Summary], run: Run
) -> dict[str, tuple[CopiedPair, ...]]:
    """The systems that look like copies of each other, for each profile. Raises Cancelled."""
    names = [info.name for info in task.scoring.metrics if info.better != "neither"][:COMPARED]
    found = {}
    for profile in dict.fromkeys(one.profile for one in summaries):
        marks = {}
        for one in summaries:
            if one.profile == profile:
                run.report(0, 0, f"looking for copies of {one.system}")
                marks[one.system] = telling_marks(load_item_columns(desk, one.id), names)
        found[profile] = find_copies(marks)
    return found


def load_entrants(
    desk: Desk, task: Task[Any, Any, Any], metric: MetricInfo, summaries: Sequence[Summary]
) -> list[Entrant]:
    """The systems that have the metric, with the columns that a comparison by it reads."""
    if required_columns(task, metric) == ():
        return []
    having = (one for one in summaries if find_score(one, metric.name) is not None)
    return [load_entrant(desk, task, metric, one) for one in having]


def load_entrant(
    desk: Desk, task: Task[Any, Any, Any], metric: MetricInfo, summary: Summary
) -> Entrant:
    """One system with its number, and the columns that comparing by the metric reads."""
    score = find_score(summary, metric.name)
    wanted = required_columns(task, metric)
    names = None if wanted is None else (*wanted, metric.name, GROUP)
    value = float("nan") if score is None else score.value
    return Entrant(summary.system, value, load_item_columns(desk, summary.id, names))

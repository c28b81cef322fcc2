"""Significance tests and copy detection for the systems of a desk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.equal_rules import under_equal_rules
from jurydesk.core.analysis.leaderboard import find_score, headline_metric
from jurydesk.core.analysis.significance.copied_systems import (
    CopiedPair,
    distinctive_values,
    find_copies,
)
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairwiseSignificance,
    compare_all_pairs,
    required_columns,
)
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.competition.task import GROUP
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.item_queries import load_item_columns
from jurydesk.core.language import fill
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.competition.task import Task
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import MetricInfo

LoadEntrants = Callable[["MetricInfo", Sequence["Summary"]], Sequence[Entrant]]
"""Function that returns the comparable systems of a profile for a metric."""

MAX_COPY_METRICS = 8
"""Number of metrics that are compared to find copies; a copy agrees on all of them."""


def desk_significance(
    desk: Desk,
    task: Task[Any, Any, Any],
    summaries: Sequence[Summary],
    run: Run,
    inference: Inference | None = None,
) -> dict[str, PairwiseSignificance]:
    """Test all pairs of systems by the ranking metric, for each profile. Raises Cancelled.

    Without `inference` the settings of the desk are used.
    """
    inference = load_inference(desk) if inference is None else inference
    load = partial(load_entrants, desk, task)
    return significance_by_profile(task, summaries, load, run, inference)


def significance_by_profile(
    task: Task[Any, Any, Any],
    summaries: Sequence[Summary],
    load: LoadEntrants,
    run: Run,
    inference: Inference,
    *,
    power: bool = True,
) -> dict[str, PairwiseSignificance]:
    """Test all pairs of systems by the ranking metric, for each profile. Raises Cancelled.

    Without `power` no detectable differences are computed, half of the work for many systems.
    """
    summaries, _ = under_equal_rules(task, summaries)
    headline = headline_metric(task, summaries, inference.rank_by)
    found: dict[str, PairwiseSignificance] = {}
    if headline is None:
        return found
    for profile in dict.fromkeys(one.profile for one in summaries):
        entrants = load(headline, [one for one in summaries if one.profile == profile])
        significance = compare_all_pairs(
            task, headline, profile, entrants, run, inference=inference, power=power
        )
        if significance is not None:
            found[profile] = significance
    return found


def find_copied_systems(
    desk: Desk, task: Task[Any, Any, Any], summaries: Sequence[Summary], run: Run
) -> dict[str, tuple[CopiedPair, ...]]:
    """Return the pairs of systems that look like copies, by profile. Raises Cancelled."""
    names = [info.name for info in task.scoring.metrics if info.better != "neither"][
        :MAX_COPY_METRICS
    ]
    found = {}
    for profile in dict.fromkeys(one.profile for one in summaries):
        values = {}
        for one in summaries:
            if one.profile == profile:
                run.report(0, 0, fill("Searching for copies of {system}", one.system))
                items = load_item_columns(desk, one.id, names)
                if not items.columns:
                    items = load_item_columns(desk, one.id)
                values[one.system] = distinctive_values(items, names)
        found[profile] = find_copies(values)
    return found


def load_entrants(
    desk: Desk, task: Task[Any, Any, Any], metric: MetricInfo, summaries: Sequence[Summary]
) -> list[Entrant]:
    """Load the systems that have the metric, with the columns that a comparison needs."""
    if required_columns(task, metric) == ():
        return []
    scored = (one for one in summaries if find_score(one, metric.name) is not None)
    return [load_entrant(desk, task, metric, one) for one in scored]


def load_entrant(
    desk: Desk, task: Task[Any, Any, Any], metric: MetricInfo, summary: Summary
) -> Entrant:
    """Load a system's score of the metric, and the columns that a comparison needs."""
    score = find_score(summary, metric.name)
    columns = required_columns(task, metric)
    names = None if columns is None else (*columns, metric.name, GROUP)
    value = float("nan") if score is None else score.value
    return Entrant(summary.system, value, load_item_columns(desk, summary.id, names))

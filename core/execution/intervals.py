"""Confidence intervals of an evaluation's scores, from its items."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.competition.plug_ins import PlugInError
from jurydesk.core.competition.task import Task
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import (
    Evaluation,
    IntArray,
    Interval,
    ItemTable,
    MetricInfo,
    Score,
)
from jurydesk.core.statistics.bootstrap import ResamplingPlan, resampled_values
from jurydesk.core.statistics.combined_scores import (
    UNIT_RESAMPLES,
    are_enough,
    combined_interval,
    groups_with_values,
    resampled_units,
)
from jurydesk.core.statistics.group_intervals import Method, mean_intervals
from jurydesk.core.statistics.inference import (
    Inference,
    ResamplingUnit,
    clip_interval,
    resampling_unit,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MEAN_TOLERANCE = 1e-4
"""Relative tolerance of a score as the mean of its column, for originals in float32."""


def add_intervals(
    task: Task[Any, Any, Any],
    evaluation: Evaluation,
    run: Run,
    resamples: int,
    seed: int,
    inference: Inference,
) -> Evaluation:
    """Return the evaluation with an interval for each score that follows from its items.

    Sums, counts, scores over too few groups, and scores that differ from the mean of their column
    have no interval.
    """
    items = evaluation.items
    task = with_metrics(task, evaluation.metrics)
    infos = {score.metric: _declared(task, score.metric) for score in evaluation.scores}
    if len(items) < 2 or resamples < 1:
        return evaluation
    order = _order(items)
    unit = resampling_unit(task, [items], [items.ids[row] for row in order.tolist()], inference)
    plan = ResamplingPlan(unit.groups.count, resamples, seed)
    text = fill("intervals of {system}", evaluation.system or evaluation.task)

    def check(done: int) -> None:
        run.report(done, resamples, text)

    intervals = {
        **_mean_intervals(_means(evaluation, infos), items, order, unit, plan, check, inference),
        **_combined_intervals(
            *(_combined_metrics(evaluation, infos), items, order, unit, plan, check),
            inference.interval,
        ),
    }
    named = {name: unit.name(found, infos[name].range) for name, found in intervals.items()}
    named |= _unit_intervals(task, evaluation, infos, plan, check, inference.interval)
    scores = (replace(score, interval=named.get(score.metric)) for score in evaluation.scores)
    return replace(evaluation, scores=tuple(scores))


def _declared(task: Task[Any, Any, Any], metric: str) -> MetricInfo:
    try:
        return task.metric(metric)
    except KeyError:
        fault = fill("its score {metric} is not a declared metric", metric)
        raise PlugInError(fault) from None


def _order(items: ItemTable) -> IntArray:
    """Return the order of the items by id, so that a plan draws the same items of every system."""
    return np.array(sorted(range(len(items)), key=items.ids.__getitem__), dtype=np.int64)


def _means(evaluation: Evaluation, infos: Mapping[str, MetricInfo]) -> list[MetricInfo]:
    return [
        infos[score.metric]
        for score in evaluation.scores
        if infos[score.metric].aggregate == "mean" and _is_mean(score, evaluation.items)
    ]


def _is_mean(score: Score, items: ItemTable) -> bool:
    column = items.columns.get(score.metric)
    if column is None or not math.isfinite(score.value):
        return False
    defined = column[np.isfinite(column)]
    if len(defined) < 2:
        return False
    return math.isclose(score.value, defined.mean(), rel_tol=MEAN_TOLERANCE, abs_tol=1e-9)


def _combined_metrics(evaluation: Evaluation, infos: Mapping[str, MetricInfo]) -> list[MetricInfo]:
    return [
        info
        for score in evaluation.scores
        if (info := infos[score.metric]).aggregate == "own" and math.isfinite(score.value)
    ]


def _mean_intervals(
    means: Sequence[MetricInfo],
    items: ItemTable,
    order: IntArray,
    unit: ResamplingUnit,
    plan: ResamplingPlan,
    check: Callable[[int], None],
    inference: Inference,
) -> dict[str, Interval | None]:
    if not means:
        return {}
    columns = np.column_stack([items.columns[info.name][order] for info in means])
    ranges = [info.range for info in means]
    intervals = mean_intervals(
        columns, unit.groups, plan, inference.interval, check=check, ranges=ranges
    )
    return {info.name: limits for info, limits in zip(means, intervals, strict=True)}


def _combined_intervals(
    infos: Sequence[MetricInfo],
    items: ItemTable,
    order: IntArray,
    unit: ResamplingUnit,
    plan: ResamplingPlan,
    check: Callable[[int], None],
    method: Method,
) -> dict[str, Interval | None]:
    statistics, found = [], []
    for info in infos:
        if info.combine is None:
            continue
        rows = np.column_stack([items.columns[name][order] for name in info.statistics])
        groups = groups_with_values(unit.groups, rows)
        if method == "percentile" or are_enough(groups, info.fewest_groups):
            statistics.append((rows, info.combine))
            found.append((info.name, info.combine(rows), groups.count))
    if not statistics:
        return {}
    resampled = resampled_values(statistics, plan, check, unit.groups.shared)
    return {
        name: combined_interval(value, column, count, method)
        for (name, value, count), column in zip(found, resampled.T, strict=True)
    }


def _unit_intervals(
    task: Task[Any, Any, Any],
    evaluation: Evaluation,
    infos: Mapping[str, MetricInfo],
    plan: ResamplingPlan,
    check: Callable[[int], None],
    method: Method,
) -> dict[str, Interval | None]:
    """Return the intervals of scores that follow from units with several items, such as images."""
    found = {
        score.metric: score.value
        for score in evaluation.scores
        if _is_of_units(infos[score.metric]) and math.isfinite(score.value)
    }
    if task.scoring.units is None or not found:
        return {}
    units = task.scoring.units(evaluation.items, evaluation.profile)
    metrics = [name for name in found if len(units.ids) >= infos[name].fewest_groups]
    if not metrics:
        return {}
    resamples = min(plan.resamples, UNIT_RESAMPLES)
    drawn, count = resampled_units([units], metrics, resamples, plan.seed, check)
    intervals = {
        name: combined_interval(found[name], column, count, method, units.noun)
        for name, column in zip(metrics, drawn[:, 0].T, strict=True)
    }
    return {
        name: limits and clip_interval(limits, infos[name].range)
        for name, limits in intervals.items()
    }


def _is_of_units(info: MetricInfo) -> bool:
    return info.aggregate == "own" and info.combine is None

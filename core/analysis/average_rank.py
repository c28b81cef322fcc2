"""Average rank of each system over several metrics, with an interval that holds by construction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.analysis.leaderboard_rows import AverageRanks
from jurydesk.core.analysis.significance.leaderboard_significance import load_entrants
from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import FloatArray, Interval, MetricInfo, UsageError
from jurydesk.core.statistics.bootstrap import LEVEL

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference


def average_ranks(
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    names: Sequence[str],
    run: Run,
    inference: Inference,
) -> AverageRanks:
    """Return the average ranks over the named metrics. Raises Cancelled.

    Systems that lack one of the metrics are not ranked, and do not count in others' ranks. Raises
    UsageError for a metric that is unknown or does not rank.
    """
    metrics = tuple(_ranking_metric(task, name) for name in dict.fromkeys(names))
    values: dict[tuple[str, str], float] = {}
    intervals: dict[tuple[str, str], Interval | None] = {}
    for profile in dict.fromkeys(one.profile for one in summaries):
        ranked = [
            one
            for one in summaries
            if one.profile == profile and all(_is_defined(one, info.name) for info in metrics)
        ]
        if len(ranked) < 2:
            continue
        places = np.mean([_mean_ranks(ranked, info) for info in metrics], axis=0)
        ends = [
            _rank_ends(desk, task, ranked, info, len(metrics), run, inference) for info in metrics
        ]
        for row, one in enumerate(ranked):
            values[profile, one.system] = float(places[row])
            intervals[profile, one.system] = _interval(ends, row)
    return AverageRanks(metrics, values, intervals)


def _ranking_metric(task: AnyTask, name: str) -> MetricInfo:
    try:
        info = task.metric(name)
    except KeyError:
        raise UsageError(fill('The competition has no metric "{name}".', name)) from None
    if info.better == "neither":
        raise UsageError(fill("{metric} is a count and ranks no systems.", Message(info.title)))
    return info


def _is_defined(summary: Summary, metric: str) -> bool:
    score = find_score(summary, metric)
    return score is not None and math.isfinite(score.value)


def _mean_ranks(ranked: Sequence[Summary], info: MetricInfo) -> FloatArray:
    """Return the ranks (systems,) by score; equal scores share their mean rank."""
    scores = [find_score(one, info.name) for one in ranked]
    cost = np.array([math.nan if one is None else one.value for one in scores])
    cost = -cost if info.better == "higher" else cost
    below = (cost[None, :] < cost[:, None]).sum(axis=1)
    equal = (cost[None, :] == cost[:, None]).sum(axis=1)
    return np.asarray(below + (equal + 1) / 2)


def _rank_ends(
    desk: Desk,
    task: AnyTask,
    ranked: Sequence[Summary],
    info: MetricInfo,
    metrics: int,
    run: Run,
    inference: Inference,
) -> list[tuple[int, int]] | None:
    """Return the ends of each system's rank interval by one metric; None without tests."""
    load = partial(load_entrants, desk, task)
    (profile,) = {one.profile for one in ranked}
    found = compare_all_pairs(task, info, profile, load(info, ranked), run, inference=inference)
    if found is None:
        return None
    known = dict(zip(found.systems, found.ranks_at((1 - LEVEL) / metrics), strict=True))
    if any(one.system not in known for one in ranked):
        return None
    return [(known[one.system].best, known[one.system].worst) for one in ranked]


def _interval(ends: Sequence[list[tuple[int, int]] | None], row: int) -> Interval | None:
    known = [one[row] for one in ends if one is not None]
    if len(known) < len(ends):
        return None
    low, high = np.mean(known, axis=0).tolist()
    method = fill("mean of simultaneous rank intervals by {count} metrics", len(known))
    return Interval(low, high, LEVEL, method)

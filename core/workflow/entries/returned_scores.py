"""What goes back to a team: rounded scores, ranks among the published systems, the Ladder.

The Ladder is that of Blum and Hardt (2015): a score that is not better than the team's best by a
standard error is not told; the best is told again. Here the standard error is that of the score,
which is larger than that of the difference, so that small steps are not told either.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from statistics import NormalDist
from typing import TYPE_CHECKING

from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.analysis.reliability import random_metrics
from jurydesk.core.analysis.significance.leaderboard_significance import load_entrants
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairwiseSignificance,
    compare_all_pairs,
)
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.model.evaluation import Evaluation, Interval, Json, MetricInfo, Score
from jurydesk.core.workflow.entries.entry_policy import EntryPolicy

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run

STEPS = (Decimal(5), Decimal(2), Decimal(1))
"""Steps of rounding in each power of ten."""


def returned_result(
    desk: Desk,
    task: AnyTask,
    evaluation: Evaluation,
    published: Sequence[Summary],
    policy: EntryPolicy,
    run: Run,
) -> dict[str, Json]:
    """Return what the policy tells of an evaluation, before the Ladder. Raises Cancelled."""
    known = with_metrics(task, evaluation.metrics)
    ranking = known.metric(policy.metric)
    told = [
        score
        for score in evaluation.scores
        if policy.returns == "everything" or score.metric == policy.metric
    ]
    return {
        "scores": [told_score(one, known.metric(one.metric), rounds=policy.rounds) for one in told],
        "rank": _rank(desk, known, evaluation, published, ranking, run),
        "profile": evaluation.profile,
        "stamp": evaluation.stamp["short"] if evaluation.stamp else "",
    }


def told_score(score: Score, metric: MetricInfo, *, rounds: bool) -> dict[str, Json]:
    """Return a score as texts; with `rounds` at steps of its interval's width.

    The limits are rounded outwards. A score whose width is not known is told as it is.
    """
    limits = score.interval
    texts = {"metric": score.metric, "value": repr(score.value)}
    if limits is not None:
        texts |= {"low": repr(limits.low), "high": repr(limits.high), "level": repr(limits.level)}
    width = interval_width(score, metric)
    if not rounds or not math.isfinite(score.value) or not width:
        return {**texts, "step": ""}
    step = rounding_step(width)
    texts["value"] = rounded(score.value, step)
    if limits is not None:
        texts["low"] = rounded(limits.low, step, math.floor)
        texts["high"] = rounded(limits.high, step, math.ceil)
    return {**texts, "step": format(step, "f")}


def interval_width(score: Score, metric: MetricInfo) -> float:
    """Return the width of a score's interval, or the most that its range allows; 0 if unknown."""
    limits = score.interval
    if limits is not None and math.isfinite(limits.high - limits.low):
        return limits.high - limits.low
    low, high = metric.range
    if score.n > 0 and math.isfinite(high - low):
        return 2 * _quantile(0.95) * (high - low) / 2 / math.sqrt(score.n)
    return 0.0


def standard_error(score: Score, metric: MetricInfo) -> float:
    """Return the standard error that the width of the interval implies; 0 if unknown."""
    level = score.interval.level if isinstance(score.interval, Interval) else 0.95
    return interval_width(score, metric) / (2 * _quantile(level))


def _quantile(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)


def rounding_step(width: float) -> Decimal:
    """Return the largest of 1, 2 and 5 by a power of ten that is no larger than a width."""
    power = Decimal(10) ** math.floor(math.log10(width))
    exact = Decimal(width)
    return next((one * power for one in STEPS if one * power <= exact), power)


def rounded(value: float, step: Decimal, to_whole: object = round) -> str:
    """Return the multiple of a step nearest to a value, or below or above it, as a text."""
    count = to_whole(Decimal(value) / step)  # type: ignore[operator]
    return format((count * step).normalize() + 0, "f")


def is_new_best(value: float, best: float, error: float, better: str) -> bool:
    """Return whether a score is better than the best by a standard error, or the first defined."""
    if not math.isfinite(best):
        return math.isfinite(value)
    gain = value - best if better == "higher" else best - value
    return gain > error


def _rank(
    desk: Desk,
    task: AnyTask,
    evaluation: Evaluation,
    published: Sequence[Summary],
    metric: MetricInfo,
    run: Run,
) -> dict[str, Json]:
    """Return the ranks that tests leave to the entry, and the nearest published system.

    Scores that are not reliable give neither.
    """
    if metric.name in random_metrics(task, published):
        return {"place": "", "of": len(published) + 1, "nearest": "", "compared": ""}
    score = next((one for one in evaluation.scores if one.metric == metric.name), None)
    value = math.nan if score is None else score.value
    others = {one.system: find_score(one, metric.name) for one in published}
    values = {name: one.value for name, one in others.items() if one is not None}
    name = evaluation.system
    entrants = [
        *load_entrants(desk, task, metric, published),
        Entrant(name, value, evaluation.items),
    ]
    found = compare_all_pairs(
        task, metric, evaluation.profile, entrants, run, inference=load_inference(desk), power=False
    )
    return {
        "place": _places(found, name, value, values, metric),
        "of": len(values) + 1,
        **_nearest(found, name, value, values, metric),
    }


def _places(
    found: PairwiseSignificance | None,
    name: str,
    value: float,
    others: Mapping[str, float],
    metric: MetricInfo,
) -> str:
    if not math.isfinite(value):
        return ""
    rank = None if found is None else found.rank(name)
    if rank is None:
        sign = 1 if metric.better == "higher" else -1
        return str(1 + sum(sign * one > sign * value for one in others.values()))
    return str(rank.best) if rank.best == rank.worst else f"{rank.best}-{rank.worst}"


def _nearest(
    found: PairwiseSignificance | None,
    name: str,
    value: float,
    others: Mapping[str, float],
    metric: MetricInfo,
) -> dict[str, Json]:
    """Return the published system with the nearest score, and whether the two differ."""
    finite = {one: known for one, known in others.items() if math.isfinite(known)}
    if not finite or not math.isfinite(value):
        return {"nearest": "", "compared": ""}
    nearest = min(finite, key=lambda one: (abs(finite[one] - value), one))
    differing = [] if found is None else found.differing
    pairs = [] if found is None else [{one.first, one.second} for one in found.pairs]
    if {name, nearest} not in pairs:
        return {"nearest": nearest, "compared": ""}
    if (name, nearest) in differing:
        return {"nearest": nearest, "compared": "better"}
    compared = "worse" if (nearest, name) in differing else "not significant"
    return {"nearest": nearest, "compared": compared}

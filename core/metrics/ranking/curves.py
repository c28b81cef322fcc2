"""Curves over all queries: precision against recall, and precision against rank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jurydesk.core.metrics.ranking.ranked import RankingStatistics
from jurydesk.core.model.evaluation import Axis, BoolArray, Curve, FloatArray, IntArray

DEEPEST = 100
"""The last rank of the curve of precision against rank."""
MOST_MEMBERS = 20_000
"""Beyond so many queries a faint line for each is a grey surface: only mean and band remain."""
BAND = (0.1, 0.9)
RECALL = Axis("Recall", limits=(0.0, 1.0))
PRECISION = Axis("Precision", limits=(0.0, 1.0))


def recall_curves(ranked: RankingStatistics, defined: BoolArray) -> tuple[Curve, Curve]:
    """Interpolated precision at 101 and at 11 equally spaced recall levels, by the exact rule.

    Queries outside `defined` are not drawn and not averaged.
    """
    percent = np.arange(101)
    counts = -(-ranked.relevant[:, np.newaxis] * percent // 100)
    fine = _curve(
        "precision_recall_101",
        "Precision and recall (101 points)",
        RECALL,
        percent / 100,
        _interpolated(ranked, counts),
        defined,
    )
    return fine, _coarse(fine)


def _coarse(fine: Curve) -> Curve:
    """Every tenth point of a curve of 101 points."""
    tenth = slice(None, None, 10)
    return replace(
        fine,
        name="precision_recall_11",
        title="Precision and recall (11 points)",
        x=fine.x[tenth],
        mean=fine.mean[tenth],
        low=None if fine.low is None else fine.low[tenth],
        high=None if fine.high is None else fine.high[tenth],
        members=None if fine.members is None else fine.members[:, tenth],
    )


def rank_curve(ranked: RankingStatistics, defined: BoolArray) -> Curve:
    """Precision at k against k, up to rank `DEEPEST` or the longest list."""
    deepest = min(DEEPEST, max(1, int(ranked.hits.listed.max(initial=1))))
    inside = ranked.relevant_rank <= deepest
    cells = ranked.relevant_owner[inside] * deepest + ranked.relevant_rank[inside] - 1
    found = np.bincount(cells, minlength=ranked.queries * deepest)
    found = np.cumsum(found.reshape(ranked.queries, deepest), axis=1)
    return _curve(
        "precision_at_rank",
        "Precision at rank k",
        Axis("Rank k", limits=(1.0, float(deepest))),
        np.arange(1.0, deepest + 1.0),
        found / np.arange(1, deepest + 1),
        defined,
    )


def _interpolated(ranked: RankingStatistics, counts: IntArray) -> FloatArray:
    """The highest precision from each count of relevant items on: (queries, points)."""
    wanted = np.maximum(counts, 1)
    best = np.append(ranked.best_precision_from, 0.0)
    rows = ranked.found_starts[:-1, np.newaxis] + wanted - 1
    values: FloatArray = best[np.where(wanted <= ranked.found[:, np.newaxis], rows, -1)]
    return values


def _curve(
    name: str, title: str, x_axis: Axis, x: FloatArray, values: FloatArray, defined: BoolArray
) -> Curve:
    """The mean and the band of the members (queries, points); they are kept unless too many."""
    members = np.where(defined[:, np.newaxis], values, np.nan)
    low, mean, high = np.full((3, len(x)), np.nan)
    if defined.any():
        mean = values[defined].mean(axis=0)
        low, high = column_quantiles(values[defined], BAND)
    return Curve(
        name,
        title,
        x_axis,
        PRECISION,
        x,
        mean,
        low,
        high,
        f"{BAND[0]:.0%} to {BAND[1]:.0%} of the queries",
        members if len(members) <= MOST_MEMBERS else None,
        value="ap",
    )


def column_quantiles(values: FloatArray, wanted: tuple[float, ...]) -> FloatArray:
    """The quantiles (wanted, columns) of each column of values (queries, columns), interpolated."""
    ordered = np.sort(values, axis=0)
    places = np.asarray(wanted) * (len(ordered) - 1)
    below = np.floor(places).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    parts = (places - below)[:, np.newaxis]
    between: FloatArray = ordered[below] + parts * (ordered[above] - ordered[below])
    return between

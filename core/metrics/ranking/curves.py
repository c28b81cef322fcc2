"""Mean curves over queries: precision-recall, and precision at rank k."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from jurydesk.core.language import fill, translatable
from jurydesk.core.metrics.ranking.ranking_statistics import RankingStatistics
from jurydesk.core.model.evaluation import Axis, BoolArray, Curve, FloatArray, IntArray

MAX_RANK = 100
"""Last rank of the curve of precision at rank k."""
MAX_MEMBERS = 20_000
"""Above this number of queries only mean and band are drawn, without a line per query."""
BAND = (0.1, 0.9)
RECALL = Axis("Recall", limits=(0.0, 1.0))
PRECISION = Axis("Precision", limits=(0.0, 1.0))


def recall_curves(ranked: RankingStatistics, defined: BoolArray) -> tuple[Curve, Curve]:
    """Return the interpolated precision at 101 and at 11 recall levels, by the exact rule.

    Only the queries in `defined` (queries,) are drawn and averaged.
    """
    percent = np.arange(101)
    counts = -(-ranked.relevant[:, np.newaxis] * percent // 100)
    fine = _curve(
        "precision_recall_101",
        translatable("Interpolated precision (101 points)"),
        RECALL,
        percent / 100,
        _interpolate_precision(ranked, counts),
        defined,
        form="steps",
    )
    return fine, _thin_curve(fine)


def _thin_curve(fine: Curve) -> Curve:
    """Return every tenth point of a curve of 101 points."""
    tenth = slice(None, None, 10)
    return replace(
        fine,
        name="precision_recall_11",
        title=translatable("Interpolated precision (11 points)"),
        x=fine.x[tenth],
        mean=fine.mean[tenth],
        low=None if fine.low is None else fine.low[tenth],
        high=None if fine.high is None else fine.high[tenth],
        members=None if fine.members is None else fine.members[:, tenth],
    )


def rank_curve(ranked: RankingStatistics, defined: BoolArray) -> Curve:
    """Return precision at k for every rank k up to `MAX_RANK` or the longest list."""
    deepest = min(MAX_RANK, max(1, int(ranked.hits.listed.max(initial=1))))
    inside = ranked.relevant_rank <= deepest
    cells = ranked.relevant_owner[inside] * deepest + ranked.relevant_rank[inside] - 1
    found = np.bincount(cells, minlength=ranked.queries * deepest)
    found = np.cumsum(found.reshape(ranked.queries, deepest), axis=1)
    return _curve(
        "precision_at_rank",
        translatable("Precision at rank k"),
        Axis("Rank k", limits=(1.0, float(deepest))),
        np.arange(1.0, deepest + 1.0),
        found / np.arange(1, deepest + 1),
        defined,
    )


def _interpolate_precision(ranked: RankingStatistics, counts: IntArray) -> FloatArray:
    """Return the highest precision from each count of relevant items on: (queries, points)."""
    required = np.maximum(counts, 1)
    best = np.append(ranked.best_precision_from, 0.0)
    rows = ranked.found_starts[:-1, np.newaxis] + required - 1
    values: FloatArray = best[np.where(required <= ranked.found[:, np.newaxis], rows, -1)]
    return values


def _curve(
    name: str,
    title: str,
    x_axis: Axis,
    x: FloatArray,
    values: FloatArray,
    defined: BoolArray,
    form: Literal["line", "steps"] = "line",
) -> Curve:
    """Return the mean and the band of values (queries, points), with a line per query if few."""
    members = np.where(defined[:, np.newaxis], values, np.nan)
    low, mean, high = np.full((3, len(x)), np.nan)
    lowest, highest = (round(100 * share) for share in BAND)
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
        fill("{lowest}% to {highest}% of the queries", lowest, highest),
        members if len(members) <= MAX_MEMBERS else None,
        value="ap",
        form=form,
    )


def column_quantiles(values: FloatArray, shares: tuple[float, ...]) -> FloatArray:
    """Return the interpolated quantiles (shares, columns) of values (queries, columns)."""
    ordered = np.sort(values, axis=0)
    positions = np.asarray(shares) * (len(ordered) - 1)
    below = np.floor(positions).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    fractions = (positions - below)[:, np.newaxis]
    quantiles: FloatArray = ordered[below] + fractions * (ordered[above] - ordered[below])
    return quantiles

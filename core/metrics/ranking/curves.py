"""Curves over all queries: precision against recall, and precision against rank."""

from __future__ import annotations

import numpy as np

from core.metrics.ranking.ranked import Ranked
from core.model import Axis, BoolArray, Curve, FloatArray, IntArray

DEEPEST = 100
"""The last rank of the curve of precision against rank."""
MOST_MEMBERS = 20_000
"""Beyond so many queries a faint line for each is a grey surface: only mean and band remain."""
BAND = (0.1, 0.9)
RECALL = Axis("Recall", limits=(0.0, 1.0))
PRECISION = Axis("Precision", limits=(0.0, 1.0))


def recall_curve(ranked: Ranked, defined: BoolArray, points: int) -> Curve:
    """Interpolated precision at equally spaced recall levels (11 or 101), by the exact rule.

    Queries outside `defined` are not drawn and not averaged.
    """
    steps = np.arange(points)
    counts = -(-ranked.relevant[:, np.newaxis] * steps // (points - 1))
    return _curve(
        f"precision_recall_{points}",
        f"Precision and recall ({points} points)",
        RECALL,
        steps / (points - 1),
        _interpolated(ranked, counts),
        defined,
    )


def rank_curve(ranked: Ranked, defined: BoolArray) -> Curve:
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


def _interpolated(ranked: Ranked, counts: IntArray) -> FloatArray:
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
        low, high = quantiles(values[defined], BAND)
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


def quantiles(values: FloatArray, wanted: tuple[float, ...]) -> FloatArray:
    """The quantiles of each column, interpolated linearly between neighbours."""
    ordered = np.sort(values, axis=0)
    places = np.asarray(wanted) * (len(ordered) - 1)
    below = np.floor(places).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    parts = (places - below)[:, np.newaxis]
    between: FloatArray = ordered[below] + parts * (ordered[above] - ordered[below])
    return between

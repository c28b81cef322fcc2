"""Curves over all queries: precision against recall, and precision against rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from core.metrics.ranking.precision import items_at
from core.metrics.ranking.ranked import Ranked
from core.model import Axis, BoolArray, Curve, FloatArray

DEEPEST = 100
"""The last rank of the curve of precision against rank."""
MOST_MEMBERS = 20_000
"""Beyond so many queries a faint line for each is a grey surface: only mean and band remain."""
BAND = (10.0, 90.0)
RECALL = Axis("Recall", limits=(0.0, 1.0))
PRECISION = Axis("Precision", limits=(0.0, 1.0))


def recall_curve(ranked: Ranked, defined: BoolArray, points: int) -> Curve:
    """Interpolated precision at equally spaced recall levels (11 or 101), by the exact rule.

    Queries outside `defined` are not drawn and not averaged.
    """
    levels = [Fraction(step, points - 1) for step in range(points)]
    return _curve(
        f"precision_recall_{points}",
        f"Precision and recall ({points} points)",
        RECALL,
        np.array([float(level) for level in levels]),
        lambda point: ranked.interpolated(items_at(levels[point], ranked.relevant, "exact")),
        defined,
    )


def rank_curve(ranked: Ranked, defined: BoolArray) -> Curve:
    """Precision at k against k, up to rank `DEEPEST` or the longest list."""
    deepest = min(DEEPEST, max(1, int(ranked.hits.listed.max(initial=1))))
    return _curve(
        "precision_at_rank",
        "Precision at rank k",
        Axis("Rank k", limits=(1.0, float(deepest))),
        np.arange(1.0, deepest + 1.0),
        lambda point: ranked.found_at(point + 1) / (point + 1),
        defined,
    )


def _curve(
    name: str,
    title: str,
    x_axis: Axis,
    x: FloatArray,
    column: Callable[[int], FloatArray],
    defined: BoolArray,
) -> Curve:
    """A curve from its values at each point; its members are kept where they are not too many."""
    queries = len(defined)
    members = np.full((queries, len(x)), np.nan) if queries <= MOST_MEMBERS else None
    low, mean, high = np.full((3, len(x)), np.nan)
    for point in range(len(x)):
        values = column(point)[defined]
        if members is not None:
            members[defined, point] = values
        if len(values):
            mean[point] = values.mean()
            low[point], high[point] = percentiles(values, BAND)
    band = f"{BAND[0]:.0f}-{BAND[1]:.0f} % of the queries"
    return Curve(name, title, x_axis, PRECISION, x, mean, low, high, band, members, value="ap")


def percentiles(values: FloatArray, wanted: Sequence[float]) -> FloatArray:
    """The percentiles of some values, interpolated linearly between neighbours."""
    ordered = np.sort(values)
    places = np.asarray(wanted) / 100.0 * (len(ordered) - 1)
    below = np.floor(places).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    return ordered[below] + (places - below) * (ordered[above] - ordered[below])

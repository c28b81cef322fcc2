"""Figures of means of classes of items, with intervals that respect groups of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Axis, Curve, FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan
from jurydesk.core.statistics.group_intervals import ratio_means_intervals
from jurydesk.core.statistics.ratio_means import ratio_means

FEWEST = 2
"""Fewer classes have no figure."""
BAND = translatable("95 % interval, Student's t")

T = TypeVar("T")
Rows = Sequence[int] | IntArray


def class_bars(
    name: str, title: str, axis: Axis, classes: Mapping[str, Rows], values: FloatArray,
    groups: FloatArray | None = None,
) -> Curve | None:  # fmt: skip
    """Return a bar for each class of items, named with its size; None for fewer than two.

    Args:
        name: Name of the figure.
        title: Title of the figure.
        axis: Axis of the values.
        classes: Rows of the items of each class; those without a value are left out.
        values: Values (items,); NaN where undefined.
        groups: Group (items,) of each item, since items of a group vary together.
    """
    known = _defined(classes, values)
    if len(known) < FEWEST:
        return None
    ordered = sorted(known.items(), key=lambda one: -len(one[1]))
    labels = tuple(fill("{name} ({count:,})", label, len(rows)) for label, rows in ordered)
    places = np.arange(len(labels), dtype=np.float64)
    means, low, high = _intervals([rows for _, rows in ordered], values, groups, axis)
    classes_axis = Axis("", ticks=tuple(places.tolist()), labels=labels)
    overall = float(values[np.unique(np.concatenate(list(known.values())))].mean())
    return Curve(
        *(name, title, classes_axis, axis, places, means, low, high, BAND),
        form="bars",
        overall=overall,
    )


def class_curve(
    name: str, title: str, x_axis: Axis, axis: Axis, numbers: FloatArray, values: FloatArray,
    groups: FloatArray | None = None,
) -> Curve | None:  # fmt: skip
    """Return the mean of the items of each number (items,), as a curve; None for fewer than two."""
    found = {one: np.flatnonzero(numbers == one) for one in np.unique(numbers[~np.isnan(numbers)])}
    known = _defined(found, values)
    if len(known) < FEWEST:
        return None
    means, low, high = _intervals(list(known.values()), values, groups, axis)
    return Curve(name, title, x_axis, axis, np.array(list(known)), means, low, high, BAND)


def _defined(classes: Mapping[T, Rows], values: FloatArray) -> dict[T, IntArray]:
    found = {name: np.asarray(rows, np.int64) for name, rows in classes.items()}
    kept = {name: rows[~np.isnan(values[rows])] for name, rows in found.items()}
    return {name: rows for name, rows in kept.items() if len(rows)}


def _intervals(
    parts: Sequence[IntArray], values: FloatArray, groups: FloatArray | None, axis: Axis
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean of each part and the ends of its interval; NaN for too few groups."""
    found = np.full((3, len(parts)), np.nan)
    least, most = axis.limits or (-np.inf, np.inf)
    for number, rows in enumerate(parts):
        labels = rows if groups is None else groups[rows]
        _, codes = np.unique(labels, return_inverse=True)
        sums = np.bincount(codes, values[rows]).astype(np.float64)[:, None]
        means = ratio_means(sums, np.bincount(codes).astype(np.float64)[:, None])
        found[0, number] = means.mean[0]
        (limits,) = ratio_means_intervals(means, ResamplingPlan(len(sums)), "t")
        if limits is not None:
            found[1:, number] = max(limits.low, least), min(limits.high, most)
    return found[0], found[1], found[2]

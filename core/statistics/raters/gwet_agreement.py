"""Gwet's AC1 and AC2: agreement whose chance part does not grow as answers become alike.

Source: Gwet, Computing inter-rater reliability and its variance in the presence of high agreement
(2008), and Handbook of Inter-Rater Reliability (2014), chapters 2 to 5, for missing ratings.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.raters.agreement import Agreement, ItemSums, Scale
from jurydesk.core.statistics.raters.left_out import counts_without_raters, value_counts


def gwet_ac(
    ratings: FloatArray, scale: Scale = "ordinal", categories: Sequence[float] = ()
) -> Agreement:
    """Compute AC1 of nominal ratings (raters, items), or AC2 of ordinal ones with their weights.

    `categories` are all possible values, by default those given. Numbers without categories have
    neither.
    """
    if scale == "interval":
        return Agreement(np.nan, undefined=translatable("the values are numbers, not categories"))
    rows, from_sums = gwet_sums(ratings, scale, categories)
    if not rows[:, 0].any():
        return Agreement(np.nan, undefined=translatable("no item has two ratings"))
    value = float(from_sums(rows.sum(axis=0)[np.newaxis])[0])
    reason = translatable("all ratings are the same") if np.isnan(value) else ""
    return Agreement(value, undefined=reason)


def gwet_sums(
    ratings: FloatArray, scale: Scale = "ordinal", categories: Sequence[float] = ()
) -> ItemSums:
    """Return AC1 or AC2 as a function of sums over the items.

    The columns of an item's row are whether it has two ratings, its weighted agreement, whether it
    has one, and the share of each category among its ratings.
    """
    return _gwet_of_counts(*value_counts(ratings, categories), scale)


def gwet_without_raters(
    ratings: FloatArray, scale: Scale = "ordinal", categories: Sequence[float] = ()
) -> FloatArray | None:
    """Return AC1 or AC2 (raters,) without each rater; None of numbers without categories."""
    if scale == "interval":
        return None
    values, counts = value_counts(ratings, categories)
    found = []
    for one in counts_without_raters(ratings, values, counts):
        used = one.any(axis=0) | np.isin(values, categories)
        rows, from_sums = _gwet_of_counts(values[used], one.T[used].T, scale)
        found.append(from_sums(rows.sum(axis=0)[np.newaxis])[0])
    return np.array(found)


def _gwet_of_counts(values: FloatArray, counts: FloatArray, scale: Scale) -> ItemSums:
    """Return AC1 or AC2 as `gwet_sums` does, of the counts (items, values) of values."""
    total = counts.sum(axis=1)
    weights = agreement_weights(len(values), scale)
    paired, rated = total >= 2, total >= 1
    pairs = np.where(paired, total * (total - 1), 1)
    agreed = np.where(paired, (counts * (counts @ weights - 1)).sum(axis=1) / pairs, 0.0)
    shares = counts / np.maximum(total, 1)[:, np.newaxis]
    spread = weights.sum() / max(1, len(values) * (len(values) - 1))

    def from_sums(sums: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = sums[:, 1] / sums[:, 0]
            share = sums[:, 3:] / sums[:, 2:3]
            expected = spread * (share * (1 - share)).sum(axis=1)
            return np.asarray((observed - expected) / (1 - expected))

    return np.column_stack([paired, agreed, rated, shares]), from_sums


def agreement_weights(count: int, scale: Scale) -> FloatArray:
    """Return the weights (count, count) of two answers: 1 for equal ones, less with distance."""
    if scale == "nominal" or count < 2:
        return np.eye(count)
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    return np.asarray(1 - apart * (apart + 1) / (count * (count - 1)))

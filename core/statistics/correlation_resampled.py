"""Vectorized bootstrap of correlations, from the weights of the items in each resample."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan, count_draws

MOST_PAIRED = 3000
"""Maximum number of items for the matrix of Kendall's pair signs (4 bytes each)."""

Check = Callable[[int], None]
Scalar = Callable[[FloatArray, FloatArray], float]


class RankedColumn:
    """Column (n,) with the index of each item's value among the distinct values, ascending."""

    def __init__(self, values: FloatArray) -> None:
        self.centred = values - values.mean()
        _, self.group = np.unique(values, return_inverse=True)
        self._order = np.argsort(self.group, kind="stable")
        self._starts = np.flatnonzero(np.diff(self.group[self._order], prepend=-1))

    def totals(self, weights: FloatArray) -> FloatArray:
        """Return the weight (resamples, groups) of each distinct value in each resample."""
        return np.asarray(np.add.reduceat(weights[:, self._order], self._starts, axis=1))

    def ranks(self, totals: FloatArray) -> FloatArray:
        """Return the rank (resamples, items) of each item in each resample."""
        last = np.cumsum(totals, axis=1)
        return np.asarray((last - (totals - 1) / 2)[:, self.group])


def resampled_correlations(
    one: FloatArray,
    other: FloatArray,
    kind: str,
    scalar: Scalar,
    plan: ResamplingPlan,
    check: Check = lambda done: None,
    codes: IntArray | None = None,
) -> FloatArray:
    """Return the correlation (resamples,) of each resample; NaN if a column does not vary in it.

    `scalar` computes Kendall's tau of more than `MOST_PAIRED` items. `check` is called with the
    number of finished resamples, and may raise to stop. With `codes`, the group of each item, the
    plan draws groups.
    """
    a, b = RankedColumn(one), RankedColumn(other)
    signs = _signs(one, other) if kind == "kendall" and len(one) <= MOST_PAIRED else None
    values = np.empty(plan.resamples)
    done = 0
    for draws in plan.draws():
        check(done)
        block = slice(done, done + len(draws))
        weights = count_draws(draws)
        if codes is not None:
            weights = weights[:, codes]
        if kind == "kendall" and signs is None:
            drawn = list(draws) if codes is None else [_repeat_items(row) for row in weights]
            values[block] = _correlate_one_by_one(one, other, drawn, scalar, done, check)
        else:
            values[block] = _correlations(a, b, weights, kind, signs)
        done += len(draws)
    return values


def _correlations(
    a: RankedColumn,
    b: RankedColumn,
    weights: FloatArray,
    kind: str,
    signs: npt.NDArray[np.float32] | None,
) -> FloatArray:
    totals_a, totals_b = a.totals(weights), b.totals(weights)
    if kind == "pearson":
        values = _pearson(weights, a.centred[np.newaxis], b.centred[np.newaxis])
    elif signs is None:
        values = _pearson(weights, a.ranks(totals_a), b.ranks(totals_b))
    else:
        values = _kendall(weights, signs, totals_a, totals_b)
    varies = ((totals_a > 0).sum(axis=1) > 1) & ((totals_b > 0).sum(axis=1) > 1)
    return np.where(varies, values, np.nan)


def _pearson(weights: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """Return Pearson's r (resamples,) of weighted columns, (1 or resamples, items) each."""
    n = weights.sum(axis=1, keepdims=True)
    a = one - (weights * one).sum(axis=1, keepdims=True) / n
    b = other - (weights * other).sum(axis=1, keepdims=True) / n
    shared = (weights * a * b).sum(axis=1)
    lengths = np.sqrt((weights * a * a).sum(axis=1) * (weights * b * b).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.clip(shared / lengths, -1, 1))


def _signs(one: FloatArray, other: FloatArray) -> npt.NDArray[np.float32]:
    """Return 1 for concordant, -1 for discordant and 0 for tied pairs (items, items)."""
    a, b = (np.unique(v, return_inverse=True)[1].astype(np.float32) for v in (one, other))
    return np.sign(np.subtract.outer(a, a)) * np.sign(np.subtract.outer(b, b))


def _kendall(
    weights: FloatArray, signs: npt.NDArray[np.float32], totals_a: FloatArray, totals_b: FloatArray
) -> FloatArray:
    """Return tau-b (resamples,); its integers are exact in float32 and float64."""
    products = weights.astype(np.float32) @ signs
    excess = (products.astype(np.float64) * weights).sum(axis=1) / 2
    n = weights.sum(axis=1)
    pairs = n * (n - 1) / 2
    untied = [pairs - (totals * (totals - 1)).sum(axis=1) / 2 for totals in (totals_a, totals_b)]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(excess / np.sqrt(untied[0]) / np.sqrt(untied[1]))


def _repeat_items(weights: FloatArray) -> IntArray:
    """Return the index of each item as often as its weight (items,) says."""
    return np.repeat(np.arange(len(weights)), weights.astype(np.int64))


def _correlate_one_by_one(
    one: FloatArray,
    other: FloatArray,
    draws: Sequence[IntArray],
    scalar: Scalar,
    done: int,
    check: Check,
) -> FloatArray:
    values = np.full(len(draws), np.nan)
    for row, drawn in enumerate(draws):
        check(done + row)
        a, b = one[drawn], other[drawn]
        if np.ptp(a) > 0 and np.ptp(b) > 0:
            values[row] = scalar(a, b)
    return values

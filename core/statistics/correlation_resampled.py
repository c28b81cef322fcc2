"""Correlations of all resamples of two columns at once, from how often each draws an item."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan, counts

MOST_PAIRED = 3000
"""Items up to which Kendall's signs of all pairs are held at once (4 bytes each)."""

Check = Callable[[int], None]
Scalar = Callable[[FloatArray, FloatArray], float]


class RankedColumn:
    """A column (n,) whose values are told apart: the group of each item, from the least value."""

    def __init__(self, values: FloatArray) -> None:
        self.centred = values - values.mean()
        _, self.group = np.unique(values, return_inverse=True)
        self._order = np.argsort(self.group, kind="stable")
        self._starts = np.flatnonzero(np.diff(self.group[self._order], prepend=-1))

    def totals(self, weights: FloatArray) -> FloatArray:
        """How often each resample draws each value: (resamples, groups)."""
        return np.asarray(np.add.reduceat(weights[:, self._order], self._starts, axis=1))

    def ranks(self, totals: FloatArray) -> FloatArray:
        """Return the rank of each item in each resample: (resamples, items)."""
        last = np.cumsum(totals, axis=1)
        return np.asarray((last - (totals - 1) / 2)[:, self.group])


def resampled_correlations(
    one: FloatArray,
    other: FloatArray,
    kind: str,
    scalar: Scalar,
    plan: ResamplingPlan,
    check: Check = lambda done: None,
) -> FloatArray:
    """Return the correlation of each resample (resamples,); NaN where a column does not vary in it.

    `scalar` is asked for Kendall's tau of more items than are held at once. `check` hears how many
    resamples are done, and may raise to stop.
    """
    a, b = RankedColumn(one), RankedColumn(other)
    signs = _signs(one, other) if kind == "kendall" and len(one) <= MOST_PAIRED else None
    found = np.empty(plan.resamples)
    done = 0
    for draws in plan.draws():
        check(done)
        block = slice(done, done + len(draws))
        if kind == "kendall" and signs is None:
            found[block] = _one_by_one(one, other, draws, scalar, done, check)
        else:
            weights = counts(draws)
            found[block] = _correlated(a, b, weights, kind, signs)
        done += len(draws)
    return found


def _correlated(
    a: RankedColumn,
    b: RankedColumn,
    weights: FloatArray,
    kind: str,
    signs: npt.NDArray[np.float32] | None,
) -> FloatArray:
    of_a, of_b = a.totals(weights), b.totals(weights)
    if kind == "pearson":
        found = _pearson(weights, a.centred[np.newaxis], b.centred[np.newaxis])
    elif signs is None:
        found = _pearson(weights, a.ranks(of_a), b.ranks(of_b))
    else:
        found = _kendall(weights, signs, of_a, of_b)
    varies = ((of_a > 0).sum(axis=1) > 1) & ((of_b > 0).sum(axis=1) > 1)
    return np.where(varies, found, np.nan)


def _pearson(weights: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """Pearson's r of weighted columns, (1 or resamples, items) each."""
    n = weights.sum(axis=1, keepdims=True)
    a = one - (weights * one).sum(axis=1, keepdims=True) / n
    b = other - (weights * other).sum(axis=1, keepdims=True) / n
    shared = (weights * a * b).sum(axis=1)
    lengths = np.sqrt((weights * a * a).sum(axis=1) * (weights * b * b).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.clip(shared / lengths, -1, 1))


def _signs(one: FloatArray, other: FloatArray) -> npt.NDArray[np.float32]:
    """1 where two items are in the same order in both columns, -1 where not, 0 where one ties."""
    a, b = (np.unique(v, return_inverse=True)[1].astype(np.float32) for v in (one, other))
    return np.sign(np.subtract.outer(a, a)) * np.sign(np.subtract.outer(b, b))


def _kendall(
    weights: FloatArray, signs: npt.NDArray[np.float32], of_a: FloatArray, of_b: FloatArray
) -> FloatArray:
    """Tau-b: whole numbers throughout, exact in what they are counted in."""
    against = weights.astype(np.float32) @ signs
    excess = (against.astype(np.float64) * weights).sum(axis=1) / 2
    n = weights.sum(axis=1)
    pairs = n * (n - 1) / 2
    untied = [pairs - (totals * (totals - 1)).sum(axis=1) / 2 for totals in (of_a, of_b)]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(excess / np.sqrt(untied[0]) / np.sqrt(untied[1]))


def _one_by_one(
    one: FloatArray, other: FloatArray, draws: IntArray, scalar: Scalar, done: int, check: Check
) -> FloatArray:
    found = np.full(len(draws), np.nan)
    for row, drawn in enumerate(draws):
        check(done + row)
        a, b = one[drawn], other[drawn]
        if np.ptp(a) > 0 and np.ptp(b) > 0:
            found[row] = scalar(a, b)
    return found

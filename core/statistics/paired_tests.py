"""Paired tests between systems that were scored on the same items, for means of items.

All pairs share one plan of resamples and one plan of swaps, so that fifty systems cost little
more than two. What two systems do not both know (NaN) is left out of their comparison alone.
Every p value is two-sided, from 0 to 1. Sources: Noreen, Computer-Intensive Methods for Testing
Hypotheses (1989), for randomisation; Student (1908); Wilcoxon (1945).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.statistics.approximate_randomisation import RandomisationPlan
from jurydesk.core.statistics.blas_threads import single_blas_thread
from jurydesk.core.statistics.bootstrap import ResamplingPlan, counts

Pair = tuple[int, int]
"""The columns of two systems; their difference is the first less the second."""

ROUNDING = 1e-12
"""Differences nearer to each other than this share of the values' size are the same."""


def no_check(done: int) -> None:
    """Hear of progress, and let it go on."""


class PairwiseSums:
    """The pairs of systems with `values` (items, systems), whose sums all come from one product.

    Systems that know the same items are a group: what all systems make of a group's items is the
    whole sum less the sum over what the group lacks, and is made once for the group.
    """

    def __init__(self, values: FloatArray, pairs: Sequence[Pair]) -> None:
        self._first = np.array([one for one, _ in pairs], dtype=np.int64)
        self._second = np.array([other for _, other in pairs], dtype=np.int64)
        defined = np.isfinite(values)
        self.values = np.where(defined, values, 0.0)
        self._presence = defined.astype(np.float64)
        groups: dict[bytes, int] = {}
        self._lacking: list[IntArray] = []
        self._group = np.empty(values.shape[1], dtype=np.int64)
        for system, knows in enumerate(defined.T):
            group = groups.setdefault(knows.tobytes(), len(groups))
            self._group[system] = group
            if group == len(self._lacking):
                self._lacking.append(np.flatnonzero(~knows))

    def sums(self, weights: FloatArray) -> FloatArray:
        """Differences (rows, pairs) of sums under weights (rows, items), where both are known."""
        sums = self._known_to(weights, self.values)
        first = sums[self._group[self._second], self._first]
        first -= sums[self._group[self._first], self._second]
        return first.T

    def known(self, weights: FloatArray) -> FloatArray:
        """Return the weight (rows, pairs) of the items that both systems of a pair know."""
        if not any(len(items) for items in self._lacking):
            totals = weights.sum(axis=1, keepdims=True)
            return np.broadcast_to(totals, (len(weights), len(self._first)))
        sums = self._known_to(weights, self._presence)
        return sums[self._group[self._second], self._first].T

    def _known_to(self, weights: FloatArray, columns: FloatArray) -> FloatArray:
        """Sums (groups, systems, rows) of all systems' columns over what each group knows."""
        whole = columns.T @ weights.T
        sums = np.empty((len(self._lacking), *whole.shape))
        for group, items in enumerate(self._lacking):
            lost = columns[items].T @ weights[:, items].T
            np.subtract(whole, lost, out=sums[group])
        return sums


def all_pairs(systems: int) -> list[Pair]:
    """Return every two of so many systems, once."""
    return [(one, other) for one in range(systems) for other in range(one + 1, systems)]


@dataclass(frozen=True, slots=True, eq=False)
class PairedDifferences:
    """What lies between the systems of each pair (pairs,): mean, deviation (n - 1), items."""

    mean: FloatArray
    deviation: FloatArray
    items: FloatArray

    @property
    def error(self) -> FloatArray:
        """The standard error (pairs,) of the mean differences."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.deviation / np.sqrt(self.items))


def paired_differences(values: FloatArray, pairs: Sequence[Pair]) -> PairedDifferences:
    """Return the mean difference of each pair; NaN where no item is known to both."""
    mean, deviation = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    items = np.zeros(len(pairs))
    for number in range(len(pairs)):
        known = item_differences_of_pair(values, pairs[number])
        items[number] = len(known)
        if len(known):
            mean[number] = known.mean()
        if len(known) > 1:
            deviation[number] = known.std(ddof=1)
    return PairedDifferences(mean, deviation, items)


def item_differences_of_pair(values: FloatArray, pair: Pair) -> FloatArray:
    """Return the differences of one pair, item by item, where both are known."""
    found = values[:, pair[0]] - values[:, pair[1]]
    return np.asarray(found[np.isfinite(found)])


def randomisation_test(
    values: FloatArray,
    pairs: Sequence[Pair],
    plan: RandomisationPlan,
    check: Callable[[int], None] = no_check,
    codes: IntArray | None = None,
) -> FloatArray:
    """P values (pairs,) of approximate randomisation; `values` is (items, systems).

    `codes` (items,) are the groups that change sides together, of which the plan has a coin each.

    The share of rounds whose difference is as large as the one found or larger, where the found
    one counts as a round too. `check` hears how many rounds are done, and may raise to stop.
    """
    together = PairwiseSums(values, pairs)
    ones = np.ones((1, len(values)))
    found = together.sums(ones)
    least = np.abs(found) - ROUNDING * np.abs(together.values).sum(axis=0).max(initial=0.0)
    as_large = np.zeros(len(pairs))
    done = 0
    with single_blas_thread():
        for tosses in plan.tosses():
            turned = tosses if codes is None else tosses[:, codes]
            swapped = found - 2.0 * together.sums(turned.astype(np.float64))
            as_large += (np.abs(swapped) >= least).sum(axis=0)
            done += len(tosses)
            check(done)
    p = (as_large + 1) / (plan.rounds + 1)
    return np.where(together.known(ones)[0] > 0, p, np.nan)


def resampled_differences(
    values: FloatArray,
    pairs: Sequence[Pair],
    plan: ResamplingPlan,
    check: Callable[[int], None] = no_check,
    codes: IntArray | None = None,
) -> FloatArray:
    """Mean differences (resamples, pairs) of the plan's resamples; NaN where nothing was drawn.

    `codes` (items,) are the groups that the plan draws.
    """
    together = PairwiseSums(values, pairs)
    resampled = np.empty((plan.resamples, len(pairs)))
    done = 0
    with single_blas_thread():
        for draws in plan.draws():
            weights = counts(draws) if codes is None else counts(draws)[:, codes]
            known = together.known(weights)
            means = together.sums(weights) / np.maximum(known, 1.0)
            resampled[done : done + len(draws)] = np.where(known > 0, means, np.nan)
            done += len(draws)
            check(done)
    return resampled


def bootstrap_p(resampled: FloatArray, found: float) -> float:
    """Return the p value of a difference `found` from its resamples (n,), moved to no difference.

    Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 16, with the found
    difference counted as a resample too.
    """
    known = resampled[np.isfinite(resampled)]
    if not len(known) or not np.isfinite(found):
        return float("nan")
    apart = np.abs(known - known.mean())
    reached = apart >= abs(found) - ROUNDING * np.abs(known).max(initial=0.0)
    return float((reached.sum() + 1) / (len(known) + 1))


def sacrebleu_bootstrap_p(resampled: FloatArray, found: float) -> float:
    """The p value as sacreBLEU 2 and Moses count it: they centre the sizes of the differences.

    That makes it a one-sided test: without any difference it finds one in 11 % of all cases at
    p < 0.05 (tests/bench/calibration.md). It is here to be compared with published numbers.
    """
    sizes = np.abs(resampled)
    reached = sizes - sizes.mean() > abs(found)
    return float((reached.sum() + 1) / (len(resampled) + 1))


def t_test(found: PairedDifferences) -> FloatArray:
    """P values (pairs,) of the paired t test; NaN below two items, 1 where nothing differs."""
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.abs(found.mean) / found.error
        p = 2.0 * stdtr(found.items - 1, -t)
    nothing = (found.mean == 0) & (found.deviation == 0)
    return np.where(nothing, 1.0, np.where(found.items > 1, p, np.nan))


def wilcoxon(values: FloatArray, pairs: Sequence[Pair]) -> FloatArray:
    """P values (pairs,) of Wilcoxon's signed-rank test; items without a difference are left out.

    Exact for 50 items or fewer without ties, else with the normal approximation, as in SciPy.
    """
    from scipy.stats import wilcoxon as signed_rank

    p = np.full(len(pairs), np.nan)
    for number, pair in enumerate(pairs):
        apart = item_differences_of_pair(values, pair)
        if len(apart):
            p[number] = signed_rank(apart).pvalue if apart.any() else 1.0
    return p


def holm(p: FloatArray) -> FloatArray:
    """Return the p values (pairs,) corrected for so many tests; NaN is no test.

    Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979).
    """
    corrected = np.full(p.shape, np.nan)
    tests = np.flatnonzero(np.isfinite(p))
    order = tests[np.argsort(p[tests], kind="stable")]
    steps = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * steps))
    return corrected

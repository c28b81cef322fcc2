"""Paired tests of many systems by group randomisation, with the step-down of Romano and Wolf.

Where nothing lies between two systems, all items of a group may change sides together, which turns
the sign of the group's difference. One plan of signs serves all pairs, so that the largest of all
t statistics is known in every round: a pair differs where its own exceeds almost all of those. All
2^G signs are enumerated where that is cheap. Sources: Noreen, Computer-Intensive Methods for
Testing Hypotheses (1989); Romano and Wolf, Exact and Approximate Stepdown Methods for Multiple
Hypothesis Testing (2005); Cameron, Gelbach and Miller, Bootstrap-Based Improvements for Inference
with Clustered Errors (2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, Interval
from jurydesk.core.statistics.approximate_randomisation import ROUNDS, RandomisationPlan
from jurydesk.core.statistics.blas_threads import single_blas_thread
from jurydesk.core.statistics.bootstrap import BLOCK_BYTES, LEVEL, SEED, ResamplingPlan
from jurydesk.core.statistics.group_intervals import (
    DEGENERATE,
    FEWEST_GROUPS,
    Method,
    ratio_mean_interval,
    ratio_means,
    studentized_quantiles,
    studentized_resamples,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import Pair, no_check

EXACT_GROUPS = 14
"""Up to so many groups all signs are enumerated."""
TIE = 1e-10
"""Statistics nearer to each other than this share are the same."""


class PairedGroups:
    """The differences of pairs of systems, summed over the items of each group.

    `values` are (items, systems), NaN where a system lacks an item: a pair's difference is over
    the items that both have. `mean`, `error` and `groups` (pairs,) are the mean differences, their
    cluster-robust standard errors, and how many groups they come from.
    """

    def __init__(self, values: FloatArray, pairs: Sequence[Pair], groups: Groups) -> None:
        self._first = np.array([one for one, _ in pairs], dtype=np.int64)
        self._second = np.array([other for _, other in pairs], dtype=np.int64)
        self._groups, self.count = groups, groups.count
        defined = np.isfinite(values)
        self._common = bool((defined == defined[:, :1]).all())
        self._values = np.where(defined, values, 0.0)
        self._defined = defined.astype(np.float64)
        if self._common:
            self._sums = groups.sums(self._values)
            self._sizes = groups.sums(self._defined[:, :1])
        shape = len(pairs)
        self.mean, self.error, self.groups = np.empty(shape), np.empty(shape), np.empty(shape)
        squares = np.empty(shape)
        for part in self.parts():
            sums, sizes = self.totals(part)
            found = ratio_means(sums, sizes)
            self.mean[part], self.error[part] = found.mean, found.error
            self.groups[part] = found.groups
            squares[part] = (sums**2).sum(axis=0)
        self._scale = np.divide(1.0, squares, out=np.zeros(shape), where=squares > 0)

    @property
    def is_testable(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which pairs (pairs,) share at least two groups."""
        return self.groups > 1

    def parts(self) -> Iterator[slice]:
        """Yield slices of pairs whose groups fit into a block of memory."""
        width = max(1, BLOCK_BYTES // (8 * max(1, len(self._values))))
        for start in range(0, len(self._first), width):
            yield slice(start, start + width)

    def totals(self, part: slice) -> tuple[FloatArray, FloatArray]:
        """Return the sums of differences and the sizes (groups, pairs) of some pairs."""
        one, other = self._first[part], self._second[part]
        if self._common:
            sums = self._sums[:, one] - self._sums[:, other]
            return sums, np.repeat(self._sizes, len(one), axis=1)
        both = self._defined[:, one] * self._defined[:, other]
        apart = (self._values[:, one] - self._values[:, other]) * both
        return self._groups.sums(apart), self._groups.sums(both)

    def statistics(self, signs: FloatArray) -> FloatArray:
        """Return squared statistics (rows, pairs) under signs (rows, groups).

        A statistic is a sum of differences over its standard error were there no difference, which
        no sign changes. It finds more than the t statistic of groups of unequal sizes does, whose
        error follows the signs; of equal ones both give the same p values.
        """
        if self._common:
            sums = (signs @ self._sums).T
            found = (sums[self._first] - sums[self._second]).T
        else:
            found = np.empty((len(signs), len(self._first)))
            for part in self.parts():
                found[:, part] = signs @ self.totals(part)[0]
        np.square(found, out=found)
        found *= self._scale
        return found


@dataclass(frozen=True, slots=True, eq=False)
class GroupTests:
    """p values (pairs,) of a plan of signs: `p` of each pair alone, `corrected` for all of them.

    `rounds` is 0 where all signs were enumerated; no p value is below `lowest`.
    """

    p: FloatArray
    corrected: FloatArray
    rounds: int
    lowest: float


def lowest_p(groups: int, rounds: int = ROUNDS) -> float:
    """Return the lowest p value that randomising so many groups can give."""
    exact = 2.0 ** (1 - groups)
    return exact if groups <= EXACT_GROUPS else max(exact, 1 / (rounds + 1))


def all_signs(groups: int) -> Iterator[FloatArray]:
    """Yield all signs (rows, groups) but for those with the first turned, which mirror them."""
    rows = max(1, BLOCK_BYTES // (8 * max(1, groups)))
    bits = np.arange(max(0, groups - 1))
    for start in range(0, 2 ** len(bits), rows):
        numbers = np.arange(start, min(start + rows, 2 ** len(bits)))
        turned = (numbers[:, None] >> bits) & 1
        yield np.concatenate([np.ones((len(numbers), 1)), 1.0 - 2.0 * turned], axis=1)


def random_signs(groups: int, rounds: int, seed: int) -> Iterator[FloatArray]:
    """Yield `rounds` random signs (rows, groups)."""
    for tosses in RandomisationPlan(groups, rounds, seed).tosses():
        yield 1.0 - 2.0 * tosses.astype(np.float64)


def randomise_groups(
    found: PairedGroups,
    seed: int = SEED,
    rounds: int = ROUNDS,
    check: Callable[[int], None] = no_check,
) -> GroupTests:
    """Test every pair, alone and with the step-down of Romano and Wolf.

    `check` hears how many rounds are done, and may raise to stop.
    """
    testable = np.flatnonzero(found.is_testable)
    exact = found.count <= EXACT_GROUPS
    plan = all_signs(found.count) if exact else random_signs(found.count, rounds, seed)
    observed = found.statistics(np.ones((1, found.count)))[0]
    order = testable[np.argsort(-observed[testable], kind="stable")]
    reached = observed * (1 - TIE)
    alone, stepped = np.zeros(len(observed)), np.zeros(len(order))
    done = 0
    with single_blas_thread():
        for block in plan:
            for start in range(0, len(block), step := _step(len(observed))):
                signs = block[start : start + step]
                drawn = found.statistics(signs)
                alone += (drawn >= reached).sum(axis=0)
                ordered = drawn[:, order[::-1]]
                np.maximum.accumulate(ordered, axis=1, out=ordered)
                stepped += (ordered[:, ::-1] >= reached[order]).sum(axis=0)
                done += len(signs)
                check(done)
    extra = 0 if exact else 1
    corrected = np.full(len(observed), np.nan)
    corrected[order] = np.maximum.accumulate((stepped + extra) / (done + extra))
    p = np.where(found.is_testable, (alone + extra) / (done + extra), np.nan)
    return GroupTests(
        p,
        corrected,
        0 if exact else rounds,
        lowest_p(found.count, rounds),
    )


def _step(pairs: int) -> int:
    """Return how many rounds of all pairs fit into the processor's cache."""
    return max(16, (1 << 18) // max(1, pairs))


def studentized_p(
    found: PairedGroups, plan: ResamplingPlan, check: Callable[[int], None] = no_check
) -> float:
    """Return the p value of the first pair by the studentized bootstrap, centred on the null.

    NaN where resamples have no spread. Source: Hall and Wilson, Two Guidelines for Bootstrap
    Hypothesis Testing (1991).
    """
    means = ratio_means(*found.totals(slice(0, 1)))
    t = studentized_resamples(means, plan, check)[:, 0]
    known = np.abs(t[np.isfinite(t)])
    if len(known) < (1 - DEGENERATE) * len(t) or not means.error[0] > 0:
        return float("nan")
    reached = known >= abs(float(means.mean[0] / means.error[0])) * (1 - TIE)
    return float((reached.sum() + 1) / (len(known) + 1))


def group_t_test(found: PairedGroups) -> FloatArray:
    """Return p values (pairs,) of the paired t test of groups, of their count less one degree."""
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2.0 * stdtr(found.groups - 1, -np.abs(found.mean) / found.error)
    nothing = (found.mean == 0) & (found.error == 0)
    return np.where(nothing, 1.0, np.where(found.groups > 1, p, np.nan))


def group_means(found: PairedGroups) -> FloatArray:
    """Return the mean difference (groups,) of the first pair in every group."""
    sums, sizes = found.totals(slice(0, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((sums / sizes)[:, 0])


def difference_intervals(
    found: PairedGroups,
    plan: ResamplingPlan,
    method: Method = "studentized",
    level: float = LEVEL,
    check: Callable[[int], None] = no_check,
) -> list[Interval | None]:
    """Return the interval of every pair's mean difference, by `studentized` or `t`."""
    intervals: list[Interval | None] = []
    with single_blas_thread():
        for part in found.parts():
            sums, sizes = found.totals(part)
            means = ratio_means(sums, sizes)
            quantiles = np.full((2, sums.shape[1]), np.nan)
            if method == "studentized" and found.count >= FEWEST_GROUPS:
                quantiles = studentized_quantiles(means, plan, level, check)
            intervals += [
                ratio_mean_interval(means, number, quantiles[:, number], plan.resamples, level)
                for number in range(sums.shape[1])
            ]
    return intervals

"""Paired tests of many systems by group randomization, with the step-down of Romano and Wolf.

Under the null hypothesis, the results of two systems can be swapped for all items of a group, which
flips the sign of the group's difference. All pairs share one plan of signs, so that the maximum of
their statistics is known in every round; a pair differs significantly if its own statistic exceeds
almost all maxima. For few groups all 2^G signs are enumerated. Sources: Noreen, Computer-Intensive
Methods for Testing Hypotheses (1989); Romano and Wolf, Exact and Approximate Stepdown Methods for
Multiple Hypothesis Testing (2005); Cameron, Gelbach and Miller, Bootstrap-Based Improvements for
Inference with Clustered Errors (2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval
from jurydesk.core.statistics.bootstrap import BLOCK_BYTES, LEVEL, SEED, ResamplingPlan
from jurydesk.core.statistics.group_intervals import (
    DEGENERATE,
    Method,
    is_studentized,
    ratio_means_intervals,
    studentized_resamples,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import (
    ROUNDING,
    ROUNDS,
    Pair,
    RandomisationPlan,
    no_check,
)
from jurydesk.core.statistics.quantiles import student_quantile
from jurydesk.core.statistics.ratio_means import LOPSIDED, ratio_means
from jurydesk.core.system.blas import single_blas_thread

EXACT_GROUPS = 14
"""Maximum number of groups for enumerating all signs."""
STEPS = 64
"""Number of steps whose critical values are kept; boards of up to 11 systems have all."""
SKEWED = 1.0
"""Skewness of the groups' differences above which a few large ones decide the test."""
CACHED_BYTES = 1 << 20
FEWEST_TOGETHER = 16
"""Memory, which a processor's cache holds, and least number of pairs with errors made together."""
FEWEST_SIGNS = 6
"""Fewest groups with a difference whose signs can be significant at 5 %: 2 ^ (1 - 6) is 0.03."""
AGREED = 0.999
"""Share of the significance level that a p value has whose interval just excludes 0."""
TIE = 1e-10
"""Relative difference below which statistics are tied."""


class PairedGroups:
    """Differences between pairs of systems, summed over the items of each group.

    `values` are (items, systems), NaN where a system lacks an item; a pair's difference is over
    the items that both have. `mean` and `groups` (pairs,) are the mean differences and the numbers
    of their groups; `robust` and `degrees` (pairs,) the errors CR2 and their degrees of freedom;
    `error` (pairs,) those of the studentized bootstrap, and `skewness` (pairs,) that of groups;
    `differing` (pairs,) counts the groups with a difference.
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
            self._single = self._sums.astype(np.float32)
        shape = len(pairs)
        self.mean, self.robust, self.groups = np.empty(shape), np.empty(shape), np.empty(shape)
        self.error, self.skewness = np.empty(shape), np.empty(shape)
        self.degrees, squares, self.differing = np.empty(shape), np.empty(shape), np.empty(shape)
        for part in self.parts(room=max(CACHED_BYTES, FEWEST_TOGETHER * self._values[:, 0].nbytes)):
            sums, sizes = self.totals(part)
            means = ratio_means(sums, sizes)
            self.mean[part], self.robust[part] = means.mean, means.robust
            self.groups[part], self.degrees[part] = means.groups, means.degrees
            self.error[part], self.skewness[part] = means.error, means.skewness
            squares[part] = (sums**2).sum(axis=0)
            self.differing[part] = np.count_nonzero(sums, axis=0)
        self._scale = np.divide(1.0, squares, out=np.zeros(shape), where=squares > 0)
        share = self.degrees[self.is_testable] / (self.groups[self.is_testable] - 1)
        self.is_lopsided = len(share) > 0 and float(np.median(share)) < LOPSIDED
        self._is_exact_in_single = self._common and not self.is_lopsided and _counts(self._sums)

    @property
    def sign_type(self) -> type[np.float32] | type[np.float64]:
        """Type of signs that gives the statistics of float64 in the least time."""
        return np.float32 if self._is_exact_in_single else np.float64

    @property
    def is_testable(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Mask (pairs,) of the pairs with at least two groups in common."""
        return self.groups > 1

    def critical_t(self, squared: FloatArray) -> FloatArray:
        """Return the t values (pairs,) that correspond to squared statistics (pairs,).

        Where too few groups differ for any signs to be significant, the statistics have no
        critical value: it is at least that of Student's t.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            share = 1.0 if self.is_lopsided else np.maximum(self.groups - squared, 0)
            t = np.sqrt((1.0 if self.is_lopsided else self.groups - 1) * squared / share)
        for pair in np.flatnonzero(self.is_testable & (self.differing < FEWEST_SIGNS)).tolist():
            t[pair] = max(t[pair], student_quantile(self.degrees[pair], 0.5 + LEVEL / 2))
        return np.asarray(t)

    @property
    def median_degrees(self) -> float:
        """Median degrees of freedom of the pairs; NaN without a testable one."""
        known = self.degrees[self.is_testable]
        return float(np.median(known)) if len(known) else float("nan")

    def parts(self, rows: int = 1, room: int = BLOCK_BYTES) -> Iterator[slice]:
        """Yield slices of pairs of which so many rows, or all items, fit into so many bytes."""
        width = max(1, room // (8 * max(rows, len(self._values))))
        for start in range(0, len(self._first), width):
            yield slice(start, start + width)

    def totals(self, part: slice) -> tuple[FloatArray, FloatArray]:
        """Return the sums of differences and the sizes (groups, pairs) of a slice of pairs."""
        one, other = self._first[part], self._second[part]
        if self._common:
            sums = self._sums[:, one] - self._sums[:, other]
            return sums, np.broadcast_to(self._sizes, sums.shape)
        both = self._defined[:, one] * self._defined[:, other]
        differences = (self._values[:, one] - self._values[:, other]) * both
        return self._groups.sums(differences), self._groups.sums(both)

    def statistics(self, signs: FloatArray) -> FloatArray:
        """Return squared statistics (rows, pairs) under signs (rows, groups).

        A statistic is a sum of differences over its standard error under the null hypothesis,
        which does not depend on the signs. For groups of unequal sizes it is more powerful than
        the t statistic, whose error does; for equal sizes both give the same p values. Where few
        groups decide the means it hardly exceeds chance, however large the difference: there it is
        the t statistic with the error CR2 of every row.
        """
        if self.is_lopsided:
            return self._studentized(signs)
        if self._common:
            single = signs.dtype == np.float32
            sums = (signs @ (self._single if single else self._sums)).T.astype(np.float64)
            values = (sums[self._first] - sums[self._second]).T
        else:
            values = np.empty((len(signs), len(self._first)))
            for part in self.parts():
                values[:, part] = signs @ self.totals(part)[0]
        np.square(values, out=values)
        values *= self._scale
        return values

    def _studentized(self, signs: FloatArray) -> FloatArray:
        """Return squared t statistics (rows, pairs) with the error CR2 of every row of signs."""
        values = np.empty((len(signs), len(self._first)))
        for part in self.parts():
            sums, sizes = self.totals(part)
            total = sizes.sum(axis=0)
            with np.errstate(invalid="ignore", divide="ignore"):
                weights = 1 / (1 - sizes / total)
                mean = (signs @ sums) / total
                squares = (weights * sums**2).sum(axis=0)
                spread = squares - 2 * mean * (signs @ (weights * sizes * sums))
                spread += mean**2 * (weights * sizes**2).sum(axis=0)
                spread[spread <= ROUNDING * squares] = 0.0
                values[:, part] = np.where(mean == 0, 0.0, (mean * total) ** 2 / spread)
        return values


@dataclass(frozen=True, slots=True, eq=False)
class GroupTests:
    """p values (pairs,) of a randomization test: `p` uncorrected, `corrected` for all pairs.

    `rounds` is 0 if all signs were enumerated; no p value is below `lowest`. `critical` (pairs,)
    are the squared statistics that the step of each pair demands.
    """

    p: FloatArray
    corrected: FloatArray
    rounds: int
    lowest: float
    critical: FloatArray


def lowest_p(groups: int, rounds: int = ROUNDS) -> float:
    """Return the lowest p value that a randomization test of `groups` groups can give."""
    exact = 2.0 ** (1 - groups)
    return exact if groups <= EXACT_GROUPS else max(exact, 1 / (rounds + 1))


def all_signs(groups: int) -> Iterator[FloatArray]:
    """Yield all signs (rows, groups) with a positive first one; the others mirror them."""
    rows = max(1, BLOCK_BYTES // (8 * max(1, groups)))
    bits = np.arange(max(0, groups - 1))
    for start in range(0, 2 ** len(bits), rows):
        numbers = np.arange(start, min(start + rows, 2 ** len(bits)))
        flipped = (numbers[:, None] >> bits) & 1
        yield np.concatenate([np.ones((len(numbers), 1)), 1.0 - 2.0 * flipped], axis=1)


def _counts(sums: FloatArray) -> bool:
    """Return whether sums of columns under any signs are exact in single precision."""
    return bool((sums == np.rint(sums)).all() and np.abs(sums).sum(axis=0).max(initial=0) < 2**24)


def random_signs(
    groups: int, rounds: int, seed: int, kind: type[np.float32] | type[np.float64] = np.float64
) -> Iterator[FloatArray]:
    """Yield `rounds` random signs (rows, groups)."""
    for swaps in RandomisationPlan(groups, rounds, seed).swaps():
        signs: FloatArray = swaps.astype(kind)
        signs *= -2
        signs += 1
        yield signs


def randomise_groups(
    paired: PairedGroups,
    seed: int = SEED,
    rounds: int = ROUNDS,
    check: Callable[[int], None] = no_check,
) -> GroupTests:
    """Test every pair, uncorrected and with the step-down of Romano and Wolf.

    `check` is called with the number of finished rounds, and may raise to stop.
    """
    testable = np.flatnonzero(paired.is_testable)
    exact = paired.count <= EXACT_GROUPS
    drawn = (paired.count, rounds, seed, paired.sign_type)
    plan = all_signs(paired.count) if exact else random_signs(*drawn)
    observed = paired.statistics(np.ones((1, paired.count)))[0]
    order = testable[np.argsort(-observed[testable], kind="stable")]
    threshold = observed * (1 - TIE)
    alone, stepped = np.zeros(len(observed)), np.zeros(len(order))
    steps = np.unique(np.linspace(0, max(0, len(order) - 1), STEPS).astype(np.int64))
    steps = steps[: len(order)]
    maxima: list[FloatArray] = []
    done = 0
    with single_blas_thread():
        for block in plan:
            for start in range(0, len(block), step := _step(len(observed))):
                signs = block[start : start + step]
                squared = paired.statistics(signs)
                alone += (squared >= threshold).sum(axis=0)
                ordered = squared[:, order[::-1]]
                np.maximum.accumulate(ordered, axis=1, out=ordered)
                stepped += (ordered[:, ::-1] >= threshold[order]).sum(axis=0)
                maxima.append(ordered[:, ::-1][:, steps])
                done += len(signs)
                check(done)
    extra = 0 if exact else 1
    corrected = np.full(len(observed), np.nan)
    corrected[order] = np.maximum.accumulate((stepped + extra) / (done + extra))
    p = np.where(paired.is_testable, (alone + extra) / (done + extra), np.nan)
    critical = np.full(len(observed), np.nan)
    critical[order] = _step_critical(maxima, steps, corrected[order])
    lowest = lowest_p(paired.count, rounds)
    return GroupTests(p, corrected, 0 if exact else rounds, lowest, critical)


def _step_critical(
    maxima: Sequence[FloatArray], steps: IntArray, corrected: FloatArray
) -> FloatArray:
    """Return the critical value of the step of each pair (pairs,), the largest statistic first.

    `maxima` are blocks (rounds, steps) of the largest statistic of the pairs from each step on.
    Pairs that are not rejected are tested in the step of the first of them; a pair between two
    steps has the value of the earlier one, which is the larger.
    """
    if not len(corrected):
        return corrected
    values = np.quantile(np.concatenate(maxima), LEVEL, axis=0, method="higher")
    place = np.minimum(np.arange(len(corrected)), int((corrected < 1 - LEVEL).sum()))
    return np.asarray(values[np.searchsorted(steps, place, side="right") - 1])


def _step(pairs: int) -> int:
    """Return the number of rounds whose statistics fit into the processor's cache."""
    return max(16, (1 << 18) // max(1, pairs))


def studentized_p(
    paired: PairedGroups, plan: ResamplingPlan, check: Callable[[int], None] = no_check
) -> float:
    """Return the p value of the first pair by the studentized bootstrap, centred on the null.

    NaN if resamples have no variance, or if a few groups decide the mean. Source: Hall and Wilson,
    Two Guidelines for Bootstrap Hypothesis Testing (1991).
    """
    means = ratio_means(*paired.totals(slice(0, 1)))
    t = studentized_resamples(means, plan, check)[:, 0]
    defined = np.abs(t[np.isfinite(t)])
    if means.are_lopsided[0] or len(defined) < (1 - DEGENERATE) * len(t) or not means.error[0] > 0:
        return float("nan")
    as_large = defined >= abs(float(means.mean[0] / means.error[0])) * (1 - TIE)
    return float((as_large.sum() + 1) / (len(defined) + 1))


def group_t_test(paired: PairedGroups) -> FloatArray:
    """Return p values (pairs,) of the paired t test over groups, by the error CR2."""
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2.0 * stdtr(paired.degrees, -np.abs(paired.mean) / paired.robust)
    is_zero = (paired.mean == 0) & (paired.robust == 0)
    return np.where(is_zero, 1.0, np.where(paired.groups > 1, p, np.nan))


def group_means(paired: PairedGroups) -> FloatArray:
    """Return the mean difference (groups,) of the first pair in every group."""
    sums, sizes = paired.totals(slice(0, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((sums / sizes)[:, 0])


def difference_intervals(
    paired: PairedGroups,
    plan: ResamplingPlan,
    method: Method = "studentized",
    level: float = LEVEL,
    check: Callable[[int], None] = no_check,
    observe: Callable[[FloatArray], None] | None = None,
) -> list[Interval | None]:
    """Return the interval of every pair's mean difference, by `studentized` or `t`.

    `observe` is called with the resampled t statistics (resamples, pairs), some pairs at a time.
    """
    intervals: list[Interval | None] = []
    with single_blas_thread():
        for part in paired.parts(plan.resamples):
            means = ratio_means(*paired.totals(part))
            intervals += ratio_means_intervals(means, plan, method, level, check, observe)
    return intervals


class LargestT:
    """Largest resampled |t| of all pairs, of which the corrected p values of skewed pairs follow.

    An instance is called with the t statistics (resamples, pairs) of some pairs after the other.
    """

    def __init__(self, resamples: int) -> None:
        self.largest = np.zeros(resamples)

    def __call__(self, t: FloatArray) -> None:
        """Keep what is larger in these statistics (resamples, pairs)."""
        np.fmax(self.largest, np.fmax.reduce(np.abs(t), axis=1), out=self.largest)

    def p(self, paired: PairedGroups) -> FloatArray:
        """Return corrected p values (pairs,); NaN without resamples, or without variance."""
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = np.abs(paired.mean / paired.error) * (1 - TIE)
        ordered = np.sort(self.largest)
        as_large = len(ordered) - np.searchsorted(ordered, observed)
        is_known = np.isfinite(observed) & (ordered[-1] > 0)
        return np.where(is_known, (as_large + 1) / (len(ordered) + 1), np.nan)


def overrule_skewed(
    paired: PairedGroups, corrected: FloatArray, limits: Sequence[Interval | None], found: LargestT
) -> FloatArray:
    """Return the corrected p values (pairs,) of the skewed pairs that the test decides otherwise.

    A system that rarely fails, but badly, is exchangeable with no other, even where their means are
    equal. Where the groups' differences are skewed and the studentized bootstrap, the `limits` of a
    single pair, contradicts the test, its p value is returned; else NaN.
    """
    p = found.p(paired)
    if len(p) == 1 and limits[0] is not None:
        # Bounds at the level keep p and the equal-tailed interval in agreement.
        is_apart = not limits[0].low <= 0 <= limits[0].high
        p = np.minimum(p, AGREED * (1 - LEVEL)) if is_apart else np.maximum(p, 1 - LEVEL)
    is_overruled = (
        np.array([is_studentized(one) for one in limits])
        & np.isfinite(p)
        & (np.abs(paired.skewness) > SKEWED)
        & ((p < 1 - LEVEL) != (corrected < 1 - LEVEL))
    )
    return np.where(is_overruled, p, np.nan)

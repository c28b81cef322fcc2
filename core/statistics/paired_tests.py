"""Paired tests between systems scored on the same items, for means of items.

All pairs share one plan of resamples and one plan of swaps, so that fifty systems cost little
more than two. Items that are undefined (NaN) for a system are left out of its comparisons only.
All p values are two-sided. Sources: Noreen, Computer-Intensive Methods for Testing Hypotheses
(1989), and Riezler and Maxwell, On Some Pitfalls in Automatic Evaluation (2005), for randomization;
Student (1908); Wilcoxon (1945).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import BLOCK_BYTES, SEED, ResamplingPlan, count_draws
from jurydesk.core.system.blas import single_blas_thread

ROUNDS = 10_000
WORD = 64


@dataclass(frozen=True, slots=True)
class RandomisationPlan:
    """Plan of `rounds` random swaps: in each, every one of `items` is swapped with p = 1/2."""

    items: int
    rounds: int = ROUNDS
    seed: int = SEED

    def swaps(self) -> Iterator[BoolArray]:
        """Yield masks of swapped items in blocks (rounds of the block, items)."""
        generator = np.random.Generator(np.random.PCG64(self.seed))
        block = max(1, BLOCK_BYTES // (8 * max(1, self.items)))
        words = -(-self.items // WORD)
        for start in range(0, self.rounds, block):
            rows = min(block, self.rounds - start)
            drawn = generator.integers(0, 2**WORD, size=(rows, words), dtype=np.uint64)
            bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), axis=1, count=self.items)
            yield bits.view(np.bool_)


def rounds_for(pairs: int, level: float = 0.95) -> int:
    """Return the rounds that Holm's correction over `pairs` needs to reject at `level`.

    The smallest p value of n rounds, 1 / (n + 1), must be half of the threshold of Holm's first
    step.
    """
    return max(ROUNDS, round(2 * pairs / (1.0 - level)))


Pair = tuple[int, int]
"""Columns of two systems; their difference is the first less the second."""

ROUNDING = 1e-12
"""Relative difference below which differences are equal."""


def no_check(done: int) -> None:
    """Ignore progress and continue."""


class PairwiseSums:
    """Weighted sums of the differences between pairs of systems, by one matrix product.

    `values` are (items, systems). Systems with the same defined items form a group; the sums over
    a group's items, the total less the items that it lacks, are computed once per group.
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
        for system, present in enumerate(defined.T):
            group = groups.setdefault(present.tobytes(), len(groups))
            self._group[system] = group
            if group == len(self._lacking):
                self._lacking.append(np.flatnonzero(~present))

    def sums(self, weights: FloatArray) -> FloatArray:
        """Return the sums (rows, pairs) of differences under weights (rows, items)."""
        sums = self._group_sums(weights, self.values)
        first = sums[self._group[self._second], self._first]
        first -= sums[self._group[self._first], self._second]
        return first.T

    def common_weights(self, weights: FloatArray) -> FloatArray:
        """Return the weight (rows, pairs) of the items defined for both systems of a pair."""
        if not any(len(items) for items in self._lacking):
            totals = weights.sum(axis=1, keepdims=True)
            return np.broadcast_to(totals, (len(weights), len(self._first)))
        sums = self._group_sums(weights, self._presence)
        return sums[self._group[self._second], self._first].T

    def _group_sums(self, weights: FloatArray, columns: FloatArray) -> FloatArray:
        """Return the sums (groups, systems, rows) of columns over the items of each group."""
        totals = columns.T @ weights.T
        sums = np.empty((len(self._lacking), *totals.shape))
        for group, items in enumerate(self._lacking):
            absent = columns[items].T @ weights[:, items].T
            np.subtract(totals, absent, out=sums[group])
        return sums


def all_pairs(systems: int) -> list[Pair]:
    """Return all pairs of `systems` systems."""
    return [(one, other) for one in range(systems) for other in range(one + 1, systems)]


MOST_PAIRS = 20_000
"""Pairs up to which all are tested: those of 200 systems."""
TOP = 3
"""Systems that are compared with all others where not all pairs are."""


def pairs_to_test(scores: Sequence[float], *, higher: bool) -> list[Pair]:
    """Return all pairs of systems with these scores, or of very many the important ones.

    Those are neighbours by score, and the best `TOP` systems with every other.
    """
    systems = len(scores)
    if systems * (systems - 1) // 2 <= MOST_PAIRS:
        return all_pairs(systems)
    order = sorted(range(systems), key=lambda one: -scores[one] if higher else scores[one])
    chosen = {(min(pair), max(pair)) for pair in itertools.pairwise(order)}
    for place, best in enumerate(order[:TOP]):
        chosen |= {(min(best, one), max(best, one)) for one in order[place + 1 :]}
    return sorted(chosen)


@dataclass(frozen=True, slots=True, eq=False)
class PairedDifferences:
    """Differences of each pair (pairs,): mean, standard deviation (n - 1) and number of items."""

    mean: FloatArray
    deviation: FloatArray
    items: FloatArray

    @property
    def error(self) -> FloatArray:
        """Standard errors (pairs,) of the mean differences."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.deviation / np.sqrt(self.items))


def mean_differences(values: FloatArray, pairs: Sequence[Pair]) -> FloatArray:
    """Return the mean difference (pairs,) of each pair; NaN for a pair without common items."""
    mean = np.full(len(pairs), np.nan)
    systems = np.ascontiguousarray(values.T)
    for number, pair in enumerate(pairs):
        differences = item_differences_of_pair(systems, pair)
        if len(differences):
            mean[number] = differences.mean()
    return mean


def item_differences_of_pair(systems: FloatArray, pair: Pair) -> FloatArray:
    """Return the differences (common items,) of one pair of rows of `systems` (systems, items)."""
    differences = systems[pair[0]] - systems[pair[1]]
    return np.asarray(differences[np.isfinite(differences)])


def randomisation_test(
    values: FloatArray,
    pairs: Sequence[Pair],
    plan: RandomisationPlan,
    check: Callable[[int], None] = no_check,
    codes: IntArray | None = None,
) -> FloatArray:
    """Return p values (pairs,) of a randomization test of `values` (items, systems).

    The p value is the share of rounds whose difference is at least the observed one, which itself
    counts as a round. With `codes` (items,), the plan swaps whole groups. `check` is called with
    the number of finished rounds, and may raise to stop.
    """
    pairwise = PairwiseSums(values, pairs)
    ones = np.ones((1, len(values)))
    observed = pairwise.sums(ones)
    rounding = ROUNDING * np.abs(pairwise.values).sum(axis=0).max(initial=0.0)
    threshold = np.abs(observed) - rounding
    as_large = np.zeros(len(pairs))
    done = 0
    with single_blas_thread():
        for block in plan.swaps():
            swaps = block if codes is None else block[:, codes]
            swapped = observed - 2.0 * pairwise.sums(swaps.astype(np.float64))
            as_large += (np.abs(swapped) >= threshold).sum(axis=0)
            done += len(block)
            check(done)
    p = (as_large + 1) / (plan.rounds + 1)
    return np.where(pairwise.common_weights(ones)[0] > 0, p, np.nan)


def resampled_differences(
    values: FloatArray,
    pairs: Sequence[Pair],
    plan: ResamplingPlan,
    check: Callable[[int], None] = no_check,
    codes: IntArray | None = None,
) -> FloatArray:
    """Return resampled mean differences (resamples, pairs); NaN without a common item.

    `codes` (items,) are the groups that the plan draws.
    """
    pairwise = PairwiseSums(values, pairs)
    resampled = np.empty((plan.resamples, len(pairs)))
    done = 0
    with single_blas_thread():
        for draws in plan.draws():
            weights = count_draws(draws)
            weights = weights if codes is None else weights[:, codes]
            common = pairwise.common_weights(weights)
            means = pairwise.sums(weights) / np.maximum(common, 1.0)
            resampled[done : done + len(draws)] = np.where(common > 0, means, np.nan)
            done += len(draws)
            check(done)
    return resampled


def bootstrap_p(resampled: FloatArray, observed: float) -> float:
    """Return the p value of a difference from its resamples (n,), centred on no difference.

    The observed difference counts as a resample. Source: Efron and Tibshirani, An Introduction to
    the Bootstrap (1993), chapter 16.
    """
    defined = resampled[np.isfinite(resampled)]
    if not len(defined) or not np.isfinite(observed):
        return float("nan")
    deviations = np.abs(defined - defined.mean())
    as_large = deviations >= abs(observed) - ROUNDING * np.abs(defined).max(initial=0.0)
    return float((as_large.sum() + 1) / (len(defined) + 1))


def sacrebleu_bootstrap_p(resampled: FloatArray, observed: float) -> float:
    """Return the p value of sacreBLEU 2 and Moses, for comparison with published numbers.

    They centre the absolute differences, which makes it a one-sided test: it rejects a true null
    hypothesis in 11 % of all cases at p < 0.05 (tests/bench/calibration.md).
    """
    sizes = np.abs(resampled)
    as_large = sizes - sizes.mean() > abs(observed)
    return float((as_large.sum() + 1) / (len(resampled) + 1))


def wilcoxon(values: FloatArray, pairs: Sequence[Pair]) -> FloatArray:
    """Return p values (pairs,) of Wilcoxon's signed-rank test, without zero differences.

    Exact for 50 items or fewer without ties and zeros, and for 13 or fewer with them, else with
    the normal approximation, as in SciPy 1.17.
    """
    from scipy.stats import wilcoxon as signed_rank

    p = np.full(len(pairs), np.nan)
    for number, pair in enumerate(pairs):
        differences = item_differences_of_pair(values.T, pair)
        if len(differences) and not differences.any():
            p[number] = 1.0
        elif len(differences):
            sizes = np.abs(differences)
            is_tied = not sizes.all() or len(np.unique(sizes)) < len(sizes)
            exact = is_tied and len(differences) <= MOST_TIED_ITEMS
            p[number] = _tied_signed_rank_p(differences) if exact else signed_rank(differences)[1]
    return p


MOST_TIED_ITEMS = 13
"""Up to so many items with ties have exact p values: SciPy's limit."""


def _tied_signed_rank_p(differences: FloatArray) -> float:
    """Return the p value over all signs of the differences that are not zero, by counting."""
    from scipy.stats import rankdata

    known = differences[differences != 0]
    twice = (2 * rankdata(np.abs(known))).astype(int)  # ranks of ties end in a half
    counts = np.zeros(twice.sum() + 1)
    counts[0] = 1
    for rank in twice:
        counts[rank:] += counts[:-rank].copy()
    observed = twice[known > 0].sum()
    tail = min(counts[: observed + 1].sum(), counts[observed:].sum())
    return float(min(1.0, 2 * tail / 2 ** len(known)))


def holm(p: FloatArray) -> FloatArray:
    """Return p values (pairs,) with Holm's correction; NaN is left out of the count of tests.

    Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979).
    """
    corrected = np.full(p.shape, np.nan)
    tests = np.flatnonzero(np.isfinite(p))
    order = tests[np.argsort(p[tests], kind="stable")]
    steps = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * steps))
    return corrected

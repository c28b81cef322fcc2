"""Statistical power: the minimum detectable difference of a leaderboard, and planned tests.

The critical value is that of the leaderboard's correction: of the maximum of all pairs' t
statistics (Romano-Wolf), or of Holm's first step. Source: Cohen, Statistical Power Analysis (1988),
chapter 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import LEVEL, SEED
from jurydesk.core.statistics.paired_tests import Pair
from jurydesk.core.statistics.quantiles import student_quantile
from jurydesk.core.system.blas import single_blas_thread

POWER = 0.8
DRAWS = 4_000
"""Draws under the null hypothesis for the critical value of the maximum t."""
RANGE_DRAWS = 20_000
"""Draws for the level of one pair."""
FEWEST_TESTED, MOST_GROUPS = 6, 10_000_000
"""Numbers of groups that a randomization test needs at 5 %, and that are still planned."""
SMALL = 60
"""Above this number of groups the pairs' errors are nearly known, and share one draw."""
FEW_PAIRS_DRAWS = 64
"""Draws at once where not all pairs are tested."""
BLOCK = 2**18
"""Numbers that are drawn, or compared, at once."""


def minimum_detectable_differences(
    errors: FloatArray, degrees: float, critical: float, power: float = POWER
) -> tuple[float, float]:
    """Return the true differences that a t test rejects with probability `power`.

    `errors` (pairs,) are the standard errors of the pairs' differences, with these degrees of
    freedom; the results are those of the median and of the largest error. `critical` is the
    critical t value. NaN if either is undefined, or for pairs without variation, such as identical
    systems.
    """
    from scipy.special import nctdtr

    defined = errors[np.isfinite(errors) & (errors > 0)]
    if not len(defined) or not degrees > 0 or not math.isfinite(critical):
        return math.nan, math.nan
    low, high = 0.0, 2 * critical + 10
    for _ in range(50):
        middle = (low + high) / 2
        missed = nctdtr(degrees, middle, critical) - nctdtr(degrees, middle, -critical)
        if missed > 1 - power:
            low = middle
        else:
            high = middle
    factor = high / math.pow(_error_bias(degrees), 1.9)
    return float(np.median(defined) * factor), float(defined.max() * factor)


def _error_bias(degrees: float) -> float:
    """Return the relative bias of a standard error with these degrees of freedom.

    Its exponent 1.9 above comes from simulations (tests/bench/calibration.md): besides the errors
    it accounts for the discreteness of sign randomization.
    """
    log = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
    return math.sqrt(2 / degrees) * math.exp(log)


def power_of_t(noncentrality: float, degrees: float, critical: float) -> float:
    """Return the probability that |t| exceeds `critical`, for a noncentral t."""
    from scipy.special import nctdtr

    below = nctdtr(degrees, noncentrality, critical)
    beyond = nctdtr(degrees, noncentrality, -critical)
    # SciPy has no number for vanishing probabilities.
    return 1 - float(np.nan_to_num(below)) + float(np.nan_to_num(beyond))


def comparisonwise_level(covariance: FloatArray, level: float = LEVEL, seed: int = SEED) -> float:
    """Return the significance level of one pair, so that all pairs hold theirs together.

    It is that of the largest of all pairs' normal statistics, for results with this covariance
    (systems, systems); for the identity these have the distribution of Tukey's studentized range.
    """
    systems = len(covariance)
    if systems < 3:
        return 1 - level
    generator = np.random.Generator(np.random.PCG64(seed))
    root = np.linalg.cholesky(covariance + 1e-9 * np.trace(covariance) / systems * np.eye(systems))
    drawn = generator.standard_normal((RANGE_DRAWS, systems)) @ root.T
    largest = np.zeros(RANGE_DRAWS)
    for first in range(systems - 1):
        spread = np.sqrt(((root[first] - root[first + 1 :]) ** 2).sum(axis=1))
        t = np.abs(drawn[:, first : first + 1] - drawn[:, first + 1 :]) / spread
        np.maximum(largest, t.max(axis=1), out=largest)
    return math.erfc(float(np.quantile(largest, level)) / math.sqrt(2))


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """Test of a difference with standard deviation `deviation` over groups, yet to be drawn.

    The degrees of freedom are `share` of G - 1, less than 1 for groups of unequal sizes; `alpha` is
    the level of one pair.
    """

    deviation: float
    share: float = 1.0
    alpha: float = 1 - LEVEL

    def power(self, difference: float, groups: int) -> float:
        """Return the probability that `groups` groups show a true difference."""
        degrees = self.share * (groups - 1)
        critical = student_quantile(degrees, 1 - self.alpha / 2)
        return power_of_t(difference * math.sqrt(groups) / self.deviation, degrees, critical)

    def groups(self, difference: float, power: float = POWER) -> int | None:
        """Return the fewest groups that find a difference; None if `MOST_GROUPS` do not."""
        low, high = FEWEST_TESTED - 1, FEWEST_TESTED
        while self.power(difference, high) < power:
            low, high = high, 2 * high
            if high > MOST_GROUPS:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.power(difference, middle) >= power else (middle, high)
        return high

    def detectable(self, groups: int, power: float = POWER) -> float:
        """Return the difference that `groups` groups find with this probability."""
        low, high = 0.0, self.deviation
        while self.power(high, groups) < power:
            low, high = high, 2 * high
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(middle, groups) >= power else (middle, high)
        return high


def bonferroni_critical(degrees: float, pairs: int, level: float) -> float:
    """Return the critical t value of `pairs` two-sided tests with Bonferroni's correction."""
    return student_quantile(degrees, 1 - (1 - level) / (2 * pairs))


def largest_critical(
    sums: FloatArray, pairs: list[Pair], level: float, degrees: float, seed: int = SEED
) -> float:
    """Return the critical value of the maximum of all pairs' t statistics at `level`.

    `sums` (groups, systems) are the groups' residuals. Normal samples with their covariance are
    drawn, as many as the degrees of freedom of the pairs' errors need; it is shrunk towards equal
    correlations, since few groups estimate it poorly.
    """
    groups, systems = round(degrees) + 1, sums.shape[1]
    if len(pairs) == 1:
        return bonferroni_critical(degrees, 1, level)
    generator = np.random.Generator(np.random.PCG64(seed))
    root = np.linalg.cholesky(
        _shrink_covariance(np.cov(sums, rowvar=False).reshape(systems, systems), groups)
    )
    first, second = np.array(pairs).T
    if groups > SMALL:
        drawn = generator.standard_normal((DRAWS, systems)) @ root.T
        spread = np.sqrt(((root[first] - root[second]) ** 2).sum(axis=1))
        common = np.sqrt(generator.chisquare(degrees, DRAWS) / degrees)
        largest = np.empty(DRAWS)
        step = max(1, BLOCK // len(pairs))
        for start in range(0, DRAWS, step):
            rows = drawn[start : start + step]
            t = np.abs(rows[:, first] - rows[:, second]) / spread
            largest[start : start + step] = t.max(axis=1)
        return float(np.quantile(largest / common, level))
    largest = np.empty(DRAWS)
    are_all = 4 * len(pairs) >= systems * systems
    step = max(1, BLOCK // max(groups * systems, len(pairs)))
    if not are_all:
        step = max(step, min(FEW_PAIRS_DRAWS, 8 * BLOCK // (groups * systems)))

    def fill(block: FloatArray) -> None:
        sample = generator.standard_normal((len(block), groups, systems)) @ root.T
        mean = sample.mean(axis=1)
        sample -= mean[:, None, :]
        if are_all:
            moments = sample.transpose(0, 2, 1) @ sample / (groups - 1)
            own = np.diagonal(moments, axis1=1, axis2=2)
            variance = own[:, first] + own[:, second] - 2 * moments[:, first, second]
        else:
            variance = _squared_differences(sample, first, second) / (groups - 1)
        t = np.abs(mean[:, first] - mean[:, second]) / np.sqrt(variance / groups)
        block[:] = t.max(axis=1)

    with single_blas_thread():
        for start in range(0, DRAWS, step):
            fill(largest[start : start + step])
    return float(np.quantile(largest, level))


def _squared_differences(sample: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """Return the sums over groups of pairs' squared differences (draws, pairs).

    `sample` is (draws, groups, systems). Systems come first in memory, and a few pairs are computed
    at a time, so that they stay in the processor's cache.
    """
    by_system = np.ascontiguousarray(sample.transpose(2, 1, 0))
    found = np.empty((len(first), len(sample)))
    step = max(1, BLOCK // by_system[0].size)
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        apart = by_system[first[part]]
        apart -= by_system[second[part]]
        np.square(apart, out=apart).sum(axis=1, out=found[part])
    return found.T


def _shrink_covariance(covariance: FloatArray, groups: int) -> FloatArray:
    """Return the covariance shrunk towards equal variances and correlations, made regular."""
    systems = len(covariance)
    variance = float(np.trace(covariance)) / systems
    if variance <= 0:
        return np.eye(systems)
    shared = (covariance.sum() - np.trace(covariance)) / max(1, systems * (systems - 1))
    target = np.full_like(covariance, shared) + (variance - shared) * np.eye(systems)
    share = min(1.0, systems / (2 * groups))
    return np.asarray((1 - share) * covariance + share * target + 1e-9 * variance * np.eye(systems))

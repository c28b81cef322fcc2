"""Confidence intervals of means of grouped items.

A mean is the ratio of the total of the groups' sums to that of their sizes. Its standard error is
cluster-robust (Liang and Zeger 1986, with the factor G / (G - 1)), and resamples draw whole
groups. Sources: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 12, for the
studentized bootstrap; Korn and Graubard, Confidence Intervals for Proportions with Small Expected
Number of Positive Counts Estimated from Survey Data (1998), for values that are 0 or 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval
from jurydesk.core.statistics.bootstrap import (
    LEVEL,
    ResamplingPlan,
    count_draws,
    percentile,
    percentile_interval,
    resampled_ratios,
)
from jurydesk.core.statistics.groups import FEWEST_GROUPS, Groups
from jurydesk.core.statistics.paired_tests import no_check
from jurydesk.core.statistics.quantiles import normal_quantile, student_quantile

Method = Literal["studentized", "t", "percentile"]
METHODS: tuple[Method, ...] = ("studentized", "t", "percentile")

FEW_EVENTS = 16
"""Events in effectively fewer groups do not show the correlation within a group."""
DEGENERATE = 0.01
"""Above this share of resamples without variance, Student's t replaces the bootstrap."""
STUDENT = translatable("Student's t, {degrees:,} degrees of freedom")
ROUNDING = 1e-12
"""Sums of squares below this share of the largest possible one are zero."""


@dataclass(frozen=True, slots=True, eq=False)
class RatioMeans:
    """Means (k,) of k columns, with their standard errors and components.

    `residuals` and `sizes` are (groups, k): a group's sum less its size times the mean, and its
    number of defined items. `groups` (k,) is the number of groups with a defined item.
    """

    mean: FloatArray
    error: FloatArray
    groups: FloatArray
    residuals: FloatArray
    sizes: FloatArray

    def select(self, columns: IntArray) -> RatioMeans:
        """Return a subset of the columns."""
        return RatioMeans(
            self.mean[columns],
            self.error[columns],
            self.groups[columns],
            self.residuals[:, columns],
            self.sizes[:, columns],
        )


def ratio_means(sums: FloatArray, sizes: FloatArray) -> RatioMeans:
    """Return the means of columns whose groups have these sums and sizes (groups, k)."""
    total = sizes.sum(axis=0)
    count = (sizes > 0).sum(axis=0).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums.sum(axis=0) / total
        residuals = np.where(sizes > 0, sums - mean * sizes, 0.0)
        error = np.sqrt(count / (count - 1) * (residuals**2).sum(axis=0)) / total
    return RatioMeans(mean, np.where(count > 1, error, np.nan), count, residuals, sizes)


def studentized_resamples(
    means: RatioMeans, plan: ResamplingPlan, check: Callable[[int], None] = no_check
) -> FloatArray:
    """Return resampled t statistics (resamples, k); NaN for resamples without variance.

    `plan` draws groups. A resample's t is its deviation from the mean over its own standard error.
    """
    t = np.empty((plan.resamples, len(means.mean)))
    squares, mixed = means.residuals**2, means.residuals * means.sizes
    equal = bool((means.sizes == means.sizes[:1]).all())
    present = (means.sizes > 0).astype(np.float64)
    done = 0
    for draws in plan.draws():
        weights = count_draws(draws)
        size = weights @ means.sizes
        drawn = means.groups if equal else weights @ present
        with np.errstate(invalid="ignore", divide="ignore"):
            deviation = (weights @ means.residuals) / size
            spread = weights @ squares
            if equal:
                spread -= deviation**2 * size**2 / plan.items
            else:
                product = 2 * deviation * (weights @ mixed)
                spread -= product - deviation**2 * (weights @ means.sizes**2)
            spread[spread <= ROUNDING * squares.sum(axis=0)] = 0.0
            error = np.sqrt(drawn / (drawn - 1) * spread) / size
            t[done : done + len(draws)] = deviation / error
        done += len(draws)
        check(done)
    t[~np.isfinite(t)] = np.nan
    return t


def studentized_quantiles(
    means: RatioMeans, plan: ResamplingPlan, level: float, check: Callable[[int], None] = no_check
) -> FloatArray:
    """Return the quantiles (2, k) of resampled t statistics; NaN if too many are undefined."""
    t = studentized_resamples(means, plan, check)
    tails = [0.5 - level / 2, 0.5 + level / 2]
    quantiles = np.full((2, t.shape[1]), np.nan)
    for column in range(t.shape[1]):
        defined = t[np.isfinite(t[:, column]), column]
        if len(defined) >= (1 - DEGENERATE) * len(t):
            ordered = np.sort(defined)
            quantiles[:, column] = [percentile(ordered, 100 * tail) for tail in tails]
    return quantiles


def mean_intervals(
    columns: FloatArray,
    groups: Groups,
    plan: ResamplingPlan,
    method: Method = "studentized",
    level: float = LEVEL,
    check: Callable[[int], None] = no_check,
) -> list[Interval | None]:
    """Return the interval of the mean of each column (items, k); NaN items are left out.

    Fewer than `FEWEST_GROUPS` groups have none, except with the method `percentile`, which needs
    two items. `plan` draws groups. `check` is called with the number of finished resamples, and
    may raise to stop.
    """
    sums, sizes = groups.totals(columns)
    if method == "percentile":
        resampled = resampled_ratios(sums, sizes, plan, check)
        return [percentile_interval(column, level) for column in resampled.T]
    means = ratio_means(sums, sizes)
    shares = [_is_share(column) for column in columns.T]
    quantiles = np.full((2, len(means.mean)), np.nan)
    selected = np.flatnonzero((means.groups >= FEWEST_GROUPS) & ~np.array(shares))
    if method == "studentized" and len(selected):
        quantiles[:, selected] = studentized_quantiles(means.select(selected), plan, level, check)
    return [
        share_interval(sums[:, number], sizes[:, number], level)
        if is_share and means.groups[number] >= FEWEST_GROUPS
        else ratio_mean_interval(means, number, quantiles[:, number], plan.resamples, level)
        for number, is_share in enumerate(shares)
    ]


def _is_share(column: FloatArray) -> bool:
    defined = column[np.isfinite(column)]
    return bool(np.isin(defined, (0.0, 1.0)).all())


def ratio_mean_interval(
    means: RatioMeans, number: int, quantiles: FloatArray, rounds: int, level: float = LEVEL
) -> Interval | None:
    """Return the interval of a mean from its t quantiles (2,), or by Student's t if undefined."""
    count = int(means.groups[number])
    if count < FEWEST_GROUPS:
        return None
    mean, error = float(means.mean[number]), float(means.error[number])
    if np.isfinite(quantiles).all():
        low, high = (mean - float(end) * error for end in quantiles[::-1])
        method = translatable("studentized bootstrap, {resamples:d} resamples")
        return Interval(low, high, level, method.format(resamples=rounds))
    if not math.isfinite(error):
        return None
    reach = student_quantile(count - 1, 0.5 + level / 2) * error
    return Interval(mean - reach, mean + reach, level, STUDENT.format(degrees=count - 1))


def share_interval(events: FloatArray, sizes: FloatArray, level: float = LEVEL) -> Interval:
    """Return Wilson's interval of a proportion, from the events and sizes (groups,) of all groups.

    The sample size is the effective one of Korn and Graubard, adjusted for the number of groups.
    It cannot be estimated from events in few groups; each group then counts as one item.
    """
    present = sizes > 0
    events, sizes = events[present], sizes[present]
    total, count = float(sizes.sum()), len(sizes)
    share, tail = float(events.sum()) / total, 0.5 + level / 2
    fewest = total**2 / float(sizes @ sizes)
    effective = min(fewest, total)
    if 0 < share < 1:
        residuals = events - share * sizes
        variance = count / (count - 1) * float(residuals @ residuals) / total**2
        factor = (student_quantile(total - 1, tail) / student_quantile(count - 1, tail)) ** 2
        effective = total if variance == 0 else min(total, factor * share * (1 - share) / variance)
    few = min(_effective_groups(events), _effective_groups(sizes - events)) < FEW_EVENTS
    if few:
        effective = min(effective, fewest)
    z = normal_quantile(tail)
    middle = (share + z**2 / (2 * effective)) / (1 + z**2 / effective)
    spread = math.sqrt(share * (1 - share) / effective + z**2 / (4 * effective**2))
    reach = z * spread / (1 + z**2 / effective)
    method = translatable("Wilson, effective sample size {size:.1f}").format(size=effective)
    if few and fewest < total:
        method = fill("{method}, too few events", method)
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach), level, method)


def _effective_groups(events: FloatArray) -> float:
    """Return the effective number of groups that contain events (groups,)."""
    squares = float(events @ events)
    return float(events.sum()) ** 2 / squares if squares else 0.0

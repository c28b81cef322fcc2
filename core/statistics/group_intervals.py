"""Intervals of means of grouped items.

A mean is a ratio: the sum of all groups' sums over the sum of their sizes. Its standard error is
the cluster-robust one (Liang and Zeger 1986, with the factor G / (G - 1)), and groups are drawn
whole. Sources: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 12, for the
studentized bootstrap; Korn and Graubard, Confidence Intervals for Proportions with Small Expected
Number of Positive Counts Estimated from Survey Data (1998), for values that are 0 or 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval
from jurydesk.core.statistics.bootstrap import (
    LEVEL,
    ResamplingPlan,
    counts,
    percentile,
    percentile_interval,
    resampled_ratios,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import no_check
from jurydesk.core.statistics.quantiles import normal_quantile, student_quantile

Method = Literal["studentized", "t", "percentile"]
METHODS: tuple[Method, ...] = ("studentized", "t", "percentile")

FEWEST_GROUPS = 5
"""Fewer groups do not show how much groups differ: there is no interval."""
FEW_GROUPS = 10
"""An interval of fewer groups comes with a warning."""
FEW_EVENTS = 16
"""Events spread over effectively fewer groups do not show how alike the items of a group are."""
DEGENERATE = 0.01
"""When more resamples than this share have no spread, Student's t replaces the bootstrap."""
STUDENT = "Student's t, {:,} degrees of freedom"
ROUNDING = 1e-12
"""A sum of squares below this share of the largest possible one is zero."""


@dataclass(frozen=True, slots=True, eq=False)
class RatioMeans:
    """Means (k,) of k columns with their standard errors and what those were made of.

    `residuals` and `sizes` are (groups, k): a group's sum less its size times the mean, and how
    many of its items are defined. `groups` (k,) have a defined item.
    """

    mean: FloatArray
    error: FloatArray
    groups: FloatArray
    residuals: FloatArray
    sizes: FloatArray

    def select(self, columns: IntArray) -> RatioMeans:
        """Return these columns alone."""
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
    found: RatioMeans, plan: ResamplingPlan, check: Callable[[int], None] = no_check
) -> FloatArray:
    """Return resampled t statistics (resamples, k), each over its own error; NaN without one.

    `plan` draws groups, and a resample's t is its deviation from the mean that was found.
    """
    t = np.empty((plan.resamples, len(found.mean)))
    squares, mixed = found.residuals**2, found.residuals * found.sizes
    equal = bool((found.sizes == found.sizes[:1]).all())
    present = (found.sizes > 0).astype(np.float64)
    done = 0
    for draws in plan.draws():
        weights = counts(draws)
        size = weights @ found.sizes
        drawn = found.groups if equal else weights @ present
        with np.errstate(invalid="ignore", divide="ignore"):
            apart = (weights @ found.residuals) / size
            spread = weights @ squares
            if equal:
                spread -= apart**2 * size**2 / plan.items
            else:
                spread -= 2 * apart * (weights @ mixed) - apart**2 * (weights @ found.sizes**2)
            spread[spread <= ROUNDING * squares.sum(axis=0)] = 0.0
            error = np.sqrt(drawn / (drawn - 1) * spread) / size
            t[done : done + len(draws)] = apart / error
        done += len(draws)
        check(done)
    t[~np.isfinite(t)] = np.nan
    return t


def studentized_quantiles(
    found: RatioMeans, plan: ResamplingPlan, level: float, check: Callable[[int], None] = no_check
) -> FloatArray:
    """Return the quantiles (2, k) of resampled t statistics; NaN where too many have none."""
    t = studentized_resamples(found, plan, check)
    tails = [0.5 - level / 2, 0.5 + level / 2]
    quantiles = np.full((2, t.shape[1]), np.nan)
    for column in range(t.shape[1]):
        known = t[np.isfinite(t[:, column]), column]
        if len(known) >= (1 - DEGENERATE) * len(t):
            ordered = np.sort(known)
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

    There is none with fewer than `FEWEST_GROUPS` groups, except by the method `percentile`, which
    takes two items. `plan` draws groups. `check` hears how many resamples are done, and may raise
    to stop.
    """
    sums, sizes = groups.totals(columns)
    if method == "percentile":
        resampled = resampled_ratios(sums, sizes, plan, check)
        return [percentile_interval(column, level) for column in resampled.T]
    found = ratio_means(sums, sizes)
    shares = [_is_share(column) for column in columns.T]
    quantiles = np.full((2, len(found.mean)), np.nan)
    means = np.flatnonzero((found.groups >= FEWEST_GROUPS) & ~np.array(shares))
    if method == "studentized" and len(means):
        quantiles[:, means] = studentized_quantiles(found.select(means), plan, level, check)
    return [
        share_interval(sums[:, number], sizes[:, number], level)
        if is_share and found.groups[number] >= FEWEST_GROUPS
        else ratio_mean_interval(found, number, quantiles[:, number], plan.resamples, level)
        for number, is_share in enumerate(shares)
    ]


def _is_share(column: FloatArray) -> bool:
    known = column[np.isfinite(column)]
    return bool(np.isin(known, (0.0, 1.0)).all())


def ratio_mean_interval(
    found: RatioMeans, number: int, quantiles: FloatArray, rounds: int, level: float = LEVEL
) -> Interval | None:
    """Return the interval of a mean from its t quantiles (2,), or from Student's t without them."""
    count = int(found.groups[number])
    if count < FEWEST_GROUPS:
        return None
    mean, error = float(found.mean[number]), float(found.error[number])
    if np.isfinite(quantiles).all():
        low, high = (mean - float(end) * error for end in quantiles[::-1])
        return Interval(low, high, level, f"studentized bootstrap, {rounds} resamples")
    if not math.isfinite(error):
        return None
    reach = student_quantile(count - 1, 0.5 + level / 2) * error
    return Interval(mean - reach, mean + reach, level, STUDENT.format(count - 1))


def share_interval(events: FloatArray, sizes: FloatArray, level: float = LEVEL) -> Interval:
    """Return Wilson's interval of a share, from the events and sizes (groups,) of all groups.

    The sample size is the effective one, as Korn and Graubard adjust it for the few groups that it
    was estimated from. Where the events lie in few groups, it cannot be estimated, and each group
    counts as one item.
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
    method = f"Wilson, effective sample size {effective:.1f}"
    if few and fewest < total:
        method += ", too few events"
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach), level, method)


def _effective_groups(events: FloatArray) -> float:
    """Return over how many groups events (groups,) spread: all in one are 1."""
    squares = float(events @ events)
    return float(events.sum()) ** 2 / squares if squares else 0.0

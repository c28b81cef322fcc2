"""Confidence intervals of means of grouped items.

Resamples draw whole groups; where their sizes are so unequal that a few decide the mean, Student's
t replaces them. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 12,
for the studentized bootstrap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import BoolArray, FloatArray, Interval
from jurydesk.core.statistics.bootstrap import (
    LEVEL,
    ResamplingPlan,
    count_draws,
    percentile_interval,
    percentiles,
    resampled_ratios,
)
from jurydesk.core.statistics.few_values import Range, few_values
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import no_check
from jurydesk.core.statistics.quantiles import student_quantile
from jurydesk.core.statistics.ratio_means import RatioMeans, ratio_means

Method = Literal["studentized", "t", "percentile"]
METHODS: tuple[Method, ...] = ("studentized", "t", "percentile")

DEGENERATE = 0.01
"""Above this share of resamples without variance, Student's t replaces the bootstrap."""
STUDENT = translatable("Student's t, {degrees:,} degrees of freedom")
STUDENTIZED = translatable("studentized bootstrap, {resamples:d} resamples")
UNLIMITED: Range = (-math.inf, math.inf)
ROUNDING = 1e-12
"""Sums of squares below this share of the largest possible one are zero."""


def studentized_resamples(
    means: RatioMeans, plan: ResamplingPlan, check: Callable[[int], None] = no_check
) -> FloatArray:
    """Return resampled t statistics (resamples, k); NaN for resamples without variance.

    `plan` draws groups. A resample's t is its deviation from the mean over its own standard error.
    """
    t = np.empty((plan.resamples, len(means.mean)))
    squares = means.residuals**2
    smallest = ROUNDING * squares.sum(axis=0)
    # Whole numbers, whose sums are exact: all pairs of systems with the same items need one column.
    shared = bool((means.sizes == means.sizes[:, :1]).all())
    sizes = means.sizes[:, :1] if shared else means.sizes
    equal = bool((sizes == sizes[:1]).all())
    mixed = squares if equal else means.residuals * means.sizes
    present = (sizes > 0).astype(np.float64)
    done = 0
    for draws in plan.draws():
        weights = count_draws(draws)
        size = weights @ sizes
        drawn = means.groups if equal else weights @ present
        with np.errstate(invalid="ignore", divide="ignore"):
            deviation = weights @ means.residuals
            deviation /= size
            spread = weights @ squares
            product = np.square(deviation)
            if equal:
                product *= size**2
                product /= plan.items
                spread -= product
            else:
                product *= weights @ sizes**2
                spread -= 2 * deviation * (weights @ mixed) - product
            spread[spread <= smallest] = 0.0
            spread *= drawn / (drawn - 1)
            error = np.sqrt(spread, out=spread)
            error /= size
            np.divide(deviation, error, out=t[done : done + len(draws)])
        done += len(draws)
        del draws, weights, deviation, spread, error, product  # the next ones need their room
        check(done)
    t[~np.isfinite(t)] = np.nan
    return t


def studentized_quantiles(
    means: RatioMeans,
    plan: ResamplingPlan,
    level: float,
    check: Callable[[int], None] = no_check,
    observe: Callable[[FloatArray], None] | None = None,
) -> FloatArray:
    """Return the quantiles (2, k) of resampled t statistics; NaN if too many are undefined.

    `observe` is called with the statistics (resamples, k).
    """
    t = studentized_resamples(means, plan, check)
    if observe is not None:
        observe(t)
    tails = [0.5 - level / 2, 0.5 + level / 2]
    quantiles = np.full((2, t.shape[1]), np.nan)
    known = np.isfinite(t).sum(axis=0)
    for count in np.unique(known[known >= (1 - DEGENERATE) * len(t)]).tolist():
        columns = np.flatnonzero(known == count)
        ordered = np.sort(t[:, columns], axis=0)[:count]  # undefined ones are the last
        quantiles[:, columns] = [percentiles(ordered, 100 * tail) for tail in tails]
    return quantiles


def mean_intervals(
    columns: FloatArray,
    groups: Groups,
    plan: ResamplingPlan,
    method: Method = "studentized",
    level: float = LEVEL,
    check: Callable[[int], None] = no_check,
    ranges: Sequence[Range] = (),
) -> list[Interval | None]:
    """Return the interval of the mean of each column (items, k); NaN items are left out.

    Columns of too few groups, and nearly equal values without limits, have none; the method
    `percentile` needs two items only. `plan` draws groups. `check` is called with the number
    of finished resamples, and may raise to stop. `ranges` (k) are those of the values; by default
    they have no limits.
    """
    sums, sizes = groups.totals(columns)
    if method == "percentile":
        resampled = resampled_ratios(sums, sizes, plan, check)
        return [percentile_interval(column, level) for column in resampled.T]
    means = ratio_means(sums, sizes)
    few = [
        few_values(column, groups, size, span)
        for column, size, span in zip(
            columns.T, sizes.T, ranges or [UNLIMITED] * len(means.mean), strict=True
        )
    ]
    is_few = np.array([one is not None for one in few])
    quantiles = _quantiles(means, ~is_few, plan, method, level, check)
    return [
        ratio_mean_interval(means, number, quantiles[:, number], plan.resamples, level)
        if one is None
        else one.interval(level)
        if is_enough
        else None
        for number, (one, is_enough) in enumerate(zip(few, means.are_enough.tolist(), strict=True))
    ]


def _quantiles(
    means: RatioMeans,
    chosen: BoolArray,
    plan: ResamplingPlan,
    method: Method,
    level: float,
    check: Callable[[int], None],
    observe: Callable[[FloatArray], None] | None = None,
) -> FloatArray:
    """Return the quantiles (2, k) of the studentized bootstrap, NaN where Student's t is used."""
    quantiles = np.full((2, len(means.mean)), np.nan)
    selected = np.flatnonzero(chosen & means.are_enough & ~means.are_lopsided)
    if method == "studentized" and len(selected):
        quantiles[:, selected] = studentized_quantiles(
            means.select(selected), plan, level, check, observe
        )
    return quantiles


def ratio_means_intervals(
    means: RatioMeans,
    plan: ResamplingPlan,
    method: Method = "studentized",
    level: float = LEVEL,
    check: Callable[[int], None] = no_check,
    observe: Callable[[FloatArray], None] | None = None,
) -> list[Interval | None]:
    """Return the interval of each of these means, by `studentized` or `t`.

    `observe` is called with the resampled t statistics (resamples, means), if there are any.
    """
    every = np.full(len(means.mean), fill_value=True)
    quantiles = _quantiles(means, every, plan, method, level, check, observe)
    return [
        ratio_mean_interval(means, number, quantiles[:, number], plan.resamples, level)
        for number in range(len(means.mean))
    ]


def ratio_mean_interval(
    means: RatioMeans, number: int, quantiles: FloatArray, rounds: int, level: float = LEVEL
) -> Interval | None:
    """Return the interval of a mean from its t quantiles (2,), or by Student's t if undefined.

    Equal values show no error, and have none.
    """
    mean, error = float(means.mean[number]), float(means.error[number])
    if not means.is_enough(number) or not math.isfinite(error) or error == 0:
        return None
    if np.isfinite(quantiles).all():
        low, high = (mean - float(end) * error for end in quantiles[::-1])
        return Interval(low, high, level, fill(STUDENTIZED, rounds))
    degrees = float(means.degrees[number])
    reach = student_quantile(degrees, 0.5 + level / 2) * float(means.robust[number])
    return Interval(mean - reach, mean + reach, level, student_method(degrees))


def is_studentized(limits: Interval | None) -> bool:
    """Return whether an interval is of the studentized bootstrap."""
    return limits is not None and limits.method.startswith(STUDENTIZED.partition(",")[0])


def student_method(degrees: float) -> str:
    """Return the name of Student's t with these degrees of freedom, to one decimal."""
    shown = round(float(degrees), 1)
    return fill(STUDENT, int(shown) if shown.is_integer() else shown)

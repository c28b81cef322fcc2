"""Inter-rater agreement: Krippendorff's alpha, intraclass correlations and exact agreement.

Ratings are (raters, items), NaN where a rater did not rate an item. An undefined measure is NaN,
and `undefined` gives the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, Interval
from jurydesk.core.statistics.bootstrap import (
    RESAMPLES,
    SEED,
    ResamplingPlan,
    percentile_interval,
    resampled_values,
)
from jurydesk.core.statistics.groups import Groups

ROUNDING = 1e-12
"""Relative sums of squares below this are zero up to rounding."""

Scale = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Value of a measure of agreement; `undefined` is the reason if it is NaN."""

    value: float
    interval: Interval | None = None
    undefined: str = ""


def alpha(ratings: FloatArray, scale: Scale = "ordinal") -> Agreement:
    """Compute Krippendorff's alpha of ratings (raters, items).

    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).
    """
    values, table = _coincidences(ratings)
    totals = table.sum(axis=1)
    if not len(values):
        return Agreement(np.nan, undefined="no item has two ratings")
    if len(values) < 2:
        return Agreement(np.nan, undefined="all ratings are the same")
    distance = _distances(values, totals, scale)
    pairs = np.outer(totals, totals) - np.diag(totals)
    expected = (pairs * distance).sum() / (totals.sum() - 1)
    return Agreement(float(1 - (table * distance).sum() / expected))


def _coincidences(ratings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the rating values (values,) and their coincidence matrix (values, values)."""
    given = ~np.isnan(ratings)
    paired = ratings[:, given.sum(axis=0) >= 2]
    values = np.unique(paired[~np.isnan(paired)])
    counts = np.array([(paired == value).sum(axis=0) for value in values], float)
    counts = counts.reshape(len(values), paired.shape[1])
    raters = counts.sum(axis=0)
    joint = (counts / np.maximum(raters - 1, 1)) @ counts.T
    return values, joint - np.diag((counts / np.maximum(raters - 1, 1)).sum(axis=1))


def _distances(values: FloatArray, totals: FloatArray, scale: Scale) -> FloatArray:
    if scale == "nominal":
        return 1.0 - np.eye(len(values))
    if scale == "interval":
        return (values[:, None] - values[None, :]) ** 2
    upto = np.cumsum(totals) - totals / 2
    return np.asarray((upto[:, None] - upto[None, :]) ** 2)


def icc_2k(ratings: FloatArray) -> Agreement:
    """Compute ICC(2,k) of ratings (raters, items), the reliability of the raters' mean.

    Raters and items are random samples; the maximum is 1, and values may be negative. Only raters
    with ratings and items rated by all of them count. Source: Shrout and Fleiss, Intraclass
    correlations (1979).
    """
    given = ~np.isnan(ratings)
    ratings = ratings[given.any(axis=1)]
    whole = ratings[:, ~np.isnan(ratings).any(axis=0)]
    raters, items = whole.shape
    if raters < 2:
        return Agreement(np.nan, undefined="one rater alone")
    if items < 2:
        return Agreement(np.nan, undefined="fewer than two items were rated by all")
    grand = whole.mean()
    of_items = raters * ((whole.mean(axis=0) - grand) ** 2).sum() / (items - 1)
    of_raters = items * ((whole.mean(axis=1) - grand) ** 2).sum() / (raters - 1)
    residual = whole - whole.mean(axis=0) - whole.mean(axis=1)[:, None] + grand
    error = (residual**2).sum() / ((items - 1) * (raters - 1))
    spread = of_items + (of_raters - error) / items
    if spread <= ROUNDING * (of_items + of_raters + error):
        return Agreement(np.nan, undefined="the ratings do not vary")
    return Agreement(float((of_items - error) / spread))


def icc_1k(ratings: FloatArray) -> Agreement:
    """Compute ICC(1,k) of ratings (raters, items), the reliability of an item's mean rating.

    Each item may have different raters and any number of them; the severity of raters counts as
    error. Only items with at least two ratings count; if the numbers differ, k is between them.
    Source: Shrout and Fleiss, Intraclass correlations (1979).
    """
    given = ~np.isnan(ratings)
    paired = given.sum(axis=0) >= 2
    counts, items = given[:, paired].sum(axis=0), int(paired.sum())
    if items < 2:
        return Agreement(np.nan, undefined="fewer than two items have two ratings")
    values = np.where(given, ratings, 0.0)[:, paired]
    means = values.sum(axis=0) / counts
    grand = values.sum() / counts.sum()
    of_items = (counts * (means - grand) ** 2).sum() / (items - 1)
    error = (((values - means) * given[:, paired]) ** 2).sum() / (counts.sum() - items)
    if of_items <= ROUNDING * (of_items + error):
        return Agreement(np.nan, undefined="the means of the items do not vary")
    return Agreement(float(1 - error / of_items))


def exact_share(ratings: FloatArray) -> Agreement:
    """Compute the share (0 to 1) of equal pairs among the ratings of the same item."""
    equal = pairs = 0
    for column in ratings.T:
        given = column[~np.isnan(column)]
        counts = np.unique(given, return_counts=True)[1]
        equal += int((counts * (counts - 1)).sum())
        pairs += len(given) * (len(given) - 1)
    if not pairs:
        return Agreement(np.nan, undefined="no item has two ratings")
    return Agreement(equal / pairs)


def agreement_with_interval(
    measure: Callable[[FloatArray], Agreement],
    ratings: FloatArray,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    check: Callable[[int], None] = lambda done: None,
    groups: Groups | None = None,
) -> Agreement:
    """Compute a measure of ratings (raters, items) with a percentile bootstrap interval.

    Args:
        measure: The measure of agreement.
        ratings: Ratings, NaN where there is none.
        resamples: Number of resamples.
        seed: Seed of the resampling plan.
        check: Function called with the number of finished resamples; it may raise to stop.
        groups: Groups of items that are resampled together, such as all systems' texts for one
            image; by default each item is its own.
    """
    observed = measure(ratings)
    groups = groups or Groups.singletons(ratings.shape[1])
    if observed.undefined or not groups.are_enough:
        return observed
    rows = [(ratings.T, lambda resample: measure(resample.T).value)]
    plan = ResamplingPlan(groups.count, resamples, seed)
    resampled = resampled_values(rows, plan, check, groups.shared)
    return Agreement(observed.value, percentile_interval(resampled[:, 0], unit=groups.described))

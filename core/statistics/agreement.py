"""How far raters agree: Krippendorff's alpha and the intraclass correlation.

Ratings are (raters, items), NaN where a rater did not rate an item. What cannot be computed is
NaN, and `undefined` says why.
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

ROUNDING = 1e-12
"""A share of the sums of squares this small is what rounding left of nothing."""

Scale = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """A measure of agreement; `undefined` is the reason where `value` is NaN."""

    value: float
    interval: Interval | None = None
    undefined: str = ""


def alpha(ratings: FloatArray, scale: Scale = "ordinal") -> Agreement:
    """Krippendorff's alpha of ratings (raters, items).

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
    """The values that were given, and how often two raters gave each pair of them to one item."""
    given = ~np.isnan(ratings)
    paired = ratings[:, given.sum(axis=0) >= 2]
    values = np.unique(paired[~np.isnan(paired)])
    counts = np.array([(paired == value).sum(axis=0) for value in values], float)
    counts = counts.reshape(len(values), paired.shape[1])
    raters = counts.sum(axis=0)
    joint = (counts / np.maximum(raters - 1, 1)) @ counts.T
    return values, joint - np.diag((counts / np.maximum(raters - 1, 1)).sum(axis=1))


def _distances(values: FloatArray, totals: FloatArray, scale: Scale) -> FloatArray:
    """Return the squared distance of every pair of values."""
    if scale == "nominal":
        return 1.0 - np.eye(len(values))
    if scale == "interval":
        return (values[:, None] - values[None, :]) ** 2
    upto = np.cumsum(totals) - totals / 2
    return np.asarray((upto[:, None] - upto[None, :]) ** 2)


def icc_2k(ratings: FloatArray) -> Agreement:
    """ICC(2,k) of ratings (raters, items): how reliable the mean of the raters is.

    Raters and items are taken for random samples; 1 is the highest, and it may be negative.
    Only items that every rater rated count, and raters who rated something. Source: Shrout and
    Fleiss, Intraclass correlations (1979).
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
    """ICC(1,k) of ratings (raters, items): how reliable the mean of an item's raters is.

    It asks not who gave a rating, so that every item may have other raters, as many as it has; how
    severe each one is counts as error. Only items with two ratings count. Where their numbers
    differ, k is between them. Source: Shrout and Fleiss, Intraclass correlations (1979).
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
    """The share, from 0 to 1, of pairs of ratings (raters, items) of one item that are equal."""
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
) -> Agreement:
    """Return the measure with a percentile bootstrap interval over items.

    `check` hears how many resamples are done, and may raise to stop.
    """
    found = measure(ratings)
    items = ratings.shape[1]
    if found.undefined or items < 2:
        return found
    rows = [(ratings.T, lambda drawn: measure(drawn.T).value)]
    resampled = resampled_values(rows, ResamplingPlan(items, resamples, seed), check)
    return Agreement(found.value, percentile_interval(resampled[:, 0]))

"""Measures of agreement without each rater, or each group of items, from sums over all the others.

A measure that is computed again for each of them takes minutes of millions of ratings. Ratings are
(raters, items), NaN where there is none; undefined values are NaN.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

ROUNDING = 1e-12
"""Relative sums of squares below this are zero up to rounding."""
MOST_NUMBERS = 10_000_000
"""Ratings that are read again one by one; beyond it a sum is used, equal up to rounding."""


def value_counts(
    ratings: FloatArray, categories: Sequence[float] = ()
) -> tuple[FloatArray, FloatArray]:
    """Return the values given, and the categories (values,), and their counts (items, values)."""
    values = np.unique([*np.unique(ratings[~np.isnan(ratings)]), *categories])
    rows, items = np.nonzero(~np.isnan(ratings))
    codes = np.searchsorted(values, ratings[rows, items])
    size = ratings.shape[1]
    counts = np.bincount(codes * size + items, minlength=len(values) * size)
    return values, counts.reshape(len(values), size).T.astype(np.float64)


def counts_without_raters(
    ratings: FloatArray, values: FloatArray, counts: FloatArray
) -> Iterator[FloatArray]:
    """Yield the counts (items, values) of `value_counts` without each rater."""
    for own in ratings:
        rest, items = counts.copy(), np.flatnonzero(~np.isnan(own))
        rest[items, np.searchsorted(values, own[items])] -= 1
        yield rest


def exact_share_without_raters(ratings: FloatArray) -> FloatArray:
    """Return the share of equal pairs (raters,) without each rater."""
    raters, items = np.nonzero(~np.isnan(ratings))
    _, codes = np.unique(ratings[raters, items], return_inverse=True)
    cells = codes.astype(np.int64) * ratings.shape[1] + items
    _, cell, alike = np.unique(cells, return_inverse=True, return_counts=True)
    number = (~np.isnan(ratings)).sum(axis=0)
    own_equal = np.bincount(raters, alike[cell] - 1.0, len(ratings))
    own_pairs = np.bincount(raters, number[items] - 1.0, len(ratings))
    equal, pairs = (alike * (alike - 1.0)).sum(), (number * (number - 1.0)).sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((equal - 2 * own_equal) / (pairs - 2 * own_pairs))


def icc_1k_without_raters(ratings: FloatArray) -> FloatArray:
    """Return ICC(1,k) (raters,) without each rater."""
    given = ~np.isnan(ratings)
    values = np.where(given, ratings - np.nanmean(ratings), 0.0)
    number, total, squares = given.sum(axis=0), values.sum(axis=0), (values**2).sum(axis=0)
    found = np.empty(len(ratings))
    for rater, own in enumerate(values):
        count = number - given[rater]
        paired = count >= 2
        count, rest = count[paired], (total - own)[paired]
        within = ((squares - own**2)[paired] - rest**2 / count).sum()
        items = len(count)
        with np.errstate(invalid="ignore", divide="ignore"):
            between = ((rest**2 / count).sum() - rest.sum() ** 2 / count.sum()) / (items - 1)
            found[rater] = 1 - within / (count.sum() - items) / between
    return found


def icc_2k_without_raters(ratings: FloatArray) -> FloatArray | None:
    """Return ICC(2,k) (raters,) without each rater; None unless all rated the same items."""
    if np.isnan(ratings).any():
        return None
    whole = ratings - ratings.mean()
    squares = (whole**2).sum() - (whole**2).sum(axis=1)
    by_rater, by_item = whole.sum(axis=1), whole.sum(axis=0)
    of_raters = (by_rater**2).sum() - by_rater**2
    of_items = np.array([((by_item - own) ** 2).sum() for own in whole])
    raters, items = len(ratings) - 1, np.full(len(ratings), ratings.shape[1])
    return _icc_2k(raters, items, by_rater.sum() - by_rater, of_raters, of_items, squares)


def icc_2k_without_groups(ratings: FloatArray, codes: IntArray, count: int) -> FloatArray | None:
    """Return ICC(2,k) (groups,) without each group of items; None unless every rater rated more.

    `codes` (items,) are the items' groups, from 0 to `count` - 1.
    """
    complete: BoolArray = ~np.asarray(np.isnan(ratings).any(axis=0))
    if len(np.unique(codes[complete])) < 3:  # else a rater may have rated one group alone
        return None
    whole, kept = ratings[:, complete] - ratings[:, complete].mean(), codes[complete]
    items = whole.shape[1] - np.bincount(kept, minlength=count)
    of_group = np.array([np.bincount(kept, own, count) for own in whole])
    by_rater = whole.sum(axis=1)[:, np.newaxis] - of_group
    by_item = whole.sum(axis=0)
    of_items = (by_item**2).sum() - np.bincount(kept, by_item**2, count)
    squares = (whole**2).sum() - np.bincount(kept, (whole**2).sum(axis=0), count)
    total, of_raters = by_rater.sum(axis=0), (by_rater**2).sum(axis=0)
    return _icc_2k(len(ratings), items, total, of_raters, of_items, squares)


def _icc_2k(
    raters: int,
    items: IntArray,
    total: FloatArray,
    of_raters: FloatArray,
    of_items: FloatArray,
    squares: FloatArray,
) -> FloatArray:
    """Return ICC(2,k) from the total, squared totals of raters and items, and the squares."""
    mean = total**2 / (raters * items)
    between, severity = of_items / raters - mean, of_raters / items - mean
    error = (squares - mean - between - severity) / ((items - 1) * (raters - 1))
    between, severity = between / (items - 1), severity / (raters - 1)
    spread = between + (severity - error) / items
    with np.errstate(invalid="ignore", divide="ignore"):
        varies = spread > ROUNDING * (between + severity + error)
        return np.where(varies, (between - error) / spread, np.nan)

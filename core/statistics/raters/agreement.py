"""Inter-rater agreement: Krippendorff's alpha, intraclass correlations and exact agreement.

Ratings are (raters, items), NaN where a rater did not rate an item. An undefined measure is NaN,
and `undefined` gives the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from jurydesk.core.language import Message, counted, fill, translatable
from jurydesk.core.model.evaluation import FloatArray, Interval
from jurydesk.core.statistics.bootstrap import LEVEL
from jurydesk.core.statistics.groups import FEW_GROUPS, FEWEST_GROUPS, Groups
from jurydesk.core.statistics.jackknife import (
    jackknife_variance,
    student_ends,
    sum_of_variances,
    without_each,
)
from jurydesk.core.statistics.raters.left_out import (
    MOST_NUMBERS,
    ROUNDING,
    counts_without_raters,
    icc_2k_without_groups,
    value_counts,
)

FEWEST_RATERS = 3
"""Fewer raters do not show the variation between raters: they are fixed."""

UNKNOWN = translatable("no interval: 1 or undefined without some item or rater")
ANYTHING = translatable("no interval: anything from 0 to 1 is possible")
Scale = Literal["nominal", "ordinal", "interval"]
ItemSums = tuple[FloatArray, Callable[[FloatArray], FloatArray]]
"""A row of numbers (items, columns) for each item, and the values (resamples,) of a measure as a
function of sums (resamples, columns) of rows."""


class ScaleChange(NamedTuple):
    """Transformation of a measure towards a normal distribution, and back.

    `lowest` is the least value that the measure of all raters and items can have.
    """

    forth: Callable[[FloatArray], FloatArray]
    back: Callable[[float], float]
    lowest: float


RELIABILITY = ScaleChange(lambda v: -np.log(1 - v), lambda z: 1 - math.exp(-z), -1.0)
ICC = RELIABILITY._replace(lowest=0.0)
"""Intraclass correlations are shares of a variance."""
SHARE = ScaleChange(lambda v: np.log(v / (1 - v)), lambda z: 1 / (1 + math.exp(-z)), 0.0)
HALF_SHOWN = 0.005
"""Half of the last decimal that is shown."""


def fisher(ratings: float) -> ScaleChange:
    """Return Fisher's transformation of the correlation of `ratings` of one item, and back.

    It is the logarithm of the ratio of variances between and within items; for two ratings it is
    twice Fisher's z. Source: Fisher, Statistical Methods for Research Workers (1925), section 39.
    """

    def back(z: float) -> float:
        small = math.exp(-abs(z))
        ratio = (1 - small) / (1 + (ratings - 1) * small)
        return ratio if z >= 0 else (small - 1) / (small + ratings - 1)

    def forth(values: FloatArray) -> FloatArray:
        return np.asarray(np.log((1 + (ratings - 1) * values) / (1 - values)))

    return ScaleChange(forth, back, -1.0)


def alpha_change(ratings: FloatArray) -> ScaleChange:
    """Return the transformation of alpha of ratings (raters, items), defined without any rater."""
    counts = (~np.isnan(ratings)).sum(axis=0)
    counts = counts[counts >= 2]
    return fisher(max(2.0, float(counts.mean()) - 1) if len(counts) else 2.0)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Value of a measure of agreement; `undefined` is the reason if it is NaN.

    `note` says why there is no interval, or gives a p value.
    """

    value: float
    interval: Interval | None = None
    undefined: str = ""
    note: str = ""


def alpha(ratings: FloatArray, scale: Scale = "ordinal") -> Agreement:
    """Compute Krippendorff's alpha of ratings (raters, items).

    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).
    """
    rows, from_sums = alpha_sums(ratings, scale)
    if not rows.any():
        return Agreement(np.nan, undefined=translatable("no item has two ratings"))
    value = float(from_sums(rows.sum(axis=0)[np.newaxis])[0])
    return Agreement(
        value, undefined=translatable("all ratings are the same") if np.isnan(value) else ""
    )


def alpha_sums(ratings: FloatArray, scale: Scale = "ordinal") -> ItemSums:
    """Return alpha as a function of the summed coincidence matrices of the items.

    A row is the coincidence matrix (values, values) of an item; its total is the number of ratings.
    """
    if scale == "interval" and _are_many(ratings):
        return _squared_sums(ratings)
    return _alpha_of_counts(*value_counts(ratings), scale)


def alpha_without_raters(ratings: FloatArray, scale: Scale = "ordinal") -> FloatArray:
    """Return alpha (raters,) without each rater."""
    if scale == "interval" and _are_many(ratings):
        without = (_squared_sums(ratings[one]) for one in without_each(len(ratings)))
    else:
        values, counts = value_counts(ratings)
        left = counts_without_raters(ratings, values, counts)
        without = (_alpha_of_counts(values, one, scale) for one in left)
    return np.array([from_sums(rows.sum(axis=0)[np.newaxis])[0] for rows, from_sums in without])


def _are_many(ratings: FloatArray) -> bool:
    """Return whether the coincidence matrices of all different numbers are too large."""
    values = len(np.unique(ratings[~np.isnan(ratings)]))
    return bool(values**2 * ratings.shape[1] > MOST_NUMBERS)


def _squared_sums(ratings: FloatArray) -> ItemSums:
    """Return alpha of numbers as a function of sums: ratings, total, squares, and disagreement."""
    given = ~np.isnan(ratings)
    count = given.sum(axis=0)
    known = given & (count >= 2)
    values = np.where(known, ratings - np.nanmean(ratings), 0.0)
    count, total = known.sum(axis=0), values.sum(axis=0)
    squares = (values**2).sum(axis=0)
    apart = 2 * (count * squares - total**2) / np.maximum(count - 1, 1)

    def from_sums(sums: FloatArray) -> FloatArray:
        count, total, squares, apart = sums.T
        with np.errstate(invalid="ignore", divide="ignore"):
            found: FloatArray = 1 - apart / (2 * (count * squares - total**2) / (count - 1))
        return found

    return np.column_stack([count, total, squares, apart]), from_sums


def _alpha_of_counts(values: FloatArray, counts: FloatArray, scale: Scale) -> ItemSums:
    """Return alpha as `alpha_sums` does, of the counts (items, values) of values."""
    counts = np.where(counts.sum(axis=1, keepdims=True) >= 2, counts, 0.0)
    used = counts.any(axis=0)
    values, counts = values[used], counts.T[used].T
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True) - 1, 1)
    joint = shares[:, :, np.newaxis] * counts[:, np.newaxis]
    diagonal = np.arange(len(values))
    joint[:, diagonal, diagonal] -= shares

    def from_sums(sums: FloatArray) -> FloatArray:
        table = sums.reshape(len(sums), len(values), len(values))
        totals = table.sum(axis=2)
        distance = _distances(values, totals, scale)
        pairs = totals[:, :, np.newaxis] * totals[:, np.newaxis]
        pairs[:, diagonal, diagonal] -= totals
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = (pairs * distance).sum(axis=(1, 2)) / (totals.sum(axis=1) - 1)
            return np.asarray(1 - (table * distance).sum(axis=(1, 2)) / expected)

    return joint.reshape(len(joint), -1), from_sums


def _distances(values: FloatArray, totals: FloatArray, scale: Scale) -> FloatArray:
    """Return squared distances (..., values, values) for totals (resamples, values)."""
    if scale == "nominal":
        return 1.0 - np.eye(len(values))
    if scale == "interval":
        return (values[:, np.newaxis] - values) ** 2
    upto = np.cumsum(totals, axis=1) - totals / 2
    return np.asarray((upto[:, :, np.newaxis] - upto[:, np.newaxis]) ** 2)


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
        return Agreement(np.nan, undefined=translatable("one rater alone"))
    if items < 2:
        return Agreement(np.nan, undefined=translatable("fewer than two items were rated by all"))
    grand = whole.mean()
    of_items = raters * ((whole.mean(axis=0) - grand) ** 2).sum() / (items - 1)
    of_raters = items * ((whole.mean(axis=1) - grand) ** 2).sum() / (raters - 1)
    residual = whole - whole.mean(axis=0) - whole.mean(axis=1)[:, None] + grand
    error = (residual**2).sum() / ((items - 1) * (raters - 1))
    spread = of_items + (of_raters - error) / items
    if spread <= ROUNDING * (of_items + of_raters + error):
        return Agreement(np.nan, undefined=translatable("the ratings do not vary"))
    return Agreement(float((of_items - error) / spread))


def icc_1k(ratings: FloatArray) -> Agreement:
    """Compute ICC(1,k) of ratings (raters, items), the reliability of an item's mean rating.

    Each item may have different raters and any number of them; the severity of raters counts as
    error. Only items with at least two ratings count; if the numbers differ, k is between them.
    Source: Shrout and Fleiss, Intraclass correlations (1979).
    """
    rows, from_sums = icc_1k_sums(ratings)
    sums = rows.sum(axis=0)
    if sums[0] < 2:
        return Agreement(np.nan, undefined=translatable("fewer than two items have two ratings"))
    value = float(from_sums(sums[np.newaxis])[0])
    return Agreement(
        value,
        undefined=translatable("the means of the items do not vary") if np.isnan(value) else "",
    )


def icc_1k_sums(ratings: FloatArray) -> ItemSums:
    """Return ICC(1,k) as a function of sums over the items.

    The columns of an item's row are 1, its number of ratings, their sum, that sum times their mean,
    and the squares about the mean; an item with fewer than two ratings has zeros.
    """
    given = ~np.isnan(ratings)
    paired = given.sum(axis=0) >= 2
    counts = np.where(paired, given.sum(axis=0), 0)
    known = given & paired
    centre = ratings[known].mean() if known.any() else 0.0
    values = np.where(known, ratings - centre, 0.0)
    means = values.sum(axis=0) / np.maximum(counts, 1)
    squares = (np.where(known, values - means, 0.0) ** 2).sum(axis=0)
    rows = np.column_stack([paired, counts, counts * means, counts * means**2, squares])

    def from_sums(sums: FloatArray) -> FloatArray:
        items, counts, totals, squared_means, within = sums.T
        with np.errstate(invalid="ignore", divide="ignore"):
            of_items = (squared_means - totals**2 / counts) / (items - 1)
            error = within / (counts - items)
            varies = of_items > ROUNDING * (squared_means / (items - 1) + error)
            return np.where(varies & (items >= 2), 1 - error / of_items, np.nan)

    return rows, from_sums


def exact_share(ratings: FloatArray) -> Agreement:
    """Compute the share (0 to 1) of equal pairs among the ratings of the same item."""
    rows, from_sums = exact_share_sums(ratings)
    value = float(from_sums(rows.sum(axis=0)[np.newaxis])[0])
    return Agreement(
        value, undefined=translatable("no item has two ratings") if np.isnan(value) else ""
    )


def exact_share_sums(ratings: FloatArray) -> ItemSums:
    """Return the share of equal pairs as a function of the items' equal pairs and pairs."""
    known = ~np.isnan(ratings)
    given, items = known.sum(axis=0), ratings.shape[1]
    _, codes = np.unique(ratings[known], return_inverse=True)
    cells, alike = np.unique(codes * items + np.nonzero(known)[1], return_counts=True)
    equal = np.bincount(cells % items, alike * (alike - 1.0), items) if items else np.zeros(0)

    def from_sums(sums: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[:, 0] / sums[:, 1])

    return np.column_stack([equal, given * (given - 1.0)]), from_sums


def agreement_with_interval(
    measure: Callable[[FloatArray], Agreement],
    ratings: FloatArray,
    groups: Groups,
    noun: tuple[str, str] = ("item", "items"),
    sums: Callable[[FloatArray], ItemSums] | None = None,
    change: ScaleChange = RELIABILITY,
    check: Callable[[int], None] = lambda done: None,
    without_raters: Callable[[FloatArray], FloatArray | None] = lambda ratings: None,
) -> Agreement:
    """Compute a measure of ratings (raters, items) with an interval for other raters and items.

    The measure is transformed, and left without each rater and each group of items in turn
    (jackknife); fewer than three raters are fixed. An interval of all that the measure can be says
    nothing: a note says so in its place.

    Args:
        measure: The measure of agreement.
        ratings: Ratings, NaN where there is none.
        groups: Groups of items that are left out together, such as all systems' texts for one
            image.
        noun: Noun of a group.
        sums: The measure as a function of sums over items, by which all groups are left out at
            once; without it each is measured.
        change: Transformation of the measure: `RELIABILITY`, `ICC`, `SHARE`, `fisher` or
            `alpha_change`.
        check: Function called with the number of groups left out; it may raise to stop.
        without_raters: The measure without each rater, for many ratings; None if it cannot.
    """
    observed = measure(ratings)
    given = ~np.isnan(ratings)
    rated = np.flatnonzero(given.any(axis=0))
    groups, ratings = groups.of_items(rated), ratings[:, rated]
    if observed.undefined:
        return observed
    if groups.count < FEWEST_GROUPS:
        return replace(observed, note=fill("{systems}: no interval", counted(groups.count, *noun)))
    raters = ratings[given.any(axis=1)]
    by_item = _without_groups(measure, raters, groups, sums, check)
    parts, kept = [by_item], len(raters) >= FEWEST_RATERS
    if kept:
        by_rater = without_raters(raters) if raters.size * len(raters) > MOST_NUMBERS else None
        if by_rater is None:
            each = enumerate(without_each(len(raters)))
            by_rater = np.array([_without_one(measure, raters[one], at, check) for at, one in each])
        parts.append(by_rater)
    ends = _jackknifed_ends(observed.value, parts, change)
    if ends is None:
        return replace(observed, note=UNKNOWN)
    low, high = ends
    if low < HALF_SHOWN and high >= 1 - HALF_SHOWN:
        return replace(observed, note=ANYTHING)
    items, of_raters = counted(groups.count, *noun), counted(len(raters), "rater")
    method = (
        fill("jackknife over {items} and {raters}", items, of_raters)
        if kept
        else fill("jackknife over {items}, for these raters", items)
    )
    if groups.count < FEW_GROUPS:
        method = fill("{method}, few {items}", method, Message(noun[1]))
    return Agreement(observed.value, Interval(low, high, LEVEL, method))


def _jackknifed_ends(
    value: float, parts: Sequence[FloatArray], change: ScaleChange
) -> tuple[float, float] | None:
    """Return the ends of an interval, from the measure without each element of every sample."""
    used = change
    z, left = _transformed(used.forth, value, parts)
    if np.isnan(z) or any(np.isnan(one).any() for one in left):  # below the range of Fisher's
        used = RELIABILITY
        z, left = _transformed(used.forth, value, parts)
    if not (np.isfinite(z) and all(np.isfinite(one).all() for one in left)):
        return None
    variance = sum_of_variances([jackknife_variance(one) for one in left])
    low, high = (float(used.back(end)) for end in student_ends(float(z), variance))
    return max(low, min(change.lowest, value)), high


def _without_one(
    measure: Callable[[FloatArray], Agreement],
    ratings: FloatArray,
    number: int,
    check: Callable[[int], None],
) -> float:
    check(number)
    return measure(ratings).value


def _transformed(
    forth: Callable[[FloatArray], FloatArray], value: float, parts: Sequence[FloatArray]
) -> tuple[FloatArray, list[FloatArray]]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return forth(np.array(value)), [forth(part) for part in parts]


def _without_groups(
    measure: Callable[[FloatArray], Agreement],
    ratings: FloatArray,
    groups: Groups,
    sums: Callable[[FloatArray], ItemSums] | None,
    check: Callable[[int], None],
) -> FloatArray:
    """Return the measure (groups,) without each group of items in turn."""
    if sums is not None:
        columns, from_sums = sums(ratings)
        by_group = groups.sums(columns)
        return from_sums(by_group.sum(axis=0) - by_group)
    if measure is icc_2k and ratings.size * groups.count > MOST_NUMBERS:
        at_once = icc_2k_without_groups(ratings, groups.codes, groups.count)
        if at_once is not None:
            return at_once
    found = np.empty(groups.count)
    for number in range(groups.count):
        check(number)
        found[number] = measure(ratings[:, groups.codes != number]).value
    return found

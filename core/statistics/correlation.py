"""Correlation of two columns: Pearson, Spearman and Kendall, with intervals.

Coefficients are from -1 to 1. Of systems, intervals are by Fisher's transformation; of items of
several systems, by a jackknife over the items. Sources: Spearman (1904); Kendall (1938, ties 1945),
by the algorithm of Knight (1966) as in SciPy; Bonett and Wright, Sample Size Requirements for
Estimating Pearson, Kendall and Spearman Correlations (2000); Fieller, Hartley and Pearson, Tests
for Rank Correlation Coefficients (1957).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np

from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray, Interval
from jurydesk.core.statistics.bootstrap import LEVEL, SEED
from jurydesk.core.statistics.groups import FEWEST_GROUPS, Groups
from jurydesk.core.statistics.jackknife import jackknife_variance, student_ends, sum_of_variances
from jurydesk.core.statistics.quantiles import normal_quantile
from jurydesk.core.statistics.raters.agreement import Agreement

FEWEST_SYSTEMS = 6
"""Fewer systems have a coefficient without an interval."""
FEW_SYSTEMS = 10
"""Fewer systems in perfect order have no interval but a p value."""
EXACT_SYSTEMS = 8
"""Maximum number of systems for enumerating all permutations."""
PERMUTATIONS = 1999
"""Random permutations of more systems."""
MOST_BLOCKS = 100
"""Maximum number of blocks of groups that a jackknife leaves out in turn."""
TIE = 1e-10
"""Coefficients that differ by less are equal."""

Kind = Literal["pearson", "spearman", "kendall"]


def pearson(one: FloatArray, other: FloatArray) -> float:
    """Return Pearson's r of two columns (n,); NaN if one of them does not vary."""
    a, b = one - one.mean(), other - other.mean()
    lengths = float(np.sqrt((a @ a) * (b @ b)))
    return float(np.clip(a @ b / lengths, -1, 1)) if lengths > 0 else float("nan")


def mean_ranks(values: FloatArray) -> FloatArray:
    """Return the ranks (n,), from 1, with mean ranks for ties."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return np.asarray((last - (sizes - 1) / 2)[group])


def spearman(one: FloatArray, other: FloatArray) -> float:
    """Return Spearman's rho of two columns (n,), Pearson's r of their ranks."""
    return pearson(mean_ranks(one), mean_ranks(other))


def kendall(one: FloatArray, other: FloatArray) -> float:
    """Return Kendall's tau-b of two columns (n,) in n log n; NaN if one of them does not vary."""
    from scipy.stats import kendalltau

    return float(kendalltau(one, other).statistic)


KINDS: dict[Kind, Callable[[FloatArray, FloatArray], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def correlate_systems(
    one: FloatArray,
    other: FloatArray,
    kind: Kind = "spearman",
    seed: int = SEED,
    rounds: int = PERMUTATIONS,
) -> Agreement:
    """Compute a correlation over systems, without those with NaN in a column (systems,).

    From six systems on it has an interval, and a note with the p value of no correlation.
    """
    known = ~(np.isnan(one) | np.isnan(other))
    a, b = one[known], other[known]
    reason = _undefined(a, b)
    if reason:
        return Agreement(np.nan, undefined=reason)
    value, count = KINDS[kind](a, b), len(a)
    if count < FEWEST_SYSTEMS:
        note = fill("{systems}: no interval", counted(count, "system"))
        return Agreement(value, note=note)
    p = permutation_p(a, b, kind, seed, rounds)
    note = fill("permutation p = {p:.2g}, this correlation alone", p)
    if abs(value) > 1 - TIE and count < FEW_SYSTEMS:
        return Agreement(value, note=note)
    return Agreement(value, fisher_interval(value, count, kind), note=note)


def _undefined(one: FloatArray, other: FloatArray) -> str:
    if len(one) < 3:
        return translatable("fewer than three items")
    if one.min() == one.max() or other.min() == other.max():
        return translatable("one of the columns does not vary")
    return ""


def fisher_interval(value: float, count: int, kind: Kind, level: float = LEVEL) -> Interval:
    """Return the interval of a correlation of so many systems by Fisher's transformation."""
    variance = {
        "pearson": 1 / (count - 3),
        "spearman": (1 + value**2 / 2) / (count - 3),
        "kendall": 0.437 / (count - 4),
    }[kind]
    z = math.atanh(max(-1.0, min(1.0, value))) if abs(value) < 1 else math.copysign(math.inf, value)
    reach = normal_quantile(0.5 + level / 2) * math.sqrt(variance)
    method = fill("Fisher's transformation, {systems}", counted(count, "system"))
    return Interval(math.tanh(z - reach), math.tanh(z + reach), level, method)


def permutation_p(
    one: FloatArray,
    other: FloatArray,
    kind: Kind,
    seed: int = SEED,
    rounds: int = PERMUTATIONS,
) -> float:
    """Return the two-sided p value of no correlation of two columns (n,), exact up to eight.

    Of more items random permutations are drawn; the observed order counts as one.
    """
    count = len(one)
    if count <= EXACT_SYSTEMS:
        orders = _all_orders(count)
    else:
        generator = np.random.Generator(np.random.PCG64(seed))
        drawn = generator.permuted(np.tile(np.arange(count), (rounds, 1)), axis=1)
        orders = np.concatenate([np.arange(count)[np.newaxis], drawn])
    sums = np.abs(_association(one, other, orders, kind))
    observed = np.abs(_association(one, other, np.arange(count)[np.newaxis], kind))
    return float((sums >= observed * (1 - TIE)).mean())


@lru_cache(maxsize=2)
def _all_orders(count: int) -> IntArray:
    return np.array(list(itertools.permutations(range(count))), dtype=np.int64)


def _association(one: FloatArray, other: FloatArray, orders: IntArray, kind: Kind) -> FloatArray:
    """Return what orders (orders, n) of the other column change in its correlation."""
    if kind == "kendall":
        first, second = np.triu_indices(len(one), 1)
        signs = np.sign(one[first] - one[second])
        moved = other[orders]
        return np.asarray(np.sign(moved[:, first] - moved[:, second]) @ signs)
    a, b = (one, other) if kind == "pearson" else (mean_ranks(one), mean_ranks(other))
    return np.asarray((b - b.mean())[orders] @ (a - a.mean()))


def correlate_within_systems(
    one: FloatArray,
    other: FloatArray,
    kind: Kind = "spearman",
    noun: tuple[str, str] = ("item", "items"),
    check: Callable[[int], None] = lambda done: None,
) -> Agreement:
    """Compute the correlation within systems of two tables (items, systems), NaN if unknown.

    Both are centred by the mean of their system, so that it says whether better items of a system
    are found, and not better systems. The interval is a jackknife over the items of Fisher's
    transformation. `noun` names the items. `check` is called with the number of items left out,
    and may raise to stop.
    """
    known = ~(np.isnan(one) | np.isnan(other))
    a, b = np.where(known, one, np.nan), np.where(known, other, np.nan)
    reason = _undefined(*_centred(a, b))
    if reason:
        return Agreement(np.nan, undefined=reason)
    rows = known.any(axis=1)
    a, b = a[rows], b[rows]
    method = fill("within systems, jackknife over {items}", counted(len(a), *noun))

    def measure(kept: BoolArray) -> float:
        return KINDS[kind](*_centred(a[kept], b[kept]))

    return _with_jackknife(measure, Groups.singletons(len(a)), method, check)


def correlate_both(
    one: FloatArray,
    other: FloatArray,
    kind: Kind = "spearman",
    noun: tuple[str, str] = ("item", "items"),
    check: Callable[[int], None] = lambda done: None,
) -> Agreement:
    """Compute the correlation of all cells of two tables (items, systems), NaN if unknown.

    Better systems count as well as better items. Items and systems are both samples: the interval
    is by jackknives over both of Fisher's transformation, from six systems on.
    """
    known = ~(np.isnan(one) | np.isnan(other))
    reason = _undefined(one[known], other[known])
    if reason:
        return Agreement(np.nan, undefined=reason)
    rows, columns = known.any(axis=1), known.any(axis=0)
    a, b = one[rows][:, columns], other[rows][:, columns]
    items, systems = a.shape
    value = KINDS[kind](one[known], other[known])
    if systems < FEWEST_SYSTEMS or items < FEWEST_GROUPS or abs(value) > 1 - TIE:
        found = counted(systems, "system") if systems < FEWEST_SYSTEMS else counted(items, *noun)
        return Agreement(value, note=fill("{systems}: no interval", found))
    parts = []
    for axis, count in enumerate((items, systems)):
        blocks, left = min(count, MOST_BLOCKS), []
        for number in range(blocks):
            check(number)
            kept = np.arange(count) % blocks != number
            cells = np.take(known[rows][:, columns], np.flatnonzero(kept), axis)
            taken = [np.take(table, np.flatnonzero(kept), axis)[cells] for table in (a, b)]
            left.append(KINDS[kind](*taken))
        with np.errstate(divide="ignore"):
            z = np.arctanh(left)
        if not np.isfinite(z).all():
            return Agreement(value)
        parts.append(jackknife_variance(z))
    low, high = student_ends(math.atanh(value), sum_of_variances(parts))
    method = fill(
        "jackknife over {items} and {raters}", counted(items, *noun), counted(systems, "system")
    )
    return Agreement(value, Interval(math.tanh(low), math.tanh(high), LEVEL, method))


def correlate_items(
    one: FloatArray, other: FloatArray, kind: Kind, groups: Groups, noun: tuple[str, str]
) -> Agreement:
    """Compute a correlation of two columns (items,), with a jackknife over their groups.

    Items with NaN in a column are left out. `noun` names the groups.
    """
    known = ~(np.isnan(one) | np.isnan(other))
    a, b = one[known], other[known]
    reason = _undefined(a, b)
    if reason:
        return Agreement(np.nan, undefined=reason)
    own = groups.of_items(known)
    method = fill("jackknife over {items}", counted(own.count, *noun))
    return _with_jackknife(lambda kept: KINDS[kind](a[kept], b[kept]), own, method)


def _with_jackknife(
    measure: Callable[[BoolArray], float],
    groups: Groups,
    method: str,
    check: Callable[[int], None] = lambda done: None,
) -> Agreement:
    """Return a correlation with the jackknife interval of its Fisher transform over groups.

    `measure` computes it from a mask of items. Many groups are left out several at once.
    """
    value = measure(np.full(len(groups.codes), fill_value=True))
    if groups.count < FEWEST_GROUPS or abs(value) > 1 - TIE:
        return Agreement(value)
    blocks = min(groups.count, MOST_BLOCKS)
    left = np.empty(blocks)
    for number in range(blocks):
        check(number)
        left[number] = measure(groups.codes % blocks != number)
    with np.errstate(divide="ignore"):
        z = np.arctanh(left)
    if not np.isfinite(z).all():
        return Agreement(value)
    low, high = student_ends(math.atanh(value), jackknife_variance(z))
    return Agreement(value, Interval(math.tanh(low), math.tanh(high), LEVEL, method))


def _centred(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the known cells of both tables (items, systems), less the mean of their system."""
    known = ~np.isnan(one)
    count = np.maximum(known.sum(axis=0), 1)
    first, second = (
        (table - np.where(known, table, 0.0).sum(axis=0) / count)[known] for table in (one, other)
    )
    return _without_rounding(first, one), _without_rounding(second, other)


def _without_rounding(centred: FloatArray, table: FloatArray) -> FloatArray:
    """Return deviations as zero, or as equal, where rounding alone tells them apart."""
    unit = TIE * float(np.nanmax(np.abs(table), initial=0.0))
    return np.round(centred / unit) * unit if unit else centred

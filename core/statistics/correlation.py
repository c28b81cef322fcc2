"""Correlation of two columns: Pearson, Spearman and Kendall, with bootstrap intervals.

Coefficients are from -1 to 1. Sources: Spearman (1904); Kendall (1938, ties 1945), by the algorithm
of Knight (1966) as in SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.agreement import Agreement
from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED, ResamplingPlan, percentile_interval
from jurydesk.core.statistics.correlation_resampled import resampled_correlations
from jurydesk.core.statistics.groups import Groups

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


def correlation(
    one: FloatArray,
    other: FloatArray,
    kind: Kind = "spearman",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    check: Callable[[int], None] = lambda done: None,
    groups: Groups | None = None,
) -> Agreement:
    """Compute a correlation with a bootstrap interval, over items without NaN in the columns (n,).

    Args:
        one: First column.
        other: Second column.
        kind: Coefficient.
        resamples: Number of resamples.
        seed: Seed of the resampling plan.
        check: Function called with the number of finished resamples; it may raise to stop.
        groups: Groups of items that are resampled together; by default each item is its own.
    """
    known = ~(np.isnan(one) | np.isnan(other))
    a, b = one[known], other[known]
    if len(a) < 3:
        return Agreement(np.nan, undefined=translatable("fewer than three items"))
    measure = KINDS[kind]
    if a.min() == a.max() or b.min() == b.max():
        return Agreement(np.nan, undefined=translatable("one of the columns does not vary"))

    units = Groups.singletons(len(a)) if groups is None else groups.of_items(known)
    if not units.are_enough:
        return Agreement(measure(a, b))
    plan = ResamplingPlan(units.count, resamples, seed)
    resampled = resampled_correlations(a, b, kind, measure, plan, check, units.shared)
    return Agreement(measure(a, b), percentile_interval(resampled, unit=units.described))

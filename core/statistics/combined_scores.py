"""Intervals and paired tests of scores that are functions of many rows instead of means.

Examples are BLEU, a function of summed counts, and mean average precision over images.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import FloatArray, Interval, Units
from jurydesk.core.statistics.bootstrap import (
    LEVEL,
    SEED,
    ResamplingPlan,
    count_draws,
    percentile_interval,
)
from jurydesk.core.statistics.group_intervals import DEGENERATE, Method
from jurydesk.core.statistics.groups import FEWEST_EFFECTIVE, FEWEST_GROUPS, Groups
from jurydesk.core.statistics.paired_tests import ROUNDING, Pair, PairedDifferences
from jurydesk.core.statistics.quantiles import student_quantile
from jurydesk.core.system.blas import single_blas_thread

UNIT_RESAMPLES = 200
"""Resamples of units, whose scores are slow."""
DRAWS = 10_000
"""Draws of the maximum t statistic."""
FEW_DEGREES = 60
"""Above these degrees of freedom the pairs' errors are nearly known, and share one draw."""
BLOCK = 500
"""Draws computed at once."""


def resampled_units(
    units: Sequence[Units],
    metrics: Sequence[str],
    resamples: int,
    seed: int,
    check: Callable[[int], None],
) -> tuple[FloatArray, int]:
    """Return scores (resamples, systems, metrics) of resampled units, and the number of units.

    One plan draws the units of all systems. `check` is called with the number of finished
    resamples, and may raise to stop.
    """
    ids = sorted({key for one in units for key in one.ids})
    place = {key: number for number, key in enumerate(ids)}
    places = [np.array([place[key] for key in one.ids]) for one in units]
    plan = ResamplingPlan(len(ids), resamples, seed)
    found = np.empty((resamples, len(units), len(metrics)))
    with single_blas_thread():
        for done, counts in enumerate(row for draws in plan.draws() for row in count_draws(draws)):
            for number, (one, where) in enumerate(zip(units, places, strict=True)):
                check(done)
                scores = one.scores(counts[where])
                found[done, number] = [scores[name] for name in metrics]
    return found, len(ids)


def resampled_differences_with_errors(
    values: FloatArray, resampled: FloatArray, pairs: list[Pair], items: int
) -> PairedDifferences:
    """Return differences of scores (systems,) with errors from resamples (resamples, systems).

    The scores come from `items` items. Each difference counts as one item, so that its deviation
    is its standard error.
    """
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    differences = resampled[:, first] - resampled[:, second]
    return PairedDifferences(
        values[first] - values[second], standard_errors(differences, items), np.ones(len(pairs))
    )


def standard_errors(resampled: FloatArray, items: int) -> FloatArray:
    """Estimate standard errors (scores,) from resamples (resamples, scores) of `items` items.

    Resamples vary as if n items had n degrees of freedom instead of n - 1; this is corrected.
    """
    return np.asarray(np.std(resampled, axis=0, ddof=1) * math.sqrt(items / (items - 1)))


def degrees_of_freedom(items: int, resamples: int) -> float:
    """Return the degrees of freedom of a standard error estimated by resampling.

    Both few items and few resamples reduce them. Source: Satterthwaite (1946).
    """
    return 1 / (1 / (items - 1) + 1 / (resamples - 1))


def student_p(differences: PairedDifferences, degrees: float) -> FloatArray:
    """Return p values (pairs,) of differences over their standard errors, by Student's t.

    Few resamples estimate a standard error well, but never a small p value.
    """
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2.0 * stdtr(degrees, -np.abs(differences.mean) / differences.error)
    return np.where((differences.mean == 0) & (differences.deviation == 0), 1.0, p)


def stepdown_p(
    differences: PairedDifferences,
    resampled: FloatArray,
    pairs: Sequence[Pair],
    degrees: float,
    level: float = LEVEL,
    seed: int = SEED,
) -> tuple[FloatArray, FloatArray]:
    """Return p values (pairs,) of Romano and Wolf's step-down test, and their critical t (pairs,).

    The critical value is that of the step in which a pair is tested.

    The maximum of all pairs' t statistics is drawn from the multivariate t distribution with the
    correlations of the resamples (resamples, systems); with few degrees of freedom, every pair's
    error is drawn separately. Source: Hothorn, Bretz and Westfall, Simultaneous Inference in
    General Parametric Models (2008).
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    root = (resampled - resampled.mean(axis=0)) / math.sqrt(len(resampled) - 1)
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    if degrees < FEW_DEGREES:
        t = _simulated_t(root, first, second, round(degrees) + 1, generator)
    else:
        drawn = generator.standard_normal((DRAWS, len(resampled))) @ root
        drawn /= np.sqrt(generator.chisquare(degrees, DRAWS) / degrees)[:, np.newaxis]
        spread = np.sqrt(((root[:, first] - root[:, second]) ** 2).sum(axis=0))
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.nan_to_num(np.abs(drawn[:, first] - drawn[:, second]) / spread, posinf=0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.nan_to_num(np.abs(differences.mean) / differences.error, nan=0.0)
    order = np.argsort(-observed, kind="stable")
    largest = np.maximum.accumulate(t[:, order[::-1]], axis=1)[:, ::-1]
    corrected = np.empty(len(pairs))
    corrected[order] = np.maximum.accumulate(
        ((largest >= observed[order]).sum(axis=0) + 1) / (DRAWS + 1)
    )
    place = np.minimum(np.arange(len(order)), int((corrected[order] < 1 - level).sum()))
    critical = np.empty(len(pairs))
    critical[order] = np.quantile(largest, level, axis=0)[np.minimum(place, len(order) - 1)]
    return corrected, critical


def _simulated_t(
    root: FloatArray,
    first: list[int],
    second: list[int],
    items: int,
    generator: np.random.Generator,
) -> FloatArray:
    """Return t statistics (draws, pairs) of normal items under the null hypothesis."""
    values, vectors = np.linalg.eigh(root.T @ root)
    factor = (vectors * np.sqrt(np.maximum(values, 0.0))).T
    t = np.empty((DRAWS, len(first)))
    for start in range(0, DRAWS, BLOCK):
        shape = (min(BLOCK, DRAWS - start), items, len(factor))
        sample = generator.standard_normal(shape) @ factor
        mean = sample.mean(axis=1)
        sample -= mean[:, np.newaxis]
        moments = sample.transpose(0, 2, 1) @ sample / (items - 1)
        own = np.diagonal(moments, axis1=1, axis2=2)
        variance = own[:, first] + own[:, second] - 2 * moments[:, first, second]
        rounding = ROUNDING * (own[:, first] + own[:, second])
        difference = np.abs(mean[:, first] - mean[:, second])
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = difference / np.sqrt(variance / items)
        t[start : start + BLOCK] = np.where(variance > rounding, ratio, 0.0)
    return t


def student_interval(
    value: float, error: float, degrees: float, method: str, level: float = LEVEL
) -> Interval | None:
    """Return Student's t interval of a value with this standard error; None if undefined."""
    if not (math.isfinite(value) and math.isfinite(error)):
        return None
    reach = student_quantile(degrees, 0.5 + level / 2) * error
    return Interval(value - reach, value + reach, level, method)


def combined_interval(
    value: float,
    resampled: FloatArray,
    groups: int,
    method: Method = "studentized",
    unit: str = "",
    level: float = LEVEL,
) -> Interval | None:
    """Return the interval of a score that is no mean, from its resamples (resamples,).

    It is Student's t interval about the score less its bootstrap bias, or of percentiles; None if
    resamples are undefined, or do not vary and so show no error. `groups` were resampled, in the
    plural a `unit` where not items.
    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 10.
    """
    if method == "percentile":
        return percentile_interval(resampled, level)
    defined = resampled[np.isfinite(resampled)]
    if len(defined) < (1 - DEGENERATE) * len(resampled):
        return None
    if float(np.ptp(defined)) <= ROUNDING * abs(value):
        return None
    named = bootstrap_method(len(resampled), unit)
    return student_interval(
        2 * value - float(defined.mean()),
        float(standard_errors(defined, groups)),
        degrees_of_freedom(groups, len(defined)),
        fill("{method}, no bias", named),
        level,
    )


def bootstrap_method(resamples: int, unit: str = "") -> str:
    """Return the name of the bootstrap t of so many resamples of a `unit`, if not of items."""
    method = fill("bootstrap t, {resamples:d} resamples", resamples)
    return fill("{method} of {groups}", method, Message(unit)) if unit else method


def groups_with_values(groups: Groups, rows: FloatArray) -> Groups:
    """Return the groups of the items whose statistics (items, statistics) are defined."""
    return groups.of_items(np.asarray(np.isfinite(rows).any(axis=1)))


def are_enough(groups: Groups, fewest: int) -> bool:
    """Return whether a metric that needs so many groups has an interval for these."""
    effective = fewest * FEWEST_EFFECTIVE / FEWEST_GROUPS
    return groups.count >= fewest and groups.effective >= effective

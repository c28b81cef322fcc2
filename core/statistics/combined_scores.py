"""Paired tests for numbers that are no means: a function makes each of them of many rows.

BLEU is one (a function of summed counts), so is mean average precision over images.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, Interval
from jurydesk.core.statistics.bootstrap import LEVEL, SEED
from jurydesk.core.statistics.paired_tests import ROUNDING, Pair, PairedDifferences, no_check

Combine = Callable[[FloatArray], float]

DRAWS = 10_000
"""Draws of the largest t statistic."""
FEW_DEGREES = 60
"""With more degrees of freedom the errors of all pairs are nearly known, and share one draw."""
BLOCK = 500
"""Draws made at once."""


def combined_randomisation_p(
    first: FloatArray,
    second: FloatArray,
    combine: Combine,
    tosses: Iterable[BoolArray],
    check: Callable[[int], None] = no_check,
) -> float:
    """Return the p value of approximate randomisation for two systems' rows (items, statistics).

    `tosses` are blocks (rounds, items) that say which items swap sides. The share of rounds whose
    difference is as large as the one found or larger; the found one counts as a round too.
    """
    one, other = combine(first), combine(second)
    found = abs(one - other) - ROUNDING * max(abs(one), abs(other))
    as_large = done = 0
    for block in tosses:
        for swap in block[:, :, np.newaxis]:
            left, right = np.where(swap, second, first), np.where(swap, first, second)
            as_large += abs(combine(left) - combine(right)) >= found
            done += 1
        check(done)
    return (as_large + 1) / (done + 1)


def resampled_differences_with_errors(
    values: FloatArray, resampled: FloatArray, pairs: list[Pair], items: int
) -> PairedDifferences:
    """Differences of numbers (systems,), their errors from resamples (resamples, systems).

    The numbers come from so many `items`. A difference counts as one item, so that its deviation
    is its standard error.
    """
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    apart = resampled[:, first] - resampled[:, second]
    return PairedDifferences(
        values[first] - values[second], standard_errors(apart, items), np.ones(len(pairs))
    )


def standard_errors(resampled: FloatArray, items: int) -> FloatArray:
    """The standard errors (numbers,) that resamples (resamples, numbers) of so many items tell.

    A resample varies as if n items had n degrees of freedom, where they have n - 1.
    """
    return np.asarray(np.std(resampled, axis=0, ddof=1) * math.sqrt(items / (items - 1)))


def degrees_of_freedom(items: int, resamples: int) -> float:
    """Degrees of freedom of a standard error that so many resamples of so many items tell.

    Satterthwaite (1946): neither few items nor few resamples tell it exactly.
    """
    return 1 / (1 / (items - 1) + 1 / (resamples - 1))


def student_p(found: PairedDifferences, degrees: float) -> FloatArray:
    """P values (pairs,) of differences against their standard errors, in Student's distribution.

    Few resamples tell a standard error well, where they could never tell a small p value.
    """
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2.0 * stdtr(degrees, -np.abs(found.mean) / found.error)
    return np.where((found.mean == 0) & (found.deviation == 0), 1.0, p)


def stepdown_p(
    found: PairedDifferences,
    resampled: FloatArray,
    pairs: Sequence[Pair],
    degrees: float,
    level: float = LEVEL,
    seed: int = SEED,
) -> tuple[FloatArray, float]:
    """Return p values (pairs,) of the step-down of Romano and Wolf, and the first critical t.

    The largest of all pairs' t statistics is drawn from the multivariate t distribution whose
    correlations are those of the resamples (resamples, systems); with few degrees of freedom every
    pair has an error of its own in every draw. Source: Hothorn, Bretz and Westfall, Simultaneous
    Inference in General Parametric Models (2008).
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
        reached = np.nan_to_num(np.abs(found.mean) / found.error, nan=0.0)
    critical = float(np.quantile(t.max(axis=1, initial=0.0), level))
    order = np.argsort(-reached, kind="stable")
    largest = np.maximum.accumulate(t[:, order[::-1]], axis=1)[:, ::-1]
    corrected = np.empty(len(pairs))
    corrected[order] = np.maximum.accumulate(
        ((largest >= reached[order]).sum(axis=0) + 1) / (DRAWS + 1)
    )
    return corrected, critical


def _simulated_t(
    root: FloatArray,
    first: list[int],
    second: list[int],
    items: int,
    generator: np.random.Generator,
) -> FloatArray:
    """Return t statistics (draws, pairs) of boards of so many normal items, without differences."""
    values, vectors = np.linalg.eigh(root.T @ root)
    factor = (vectors * np.sqrt(np.maximum(values, 0.0))).T
    t = np.empty((DRAWS, len(first)))
    for start in range(0, DRAWS, BLOCK):
        shape = (min(BLOCK, DRAWS - start), items, len(factor))
        board = generator.standard_normal(shape) @ factor
        mean = board.mean(axis=1)
        board -= mean[:, np.newaxis]
        moments = board.transpose(0, 2, 1) @ board / (items - 1)
        own = np.diagonal(moments, axis1=1, axis2=2)
        variance = own[:, first] + own[:, second] - 2 * moments[:, first, second]
        near = ROUNDING * (own[:, first] + own[:, second])
        apart = np.abs(mean[:, first] - mean[:, second])
        with np.errstate(invalid="ignore", divide="ignore"):
            found = apart / np.sqrt(variance / items)
        t[start : start + BLOCK] = np.where(variance > near, found, 0.0)
    return t


def student_interval(
    value: float, error: float, degrees: float, method: str, level: float = LEVEL
) -> Interval | None:
    """The interval around a value that a test against `error` agrees with; None without one."""
    from scipy.special import stdtrit

    if not (math.isfinite(value) and math.isfinite(error)):
        return None
    reach = float(stdtrit(degrees, 0.5 + level / 2)) * error
    return Interval(value - reach, value + reach, level, method)


def bias_corrected(value: float, resampled: FloatArray) -> float:
    """Return the value less its bias, which is what resamples (resamples,) are above it on average.

    Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 10.
    """
    return 2 * value - float(resampled.mean())

"""Paired tests for numbers that are no means: a function makes each of them of many rows.

BLEU is one (a function of summed counts), so is mean average precision over images.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from core.model import BoolArray, FloatArray
from core.stats.paired import ROUNDING, Differences, Pair, no_check

Combine = Callable[[FloatArray], float]


def randomised(
    first: FloatArray,
    second: FloatArray,
    combine: Combine,
    tosses: Iterable[BoolArray],
    check: Callable[[int], None] = no_check,
) -> float:
    """The p value of approximate randomisation for two systems' rows (items, statistics).

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


def resampled_spread(values: FloatArray, resampled: FloatArray, pairs: list[Pair]) -> Differences:
    """Differences of numbers (systems,), their errors from resamples (resamples, systems).

    A difference counts as one item, so that its deviation is its standard error.
    """
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    apart = resampled[:, first] - resampled[:, second]
    return Differences(
        values[first] - values[second], np.std(apart, axis=0, ddof=1), np.ones(len(pairs))
    )


def normal_p(found: Differences) -> FloatArray:
    """p values (pairs,) of differences against their standard errors, in the normal distribution.

    Few resamples tell a standard error well, where they could never tell a small p value.
    """
    from scipy.special import ndtr

    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2.0 * ndtr(-np.abs(found.mean) / found.error)
    return np.where((found.mean == 0) & (found.deviation == 0), 1.0, p)

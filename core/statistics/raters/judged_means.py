"""Means of people's ratings, of few entries, with a program's judgements of many as an aid.

The program's mean over the entries that it alone judged is corrected by its error on those that
people rated, too; its weight is the one with the least variance, so that a useless program does no
harm. Sources: Angelopoulos et al., Prediction-powered inference (2023); Angelopoulos, Duchi and
Zrnic, PPI++ (2023).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import FloatArray, Interval
from jurydesk.core.statistics.bootstrap import LEVEL
from jurydesk.core.statistics.jackknife import student_ends, sum_of_variances

FEWEST_BOTH = 10
"""Entries that people and the program judged, of which fewer have no interval."""


@dataclass(frozen=True, slots=True)
class JudgedMean:
    """Mean that people would give, estimated from `both` entries and `more` of the program alone.

    `weight` is that of the program's judgements, from 0 to 1.
    """

    value: float
    interval: Interval | None
    both: int
    more: int
    weight: float


def judged_mean(people: FloatArray, program: FloatArray) -> JudgedMean:
    """Estimate the mean of people's ratings of all entries (entries,), NaN without a rating.

    Entries that the program did not judge are left out.
    """
    judged = ~np.isnan(program)
    both = judged & ~np.isnan(people)
    rated, guess = people[both], program[both]
    more = program[judged & ~both]
    count, rest = len(rated), len(more)
    if not count:
        return JudgedMean(math.nan, None, 0, rest, 0.0)
    if count < 2 or rest < 2:
        return JudgedMean(float(rated.mean()), None, count, rest, 0.0)
    weight = program_weight(rated, guess, more)
    left = rated - weight * guess
    value = float(weight * more.mean() + left.mean())
    if count < FEWEST_BOTH:
        return JudgedMean(value, None, count, rest, weight)
    parts = [(float(left.var(ddof=2)) / count, count - 2)]  # the weight is estimated, too
    if weight:
        parts.append((weight**2 * float(more.var(ddof=1)) / rest, rest - 1))
    ends = student_ends(value, sum_of_variances(parts))
    method = fill("prediction-powered, {both} and {more} entries", count, rest)
    return JudgedMean(value, Interval(*ends, LEVEL, method), count, rest, weight)


def program_weight(rated: FloatArray, guess: FloatArray, more: FloatArray) -> float:
    """Return the weight of the program's judgements with the least variance, from 0 to 1."""
    every = np.concatenate([guess, more])
    spread = float(every.var(ddof=1))
    if spread <= 0:
        return 0.0
    shared = float(np.cov(rated, guess, ddof=0)[0, 1])
    return min(1.0, max(0.0, shared / ((1 + len(rated) / len(more)) * spread)))

"""Errors of means of ratings by few raters: two-way random effects of raters and stories.

Every rater rates every story, and both are random samples. Sources: Cornfield and Tukey, Average
Values of Mean Squares in Factorials (1956); Satterthwaite, An Approximate Distribution of Estimates
of Variance Components (1946).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.bootstrap import SEED
from jurydesk.core.statistics.paired_tests import Pair

POWER_DRAWS = 2_000
"""Draws of mean squares for the power of a design."""


@dataclass(frozen=True, slots=True)
class TwoWayMean:
    """Mean of a complete table of raters and stories, with its error and degrees of freedom."""

    mean: float
    error: float
    degrees: float

    @property
    def p(self) -> float:
        """Two-sided p value of a mean of 0, by Student's t; 1 without any deviation."""
        from scipy.special import stdtr

        if self.error == 0:
            return 1.0 if self.mean == 0 else 0.0
        return float(2 * stdtr(self.degrees, -abs(self.mean) / self.error))


def two_way_mean(table: FloatArray) -> TwoWayMean:
    """Return the mean of values (raters, stories), at least two of each, all known.

    The variance of the mean is that of both main effects less that of their interaction, which
    both contain, but not below that of either alone.
    """
    error, degrees = _error(_mean_squares(table), table.shape)
    return TwoWayMean(float(table.mean()), error, degrees)


def two_way_tests(table: FloatArray, pairs: Sequence[Pair]) -> FloatArray:
    """Return p values (pairs,) of equal systems, from ratings (raters, stories, systems).

    Three raters hardly know the error of a pair. That of all pairs has more degrees of freedom; a
    pair's own error counts where it is larger, as the tastes for one system may differ more.
    """
    apart = [table[:, :, one] - table[:, :, other] for one, other in pairs]
    if not apart:
        return np.ones(0)
    shape, squares = table.shape[:2], [_mean_squares(one) for one in apart]
    systems = len({system for pair in pairs for system in pair})
    shared, degrees = _error(np.mean(squares, axis=0), shape, systems - 1)
    errors = (max(shared, _error(own, shape)[0]) for own in squares)
    means = [
        TwoWayMean(float(one.mean()), error, degrees)
        for one, error in zip(apart, errors, strict=True)
    ]
    return np.array([one.p for one in means])


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """Variances of a difference of two systems: of raters, of stories, and of what is left.

    Source: Brennan, Generalizability Theory (2001), for the design study.
    """

    raters: float
    stories: float
    rest: float

    @classmethod
    def of_tables(cls, tables: Sequence[FloatArray]) -> VarianceComponents:
        """Estimate the components that differences (raters, stories) of several pairs share."""
        raters, stories = tables[0].shape
        squares = np.mean([_mean_squares(one) for one in tables], axis=0)
        of_raters, of_stories, rest = squares.tolist()
        return cls(
            max(0.0, (of_raters - rest) / stories), max(0.0, (of_stories - rest) / raters), rest
        )

    def error(self, raters: int, stories: int) -> tuple[float, float]:
        """Return the standard error of the mean difference in such a design, and its degrees.

        The degrees of freedom are those of the expected mean squares.
        """
        shape = raters, stories
        return _error(self._squares(shape), shape)

    def power(self, difference: float, raters: int, stories: int, alpha: float) -> float:
        """Return the probability that a design shows a difference at this level of one pair.

        It is the mean over the mean squares that a study may find: those of few raters vary so much
        that the power at the expected ones is too high by up to a tenth.
        """
        from scipy.special import ndtr, stdtrit

        if not self.raters + self.stories + self.rest:  # raters who agree on every difference
            return 1.0 if difference else alpha
        shape, freedom = (raters, stories), _degrees(raters, stories)
        generator = np.random.Generator(np.random.PCG64(SEED))
        drawn = generator.chisquare(freedom, (POWER_DRAWS, 3)) / freedom
        of_raters, of_stories, of_cells = (drawn * self._squares(shape)).T
        total = of_raters + of_stories - of_cells
        total = np.where(total > 0, total, np.maximum(of_raters, of_stories))
        spread = ((drawn * self._squares(shape)) ** 2 / freedom).sum(axis=1)
        critical = stdtrit(np.maximum(1.0, total**2 / spread), 1 - alpha / 2)
        reach = critical * np.sqrt(total / (raters * stories))
        deviation = self.error(raters, stories)[0]
        found = ndtr((difference - reach) / deviation) + ndtr((-difference - reach) / deviation)
        return float(found.mean())

    def _squares(self, shape: tuple[int, int]) -> FloatArray:
        """Return the expected mean squares (3,) of raters, stories and their interaction."""
        return self.rest + np.array([shape[1] * self.raters, shape[0] * self.stories, 0.0])


def _mean_squares(table: FloatArray) -> FloatArray:
    """Return the mean squares (3,) of raters, of stories, and of their interaction."""
    raters, stories = table.shape
    mean = float(table.mean())
    rows, columns = table.mean(axis=1) - mean, table.mean(axis=0) - mean
    rest = table - mean - rows[:, np.newaxis] - columns
    sums = [stories * (rows @ rows), raters * (columns @ columns), (rest**2).sum()]
    return np.array(sums) / _degrees(raters, stories)


def _degrees(raters: int, stories: int) -> FloatArray:
    return np.array([raters - 1, stories - 1, (raters - 1) * (stories - 1)], dtype=np.float64)


def _error(
    squares: FloatArray, shape: tuple[int, ...], differences: int = 1
) -> tuple[float, float]:
    """Return the standard error of a mean by its mean squares (3,), and its degrees of freedom.

    The squares are means over so many independent differences of systems.
    """
    of_raters, of_stories, of_cells = squares.tolist()
    total = of_raters + of_stories - of_cells
    total = total if total > 0 else max(of_raters, of_stories)
    spread = float((squares**2 / (differences * _degrees(*shape))).sum())
    error = math.sqrt(total / (shape[0] * shape[1]))
    return error, max(1.0, total**2 / spread) if spread > 0 else 1.0

"""Errors of means of ratings by few raters: two-way random effects of raters and stories.

Every rater rates every story, and both are random samples. Sources: Cornfield and Tukey, Average
Values of Mean Squares in Factorials (1956); Satterthwaite, An Approximate Distribution of Estimates
of Variance Components (1946).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray


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
    raters, stories = table.shape
    mean = float(table.mean())
    rows, columns = table.mean(axis=1) - mean, table.mean(axis=0) - mean
    rest = table - mean - rows[:, np.newaxis] - columns
    squares = np.array(
        [stories * (rows @ rows), raters * (columns @ columns), float((rest**2).sum())]
    )
    degrees = np.array([raters - 1, stories - 1, (raters - 1) * (stories - 1)], dtype=np.float64)
    of_raters, of_stories, of_cells = (float(one) for one in squares / degrees)
    total = of_raters + of_stories - of_cells
    total = total if total > 0 else max(of_raters, of_stories)
    spread = sum(
        one**2 / each
        for one, each in zip((of_raters, of_stories, of_cells), degrees.tolist(), strict=True)
    )
    error = math.sqrt(total / (raters * stories))
    return TwoWayMean(mean, error, max(1.0, total**2 / spread) if spread > 0 else 1.0)

"""Means of grouped items as ratios of sums, with cluster-robust standard errors.

A mean is the ratio of the total of the groups' sums to that of their sizes. Two standard errors
follow: that of the studentized bootstrap (Liang and Zeger 1986, with the factor G / (G - 1)), and
for groups of unequal sizes CR2 with its degrees of freedom (Bell and McCaffrey, Bias Reduction in
Standard Errors for Linear Regression with Multi-Stage Samples, 2002; Pustejovsky and Tipton 2018).
Groups of equal sizes have equal errors, and G - 1 degrees of freedom.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.statistics.groups import (
    FEWEST_EFFECTIVE,
    FEWEST_GROUPS,
    effective_number,
)

LOPSIDED = 0.6
"""Below this share of G - 1 degrees of freedom, one group or a few decide the mean."""


@dataclass(frozen=True, slots=True, eq=False)
class RatioMeans:
    """Means (k,) of k columns, with their standard errors and components.

    `residuals` and `sizes` are (groups, k): a group's sum less its size times the mean, and its
    number of defined items. `groups` (k,) is the number of groups with a defined item, `effective`
    (k,) their effective number; `robust` and `degrees` (k,) are the error CR2 and its degrees of
    freedom.
    """

    mean: FloatArray
    error: FloatArray
    groups: FloatArray
    residuals: FloatArray
    sizes: FloatArray
    effective: FloatArray
    robust: FloatArray
    degrees: FloatArray

    def select(self, columns: IntArray) -> RatioMeans:
        """Return a subset of the columns, in rising order."""
        if len(columns) == len(self.mean):
            return self
        fields: list[Any] = [getattr(self, name)[..., columns] for name in self.__slots__]
        return RatioMeans(*fields)

    @property
    def are_enough(self) -> BoolArray:
        """Mask (k,) of the columns with enough groups for an interval."""
        return np.asarray((self.groups >= FEWEST_GROUPS) & (self.effective >= FEWEST_EFFECTIVE))

    def is_enough(self, column: int) -> bool:
        """Return whether a column has enough groups for an interval."""
        return bool(
            self.groups[column] >= FEWEST_GROUPS and self.effective[column] >= FEWEST_EFFECTIVE
        )

    @property
    def skewness(self) -> FloatArray:
        """Sample skewness (k,) of the groups' residuals; 0 without variation."""
        with np.errstate(invalid="ignore", divide="ignore"):
            squares = self.residuals**2
            second = squares.sum(axis=0) / self.groups
            squares *= self.residuals
            third = squares.sum(axis=0) / self.groups
            return np.asarray(np.where(second > 0, third / second**1.5, 0.0))

    @property
    def are_lopsided(self) -> BoolArray:
        """Mask (k,) of the columns whose groups are too unequal for the studentized bootstrap."""
        return np.asarray(self.degrees < LOPSIDED * (self.groups - 1))


def ratio_means(sums: FloatArray, sizes: FloatArray) -> RatioMeans:
    """Return the means of columns whose groups have these sums and sizes (groups, k)."""
    # All pairs of systems with the same items have the same sizes: one column is enough.
    shared = bool((sizes == sizes[:, :1]).all())
    own = sizes[:, :1] if shared else sizes
    total, count = (
        np.broadcast_to(one, sums.shape[1:])
        for one in (own.sum(axis=0), (own > 0).sum(axis=0).astype(np.float64))
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums.sum(axis=0) / total
        residuals = sums - mean * own
        if not (own > 0).all():
            residuals = np.where(own > 0, residuals, 0.0)
        error = np.sqrt(count / (count - 1) * (residuals**2).sum(axis=0)) / total
    error = np.where(count > 1, error, np.nan)
    robust, degrees = error.copy(), np.where(count > 1, count - 1, np.nan)
    unequal = ((own != own.max(axis=0)) & (own > 0)).any(axis=0) & (count[: own.shape[1]] > 1)
    if unequal.any():
        weights, found = _bell_mccaffrey(own[:, unequal])
        at = np.full(len(mean), fill_value=True) if shared else unequal
        degrees[at] = found
        robust[at] = np.sqrt((residuals[:, at] ** 2 * weights).sum(axis=0)) / total[at]
    effective = np.broadcast_to(effective_number(own), mean.shape)
    return RatioMeans(mean, error, count, residuals, sizes, effective, robust, degrees)


def _bell_mccaffrey(sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the weights (groups, k) of squared residuals in CR2, and its degrees (k,)."""
    share = sizes / sizes.sum(axis=0)
    weights = 1 / (1 - share)
    parts = share**2 * weights
    inverse = (share**2).sum(axis=0) + parts.sum(axis=0) ** 2 - (parts**2).sum(axis=0)
    return weights, 1 / inverse

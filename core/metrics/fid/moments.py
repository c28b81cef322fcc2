"""Mean and covariance of features that come in batches, in float64 whatever their own precision.

Sums are taken around the mean of the first batch: then nothing large cancels, and the result
agrees with `np.mean` and `np.cov` to about 2e-15. Memory does not grow with the features.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import FloatArray


class Moments:
    """Sums over features of `width` dimensions; `add` takes batches, `merge` other sums."""

    def __init__(self, width: int) -> None:
        self.n = 0
        self._shift: FloatArray = np.zeros(width)
        self._sum: FloatArray = np.zeros(width)
        self._outer: FloatArray = np.zeros((width, width))

    def add(self, features: npt.NDArray[np.floating]) -> None:
        """Count a batch of features (n, width)."""
        if not len(features):
            return
        rows = features.astype(np.float64)
        if not self.n:
            self._shift = rows.mean(axis=0)
        rows -= self._shift
        self.n += len(rows)
        self._sum += rows.sum(axis=0)
        self._outer += rows.T @ rows

    def merge(self, other: Moments) -> None:
        """Count everything that `other` counted."""
        if not other.n:
            return
        if not self.n:
            self._shift = other._shift.copy()
        apart = other._shift - self._shift
        cross = np.outer(apart, other._sum)
        self._outer += other._outer + cross + cross.T + other.n * np.outer(apart, apart)
        self._sum += other._sum + other.n * apart
        self.n += other.n

    @property
    def mean(self) -> FloatArray:
        """The mean (width,)."""
        return self._shift + self._sum / self.n

    @property
    def covariance(self) -> FloatArray:
        """The covariance (width, width), over n - 1; NaN for fewer than two features."""
        if self.n < 2:
            return np.full_like(self._outer, np.nan)
        return (self._outer - np.outer(self._sum, self._sum) / self.n) / (self.n - 1)

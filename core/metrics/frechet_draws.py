"""Frechet distances of features that come several times, or not at all, from a fixed distribution.

What is slow is made once: the features as the other distribution sees them, and (for few of them)
their products. A draw then costs the eigenvalues of a matrix as wide as the features drawn, or as
that distribution has dimensions, whichever are fewer. The trace is exact.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.metrics.frechet import Gaussian, factor
from core.model import FloatArray

DRAWN = 1 - 1 / math.e
"""The share of all features that a resample of as many draws."""


class DrawnDistances:
    """Distances of draws of `features` (n, d), two or more, from `other`."""

    def __init__(self, features: npt.NDArray[np.floating], other: Gaussian) -> None:
        self._features = features.astype(np.float64) - other.mean
        self._squares = np.einsum("ij,ij->i", self._features, self._features)
        self._spread = float(np.trace(other.covariance))
        self._seen = self._features @ factor(other).T
        few = DRAWN * len(features) <= self._seen.shape[1]
        self._products = self._seen @ self._seen.T if few else None

    def draw(self, counts: FloatArray) -> float:
        """The distance where feature i comes `counts[i]` times; NaN for fewer than two in all."""
        total = float(counts.sum())
        if total < 2:
            return float("nan")
        apart = counts @ self._features / total
        squared = float(apart @ apart)
        own = (float(counts @ self._squares) - total * squared) / (total - 1)
        return squared + own + self._spread - 2 * self._trace(counts, total)

    def _trace(self, counts: FloatArray, total: float) -> float:
        """The trace of the root of the product: the singular values of the drawn rows, centred."""
        rows = np.flatnonzero(counts)
        weights = counts[rows]
        if self._products is not None:
            products = self._products[np.ix_(rows, rows)]
            means = products @ weights / total
            products = products - means - means[:, None] + weights @ means / total
            roots = np.sqrt(weights)
            values = np.linalg.eigvalsh(roots[:, None] * products * roots)
        else:
            seen = self._seen[rows]
            seen = np.sqrt(weights)[:, None] * (seen - weights @ seen / total)
            values = np.linalg.eigvalsh(seen.T @ seen)
        return float(np.sqrt(np.maximum(values, 0.0) / (total - 1)).sum())

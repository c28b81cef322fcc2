"""Kernel distances of features: KID with a polynomial kernel, CMMD with a Gaussian one.

Both are squared maximum mean discrepancies. KID is unbiased and so may be slightly negative; CMMD
counts each feature with itself as well, and is multiplied by 1000.
Sources: Binkowski et al. 2018; torch-fidelity 0.4.0, metric_kid.py; Jayasumana et al. 2024;
google-research, cmmd/distance.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.chunk import Check
from jurydesk.core.model.evaluation import FloatArray

SUBSETS, SUBSET_SIZE, SEED = 100, 1000, 2020  # torch-fidelity
DEGREE, CONSTANT = 3, 1.0  # Binkowski et al.: (x y / d + 1)^3
SIGMA, SCALE = 10.0, 1000.0  # cmmd/distance.py
BLOCK = 1024
"""Rows of a kernel matrix that are computed at once."""

Features = npt.NDArray[np.floating]
Kernel = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Value with its standard error; NaN if it is unknown."""

    value: float
    error: float = math.nan


def polynomial_kernel(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return KID's kernel (n, m) of features (n, d) and (m, d)."""
    found: FloatArray = (one @ other.T / one.shape[1] + CONSTANT) ** DEGREE
    return found


def gaussian_kernel(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return CMMD's kernel (n, m) of unit vectors (n, d) and (m, d)."""
    squares = np.square(one).sum(axis=1)[:, None] + np.square(other).sum(axis=1)
    found: FloatArray = np.exp((2 * (one @ other.T) - squares) / (2 * SIGMA**2))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """Sums over kernel matrices: rows within either side and between both, and the diagonals."""

    within: tuple[FloatArray, FloatArray]
    between: tuple[FloatArray, FloatArray]
    diagonals: tuple[FloatArray, FloatArray]

    def distance(self) -> Estimate:
        """Return the discrepancy without diagonals, and its jackknife error over both sides."""
        return self._estimate(lambda total, diagonal, n: (total - diagonal) / (n * (n - 1)))

    def distance_with_diagonals(self) -> Estimate:
        """Return the discrepancy with the diagonals, and its jackknife error over both sides."""
        return self._estimate(lambda total, diagonal, n: total / n**2)

    def _estimate(self, mean: Callable[[Any, Any, int], Any]) -> Estimate:
        counts = [len(rows) for rows in self.within]
        cross = float(self.between[0].sum())
        means = [
            mean(rows.sum(), diagonal.sum(), len(rows))
            for rows, diagonal in zip(self.within, self.diagonals, strict=True)
        ]
        value = float(means[0] + means[1] - 2 * cross / (counts[0] * counts[1]))
        variance = 0.0
        for side, n in enumerate(counts):
            if n < 3:
                return Estimate(value)
            rows, diagonal = self.within[side], self.diagonals[side]
            total, own = rows.sum() - 2 * rows + diagonal, diagonal.sum() - diagonal
            shared = (cross - self.between[side]) / ((n - 1) * counts[1 - side])
            left_out = mean(total, own, n - 1) - 2 * shared
            variance += (n - 1) * float(np.var(left_out))
        return Estimate(value, math.sqrt(variance))


def _sums(one: Features, other: Features, kernel: Kernel, check: Check) -> _Sums:
    sides = [side.astype(np.float64) for side in (one, other)]
    within = [np.zeros(len(side)) for side in sides]
    diagonals = [np.zeros(len(side)) for side in sides]
    between = [np.zeros(len(side)) for side in sides]
    for number, side in enumerate(sides):
        for start in range(0, len(side), BLOCK):
            check()
            rows = slice(start, start + BLOCK)
            block = kernel(side[rows], side)
            within[number][rows] = block.sum(axis=1)
            diagonals[number][rows] = np.diagonal(block, offset=start)
    for start in range(0, len(sides[0]), BLOCK):
        check()
        rows = slice(start, start + BLOCK)
        block = kernel(sides[0][rows], sides[1])
        between[0][rows] = block.sum(axis=1)
        between[1] += block.sum(axis=0)
    return _Sums((within[0], within[1]), (between[0], between[1]), (diagonals[0], diagonals[1]))


def kernel_distance(one: Features, other: Features, check: Check = lambda: None) -> Estimate:
    """Compute the unbiased KID of features (n, d) and (m, d), n and m at least 2."""
    return _sums(one, other, polynomial_kernel, check).distance()


def subset_kernel_distance(
    one: Features,
    other: Features,
    check: Check = lambda: None,
    *,
    subsets: int = SUBSETS,
    size: int = SUBSET_SIZE,
) -> Estimate:
    """Compute KID as torch-fidelity does: mean and standard deviation over random subsets.

    Subsets are the same as there. They have at most `size` features, and those of the smaller side.
    """
    size = min(size, len(one), len(other))
    random = np.random.RandomState(SEED)
    values = np.empty(subsets)
    for number in range(subsets):
        check()
        left = one[random.choice(len(one), size, replace=False)]
        right = other[random.choice(len(other), size, replace=False)]
        values[number] = kernel_distance(left, right).value
    return Estimate(float(values.mean()), float(values.std()))


def clip_distance(one: Features, other: Features, check: Check = lambda: None) -> Estimate:
    """Compute CMMD of CLIP vectors (n, d) and (m, d), which are scaled to length 1."""
    left, right = (unit_features(side) for side in (one, other))
    found = _sums(left, right, gaussian_kernel, check).distance_with_diagonals()
    return Estimate(SCALE * found.value, SCALE * found.error)


def unit_features(features: Features) -> FloatArray:
    """Return features (n, d) scaled to length 1; those of length 0 stay."""
    rows = features.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)


class ResampledKernelDistances:
    """KID of resamples of `features` (n, d) to `others` (m, d), which are fixed."""

    def __init__(self, features: Features, others: Features) -> None:
        rows, fixed = features.astype(np.float64), others.astype(np.float64)
        self._kernel = polynomial_kernel(rows, rows)
        np.fill_diagonal(self._kernel, 0.0)
        self._between = polynomial_kernel(rows, fixed).mean(axis=1)
        inside = polynomial_kernel(fixed, fixed)
        self._fixed = float(inside.sum() - np.trace(inside)) / (len(fixed) * (len(fixed) - 1))

    def draw(self, counts: FloatArray) -> float:
        """Return KID with feature i `counts[i]` times; a feature is not compared with its copy."""
        total = float(counts.sum())
        pairs = total**2 - float(counts @ counts)
        if pairs <= 0:
            return math.nan
        own = float(counts @ self._kernel @ counts) / pairs
        return own + self._fixed - 2 * float(counts @ self._between) / total

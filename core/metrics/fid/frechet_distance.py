"""The Frechet distance between two normal distributions: |m1 - m2|^2 + tr(S1 + S2 - 2 (S1 S2)^1/2).

The trace of the root is where implementations differ. Covariances of fewer features than
dimensions are singular; the published program's root of their product then carries rounding
noise, which its eigenvalues reproduce and the exact trace does not. It is some 1e-7 of a large
distance and can be 1e-4 of a small one: the quick exact trace stands for the published one only
where the noise is too small to tell.
Source: Heusel et al. 2017; mseitzer/pytorch-fid, fid_score.py.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import FloatArray

IMAGINARY = 1e-3  # pytorch-fid: a larger imaginary diagonal of the root is an error
OFFSET = 1e-6  # pytorch-fid: added to the diagonals where the root is not finite
AGREEMENT = 1e-5  # of the distance: so far published values of different machines may differ
ROUNDING = 0.2
"""The noise of the published trace for each dimension, in units of the root of what one rounding
of the product is: measured were 0.001 to 0.1, for features of many kinds and numbers."""

CONDITION = 1e-10  # below this ratio of its pivots a covariance counts as singular

Trace = Literal["published", "sqrtm", "exact"]
"""How the trace is taken: as the published program does (`sqrtm` by the very same call, which is
slow), or exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class Gaussian:
    """Mean (d,) and covariance (d, d) of features, and the features (n, d) where they are known.

    Features are worth keeping where there are fewer of them than dimensions: the exact trace
    then comes from them at once. `n` is 0 where nobody said it.
    """

    mean: FloatArray
    covariance: FloatArray
    n: int = 0
    features: npt.NDArray[np.floating] | None = None

    @classmethod
    def of(cls, features: npt.NDArray[np.floating]) -> Gaussian:
        """Return the distribution of features (n, d), n at least 2."""
        rows = features.astype(np.float64)
        covariance = np.atleast_2d(np.cov(rows, rowvar=False))
        return cls(rows.mean(axis=0), covariance, len(rows), features)


def gaussian_frechet_distance(one: Gaussian, other: Gaussian, trace: Trace = "published") -> float:
    """Return the distance; slightly below zero for equal distributions, by rounding.

    Raises ValueError where the published program does: widths that differ, a root whose
    imaginary part is no rounding.
    """
    if one.mean.shape != other.mean.shape or one.covariance.shape != other.covariance.shape:
        raise ValueError(f"{len(one.mean)} dimensions against {len(other.mean)}")
    return _without_trace(one, other) - 2 * TRACES[trace](one, other)


def _without_trace(one: Gaussian, other: Gaussian) -> float:
    """Return the distance but for the trace of the root, which makes it smaller."""
    apart = one.mean - other.mean
    return float(apart @ apart + np.trace(one.covariance) + np.trace(other.covariance))


def published_trace(one: Gaussian, other: Gaussian) -> float:
    """Return the trace as the published root gives it.

    Where both covariances are regular all methods agree, and the quickest serves. So does the
    exact trace where the root's noise cannot reach `AGREEMENT`. Else the eigenvalues have that
    noise too, and the distance agrees to 1e-6. They are SciPy's: NumPy may bring another LAPACK
    than that which computes the root, and its noise is another.
    """
    from scipy.linalg import eigvals

    lower, upper = _triangle(one), _triangle(other)
    if lower is not None and upper is not None:
        return _regular_trace(lower, other.covariance)
    if _is_product(one, lower) and _is_product(other, upper):
        noise, rest = 2 * _noise(one, other), _without_trace(one, other)
        if noise <= AGREEMENT * rest:
            exact = exact_trace(one, other)
            if noise <= AGREEMENT * (rest - 2 * exact):
                return exact
    values = eigvals(one.covariance @ other.covariance)
    roots = np.sqrt(values.astype(np.complex128))
    if np.abs(roots.imag).max() > IMAGINARY:
        return sqrtm_trace(one, other)
    return float(roots.real.sum())


def _is_product(gaussian: Gaussian, lower: FloatArray | None) -> bool:
    """Whether the covariance is sure to be one, since its triangle or its features are there."""
    return lower is not None or gaussian.features is not None


def _noise(one: Gaussian, other: Gaussian) -> float:
    """More than what rounding adds to the published trace of singular covariances."""
    norms = np.linalg.norm(one.covariance) * np.linalg.norm(other.covariance)
    return float(ROUNDING * len(one.mean) * np.sqrt(np.finfo(np.float64).eps * norms))


def sqrtm_trace(one: Gaussian, other: Gaussian) -> float:
    """Return the trace of `scipy.linalg.sqrtm`, with the published program's rescue and check."""
    root = _root(one.covariance @ other.covariance)
    if not np.isfinite(root).all():
        offset = OFFSET * np.eye(len(one.mean))
        root = _root((one.covariance + offset) @ (other.covariance + offset))
    imaginary = np.abs(np.diagonal(root).imag).max()
    if imaginary > IMAGINARY:
        raise ValueError(f"the root of the product has the imaginary part {imaginary:.3g}")
    return float(np.trace(root).real)


def _root(matrix: FloatArray) -> npt.NDArray[np.inexact]:
    from scipy.linalg import LinAlgWarning, sqrtm

    with warnings.catch_warnings():
        # Singular products are the rule here, and what they give is checked.
        warnings.simplefilter("ignore", LinAlgWarning)
        root: npt.NDArray[np.inexact] = sqrtm(matrix)
    return root


def exact_trace(one: Gaussian, other: Gaussian) -> float:
    """Return the sum of the singular values of F1 F2^T, where F^T F are the covariances."""
    lower, upper = _triangle(one), _triangle(other)
    if lower is not None and upper is not None:
        return _regular_trace(lower, other.covariance)
    product = _factor(one, lower) @ _factor(other, upper).T
    return float(np.linalg.svd(product, compute_uv=False).sum())


def factor(gaussian: Gaussian) -> FloatArray:
    """Some F (rows, d) with F^T F = covariance, of as few rows as are easily had."""
    return _factor(gaussian, _triangle(gaussian))


TRACES = {"published": published_trace, "sqrtm": sqrtm_trace, "exact": exact_trace}


def _triangle(gaussian: Gaussian) -> FloatArray | None:
    """Return the Cholesky factor of a regular covariance; None for a singular one."""
    if 0 < gaussian.n <= len(gaussian.mean):
        return None
    try:
        lower = np.linalg.cholesky(gaussian.covariance).astype(np.float64)
    except np.linalg.LinAlgError:
        return None
    pivots = np.square(np.diagonal(lower))
    return lower if pivots.min() > CONDITION * pivots.max() else None


def _regular_trace(lower: FloatArray, covariance: FloatArray) -> float:
    """From the eigenvalues of L^T S2 L, a symmetric matrix with those of S1 S2."""
    values = np.linalg.eigvalsh(lower.T @ covariance @ lower)
    return float(np.sqrt(np.maximum(values, 0)).sum())


def _factor(gaussian: Gaussian, lower: FloatArray | None) -> FloatArray:
    """Some F (rows, d) with F^T F = covariance, of as few rows as are easily had."""
    if lower is not None:
        return lower.T
    features = gaussian.features
    if features is not None and len(features) <= len(gaussian.mean):
        rows: FloatArray = features.astype(np.float64) - gaussian.mean
        rows /= np.sqrt(len(features) - 1)
        return rows
    values, vectors = np.linalg.eigh(gaussian.covariance)
    kept = values > values.max(initial=0.0) * len(values) * np.finfo(np.float64).eps
    factor: FloatArray = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
    return factor


DRAWN = 1 - 1 / math.e
"""The share of all features that a resample of as many draws."""


class ResampledDistances:
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

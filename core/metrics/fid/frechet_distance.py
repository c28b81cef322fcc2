"""Frechet distance between two normal distributions: |m1 - m2|^2 + tr(S1 + S2 - 2 (S1 S2)^1/2).

Implementations differ in the trace of the root. Covariances of fewer features than dimensions are
singular; the published program's root of their product then has rounding noise, which its
eigenvalues reproduce and the exact trace does not. It is about 1e-7 of a large distance and up to
1e-4 of a small one: the fast exact trace replaces the published one only if that is negligible.
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
AGREEMENT = 1e-5  # relative difference of published values between machines
ROUNDING = 0.2
"""Bound of the published trace's noise per dimension, in units of the square root of one rounding
of the product; 0.001 to 0.1 were measured for features of many kinds and numbers."""

CONDITION = 1e-10  # ratio of pivots below which a covariance counts as singular

Trace = Literal["published", "sqrtm", "exact"]
"""Method of the trace: as in the published program (`sqrtm` by the same slow call), or exact."""


@dataclass(frozen=True, slots=True, eq=False)
class Gaussian:
    """Mean (d,) and covariance (d, d) of features, and the features (n, d) if they are known.

    With fewer features than dimensions, the exact trace follows directly from the features. `n` is
    0 if it is unknown.
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
    """Compute the distance; by rounding, it may be slightly negative for equal distributions.

    Raises ValueError as the published program does: for different dimensions, or a root with an
    imaginary part beyond rounding.
    """
    if one.mean.shape != other.mean.shape or one.covariance.shape != other.covariance.shape:
        raise ValueError(f"{len(one.mean)} dimensions against {len(other.mean)}")
    return _distance_without_trace(one, other) - 2 * TRACES[trace](one, other)


def _distance_without_trace(one: Gaussian, other: Gaussian) -> float:
    difference = one.mean - other.mean
    return float(difference @ difference + np.trace(one.covariance) + np.trace(other.covariance))


def published_trace(one: Gaussian, other: Gaussian) -> float:
    """Return the trace of the published root.

    For regular covariances all methods agree, and the fastest is used. The exact trace is used if
    the root's noise cannot reach `AGREEMENT`. Otherwise eigenvalues are used, which have the same
    noise: the distance then agrees to 1e-6. They are SciPy's, since NumPy may contain another
    LAPACK than that of the root, with other noise.
    """
    from scipy.linalg import eigvals

    lower, upper = _triangle(one), _triangle(other)
    if lower is not None and upper is not None:
        return _regular_trace(lower, other.covariance)
    if _is_product(one, lower) and _is_product(other, upper):
        noise, rest = 2 * _noise(one, other), _distance_without_trace(one, other)
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
    """Return whether the covariance is certainly valid: its factor or its features are known."""
    return lower is not None or gaussian.features is not None


def _noise(one: Gaussian, other: Gaussian) -> float:
    """Return a bound of the rounding noise in the published trace of singular covariances."""
    norms = np.linalg.norm(one.covariance) * np.linalg.norm(other.covariance)
    return float(ROUNDING * len(one.mean) * np.sqrt(np.finfo(np.float64).eps * norms))


def sqrtm_trace(one: Gaussian, other: Gaussian) -> float:
    """Return the trace of `scipy.linalg.sqrtm`, with the published program's fallback and check."""
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
        # Singular products are common here, and the result is checked.
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
    """Return a factor F (rows, d) with F^T F = covariance and few rows."""
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
    # L^T S2 L is symmetric and has the eigenvalues of S1 S2.
    values = np.linalg.eigvalsh(lower.T @ covariance @ lower)
    return float(np.sqrt(np.maximum(values, 0)).sum())


def _factor(gaussian: Gaussian, lower: FloatArray | None) -> FloatArray:
    if lower is not None:
        return lower.T
    features = gaussian.features
    if features is not None and len(features) <= len(gaussian.mean):
        rows: FloatArray = features.astype(np.float64) - gaussian.mean
        rows /= np.sqrt(len(features) - 1)
        return rows
    values, vectors = np.linalg.eigh(gaussian.covariance)
    positive = values > values.max(initial=0.0) * len(values) * np.finfo(np.float64).eps
    factor: FloatArray = np.sqrt(values[positive])[:, None] * vectors[:, positive].T
    return factor


DRAWN = 1 - 1 / math.e
"""Expected share of distinct features in a resample."""


class ResampledDistances:
    """Distances of resamples of `features` (n, d), n at least 2, to `other`."""

    def __init__(self, features: npt.NDArray[np.floating], other: Gaussian) -> None:
        self._features = features.astype(np.float64) - other.mean
        self._squares = np.einsum("ij,ij->i", self._features, self._features)
        self._spread = float(np.trace(other.covariance))
        self._seen = self._features @ factor(other).T
        few = DRAWN * len(features) <= self._seen.shape[1]
        self._products = self._seen @ self._seen.T if few else None

    def draw(self, counts: FloatArray) -> float:
        """Return the distance of a resample with feature i `counts[i]` times; NaN below two."""
        total = float(counts.sum())
        if total < 2:
            return float("nan")
        mean = counts @ self._features / total
        squared = float(mean @ mean)
        own = (float(counts @ self._squares) - total * squared) / (total - 1)
        return squared + own + self._spread - 2 * self._trace(counts, total)

    def _trace(self, counts: FloatArray, total: float) -> float:
        """Return the trace of the root: the sum of singular values of the centred drawn rows."""
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

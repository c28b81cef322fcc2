"""Canonical correlation analysis of two views.

Solved as the symmetric generalised eigenproblem of the joint covariance against its two diagonal
blocks, in float64. Eigenvectors have unit length over both views together, so that a view's part
keeps its share; their signs are arbitrary.

Directions of a repeated eigenvalue are not unique: 1 is repeated if one view has more dimensions
than the other, 2 if there are fewer observations than dimensions in both. The published program
uses LAPACK's arbitrary basis, which is not orthogonal: another basis changes the correlations of
answers by up to 0.7. This module orthogonalizes the basis, so that the correlations do not depend
on it. Source: Massiceti et al., A Revised
Generative Evaluation of Visual Dialogue (2020), clusters/.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray

RIDGE = 1e-12
"""Added to every variance against singularity by constant dimensions."""
EQUAL = 1e-10
"""Tolerance of equal eigenvalues, which are between 0 and 2."""
SMALLEST = 1e-8  # torch 1.0's cosine_similarity: the least product of two norms


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalDirections:
    """Strongest k canonical directions: `eigenvalues` (k,), 1 + correlation, descending.

    `first` (d1, k) and `second` (d2, k) are the parts of the eigenvectors that belong to the views.
    """

    eigenvalues: FloatArray
    first: FloatArray
    second: FloatArray

    def projections(self, power: float) -> tuple[FloatArray, FloatArray]:
        """Return the projection of each view: directions times eigenvalue^power.

        Negative eigenvalues, due to rounding, count as 0. Raises ValueError if the power of an
        eigenvalue is not finite.
        """
        with np.errstate(divide="ignore", over="ignore"):
            scale = np.maximum(self.eigenvalues, 0.0) ** power
        if not np.isfinite(scale).all():
            raise ValueError(f"not every eigenvalue has a power of {power}")
        return self.first * scale, self.second * scale


def canonical_correlations(
    covariance: FloatArray, first: int, components: int
) -> CanonicalDirections:
    """Return the canonical directions of two views, from their joint covariance (d1 + d2, d1 + d2).

    `first` is d1; at most `components` directions are kept; the choice among directions of the
    last eigenvalue is arbitrary. Raises numpy's LinAlgError if the covariance is not finite or
    singular.
    """
    from scipy.linalg import eigh

    size = len(covariance)
    if not np.isfinite(covariance).all():
        raise np.linalg.LinAlgError("the covariance is not finite")
    joint = covariance + RIDGE * np.eye(size)
    blocks = np.zeros_like(joint)
    blocks[:first, :first] = joint[:first, :first]
    blocks[first:, first:] = joint[first:, first:]
    kept = min(components, size)
    try:
        values, vectors = eigh(joint, blocks, subset_by_index=(size - kept, size - 1))
    except np.linalg.LinAlgError as fault:
        # The ridge is lost in rounding next to large variances.
        few = "there are too few distinct observations for the number of dimensions"
        raise np.linalg.LinAlgError(few) from fault
    values, vectors = values[::-1], vectors[:, ::-1] / np.linalg.norm(vectors[:, ::-1], axis=0)
    for equal in np.split(np.arange(kept), np.flatnonzero(-np.diff(values) > EQUAL) + 1):
        if len(equal) > 1:
            vectors[:, equal] = np.linalg.qr(vectors[:, equal])[0]
    return CanonicalDirections(values, vectors[:first], vectors[first:])


def unit_rows(rows: FloatArray) -> FloatArray:
    """Return the rows (n, d) scaled to length one; negligible rows become zero."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    units: FloatArray = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > SMALLEST)
    return units

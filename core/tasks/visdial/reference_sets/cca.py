"""Canonical correlation analysis of two views.

Solved as the symmetric generalised eigenproblem of the joint covariance against its two diagonal
blocks, in float64. Eigenvectors have unit length over both views together, so that a view's part
keeps its share; their signs are arbitrary.

Equal eigenvalues have a space of directions and no directions of their own: 1 is repeated where
one view has more dimensions than the other, and 2 where there are fewer things than dimensions in
both. The published program takes the basis that LAPACK happens to give, which is at no right
angles: another one moves the correlations of answers by as much as 0.7. Here the basis is at right
angles, and gives the same correlations whichever it is. Source: Massiceti et al., A Revised
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
    """The k strongest directions: `eigenvalues` (k,), 1 + correlation each, falling.

    `first` (d1, k) and `second` (d2, k) are the parts of the eigenvectors that belong to the views.
    """

    eigenvalues: FloatArray
    first: FloatArray
    second: FloatArray

    def projections(self, power: float) -> tuple[FloatArray, FloatArray]:
        """Return the projection of each view: directions times eigenvalue^power.

        An eigenvalue that rounding made less than 0 is 0. Raises ValueError for a power that is no
        number of all eigenvalues.
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

    `first` is d1; at most `components` directions are kept: which ones of those with the last
    eigenvalue is arbitrary. Raises numpy's LinAlgError where the covariance is not finite, or
    nothing finite comes of it.
    """
    from scipy.linalg import eigh

    size = len(covariance)
    if not np.isfinite(covariance).all():
        raise np.linalg.LinAlgError("the covariance is not finite")
    together = covariance + RIDGE * np.eye(size)
    apart = np.zeros_like(together)
    apart[:first, :first] = together[:first, :first]
    apart[first:, first:] = together[first:, first:]
    kept = min(components, size)
    try:
        values, vectors = eigh(together, apart, subset_by_index=(size - kept, size - 1))
    except np.linalg.LinAlgError as fault:
        # Beside large numbers the ridge is lost in rounding.
        few = "there are too few different things for so many dimensions"
        raise np.linalg.LinAlgError(few) from fault
    values, vectors = values[::-1], vectors[:, ::-1] / np.linalg.norm(vectors[:, ::-1], axis=0)
    for equal in np.split(np.arange(kept), np.flatnonzero(-np.diff(values) > EQUAL) + 1):
        if len(equal) > 1:
            vectors[:, equal] = np.linalg.qr(vectors[:, equal])[0]
    return CanonicalDirections(values, vectors[:first], vectors[first:])


def unit_rows(rows: FloatArray) -> FloatArray:
    """Return the rows (n, d) scaled to length one; negligible rows become zero."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    found: FloatArray = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > SMALLEST)
    return found

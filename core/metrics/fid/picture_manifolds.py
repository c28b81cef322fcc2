"""Precision, recall, density and coverage of generated pictures, from neighbours of features.

A manifold consists of balls around features that reach to their k-th neighbour: 3rd for precision
and recall, 5th for density and coverage.
Sources: Kynkaanniemi et al. 2019; torch-fidelity 0.4.0, metric_prc.py; Naeem et al. 2020; prdc 0.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.chunk import Check
from jurydesk.core.model.evaluation import FloatArray

NEIGHBOURS = 3  # Kynkaanniemi et al.: precision and recall
DENSE_NEIGHBOURS = 5  # Naeem et al.: density and coverage
BLOCK = 1024
ROUNDING = 64 * np.finfo(np.float64).eps
"""Rounding of a squared distance, relative to the squared norms: nearer ones are equal."""

Features = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class ManifoldScores:
    """Values of n generated and m real pictures, whose means are the four scores.

    Attributes:
        precision: 1 if the picture is among the real ones (n,).
        density: Real balls around the picture, divided by their expected number (n,).
        recall: 1 if the real picture is among the generated ones (m,).
        coverage: 1 if a generated picture is in the ball of the real one (m,).
    """

    precision: FloatArray
    density: FloatArray
    recall: FloatArray
    coverage: FloatArray


def manifold_scores(
    real: Features, generated: Features, check: Check = lambda: None
) -> ManifoldScores:
    """Compare generated (n, d) with real (m, d) features, at least six of each."""
    fewest = min(len(real), len(generated))
    if fewest <= DENSE_NEIGHBOURS:
        raise ValueError(f"{fewest} features, and their neighbours are {DENSE_NEIGHBOURS}")
    around_real, dense = _radii(real, (NEIGHBOURS, DENSE_NEIGHBOURS), check)
    (around_generated,) = _radii(generated, (NEIGHBOURS,), check)
    is_real, balls = np.zeros(len(generated)), np.zeros(len(generated))
    is_generated, is_covered = np.zeros(len(real)), np.zeros(len(real))
    for rows, squares, rounding in _squared_distances(generated, real, check):
        is_real[rows] = (squares <= around_real + rounding).any(axis=1)
        inside = squares < dense - rounding
        balls[rows] = inside.sum(axis=1)
        is_covered = np.maximum(is_covered, inside.any(axis=0))
        is_near = (squares <= around_generated[rows, None] + rounding).any(axis=0)
        is_generated = np.maximum(is_generated, is_near)
    return ManifoldScores(is_real, balls / DENSE_NEIGHBOURS, is_generated, is_covered)


def _radii(features: Features, neighbours: tuple[int, ...], check: Check) -> FloatArray:
    """Return the squared distances (k, n) to these neighbours; a feature is not its own."""
    found = np.empty((len(neighbours), len(features)))
    for rows, squares, _ in _squared_distances(features, features, check):
        found[:, rows] = np.partition(squares, neighbours, axis=1)[:, neighbours].T
    return found


def _squared_distances(
    one: Features, other: Features, check: Check
) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
    """Yield rows of `one`, their squared distances to `other` (rows, m), and their rounding."""
    fixed = other.astype(np.float64)
    norms = np.square(fixed).sum(axis=1)
    for start in range(0, len(one), BLOCK):
        check()
        rows = slice(start, start + BLOCK)
        block = one[rows].astype(np.float64)
        sums = np.square(block).sum(axis=1)[:, None] + norms
        yield rows, np.maximum(sums - 2 * (block @ fixed.T), 0.0), ROUNDING * sums

"""Distances between embeddings of generated and reference texts.

Source: Massiceti et al., A Revised Generative Evaluation of Visual Dialogue (2020), on torch 1.0.
"""

from __future__ import annotations

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray

EPSILON = 1e-6  # torch's PairwiseDistance adds it to every difference
SMALLEST = 1e-8  # torch 1.0's cosine_similarity: the minimum product of two norms
BLOCK = 8192  # pairs compared at once: about 50 MB at 768 dimensions


def embedding_distances(vectors: FloatArray, one: IntArray, other: IntArray) -> FloatArray:
    """Compute Euclidean distance and cosine (pairs, 2) of rows `one` and `other` of vectors (n, d).

    The distance of identical vectors is 1e-6 * sqrt(d), as in the original.
    """
    distances = np.empty((len(one), 2))
    norms = np.linalg.norm(vectors, axis=1)
    for start in range(0, len(one), BLOCK):
        rows = slice(start, start + BLOCK)
        left, right = vectors[one[rows]], vectors[other[rows]]
        distances[rows, 0] = np.linalg.norm(right - left + EPSILON, axis=1)
        products = np.maximum(norms[one[rows]] * norms[other[rows]], SMALLEST)
        distances[rows, 1] = np.einsum("ij,ij->i", left, right) / products
    return distances

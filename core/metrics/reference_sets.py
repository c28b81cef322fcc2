"""Which of a question's candidate answers count as references, by their correlation with the truth.

`correlations` is (questions, candidates), `truth` (questions,) the index of the true answer, which
is always a reference. Source: Massiceti et al., A Revised Generative Evaluation of Visual Dialogue
(2020), clusters/.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from core.metrics.mean_shift import top_clusters
from core.model import BoolArray, FloatArray, IntArray

Method = Literal["S", "M", "G"]
CLUSTERS = 5  # of method G
BATCH = 128  # questions of method M that are clustered together: about 20 MB


def by_deviation(others: FloatArray) -> BoolArray:
    """Method S: correlations within one standard deviation (ddof 1) of the largest."""
    lowest = others.max(axis=1) - others.std(axis=1, ddof=1)
    return np.asarray(others >= lowest[:, None])


def by_mean_shift(others: FloatArray) -> BoolArray:
    """Method M: the mean-shift cluster with the largest centre."""
    batches = range(0, len(others), BATCH)
    masks = [top_clusters(others[start : start + BATCH]) for start in batches]
    return np.concatenate([np.empty((0, others.shape[1]), dtype=bool), *masks])


def by_ward(others: FloatArray) -> BoolArray:
    """Method G: of five clusters after Ward, the one with the largest mean."""
    return np.array([_top_of_ward(row) for row in others], dtype=bool).reshape(others.shape)


def _top_of_ward(values: FloatArray) -> BoolArray:
    from scipy.cluster.hierarchy import ward

    members = {i: [i] for i in range(len(values))}
    merges = ward(values[:, None])[: len(values) - CLUSTERS, :2].astype(int)
    for number, (one, other) in enumerate(merges.tolist(), start=len(values)):
        members[number] = members.pop(one) + members.pop(other)
    top = max(members.values(), key=lambda cluster: float(values[cluster].mean()))
    mask = np.zeros(len(values), dtype=bool)
    mask[top] = True
    return mask


METHODS: dict[Method, Callable[[FloatArray], BoolArray]] = {
    "S": by_deviation,
    "M": by_mean_shift,
    "G": by_ward,
}


def reference_masks(correlations: FloatArray, truth: IntArray, method: Method) -> BoolArray:
    """The reference sets (questions, candidates) that a method chooses."""
    others = np.ones(correlations.shape, dtype=bool)
    others[np.arange(len(truth)), truth] = False
    chosen = METHODS[method](correlations[others].reshape(len(truth), -1))
    masks = ~others
    masks[others] = chosen.ravel()
    return masks


def human_masks(relevance: FloatArray, truth: IntArray) -> BoolArray:
    """Method H: the candidates (questions, candidates) that people found relevant."""
    masks = np.asarray(relevance > 0)
    masks[np.arange(len(truth)), truth] = True
    return masks

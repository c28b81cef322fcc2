"""Which of a question's candidate answers count as references, by their correlation with the truth.

`correlations` is (questions, candidates), `truth` (questions,) the index of the true answer, which
is always a reference. Source: Massiceti et al., A Revised Generative Evaluation of Visual Dialogue
(2020), clusters/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappush, heappushpop
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
    """The members of the cluster with the largest mean; of equal ones scikit-learn's first."""
    from scipy.cluster.hierarchy import ward

    count = len(values)
    merges = ward(values[:, None])[:, :2].astype(int).tolist()
    # scikit-learn parts the youngest node again and again, and numbers what its heap holds then.
    nodes = [2 - 2 * count]
    for _ in range(CLUSTERS - 1):
        one, other = merges[-nodes[0] - count]
        heappush(nodes, -one)
        heappushpop(nodes, -other)
    clusters = [sorted(_leaves(-node, merges, count)) for node in nodes]
    mask = np.zeros(count, dtype=bool)
    mask[max(clusters, key=lambda cluster: float(values[cluster].mean()))] = True
    return mask


def _leaves(node: int, merges: Sequence[Sequence[int]], count: int) -> Iterator[int]:
    """The points below a node; those from `count` on are what the merges made."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node < count:
            yield node
        else:
            waiting += merges[node - count]


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

"""Selection methods S, M, G and H: candidate answers that become references.

`correlations` is (questions, candidates), `truth` (questions,) the index of the true answer, which
is always a reference. Source: Massiceti et al., A Revised Generative Evaluation of Visual Dialogue
(2020), clusters/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappush, heappushpop
from typing import Literal

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

QUANTILE = 0.3
MAX_STEPS = 300
TOLERANCE = 1e-3
"""Mean shift stops at steps below this share of the bandwidth."""


def bandwidths(points: FloatArray) -> FloatArray:
    """Return the bandwidth (sets,): the mean distance to the 0.3 n-th neighbour.

    A point is its own first neighbour.
    """
    neighbour = max(1, int(points.shape[1] * QUANTILE))
    distances = np.abs(points[:, :, None] - points[:, None, :])
    return np.asarray(
        np.partition(distances, neighbour - 1, axis=2)[..., neighbour - 1].mean(axis=1)
    )


def top_clusters(points: FloatArray) -> BoolArray:
    """Return the members (sets, n) of the cluster with the largest centre, for points (sets, n)."""
    radius = bandwidths(points)
    modes, counts = _mean_shift(points, radius)
    for i in np.flatnonzero(radius == 0):
        modes[i], counts[i] = points[i], _count_equals(points[i])
    return np.array(
        [_top_cluster(*one) for one in zip(points, modes, counts, radius, strict=True)], dtype=bool
    ).reshape(points.shape)


def _mean_shift(points: FloatArray, radius: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Shift every point to a mode (sets, n); return the modes and their neighbour counts.

    A count is 0 if rounding moves the mean beyond the bandwidth of all points.
    """
    means, counts = points.copy(), np.ones_like(points)
    stop, reach = TOLERANCE * radius[:, None], radius[:, None, None]
    moving = np.ones(points.shape, dtype=bool)
    for _ in range(MAX_STEPS + 1):
        near = np.abs(points[:, None, :] - means[:, :, None]) <= reach
        neighbours = near.sum(axis=2)
        counts = np.where(moving, neighbours, counts)
        moving &= neighbours > 0
        shifted = np.einsum("ijk,ik->ij", near, points) / np.maximum(neighbours, 1)
        step = np.abs(shifted - means)
        means = np.where(moving, shifted, means)
        moving &= step > stop
        if not moving.any():
            break
    return means, counts


def _count_equals(points: FloatArray) -> FloatArray:
    """Count the points equal to each point (n,): its neighbours at bandwidth 0.

    As in scikit-learn, a centre whose mean differs from its points by rounding counts 0.
    """
    values, inverse, counts = np.unique(points, return_inverse=True, return_counts=True)
    means = [
        np.full((count, 1), value).mean(axis=0)[0]
        for value, count in zip(values, counts, strict=True)
    ]
    return np.where(means == values, counts, 0)[inverse]


def _top_cluster(
    points: FloatArray, modes: FloatArray, counts: FloatArray, radius: float
) -> BoolArray:
    """Return the points of the largest centre; centres near a stronger one are merged into it.

    Modes without neighbours are not centres. If no centre remains, scikit-learn fails; this
    returns the points of maximum value.
    """
    strength = dict(zip(modes[counts > 0].tolist(), counts[counts > 0].tolist(), strict=True))
    if not strength:
        return np.asarray(points == points.max())
    ranked = np.array(sorted(strength, key=lambda mode: (strength[mode], mode), reverse=True))
    is_centre = np.ones(len(ranked), dtype=bool)
    for i, centre in enumerate(ranked):
        if is_centre[i]:
            is_centre &= np.abs(ranked - centre) > radius
            is_centre[i] = True
    centres = ranked[is_centre]
    nearest = np.abs(points[:, None] - centres[None, :]).argmin(axis=1)
    return np.asarray(nearest == centres.argmax())


Method = Literal["S", "M", "G"]
CLUSTERS = 5  # for method G
BATCH = 128  # questions clustered together by method M: about 20 MB


def by_deviation(others: FloatArray) -> BoolArray:
    """Select by method S: within one standard deviation (ddof 1) of the largest correlation."""
    lowest = others.max(axis=1) - others.std(axis=1, ddof=1)
    return np.asarray(others >= lowest[:, None])


def by_mean_shift(others: FloatArray) -> BoolArray:
    """Select by method M: the mean-shift cluster with the largest centre."""
    batches = range(0, len(others), BATCH)
    masks = [top_clusters(others[start : start + BATCH]) for start in batches]
    return np.concatenate([np.empty((0, others.shape[1]), dtype=bool), *masks])


def by_ward(others: FloatArray) -> BoolArray:
    """Select by method G: of five Ward clusters, the one with the largest mean."""
    return np.array([_top_ward_cluster(row) for row in others], dtype=bool).reshape(others.shape)


def _top_ward_cluster(values: FloatArray) -> BoolArray:
    """Return the members of the cluster with the largest mean, ties as in scikit-learn."""
    from scipy.cluster.hierarchy import ward

    count = len(values)
    merges = ward(values[:, None])[:, :2].astype(int).tolist()
    # As in scikit-learn: split the latest merge repeatedly; the heap's order numbers the clusters.
    nodes = [2 - 2 * count]
    for _ in range(CLUSTERS - 1):
        one, other = merges[-nodes[0] - count]
        heappush(nodes, -one)
        heappushpop(nodes, -other)
    clusters = [sorted(_cluster_members(-node, merges, count)) for node in nodes]
    mask = np.zeros(count, dtype=bool)
    mask[max(clusters, key=lambda cluster: float(values[cluster].mean()))] = True
    return mask


def _cluster_members(node: int, merges: Sequence[Sequence[int]], count: int) -> Iterator[int]:
    """Yield the points below a node; nodes from `count` on are merges."""
    stack = [node]
    while stack:
        node = stack.pop()
        if node < count:
            yield node
        else:
            stack += merges[node - count]


METHODS: dict[Method, Callable[[FloatArray], BoolArray]] = {
    "S": by_deviation,
    "M": by_mean_shift,
    "G": by_ward,
}


def reference_masks(correlations: FloatArray, truth: IntArray, method: Method) -> BoolArray:
    """Return the reference sets (questions, candidates) selected by a method."""
    others = np.ones(correlations.shape, dtype=bool)
    others[np.arange(len(truth)), truth] = False
    selected = METHODS[method](correlations[others].reshape(len(truth), -1))
    masks = ~others
    masks[others] = selected.ravel()
    return masks


def human_masks(relevance: FloatArray, truth: IntArray) -> BoolArray:
    """Select by method H: candidates (questions, candidates) judged relevant by people."""
    masks = np.asarray(relevance > 0)
    masks[np.arange(len(truth)), truth] = True
    return masks

"""Mean shift on a line, as scikit-learn's MeanShift with its estimated bandwidth clusters it.

All points of a set climb at once, and many sets together: on a line a neighbourhood is an
interval, so no tree is needed. Source: Comaniciu and Meer, Mean shift (PAMI 2002); scikit-learn's
defaults (quantile 0.3, flat kernel, 300 steps, stop below a thousandth of the bandwidth).
"""

from __future__ import annotations

import numpy as np

from core.model import BoolArray, FloatArray

QUANTILE = 0.3
STEPS = 300
STOP = 1e-3


def bandwidths(points: FloatArray) -> FloatArray:
    """The bandwidth (sets,) of points (sets, n): the mean distance to the 0.3 n-th neighbour.

    A point is its own first neighbour.
    """
    neighbour = max(1, int(points.shape[1] * QUANTILE))
    distances = np.abs(points[:, :, None] - points[:, None, :])
    return np.asarray(
        np.partition(distances, neighbour - 1, axis=2)[..., neighbour - 1].mean(axis=1)
    )


def top_clusters(points: FloatArray) -> BoolArray:
    """The members (sets, n) of the cluster with the largest centre, for points (sets, n)."""
    radius = bandwidths(points)
    ends, counts = _climbed(points, radius)
    for i in np.flatnonzero(radius == 0):
        ends[i], counts[i] = points[i], _counted_equals(points[i])
    return np.array(
        [_top(*one) for one in zip(points, ends, counts, radius, strict=True)], dtype=bool
    ).reshape(points.shape)


def _climbed(points: FloatArray, radius: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where every point ends (sets, n), and how many points were near it at its last step.

    None are, where rounding takes a mean out of the reach of all points.
    """
    means, counts = points.copy(), np.ones_like(points)
    stop, reach = STOP * radius[:, None], radius[:, None, None]
    moving = np.ones(points.shape, dtype=bool)
    for _ in range(STEPS + 1):
        near = np.abs(points[:, None, :] - means[:, :, None]) <= reach
        found = near.sum(axis=2)
        counts = np.where(moving, found, counts)
        moving &= found > 0
        shifted = np.einsum("ijk,ik->ij", near, points) / np.maximum(found, 1)
        step = np.abs(shifted - means)
        means = np.where(moving, shifted, means)
        moving &= step > stop
        if not moving.any():
            break
    return means, counts


def _counted_equals(points: FloatArray) -> FloatArray:
    """How many points (n,) each one equals, at bandwidth 0, where no others are its neighbours.

    scikit-learn then loses the centres whose mean differs in its last digit from the points
    themselves, and so do we: such points count 0.
    """
    values, places, counts = np.unique(points, return_inverse=True, return_counts=True)
    means = [
        np.full((count, 1), value).mean(axis=0)[0]
        for value, count in zip(values, counts, strict=True)
    ]
    return np.where(means == values, counts, 0)[places]


def _top(points: FloatArray, ends: FloatArray, counts: FloatArray, radius: float) -> BoolArray:
    """The points nearest to the largest centre, after weaker centres near a stronger one went.

    Centres with no point near them are none. Where that leaves none at all scikit-learn stops;
    here the largest points are the cluster then.
    """
    strength = dict(zip(ends[counts > 0].tolist(), counts[counts > 0].tolist(), strict=True))
    if not strength:
        return np.asarray(points == points.max())
    ranked = np.array(sorted(strength, key=lambda end: (strength[end], end), reverse=True))
    kept = np.ones(len(ranked), dtype=bool)
    for i, centre in enumerate(ranked):
        if kept[i]:
            kept &= np.abs(ranked - centre) > radius
            kept[i] = True
    centres = ranked[kept]
    nearest = np.abs(points[:, None] - centres[None, :]).argmin(axis=1)
    return np.asarray(nearest == centres.argmax())

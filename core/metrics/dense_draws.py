"""Dense-captioning average precisions of images that come several times, or not at all.

They are those of `dense_map`, with the ties of its `profile`, over copies of the images' records.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from core.metrics.dense_map import (
    METEOR_THRESHOLDS,
    OVERLAP_THRESHOLDS,
    AveragePrecisions,
    Profile,
    Records,
    accepted,
    descending,
    recall_levels,
)
from core.model import FloatArray, IntArray


class DrawnPrecisions:
    """Sorts the records once; `objects` (images,) counts the merged boxes of every image."""

    def __init__(self, records: Records, objects: IntArray, profile: Profile) -> None:
        order = descending(records.log_probability, profile)
        self._image = records.image[order]
        self._objects = objects.astype(np.float64)
        self._levels = recall_levels(profile)
        cells = product(OVERLAP_THRESHOLDS, METEOR_THRESHOLDS)
        self._cells = [np.flatnonzero(accepted(records, *cell)[order]) for cell in cells]
        self._detection = [
            np.flatnonzero(accepted(records, overlap)[order]) for overlap in OVERLAP_THRESHOLDS
        ]

    def draw(self, counts: FloatArray) -> AveragePrecisions:
        """All average precisions where image i comes `counts[i]` times.

        Copies of a detection stand side by side, so that only the last one's precision counts.
        """
        weights = counts[self._image]
        ranks = np.cumsum(weights)
        objects = float(counts @ self._objects)
        cells = [self._ap(hits, weights, ranks, objects) for hits in self._cells]
        detection = [self._ap(hits, weights, ranks, objects) for hits in self._detection]
        shape = len(OVERLAP_THRESHOLDS), len(METEOR_THRESHOLDS)
        return AveragePrecisions(np.array(cells).reshape(shape), np.array(detection))

    def _ap(self, hits: IntArray, weights: FloatArray, ranks: FloatArray, objects: float) -> float:
        drawn = hits[weights[hits] > 0]
        if len(drawn) == 0 or objects == 0:
            return 0.0
        found = np.cumsum(weights[drawn])
        best = np.maximum.accumulate((found / ranks[drawn])[::-1])[::-1]
        reached = np.searchsorted(found / objects, self._levels, side="left")
        at_levels = np.r_[best, 0.0][reached]
        return float(np.add.accumulate(at_levels)[-1] / len(self._levels))

"""Dense-captioning average precisions of single images, and of resampled images.

The published program has no scores per image; their mean differs from the mAP of all images.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    AveragePrecisions,
    DetectionRecords,
    true_positives,
)
from jurydesk.core.metrics.detection.detection_rules import (
    Profile,
    descending_order,
    recall_levels,
)
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

ThresholdPair = tuple[float, float | None]
CELLS: tuple[ThresholdPair, ...] = tuple(product(IOU_THRESHOLDS, METEOR_THRESHOLDS))
DETECTION_CELLS: tuple[ThresholdPair, ...] = tuple((overlap, None) for overlap in IOU_THRESHOLDS)


class ImagePrecisions:
    """Average precisions of each image; `objects` (images,) counts its merged boxes.

    Detections keep their order among those of all images. An image without objects is NaN.
    """

    def __init__(self, records: DetectionRecords, objects: IntArray, profile: Profile) -> None:
        order = descending_order(records.log_probability, profile)
        self._order = order[np.argsort(records.image[order], kind="stable")]
        self._image = records.image[self._order]
        starts = np.searchsorted(self._image, np.arange(len(objects)))
        self._rank = np.arange(1, len(order) + 1) - starts[self._image]
        self._records, self._objects = records, objects
        self._levels = recall_levels(profile)

    @property
    def map(self) -> FloatArray:
        """Mean (images,) of the 30 cells of each image."""
        return self._mean(CELLS)

    @property
    def detection_map(self) -> FloatArray:
        """Mean (images,) of the five average precisions that ignore captions."""
        return self._mean(DETECTION_CELLS)

    def _mean(self, cells: Sequence[ThresholdPair]) -> FloatArray:
        total = np.zeros(len(self._objects))
        for overlap, meteor in cells:
            total += self._ap(true_positives(self._records, overlap, meteor)[self._order])
        return np.where(self._objects > 0, total / len(cells), np.nan)

    def _ap(self, true: BoolArray) -> FloatArray:
        """Return the interpolated average precision (images,) of each image."""
        hits = np.flatnonzero(true)
        image, images = self._image[hits], len(self._objects)
        found = np.arange(1, len(hits) + 1) - np.searchsorted(image, np.arange(images))[image]
        best = _suffix_maximum(self._levels.rounded(found / self._rank[hits]), image)
        reached = self._levels.count_reached(found / self._objects[image])
        before = np.where(found > 1, np.r_[0, reached[:-1]], 0)
        gained = best * (reached - before)
        return np.bincount(image, gained, minlength=images) / len(self._levels)


def _suffix_maximum(values: FloatArray, image: IntArray) -> FloatArray:
    """Return the maximum (n,) from each value to the end of its image, by doubling distances."""
    best, step = values.copy(), 1
    longest = int(np.bincount(image).max(initial=0))
    while step < longest:
        same = image[:-step] == image[step:]
        ahead = np.where(same, best[step:], 0.0)
        best[:-step] = np.maximum(best[:-step], ahead)
        step *= 2
    return best


class ResampledPrecisions:
    """Average precisions of resampled images, whose records are sorted only once.

    `objects` (images,) counts the merged boxes of every image.
    """

    def __init__(self, records: DetectionRecords, objects: IntArray, profile: Profile) -> None:
        order = descending_order(records.log_probability, profile)
        self._image = records.image[order]
        self._objects = objects.astype(np.float64)
        self._levels = recall_levels(profile)
        cells = product(IOU_THRESHOLDS, METEOR_THRESHOLDS)
        self._cells = [np.flatnonzero(true_positives(records, *cell)[order]) for cell in cells]
        self._detection = [
            np.flatnonzero(true_positives(records, overlap)[order]) for overlap in IOU_THRESHOLDS
        ]

    def draw(self, counts: FloatArray) -> AveragePrecisions:
        """Return the average precisions of a resample that contains image i `counts[i]` times.

        Copies of a detection are adjacent, so that only the precision at the last one counts.
        """
        weights = counts[self._image]
        ranks = np.cumsum(weights)
        objects = float(counts @ self._objects)
        cells = [self._ap(hits, weights, ranks, objects) for hits in self._cells]
        detection = [self._ap(hits, weights, ranks, objects) for hits in self._detection]
        shape = len(IOU_THRESHOLDS), len(METEOR_THRESHOLDS)
        return AveragePrecisions(np.array(cells).reshape(shape), np.array(detection))

    def _ap(self, hits: IntArray, weights: FloatArray, ranks: FloatArray, objects: float) -> float:
        copies = weights[hits]
        is_drawn = copies > 0
        drawn = hits[is_drawn]
        if len(drawn) == 0 or objects == 0:
            return 0.0
        found = copies[is_drawn].cumsum()
        precision = self._levels.rounded(found / ranks[drawn])
        best = np.zeros(len(drawn) + 1)  # the last: no recall reaches the level
        np.maximum.accumulate(precision[::-1], out=best[-2::-1])
        at_levels = best[self._levels.first_reaching(found / objects)]
        return float(at_levels.cumsum()[-1] / len(self._levels))

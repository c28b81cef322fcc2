"""Differences between two systems: objects that only one of them detects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.metrics.detection.average_precision import (
    NO_GROUP,
    DetectionRecords,
    true_positives,
)
from jurydesk.core.metrics.detection.threshold_what_if import Thresholds
from jurydesk.core.model.evaluation import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ObjectDifferences:
    """Numbers of objects `gained` and `lost` (images,) by image, the largest sum first.

    `image` (images,) are the images with differences. `objects` (objects, 2) are the image and the
    group of each such object.
    """

    image: IntArray
    gained: IntArray
    lost: IntArray
    objects: IntArray


def object_differences(
    one: DetectionRecords, other: DetectionRecords, thresholds: Thresholds
) -> ObjectDifferences:
    """Return the objects that only one of two systems detects, for the same ground truth."""
    width = 1 + max(int(records.group.max(initial=0)) for records in (one, other))
    mine, theirs = (_detected_objects(records, thresholds, width) for records in (one, other))
    gained = np.setdiff1d(mine, theirs, assume_unique=True)
    lost = np.setdiff1d(theirs, mine, assume_unique=True)
    changed = np.concatenate([gained, lost])
    images = np.unique(changed // width)
    gains, losses = (
        np.bincount(np.searchsorted(images, objects // width), minlength=len(images))
        for objects in (gained, lost)
    )
    order = np.argsort(-(gains + losses), kind="stable")
    objects = np.stack(np.divmod(changed, width), axis=1)
    return ObjectDifferences(images[order], gains[order], losses[order], objects)


def _detected_objects(records: DetectionRecords, thresholds: Thresholds, width: int) -> IntArray:
    """Return the unique codes (objects,), image * width + group, of detected objects."""
    true: BoolArray = true_positives(records, thresholds.overlap, thresholds.meteor)
    true = true & (records.group != NO_GROUP) & (records.log_probability >= thresholds.score)
    return np.unique(records.image[true] * width + records.group[true])

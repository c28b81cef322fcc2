"""What moved between two systems: the objects that one of them finds and the other does not."""

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
    """Objects found by one system alone, by image: `gained` and `lost` (images,), most moved first.

    `image` (images,) numbers the images in which anything moved. `objects` (objects, 2) are the
    moved ones: their image, and their group in it.
    """

    image: IntArray
    gained: IntArray
    lost: IntArray
    objects: IntArray


def object_differences(
    one: DetectionRecords, other: DetectionRecords, thresholds: Thresholds
) -> ObjectDifferences:
    """What `one` finds at these thresholds and `other` does not, and the reverse.

    Both have the same ground truth.
    """
    width = 1 + max(int(records.group.max(initial=0)) for records in (one, other))
    mine, theirs = (_detected_objects(records, thresholds, width) for records in (one, other))
    gained = np.setdiff1d(mine, theirs, assume_unique=True)
    lost = np.setdiff1d(theirs, mine, assume_unique=True)
    moved = np.concatenate([gained, lost])
    there = np.unique(moved // width)
    won, gone = (
        np.bincount(np.searchsorted(there, objects // width), minlength=len(there))
        for objects in (gained, lost)
    )
    order = np.argsort(-(won + gone), kind="stable")
    objects = np.stack(np.divmod(moved, width), axis=1)
    return ObjectDifferences(there[order], won[order], gone[order], objects)


def _detected_objects(records: DetectionRecords, thresholds: Thresholds, width: int) -> IntArray:
    """The objects (objects,) that have a true detection, each once: image * width + group."""
    true: BoolArray = true_positives(records, thresholds.overlap, thresholds.meteor)
    true = true & (records.group != NO_GROUP) & (records.log_probability >= thresholds.score)
    return np.unique(records.image[true] * width + records.group[true])

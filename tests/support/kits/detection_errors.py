"""Detections classified at one pair of thresholds, the reference of the fast error analysis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.metrics.detection.average_precision import DetectionRecords
from jurydesk.core.metrics.detection.error_analysis import Kind
from jurydesk.core.metrics.detection.threshold_what_if import NEAR
from jurydesk.core.model.evaluation import BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class DetectionErrors:
    """Masks (n,) of true positives and of each kind of error, at one pair of thresholds."""

    true: BoolArray
    false: dict[Kind, BoolArray]


def detection_errors(
    records: DetectionRecords, overlap: float, meteor: float | None = None
) -> DetectionErrors:
    """Classify the detections at these thresholds; without `meteor`, by IoU alone."""
    near, enough = records.overlap >= NEAR, records.overlap >= overlap
    mine, described = records.claims & near, np.ones(len(near), dtype=bool)
    if meteor is not None:
        described = records.meteor > meteor
    return DetectionErrors(
        mine & enough & described,
        {
            "misdescribed": mine & enough & ~described,
            "mislocated": mine & ~enough & described,
            "both": mine & ~enough & ~described,
            "duplicate": ~records.claims & near,
            "background": ~near,
        },
    )

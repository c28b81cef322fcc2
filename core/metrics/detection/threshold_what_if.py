"""Scores at arbitrary thresholds, fast enough for a slider over half a million detections.

Only a detection that claims an object can be true, so that scores follow from these few and from
cumulative counts of the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jurydesk.core.metrics.detection.average_precision import (
    DetectionRecords,
    interpolated_average_precision,
)
from jurydesk.core.metrics.detection.detection_rules import (
    Profile,
    RecallLevels,
    descending_order,
    recall_levels,
)
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

NEAR = 0.1  # TIDE's background threshold: a smaller IoU is unrelated to the object


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of a true positive.

    The IoU must reach `overlap`, and METEOR exceed `meteor` (None: captions are ignored).
    Detections with a log-probability below `score` are left out. With `claims_above`, the IoU must
    exceed `overlap`, as some programs compare it.
    """

    overlap: float
    meteor: float | None = None
    score: float = -math.inf
    claims_above: bool = False

    def iou_suffices(self, overlap: float) -> bool:
        """Return whether the IoU of a claim suffices."""
        return overlap > self.overlap if self.claims_above else overlap >= self.overlap


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """Claims of one system, independent of thresholds.

    `rank` (c,), ascending from 0, `row` (among the records), `overlap` and `meteor` are those of
    the detections that claim a near object. `duplicates` and `background` (n + 1,) are cumulative
    counts of the others; `scores` (n,) are descending.
    """

    rank: IntArray
    row: IntArray
    overlap: FloatArray
    meteor: FloatArray
    duplicates: IntArray
    background: IntArray
    scores: FloatArray
    objects: int
    levels: RecallLevels
    claims_above: bool = False

    def count_above_score(self, thresholds: Thresholds) -> tuple[int, int]:
        """Return the numbers of detections and of claims that reach the score."""
        ascending = self.scores[::-1]
        detections = len(ascending) - int(np.searchsorted(ascending, thresholds.score))
        return detections, int(np.searchsorted(self.rank, detections))

    def iou_suffices(self, thresholds: Thresholds, claims: int) -> BoolArray:
        """Return the mask of the first `claims` claims whose IoU suffices."""
        overlap = self.overlap[:claims]
        return overlap > thresholds.overlap if self.claims_above else overlap >= thresholds.overlap

    def meteor_suffices(self, thresholds: Thresholds, claims: int) -> BoolArray:
        """Return the mask of the first `claims` claims whose METEOR suffices."""
        if thresholds.meteor is None:
            return np.ones(claims, dtype=bool)
        return self.meteor[:claims] > thresholds.meteor

    def hits(self, thresholds: Thresholds) -> IntArray:
        """Return the ranks (h,) of the true positives."""
        claims = self.count_above_score(thresholds)[1]
        true = self.iou_suffices(thresholds, claims) & self.meteor_suffices(thresholds, claims)
        return self.rank[:claims][true]

    def ap(self, hits: IntArray, objects: int | None = None) -> float:
        """Return the average precision of these hits, over all objects or fewer."""
        return interpolated_average_precision(
            hits, self.objects if objects is None else objects, self.levels
        )


def claims_of(records: DetectionRecords, profile: Profile, order: IntArray | None = None) -> Claims:
    """Return the claims of a system; `order` (n,) is the descending order, if it is known."""
    if order is None:
        order = descending_order(records.log_probability, profile)
    near = (records.overlap >= NEAR)[order]
    claims = records.claims[order]
    rank = np.flatnonzero(claims & near)
    return Claims(
        rank=rank,
        row=order[rank],
        overlap=records.overlap[order[rank]],
        meteor=records.meteor[order[rank]],
        duplicates=_running_count(near & ~claims),
        background=_running_count(~near),
        scores=records.log_probability[order],
        objects=records.objects,
        levels=recall_levels(profile),
        claims_above=records.claims_above,
    )


def _running_count(mask: BoolArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(mask)])


def average_precision_at(claims: Claims, thresholds: Thresholds) -> float:
    """Return the average precision at these thresholds."""
    return claims.ap(claims.hits(thresholds))


def precision_recall_curve(claims: Claims, thresholds: Thresholds) -> tuple[FloatArray, FloatArray]:
    """Return recall and precision (h,) at every true positive."""
    hits = claims.hits(thresholds)
    counts = np.arange(1, len(hits) + 1)
    return counts / max(claims.objects, 1), counts / (hits + 1)

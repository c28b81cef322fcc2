"""What-ifs over thresholds, quick enough to follow a slider over half a million detections.

A detection is true only if it claims an object that it overlaps, so everything follows from these
few, in the order of all detections, and from running counts of all the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jurydesk.core.metrics.detection.average_precision import (
    DetectionRecords,
    Profile,
    descending_order,
    interpolated_average_precision,
    recall_levels,
)
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

NEAR = 0.1  # TIDE's background threshold: less overlap has nothing to do with any object


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where a detection begins to be true.

    Its overlap must reach `overlap`, its METEOR exceed `meteor` (None: whatever the caption says);
    detections with a log-probability below `score` are left out.
    """

    overlap: float
    meteor: float | None = None
    score: float = -math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """What one system's detections come to, whatever the thresholds.

    `rank` (c,), ascending from 0, `row` (among the records), `overlap` and `meteor` belong to the
    detections that claim an object near them. `duplicates` and `background` (n + 1,) count the
    others among the first k detections of all; `scores` (n,) descend.
    """

    rank: IntArray
    row: IntArray
    overlap: FloatArray
    meteor: FloatArray
    duplicates: IntArray
    background: IntArray
    scores: FloatArray
    objects: int
    levels: FloatArray

    def kept(self, thresholds: Thresholds) -> tuple[int, int]:
        """How many detections, and how many claims, reach the score."""
        ascending = self.scores[::-1]
        detections = len(ascending) - int(np.searchsorted(ascending, thresholds.score))
        return detections, int(np.searchsorted(self.rank, detections))

    def near_enough(self, thresholds: Thresholds, claims: int) -> BoolArray:
        """Which of the first `claims` claims overlap their object enough."""
        return self.overlap[:claims] >= thresholds.overlap

    def described(self, thresholds: Thresholds, claims: int) -> BoolArray:
        """Which of the first `claims` claims describe their object well enough."""
        if thresholds.meteor is None:
            return np.ones(claims, dtype=bool)
        return self.meteor[:claims] > thresholds.meteor

    def hits(self, thresholds: Thresholds) -> IntArray:
        """Return the ranks (h,) of the true detections."""
        claims = self.kept(thresholds)[1]
        true = self.near_enough(thresholds, claims) & self.described(thresholds, claims)
        return self.rank[:claims][true]

    def ap(self, hits: IntArray, objects: int | None = None) -> float:
        """Return the average precision of these hits, over all objects or fewer."""
        return interpolated_average_precision(
            hits, self.objects if objects is None else objects, self.levels
        )


def claims_of(records: DetectionRecords, profile: Profile, order: IntArray | None = None) -> Claims:
    """The claims of a system; `order` (n,) puts its records in descending order, if it is known."""
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
        duplicates=_running(near & ~claims),
        background=_running(~near),
        scores=records.log_probability[order],
        objects=records.objects,
        levels=recall_levels(profile),
    )


def _running(mask: BoolArray) -> IntArray:
    """How many of the first k are set (n + 1,)."""
    return np.concatenate([[0], np.cumsum(mask)])


def average_precision_at(claims: Claims, thresholds: Thresholds) -> float:
    """Return the average precision at these thresholds."""
    return claims.ap(claims.hits(thresholds))


def precision_recall_curve(claims: Claims, thresholds: Thresholds) -> tuple[FloatArray, FloatArray]:
    """Recall and precision (h,) after every true detection, in the order of all detections."""
    hits = claims.hits(thresholds)
    found = np.arange(1, len(hits) + 1)
    return found / max(claims.objects, 1), found / (hits + 1)

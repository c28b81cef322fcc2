"""Error analysis of dense captioning: mean average precision lost to each kind of error.

Every false positive has one kind; its cost is the gain from correcting all errors of that kind.
After Bolya, Foley, Hays and Hoffman, TIDE (ECCV 2020), with METEOR in place of the class.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import fill
from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    DetectionRecords,
)
from jurydesk.core.metrics.detection.threshold_what_if import NEAR, Claims, Thresholds
from jurydesk.core.model.evaluation import BoolArray

Kind = Literal["mislocated", "misdescribed", "both", "duplicate", "background", "missed"]
KINDS: dict[Kind, str] = {
    "misdescribed": "The box is right, METEOR too low.",
    "mislocated": "The caption is right, the box overlaps too little.",
    "both": "The box overlaps too little, and METEOR is too low.",
    "duplicate": "An earlier detection has claimed the object.",
    "background": fill("The box overlaps no object by {near:g}.", NEAR),
    "missed": "No detection claims the object.",
}


def records_needing_meteor(records: DetectionRecords) -> BoolArray:
    """Return the mask (n,) of records whose METEOR is needed to distinguish the kinds."""
    return records.claims & (records.overlap >= NEAR)


TRUE, LEFT_OUT = -1, -2
"""Codes in `error_kinds`: a true positive, or a score below the threshold."""


def error_kinds(
    records: DetectionRecords, claims: Claims, thresholds: Thresholds
) -> npt.NDArray[np.int8]:
    """Return the code (n,) of every record: the index in `KINDS`, `TRUE` or `LEFT_OUT`."""
    place: dict[str, int] = {kind: number for number, kind in enumerate(KINDS)}
    far = records.overlap < NEAR
    kinds = np.where(far, np.int8(place["background"]), np.int8(place["duplicate"]))
    every = len(claims.rank)
    enough, described = (
        claims.iou_suffices(thresholds, every),
        claims.meteor_suffices(thresholds, every),
    )
    wrong = [place["both"], place["mislocated"], place["misdescribed"], TRUE]
    kinds[claims.row] = np.array(wrong, np.int8)[2 * enough + described]
    if thresholds.score > -math.inf:
        kinds[records.log_probability < thresholds.score] = LEFT_OUT
    return kinds


def error_counts(claims: Claims, thresholds: Thresholds) -> dict[Kind, int]:
    """Count the errors of each kind, including missed objects."""
    detections, kept = claims.count_above_score(thresholds)
    enough, described = (
        claims.iou_suffices(thresholds, kept),
        claims.meteor_suffices(thresholds, kept),
    )
    return {
        "misdescribed": int((enough & ~described).sum()),
        "mislocated": int((~enough & described).sum()),
        "both": int((~enough & ~described).sum()),
        "duplicate": int(claims.duplicates[detections]),
        "background": int(claims.background[detections]),
        "missed": claims.objects - kept,
    }


def ap_lost(claims: Claims, thresholds: Thresholds) -> dict[Kind, float]:
    """Return the average precision lost to each kind of error at these thresholds.

    Correcting a misdescribed or mislocated detection makes it true; the other kinds, and missed
    objects, are removed. The METEOR of all claims must be known.
    """
    kept = claims.count_above_score(thresholds)[1]
    enough, described = (
        claims.iou_suffices(thresholds, kept),
        claims.meteor_suffices(thresholds, kept),
    )
    rank = claims.rank[:kept]
    hits = rank[enough & described]
    repaired: dict[Kind, float] = {
        "misdescribed": claims.ap(rank[enough]),
        "mislocated": claims.ap(rank[described]),
        "both": claims.ap(hits - np.searchsorted(rank[~enough & ~described], hits)),
        "duplicate": claims.ap(hits - claims.duplicates[hits]),
        "background": claims.ap(hits - claims.background[hits]),
        "missed": claims.ap(hits, kept),
    }
    before = claims.ap(hits)
    return {kind: after - before for kind, after in repaired.items()}


def mean_ap_lost(claims: Claims) -> dict[Kind, float]:
    """Return the mean of `ap_lost` over the 30 cells."""
    cells = [
        ap_lost(claims, Thresholds(*cell)) for cell in product(IOU_THRESHOLDS, METEOR_THRESHOLDS)
    ]
    return {kind: float(np.mean([cell[kind] for cell in cells])) for kind in KINDS}

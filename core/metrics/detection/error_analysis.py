"""What each kind of error costs a dense captioner, as mean average precision lost.

Every false detection has one kind; repairing all of one kind, and nothing else, shows its cost.
After Bolya, Foley, Hays and Hoffman, TIDE (ECCV 2020), with METEOR in the place of the class.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    DetectionRecords,
    Profile,
)
from jurydesk.core.metrics.detection.threshold_what_if import NEAR, Claims, Thresholds, claims_of
from jurydesk.core.model.evaluation import BoolArray

Kind = Literal["mislocated", "misdescribed", "both", "duplicate", "background", "missed"]
KINDS: dict[Kind, str] = {
    "misdescribed": "The box is right, METEOR too low.",
    "mislocated": "The caption is right, the box overlaps too little.",
    "both": "The box overlaps too little, and METEOR is too low.",
    "duplicate": "An earlier detection has claimed the object.",
    "background": f"The box overlaps no object by {NEAR:g}.",
    "missed": "No detection claims the object.",
}


@dataclass(frozen=True, slots=True, eq=False)
class DetectionErrors:
    """The detections at one pair of thresholds: true ones, and the others by kind; masks (n,)."""

    true: BoolArray
    false: dict[Kind, BoolArray]


def records_needing_meteor(records: DetectionRecords) -> BoolArray:
    """Return the records (n,) whose METEOR must be known to tell the kinds apart."""
    return records.claims & (records.overlap >= NEAR)


def detection_errors(
    records: DetectionRecords, overlap: float, meteor: float | None = None
) -> DetectionErrors:
    """Return the kind of every detection at these thresholds; without `meteor`, of boxes alone."""
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


TRUE, LEFT_OUT = -1, -2
"""In `error_kinds`: the detection is true, or its score is below the threshold."""


def error_kinds(
    records: DetectionRecords, claims: Claims, thresholds: Thresholds
) -> npt.NDArray[np.int8]:
    """Return the kind of every record (n,), as its place in `KINDS`; also `TRUE` and `LEFT_OUT`.

    `claims` are those of the records.
    """
    place: dict[str, int] = {kind: number for number, kind in enumerate(KINDS)}
    far = records.overlap < NEAR
    found = np.where(far, np.int8(place["background"]), np.int8(place["duplicate"]))
    every = len(claims.rank)
    enough, described = claims.near_enough(thresholds, every), claims.described(thresholds, every)
    wrong = [place["both"], place["mislocated"], place["misdescribed"], TRUE]
    found[claims.row] = np.array(wrong, np.int8)[2 * enough + described]
    if thresholds.score > -math.inf:
        found[records.log_probability < thresholds.score] = LEFT_OUT
    return found


def error_counts(claims: Claims, thresholds: Thresholds) -> dict[Kind, int]:
    """How many detections (and missed objects) are of each kind; the others are true."""
    detections, kept = claims.kept(thresholds)
    enough, described = claims.near_enough(thresholds, kept), claims.described(thresholds, kept)
    return {
        "misdescribed": int((enough & ~described).sum()),
        "mislocated": int((~enough & described).sum()),
        "both": int((~enough & ~described).sum()),
        "duplicate": int(claims.duplicates[detections]),
        "background": int(claims.background[detections]),
        "missed": claims.objects - kept,
    }


def ap_lost(claims: Claims, thresholds: Thresholds) -> dict[Kind, float]:
    """Return the average precision that each kind of error costs at these thresholds.

    What is misdescribed or mislocated becomes true when repaired; duplicates, background and what
    is wrong in both ways disappear, and so do missed objects. METEOR must be known of all claims.
    """
    kept = claims.kept(thresholds)[1]
    enough, described = claims.near_enough(thresholds, kept), claims.described(thresholds, kept)
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


def map_costs(records: DetectionRecords, profile: Profile = "published") -> dict[Kind, float]:
    """Return the mean average precision that each kind of error costs, over the 30 cells.

    METEOR must be known where `needed(records)`.
    """
    return mean_ap_lost(claims_of(records, profile))


def mean_ap_lost(claims: Claims) -> dict[Kind, float]:
    """Return the mean of `ap_lost` over the 30 cells."""
    cells = [
        ap_lost(claims, Thresholds(*cell)) for cell in product(IOU_THRESHOLDS, METEOR_THRESHOLDS)
    ]
    return {kind: float(np.mean([cell[kind] for cell in cells])) for kind in KINDS}

"""What each kind of error costs a dense captioner, as mean average precision lost.

Every false detection has one kind; repairing all of one kind, and nothing else, shows its cost.
After Bolya, Foley, Hays and Hoffman, TIDE (ECCV 2020), with METEOR in the place of the class.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from core.metrics.dense_map import (
    METEOR_THRESHOLDS,
    OVERLAP_THRESHOLDS,
    Profile,
    Records,
    average_precision,
    descending,
    recall_levels,
)
from core.model import BoolArray, FloatArray

NEAR = 0.1  # TIDE's background threshold: less overlap has nothing to do with any object

Kind = Literal["mislocated", "misdescribed", "both", "duplicate", "background", "missed"]
KINDS: dict[Kind, str] = {
    "misdescribed": "The box is right, METEOR too low.",
    "mislocated": "The caption is right, the box overlaps too little.",
    "both": "The box overlaps too little, and METEOR is too low.",
    "duplicate": "An earlier detection has claimed the object.",
    "background": f"The box overlaps no object by {NEAR:g}.",
    "missed": "No detection claims the object.",
}
REPAIRED: tuple[Kind, ...] = ("misdescribed", "mislocated")
"""These become true when repaired; the others disappear."""


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """The detections at one pair of thresholds: true ones, and the others by kind; masks (n,)."""

    true: BoolArray
    false: dict[Kind, BoolArray]


def needed(records: Records) -> BoolArray:
    """The records (n,) whose METEOR must be known to tell the kinds apart."""
    return records.claims & (records.overlap >= NEAR)


def kinds(records: Records, overlap: float, meteor: float | None = None) -> Cell:
    """The kind of every detection at these thresholds; without `meteor`, of boxes alone."""
    near, enough = records.overlap >= NEAR, records.overlap >= overlap
    mine, described = records.claims & near, np.ones(len(near), dtype=bool)
    if meteor is not None:
        described = records.meteor > meteor
    return Cell(
        mine & enough & described,
        {
            "misdescribed": mine & enough & ~described,
            "mislocated": mine & ~enough & described,
            "both": mine & ~enough & ~described,
            "duplicate": ~records.claims & near,
            "background": ~near,
        },
    )


def costs(records: Records, profile: Profile = "published") -> dict[Kind, float]:
    """The mean average precision that each kind of error costs, over the 30 cells.

    METEOR must be known where `needed(records)`.
    """
    order, levels = descending(records.log_probability, profile), recall_levels(profile)
    missed = records.objects - int(needed(records).sum())
    lost: dict[Kind, list[float]] = {kind: [] for kind in KINDS}
    for overlap, meteor in product(OVERLAP_THRESHOLDS, METEOR_THRESHOLDS):
        cell = kinds(records, overlap, meteor)
        everything = np.ones(len(order), dtype=bool)

        def ap(true: BoolArray, kept: BoolArray, objects: int) -> float:
            hits = np.flatnonzero(true[order][kept[order]])
            return average_precision(hits, objects, levels)

        before = ap(cell.true, everything, records.objects)
        for kind, wrong in cell.false.items():
            if kind in REPAIRED:
                after = ap(cell.true | wrong, everything, records.objects)
            else:
                after = ap(cell.true, ~wrong, records.objects)
            lost[kind].append(after - before)
        lost["missed"].append(ap(cell.true, everything, records.objects - missed) - before)
    return {kind: float(np.mean(values)) for kind, values in lost.items()}


def precision_recall(
    records: Records, overlap: float, meteor: float | None, profile: Profile
) -> tuple[FloatArray, FloatArray]:
    """Recall and precision (h,) after every true detection, in the order of all detections."""
    order = descending(records.log_probability, profile)
    hits = np.flatnonzero(kinds(records, overlap, meteor).true[order])
    found = np.arange(1, len(hits) + 1)
    return found / max(records.objects, 1), found / (hits + 1)

"""What moved between two systems: the objects that one of them finds and the other does not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.metrics.dense_cuts import Thresholds
from core.metrics.dense_map import NO_GROUP, Records, accepted
from core.model import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Objects found by one system alone, by image: `gained` and `lost` (images,), most moved first.

    `image` (images,) numbers the images in which anything moved. `objects` are the moved ones, as
    (image, group) pairs.
    """

    image: IntArray
    gained: IntArray
    lost: IntArray
    objects: frozenset[tuple[int, int]]


def moves(one: Records, other: Records, thresholds: Thresholds) -> Moves:
    """What `one` finds at these thresholds and `other` does not, and the reverse.

    Both have the same ground truth.
    """
    mine, theirs = (_found(records, thresholds) for records in (one, other))
    gained, lost = mine - theirs, theirs - mine
    images = np.array([image for image, _ in gained | lost], np.int64)
    there = np.unique(images)
    won, gone = (
        np.bincount(
            np.searchsorted(there, np.array([image for image, _ in moved], np.int64)),
            minlength=len(there),
        )
        for moved in (gained, lost)
    )
    order = np.argsort(-(won + gone), kind="stable")
    return Moves(there[order], won[order], gone[order], gained | lost)


def _found(records: Records, thresholds: Thresholds) -> frozenset[tuple[int, int]]:
    """The objects, as (image, group), that have a true detection."""
    true: BoolArray = accepted(records, thresholds.overlap, thresholds.meteor)
    true = true & (records.group != NO_GROUP) & (records.log_probability >= thresholds.score)
    return frozenset(zip(records.image[true].tolist(), records.group[true].tolist(), strict=True))

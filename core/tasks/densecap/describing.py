"""METEOR between the captions of detections and of the objects that they found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.metrics.dense_map import NO_GROUP, Records
from core.metrics.meteor import score_many
from core.model import BoolArray, IntArray
from core.tasks.densecap.evidence import METEOR_PROFILE, candidate
from core.tasks.densecap.ground_truth import GroundTruth
from core.tasks.densecap.regions import Regions
from core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from core.run.run import Run


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """Records with their METEOR, and which reference of its object each is closest to.

    `references` (n,) is -1 where METEOR was not asked for.
    """

    records: Records
    references: IntArray


def describe(
    truth: GroundTruth,
    found: Regions,
    images: dict[int, int],
    records: Records,
    wanted: BoolArray,
    run: Run,
) -> Described:
    """The records with METEOR where `wanted` (n,); 0 where a record has no object.

    Raises ResourceMissing where METEOR's language data are not installed.
    """
    rows = np.flatnonzero(wanted & (records.group != NO_GROUP))
    captions = _captions(found, images, records)
    pairs = [
        (
            candidate(found.captions[captions[row]]),
            references(truth, int(records.image[row]), int(records.group[row])),
        )
        for row in rows.tolist()
    ]
    with language_data():
        batch = score_many(pairs, METEOR_PROFILE, run)
    meteor = records.meteor.copy()
    meteor[wanted & (records.group == NO_GROUP)] = 0.0
    meteor[rows] = batch.scores
    best = np.full(len(meteor), -1)
    best[rows] = batch.references
    return Described(replace(records, meteor=meteor), best)


def _captions(found: Regions, images: dict[int, int], records: Records) -> list[int]:
    """The caption of every record, as its index in `found.captions`."""
    starts = np.zeros(max(images, default=0) + 1, np.int64)
    for truth_image, image in images.items():
        starts[truth_image] = found.starts[image]
    rows: list[int] = (starts[records.image] + records.detection).tolist()
    return rows


def references(truth: GroundTruth, image: int, group: int) -> list[str]:
    """The captions of an object; the separator of METEOR's protocol makes two of one."""
    first = int(truth.regions.starts[image])
    captions = [truth.regions.captions[first + box] for box in truth.groups[image].members[group]]
    return [part for caption in captions for part in caption.split("|||")]

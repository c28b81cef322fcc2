"""Item table of dense captioning: detections and missed objects."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import NO_GROUP, DetectionRecords, Profile
from jurydesk.core.metrics.detection.per_image import ImagePrecisions, ResampledPrecisions
from jurydesk.core.model.evaluation import FloatArray, IntArray, ItemTable, Units
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
)
from jurydesk.core.tasks.densecap.densecap_evidence import Scene
from jurydesk.core.tasks.densecap.detection_chunks import MeteorRecords
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions

UNCLAIMED = -1.0
"""In the column `detection`: the item is an object that no detection claims."""


def detection_items(
    truth: GroundTruth,
    found: Regions,
    images: dict[int, int],
    described: MeteorRecords,
    profile: Profile,
) -> ItemTable:
    """Return the records as columns; all scores, curves and what-ifs can be made from them again.

    `rank` is the place in the order of all detections (NaN for a missed object). Items of one
    image share its scene.
    """
    records = described.records
    image, group = _missed_objects(truth, records)
    nothing = np.full(len(image), np.nan)
    order = average_precision.descending_order(records.log_probability, profile)
    rank = np.empty(len(order))
    rank[order] = np.arange(1, len(order) + 1)
    columns = {
        "image": np.concatenate([records.image, image]).astype(np.float64),
        "detection": np.concatenate([records.detection, np.full(len(image), UNCLAIMED)]),
        "object": np.concatenate([records.group, group]).astype(np.float64),
        "overlap": np.concatenate([records.overlap, nothing]),
        "claims": np.concatenate([records.claims, np.zeros(len(image))]).astype(np.float64),
        "meteor": np.concatenate([records.meteor, nothing]),
        "score": np.concatenate([records.log_probability, nothing]),
        "rank": np.concatenate([rank, nothing]),
    }
    names = truth.regions.images
    ids = *_ids(names, "", records.image, records.detection), *_ids(names, "missed ", image, group)
    scenes = Scenes(truth, found, images, described)
    return ItemTable(
        ids,
        columns,
        evidence=ColumnEvidence(scenes.columns, Scene.from_row),
        noun="detection",
        evidence_of=columns["image"].astype(np.int64),
    )


def _ids(names: Sequence[str], what: str, images: IntArray, numbers: IntArray) -> Iterator[str]:
    """Yield the ids of detections or objects by image and number."""
    for image, number in zip(images.tolist(), numbers.tolist(), strict=True):
        yield f"{names[image]} · {what}{number + 1}"


def _missed_objects(truth: GroundTruth, records: DetectionRecords) -> tuple[IntArray, IntArray]:
    """Return the image and group of every object that no detection claims by overlapping it."""
    counts = np.array([len(groups.members) for groups in truth.groups])
    starts = np.concatenate([[0], np.cumsum(counts)])
    claimed = records.claims & (records.group != NO_GROUP)
    free = np.ones(int(starts[-1]), dtype=bool)
    free[starts[records.image[claimed]] + records.group[claimed]] = False
    objects = np.flatnonzero(free)
    image = np.searchsorted(starts, objects, side="right") - 1
    return image, objects - starts[image]


def to_records(columns: Mapping[str, FloatArray]) -> DetectionRecords:
    """Return the records again, from the columns of `detection_items`."""
    found = columns["detection"] != UNCLAIMED
    claims, group = columns["claims"][found] == 1, columns["object"][found].astype(np.int64)
    return DetectionRecords(
        image=columns["image"][found].astype(np.int64),
        detection=columns["detection"][found].astype(np.int64),
        group=group,
        overlap=columns["overlap"][found],
        claims=claims,
        log_probability=columns["score"][found],
        meteor=columns["meteor"][found],
        objects=int((~found).sum() + (claims & (group != NO_GROUP)).sum()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Scenes:
    """Builder of the evidence columns of all images."""

    truth: GroundTruth
    found: Regions
    images: dict[int, int]
    described: MeteorRecords

    def columns(self) -> tuple[EvidenceColumns, EvidenceColumns]:
        """Return the shared objects of every image, and the detections of this system."""
        return self._objects(), self._detections()

    def _objects(self) -> EvidenceColumns:
        regions, groups = self.truth.regions, self.truth.groups
        members = [boxes for one in groups for boxes in one.members]
        first = np.repeat(regions.starts[:-1], [len(one.members) for one in groups]).tolist()
        captions = [
            regions.captions[start + box]
            for start, boxes in zip(first, members, strict=True)
            for box in boxes
        ]
        counts = list_lengths([one.members for one in groups])
        corners = [np.empty((0, 4)), *(one.corners for one in groups)]
        return EvidenceColumns(
            {
                "image": EvidenceColumn.texts(regions.images),
                "objects": EvidenceColumn(np.concatenate(corners), counts),
                "captions": EvidenceColumn.texts(captions, counts, list_lengths(members)),
            }
        )

    def _detections(self) -> EvidenceColumns:
        records, found = self.described.records, self.found
        first = np.zeros(len(self.truth.groups), np.int64)
        first[list(self.images)] = found.starts[list(self.images.values())]
        rows = first[records.image] + records.detection
        counts = np.bincount(records.image, minlength=len(self.truth.groups))
        corners = average_precision.corners(found.boxes)[rows]
        captions = [found.captions[row] for row in rows.tolist()]
        return EvidenceColumns(
            {
                "size": EvidenceColumn(self._sizes()),
                "number": EvidenceColumn(records.detection, counts),
                "corners": EvidenceColumn(corners, counts),
                "caption": EvidenceColumn.texts(captions, counts),
                "score": EvidenceColumn(records.log_probability, counts),
                "object": EvidenceColumn(records.group, counts),
                "overlap": EvidenceColumn(records.overlap, counts),
                "claims": EvidenceColumn(records.claims, counts),
                "meteor": EvidenceColumn(records.meteor, counts),
                "reference": EvidenceColumn(self.described.references, counts),
            }
        )

    def _sizes(self) -> FloatArray:
        """Return width and height (images, 2); NaN where the files lack them."""
        known, ours = self.truth.regions.sizes, self.found.sizes
        nothing = (math.nan, math.nan)
        sizes = [known.get(name) or ours.get(name) or nothing for name in self.truth.regions.images]
        return np.array(sizes, np.float64).reshape(-1, 2)


FOUND_OVERLAP = 0.5
"""An object counts as found from this overlap on."""


def image_units(items: ItemTable, profile: str) -> Units:
    """Return the images of the items, and all 37 scores of any draw of them."""
    columns = items.columns
    image = columns["image"].astype(np.int64)
    count = int(image.max(initial=-1)) + 1
    object_rows = (columns["detection"] == UNCLAIMED) | (
        (columns["claims"] == 1) & (columns["object"] != NO_GROUP)
    )
    objects = np.bincount(image[object_rows], minlength=count)
    records = to_records(columns)
    drawn = ResampledPrecisions(records, objects, cast("Profile", profile))
    alone = ImagePrecisions(records, objects, cast("Profile", profile))

    def scores(counts: FloatArray) -> Mapping[str, float]:
        return drawn.draw(counts).named()

    own = {"map": alone.map, "detmap": alone.detection_map}
    numbers = {**own, **_numbers(items, image, objects)}
    return Units(_names(items, count), scores, "images", numbers)


def _numbers(items: ItemTable, image: IntArray, objects: IntArray) -> dict[str, FloatArray]:
    """Return the number of objects, detections and found objects of each image."""
    columns, count = items.columns, len(objects)
    found = (columns["claims"] == 1) & (columns["object"] != NO_GROUP)
    near = found & (columns["overlap"] >= FOUND_OVERLAP)
    detections = np.bincount(image[columns["detection"] != UNCLAIMED], minlength=count)
    hits = np.bincount(image[near], minlength=count).astype(np.float64)
    return {
        "recall": hits / np.where(objects > 0, objects, np.nan),
        "found": hits,
        "objects": objects.astype(np.float64),
        "detections": detections.astype(np.float64),
    }


def _names(items: ItemTable, count: int) -> tuple[str, ...]:
    """Return the images' names, by their numbers; an image without any item goes by its number."""
    names = [str(number) for number in range(count)]
    numbers, first = np.unique(items.columns["image"].astype(np.int64), return_index=True)
    for number, row in zip(numbers.tolist(), first.tolist(), strict=True):
        names[number] = items.ids[row].rpartition(" · ")[0]
    return tuple(names)

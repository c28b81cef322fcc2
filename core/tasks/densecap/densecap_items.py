"""Item table of dense captioning: detections and missed objects."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

import numpy as np

from jurydesk.core.metrics.detection.average_precision import NO_GROUP, DetectionRecords
from jurydesk.core.metrics.detection.detection_rules import RULES, Profile, descending_order
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
"""Value of the column `detection` for an object that no detection claims."""


def detection_items(
    truth: GroundTruth,
    detections: Regions,
    images: dict[int, int],
    matched: MeteorRecords,
    profile: Profile,
) -> ItemTable:
    """Return the items, from which `to_records` restores the records.

    `rank` is the 1-based rank among all detections by score (NaN for a missed object). Items of
    one image share its scene.
    """
    records = matched.records
    image, group = _missed_objects(truth, records)
    missing = np.full(len(image), np.nan)
    order = descending_order(records.log_probability, profile)
    rank = np.empty(len(order))
    rank[order] = np.arange(1, len(order) + 1)
    columns = {
        "image": np.concatenate([records.image, image]).astype(np.float64),
        "detection": np.concatenate([records.detection, np.full(len(image), UNCLAIMED)]),
        "object": np.concatenate([records.group, group]).astype(np.float64),
        "overlap": np.concatenate([records.overlap, missing]),
        "claims": np.concatenate([records.claims, np.zeros(len(image))]).astype(np.float64),
        "meteor": np.concatenate([records.meteor, missing]),
        "score": np.concatenate([records.log_probability, missing]),
        "rank": np.concatenate([rank, missing]),
    }
    names = truth.regions.images
    ids = *_ids(names, "", records.image, records.detection), *_ids(names, "missed ", image, group)
    scenes = Scenes(truth, detections, images, matched, profile)
    return ItemTable(
        ids,
        columns,
        evidence=ColumnEvidence(scenes.columns, Scene.from_row),
        noun="detection",
        evidence_of=columns["image"].astype(np.int64),
    )


def _ids(names: Sequence[str], prefix: str, images: IntArray, numbers: IntArray) -> Iterator[str]:
    for image, number in zip(images.tolist(), numbers.tolist(), strict=True):
        yield f"{names[image]} · {prefix}{number + 1}"


def _missed_objects(truth: GroundTruth, records: DetectionRecords) -> tuple[IntArray, IntArray]:
    """Return the image and group of every object that no overlapping detection claims."""
    counts = np.array([len(groups.members) for groups in truth.groups])
    starts = np.concatenate([[0], np.cumsum(counts)])
    claimed = records.claims & (records.group != NO_GROUP)
    missed = np.ones(int(starts[-1]), dtype=bool)
    missed[starts[records.image[claimed]] + records.group[claimed]] = False
    objects = np.flatnonzero(missed)
    image = np.searchsorted(starts, objects, side="right") - 1
    return image, objects - starts[image]


def to_records(
    columns: Mapping[str, FloatArray], profile: Profile = "published"
) -> DetectionRecords:
    """Restore the records of a profile from the columns of `detection_items`."""
    rows = columns["detection"] != UNCLAIMED
    claims, group = columns["claims"][rows] == 1, columns["object"][rows].astype(np.int64)
    return DetectionRecords(
        image=columns["image"][rows].astype(np.int64),
        detection=columns["detection"][rows].astype(np.int64),
        group=group,
        overlap=columns["overlap"][rows],
        claims=claims,
        log_probability=columns["score"][rows],
        meteor=columns["meteor"][rows],
        objects=int((~rows).sum() + (claims & (group != NO_GROUP)).sum()),
        claims_above=RULES[profile].claims_above,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Scenes:
    """Builder of the evidence columns of all images."""

    truth: GroundTruth
    detections: Regions
    images: dict[int, int]
    matched: MeteorRecords
    profile: Profile

    def columns(self) -> tuple[EvidenceColumns, EvidenceColumns]:
        """Return the objects of every image (shared), and the system's detections."""
        return self._objects(), self._detections()

    def _objects(self) -> EvidenceColumns:
        regions, groups = self.truth.regions, self.truth.groups
        members = [boxes for merged in groups for boxes in merged.members]
        starts = np.repeat(regions.starts[:-1], [len(merged.members) for merged in groups])
        boxes = list_lengths(members)
        rows = np.fromiter(chain.from_iterable(members), np.int64) + np.repeat(starts, boxes)
        captions = map(regions.captions.__getitem__, rows.tolist())
        counts = list_lengths([merged.members for merged in groups])
        corners = [np.empty((0, 4)), *(merged.corners for merged in groups)]
        return EvidenceColumns(
            {
                "image": EvidenceColumn.texts(regions.images),
                "objects": EvidenceColumn(np.concatenate(corners), counts),
                "captions": EvidenceColumn.texts(captions, counts, boxes),
            }
        )

    def _detections(self) -> EvidenceColumns:
        records, regions = self.matched.records, self.detections
        starts = np.zeros(len(self.truth.groups), np.int64)
        starts[list(self.images)] = regions.starts[list(self.images.values())]
        rows = starts[records.image] + records.detection
        counts = np.bincount(records.image, minlength=len(self.truth.groups))
        corners = regions.corners(RULES[self.profile], is_truth=False)[rows]
        captions = map(regions.captions.__getitem__, rows.tolist())
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
                "reference": EvidenceColumn(self.matched.references, counts),
            }
        )

    def _sizes(self) -> FloatArray:
        """Return width and height in pixels (images, 2); NaN if unknown."""
        regions = self.truth.regions
        known = {**self.detections.sizes, **regions.sizes}
        sizes = [known.get(name, (math.nan, math.nan)) for name in regions.images]
        return np.array(sizes, np.float64).reshape(-1, 2)


def profile_named(name: str) -> Profile:
    """Return the profile of a result; of one that a foreign desk names, the published one."""
    return cast("Profile", name) if name in RULES else "published"


MIN_IOU = 0.5
"""IoU from which an object counts as found."""


def image_units(items: ItemTable, profile: str) -> Units:
    """Return the images as resampling units, with the 37 scores of any resample."""
    columns = items.columns
    image = columns["image"].astype(np.int64)
    count = int(image.max(initial=-1)) + 1
    object_rows = (columns["detection"] == UNCLAIMED) | (
        (columns["claims"] == 1) & (columns["object"] != NO_GROUP)
    )
    objects = np.bincount(image[object_rows], minlength=count)
    known = profile_named(profile)
    records = to_records(columns, known)
    resampled = ResampledPrecisions(records, objects, known)
    per_image = ImagePrecisions(records, objects, known)

    def scores(counts: FloatArray) -> Mapping[str, float]:
        return resampled.draw(counts).by_name()

    precisions = {"map": per_image.map, "detmap": per_image.detection_map}
    numbers = {**precisions, **_object_counts(items, image, objects)}
    return Units(_image_names(items, count), scores, "images", numbers)


def _object_counts(items: ItemTable, image: IntArray, objects: IntArray) -> dict[str, FloatArray]:
    """Return the number of objects, detections and found objects of each image."""
    columns, count = items.columns, len(objects)
    claimed = (columns["claims"] == 1) & (columns["object"] != NO_GROUP)
    found = claimed & (columns["overlap"] >= MIN_IOU)
    detections = np.bincount(image[columns["detection"] != UNCLAIMED], minlength=count)
    hits = np.bincount(image[found], minlength=count).astype(np.float64)
    return {
        "recall": hits / np.where(objects > 0, objects, np.nan),
        "found": hits,
        "objects": objects.astype(np.float64),
        "detections": detections.astype(np.float64),
    }


def _image_names(items: ItemTable, count: int) -> tuple[str, ...]:
    """Return the images' names by number; the number itself for an image without items."""
    names = [str(number) for number in range(count)]
    numbers, first = np.unique(items.columns["image"].astype(np.int64), return_index=True)
    for number, row in zip(numbers.tolist(), first.tolist(), strict=True):
        names[number] = items.ids[row].rpartition(" · ")[0]
    return tuple(names)

"""Reader of the ground truth: captioned boxes merged into objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import MergedObjects
from jurydesk.core.metrics.detection.detection_rules import RULES, DetectionRules, Profile
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.readers.reference_remarks import note_empty_references
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions, metric_profile
from jurydesk.core.tasks.densecap.readers.box_format_check import check_image_bounds
from jurydesk.core.tasks.densecap.readers.image_data import with_image_sizes
from jurydesk.core.tasks.densecap.readers.json_shapes import EXPECTED
from jurydesk.core.tasks.densecap.readers.region_reader import parse_regions, parse_regions_json
from jurydesk.core.tasks.densecap.readers.regions import Regions
from jurydesk.core.tasks.result_parts import parts_of, unused_parts

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


DETECTIONS = "detections"
"""Role of a system's file."""
SIZES = "image-data"
"""Role of the file of image sizes."""
MAX_BOXES = 20_000
"""Boxes of one image; merging them takes a byte for every pair."""


@dataclass(frozen=True, slots=True, eq=False)
class GroundTruth:
    """Captioned boxes of all images, and the objects that they were merged into.

    `detections` holds the detections of a file that is given in both roles, `parts` the further
    files of a system by its first one.
    """

    regions: Regions
    groups: tuple[MergedObjects, ...]
    path: str
    detections: Mapping[Path, Reading[Regions]] = field(default_factory=dict)
    parts: Mapping[Path, tuple[Path, ...]] = field(default_factory=dict)


def read_ground_truth(inputs: Inputs, options: DenseCapOptions, run: Run) -> Reading[GroundTruth]:
    """Read the ground truth and merge its boxes into objects by the rules of the profile."""
    path = inputs["ground-truth"][0]
    file = parse_regions_json(path, run)
    reading = parse_regions(file, "ground-truth", options, run)
    if reading.data is None:
        return Reading(None, reading.defects)
    has_both_roles = path in inputs.get(DETECTIONS, ())
    detections = {path: parse_regions(file, "detections", options, run)} if has_both_roles else {}
    profile = metric_profile(options)
    read, known_defects = reading.data, reading.defects
    if SIZES in inputs:
        sized = with_image_sizes(read, inputs[SIZES][0], run)
        known_defects = (*known_defects, *sized.defects)
        if sized.data is None:
            return Reading(None, known_defects)
        read = sized.data
    regions, groups = _in_order(read, profile), []
    if not len(regions.boxes):
        defect = error(Place(str(path)), "The ground truth contains no boxes.", EXPECTED)
        return Reading(None, (*known_defects, defect))
    crowded = tuple(_crowded_images(regions, str(path)))
    if crowded:
        return Reading(None, (*known_defects, *crowded))
    boxes = regions.corners(RULES[profile], is_truth=True)
    for image in range(len(regions.images)):
        run.report(image, len(regions.images), "Merging the ground truth")
        groups.append(average_precision.merge_ground_truth(boxes[regions.rows(image)], profile))
    bare = [
        name
        for image, name in enumerate(regions.images)
        for text in regions.captions[regions.rows(image)]
        if not text.strip()
    ]
    defects = [
        *note_empty_references(Place(str(path)), bare),
        *unused_parts(inputs, DETECTIONS),
        *_lost_boxes(regions, groups, RULES[profile], str(path)),
        *check_image_bounds(regions, regions.sizes, Place(str(path))),
    ]
    given = inputs.get(DETECTIONS, ())
    parts = {one: found for one in given if (found := parts_of(one, inputs, DETECTIONS))}
    truth = GroundTruth(regions, tuple(groups), str(path), detections, parts)
    return Reading(truth, (*known_defects, *defects))


def _crowded_images(regions: Regions, path: str) -> Iterator[Defect]:
    """Yield an error for every image with too many boxes for a pairwise comparison."""
    counts = np.diff(regions.starts)
    for image in np.flatnonzero(counts > MAX_BOXES).tolist():
        yield error(
            Place(path),
            fill(
                "Image {images} has {boxes}.",
                regions.images[image],
                counted(int(counts[image]), "box", "boxes"),
            ),
            fill("At most {max_boxes:,} boxes per image are merged.", MAX_BOXES),
            "Check whether all regions have the same image id.",
        )


def _in_order(regions: Regions, profile: Profile) -> Regions:
    """Return the regions with the images in the order of the profile's program.

    Ids of digits are integers there, whose order in a set Python determines; that of texts changes
    from run to run, so the file's is kept.
    """
    if not RULES[profile].has_set_order or not all(map(str.isdecimal, regions.images)):
        return regions
    ids = list(map(int, regions.images))
    place = {image: index for index, image in enumerate(ids)}
    if len(place) < len(ids):
        return regions
    return regions.in_image_order([place[image] for image in set(ids)])


def _lost_boxes(
    regions: Regions, groups: list[MergedObjects], rules: DetectionRules, path: str
) -> tuple[Defect, ...]:
    merged = [sum(map(len, group.members)) for group in groups]
    counts = np.diff(regions.starts).tolist()
    lossy = [image for image, n, m in zip(regions.images, counts, merged, strict=True) if m < n]
    if not lossy:
        return ()
    if not rules.keeps_degenerate:
        found = fill(
            "Boxes without area: {images} ({name_list}).",
            counted(len(lossy), "image"),
            name_list(lossy),
        )
        return (warning(Place(path), found, "They do not count as objects in this profile."),)
    found = fill(
        "256 boxes or more on one object: {images} ({name_list}).",
        counted(len(lossy), "image"),
        name_list(lossy),
    )
    effect = "DenseCap's program counts them in one byte and loses boxes."
    return (warning(Place(path), found, effect, reason("The corrected profile keeps them.")),)

"""Reader of the ground truth: captioned boxes merged into objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import MergedObjects, Profile
from jurydesk.core.model.defects import Defect, Place, counted, error, name_list, warning
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.readers.box_format_check import boxes_outside
from jurydesk.core.tasks.densecap.readers.json_shapes import EXPECTED
from jurydesk.core.tasks.densecap.readers.region_reader import parse_regions, parse_regions_json
from jurydesk.core.tasks.densecap.readers.regions import Regions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


MOST_BOXES = 20_000
"""Of one image: which of them are near each other takes a byte for every two."""


@dataclass(frozen=True, slots=True, eq=False)
class GroundTruth:
    """The ground truth of all images, and the objects that its boxes were merged into.

    `detections` holds what was read along with it: a file may be given for both.
    """

    regions: Regions
    groups: tuple[MergedObjects, ...]
    path: str
    detections: Mapping[Path, Reading[Regions]] = field(default_factory=dict)


def read_ground_truth(inputs: Inputs, options: DenseCapOptions, run: Run) -> Reading[GroundTruth]:
    """Return the ground truth with its boxes merged into objects, as the profile does it."""
    path = inputs["ground-truth"][0]
    file = parse_regions_json(path, run)
    reading = parse_regions(file, "ground-truth", options, run)
    if reading.data is None:
        return Reading(None, reading.defects)
    both = path in inputs.get("detections", ())
    found = {path: parse_regions(file, "detections", options, run)} if both else {}
    regions, groups = reading.data, []
    if not len(regions.boxes):
        fault = error(Place(str(path)), "The ground truth has no box at all.", EXPECTED)
        return Reading(None, (*reading.defects, fault))
    crowded = tuple(_crowded_images(regions, str(path)))
    if crowded:
        return Reading(None, (*reading.defects, *crowded))
    for image in range(len(regions.images)):
        run.report(image, len(regions.images), "Merging the ground truth")
        groups.append(
            average_precision.merge_ground_truth(
                regions.boxes[regions.rows(image)], metric_profile(options)
            )
        )
    defects = [
        *_lost_boxes(regions, groups, str(path)),
        *boxes_outside(regions, regions.sizes, Place(str(path))),
    ]
    truth = GroundTruth(regions, tuple(groups), str(path), found)
    return Reading(truth, (*reading.defects, *defects))


def _crowded_images(regions: Regions, path: str) -> Iterator[Defect]:
    """Yield images with too many boxes for a pairwise comparison."""
    for image in np.flatnonzero(np.diff(regions.starts) > MOST_BOXES).tolist():
        count = counted(int(np.diff(regions.starts)[image]), "box", "boxes")
        yield error(
            Place(path),
            f"Image {regions.images[image]} has {count}.",
            f"At most {MOST_BOXES:,} of one image are merged.",
            "Look whether all regions have the same image id.",
        )


def metric_profile(options: DenseCapOptions) -> Profile:
    """Return the profile in the words of the metric."""
    return "corrected" if options.profile == "corrected" else "published"


def _lost_boxes(regions: Regions, groups: list[MergedObjects], path: str) -> tuple[Defect, ...]:
    kept = [sum(map(len, group.members)) for group in groups]
    counts = np.diff(regions.starts).tolist()
    lossy = [image for image, n, k in zip(regions.images, counts, kept, strict=True) if k < n]
    if not lossy:
        return ()
    found = f"256 boxes or more on one object: {counted(len(lossy), 'image')} ({name_list(lossy)})."
    consequence = "The published program counts them in one byte and loses boxes."
    return (warning(Place(path), found, consequence, "The corrected profile keeps them."),)

"""Reader of a system's detections, checked against the ground truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import Reading
from jurydesk.core.model.defects import (
    Defect,
    Place,
    counted,
    error,
    has_errors,
    name_list,
    warning,
)
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.readers.box_format_check import Pairs, check_box_fit
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.region_reader import read_regions
from jurydesk.core.tasks.densecap.readers.regions import Regions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


def read_detections(
    path: Path, truth: GroundTruth, options: DenseCapOptions, run: Run
) -> Reading[Regions]:
    """Read a system's detections and check them against the ground truth."""
    reading = truth.detections.get(path) or read_regions(path, "detections", options, run)
    if reading.data is None:
        return reading
    found = reading.data
    pairs = matching_images(truth.regions, found)
    defects = [*reading.defects, *_unmatched_images(truth.regions, found, pairs, str(path))]
    if not has_errors(defects):
        defects += check_box_fit(truth.regions, truth.groups, found, pairs, str(path))
    data = None if has_errors(defects) else found
    return replace(reading, data=data, defects=tuple(defects))


def matching_images(truth: Regions, found: Regions) -> Pairs:
    """Return the images of the ground truth that the detections have, too, in its order."""
    places = found.places()
    return [(index, places[key]) for key, index in truth.places().items() if key in places]


def _unmatched_images(truth: Regions, found: Regions, pairs: Pairs, path: str) -> list[Defect]:
    place, defects = Place(path), []
    if found.images and not pairs:
        ids = f"{name_list(found.images)} here, {name_list(truth.images)} in the ground truth"
        return [error(place, f"No image is in both files: {ids}.", "Image ids must be the same.")]
    silent = set(range(len(truth.images))) - {index for index, _ in pairs}
    if silent:
        names = name_list([truth.images[index] for index in sorted(silent)])
        said = f"No entry for {counted(len(silent), 'image')} of the ground truth: {names}."
        defects.append(
            warning(place, said, "All of their objects count as missed.", count=len(silent))
        )
    strange = set(range(len(found.images))) - {index for _, index in pairs}
    if strange:
        names = name_list([found.images[index] for index in sorted(strange)])
        said = f"Not in the ground truth: {counted(len(strange), 'image')} ({names})."
        defects.append(warning(place, said, "They are left out.", count=len(strange)))
    return defects

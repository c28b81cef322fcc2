"""Reader of a system's detections, checked against the ground truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.metrics.detection.detection_rules import LUA, RULES, DetectionRules, Profile
from jurydesk.core.model.defects import Defect, Place, error, has_errors, warning
from jurydesk.core.readers.json_cursor import describe_value
from jurydesk.core.readers.json_file import JsonFile
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions, metric_profile
from jurydesk.core.tasks.densecap.readers.annotation_results import (
    has_annotation_results,
    read_annotation_results,
)
from jurydesk.core.tasks.densecap.readers.box_format_check import Pairs, check_box_fit
from jurydesk.core.tasks.densecap.readers.box_frames import in_common_frame, with_known_ids
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.region_reader import parse_regions, parse_regions_json
from jurydesk.core.tasks.densecap.readers.regions import Regions
from jurydesk.core.tasks.result_parts import system_stem

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


MISSED = "All of their objects count as missed."


def read_detections(
    path: Path, truth: GroundTruth, options: DenseCapOptions, run: Run
) -> Reading[Regions]:
    """Read a system's detections and check them against the ground truth."""
    reading = truth.detections.get(path) or _read_file(path, truth, options, run)
    if reading.data is None:
        return reading
    detections, renamed = with_known_ids(truth.regions, reading.data)
    if has_errors(renamed):
        return replace(reading, data=None, defects=(*reading.defects, *renamed))
    truth, detections, framed = in_common_frame(truth, detections, options)
    pairs, profile = matching_images(truth.regions, detections), metric_profile(options)
    defects = [
        *reading.defects,
        *renamed,
        *framed,
        *_unmatched_images(truth.regions, detections, pairs, str(path), profile),
    ]
    if not has_errors(defects):
        defects += check_box_fit(truth.regions, truth.groups, detections, pairs, str(path))
    data = None if has_errors(defects) else detections
    return replace(reading, data=data, defects=tuple(defects))


def _read_file(
    path: Path, truth: GroundTruth, options: DenseCapOptions, run: Run
) -> Reading[Regions]:
    """Read a file of detections, or the files of results by annotation id."""
    file, parts = parse_regions_json(path, run), truth.parts.get(path, ())
    if not has_annotation_results(file) and not (parts and file.is_readable):
        return parse_regions(file, "detections", options, run)
    files = [file, *(parse_regions_json(part, run) for part in parts)]
    unread = [one for one in files if not one.is_readable or not has_annotation_results(one)]
    if unread:
        return Reading(None, unread[0].defects or (_other_part(unread[0]),))
    found = read_annotation_results(files, truth.regions, metric_profile(options))
    return replace(found, name=system_stem(path) if parts else "")


def _other_part(file: JsonFile) -> Defect:
    return error(
        Place(str(file.path)),
        fill("The file holds {type} without captions by annotation id.", describe_value(file.data)),
        "Only results of that kind have further parts.",
    )


def matching_images(truth: Regions, detections: Regions) -> Pairs:
    """Return the images in both files, in the order of the ground truth."""
    indices = detections.image_indices()
    return [(index, indices[key]) for key, index in truth.image_indices().items() if key in indices]


def effect_of_missing(rules: DetectionRules, other: Literal["objects", "detections"]) -> str:
    """Return what happens to the other side of images without detections or without objects."""
    program = rules.program or RULES["published"].program
    if rules.leaves_out:
        if other == "objects":
            return fill("{program} leaves such images out: their objects do not count.", program)
        return fill("{program} leaves such images out: their detections do not count.", program)
    if rules.stops or not rules.program:
        if other == "objects":
            return fill(
                "{program} stops at such images; Jurydesk counts all of their objects as missed.",
                program,
            )
        return fill(
            "{program} stops at such images; Jurydesk counts all of their detections as false.",
            program,
        )
    return MISSED if other == "objects" else "All of their detections count as false."


def _unmatched_images(
    truth: Regions, detections: Regions, pairs: Pairs, path: str, profile: Profile
) -> list[Defect]:
    place, defects = Place(path), []
    if detections.images and not pairs:
        found = fill(
            "No image id is in the ground truth: {detected}; ground truth: {expected}.",
            name_list(detections.images),
            name_list(truth.images),
        )
        return [error(place, found, "Image ids of the ground truth are expected.")]
    missing = set(range(len(truth.images))) - {index for index, _ in pairs}
    if missing:
        names = name_list([truth.images[index] for index in sorted(missing)])
        found = fill(
            "No entry for {images} of the ground truth: {names}.",
            counted(len(missing), "image"),
            names,
        )
        effect = MISSED if profile in LUA else effect_of_missing(RULES[profile], "objects")
        defects.append(warning(place, found, effect, count=len(missing)))
    unknown = set(range(len(detections.images))) - {index for _, index in pairs}
    if unknown:
        names = name_list([detections.images[index] for index in sorted(unknown)])
        found = fill(
            "Not in the ground truth: {images} ({names}).", counted(len(unknown), "image"), names
        )
        defects.append(warning(place, found, "They are not scored.", count=len(unknown)))
    return defects

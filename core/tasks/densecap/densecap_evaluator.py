"""Evaluator of dense captioning: box matching, METEOR of the matches, average precision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    NO_GROUP,
    AveragePrecisions,
    DetectionRecords,
)
from jurydesk.core.model.defects import Defect, Place, counted, name_list, warning
from jurydesk.core.model.evaluation import Axis, Evaluation, Heatmap, IntArray, Score
from jurydesk.core.tasks.densecap.densecap_items import detection_items
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.detection_chunks import match_images
from jurydesk.core.tasks.densecap.readers.detection_reader import matching_images
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth, metric_profile
from jurydesk.core.tasks.densecap.readers.regions import Regions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

STOPS = "The published program stops at such an image."


def evaluate(truth: GroundTruth, found: Regions, options: DenseCapOptions, run: Run) -> Evaluation:
    """Return the 37 scores of a system, with an item per detection and per missed object."""
    profile = metric_profile(options)
    images = dict(matching_images(truth.regions, found))
    described = match_images(truth, found, images, profile, run)
    records = described.records
    aps = run.call(average_precision.average_precisions, records, profile)
    scores = (Score(name, value, len(records.image)) for name, value in aps.named().items())
    return Evaluation(
        task="densecap",
        system="",
        profile=profile,
        scores=tuple(scores),
        items=detection_items(truth, found, images, described, profile),
        figures=(heatmap(aps),),
        defects=tuple(_profile_differences(truth, found, images, records)),
    )


def _profile_differences(
    truth: GroundTruth, found: Regions, images: Mapping[int, int], records: DetectionRecords
) -> Iterator[Defect]:
    """Yield where the published and the corrected profile differ."""
    place, names = Place(found.path), truth.regions.images

    def named(numbers: Iterable[int]) -> str:
        chosen = dict.fromkeys(numbers)
        listed = name_list([names[number] for number in chosen])
        return f"{counted(len(chosen), 'image')} ({listed})"

    objects = np.array([len(groups.members) for groups in truth.groups])
    phantoms = _phantoms(records, objects)
    if len(phantoms):
        said = f"Claims without any overlap: {counted(len(phantoms), 'detection')}"
        consequence = (
            "When published, each takes the last object of its image; when corrected, none."
        )
        where = named(records.image[phantoms].tolist())
        yield warning(place, f"{said} in {where}.", consequence, count=len(phantoms))
    ties = _tied_records(records)
    if len(ties):
        said = f"Scores equal to another one's: {counted(len(ties), 'detection')}"
        consequence = (
            "Their order follows torch7's sort when published, their position when corrected."
        )
        where = named(records.image[ties].tolist())
        yield warning(place, f"{said} in {where}.", consequence, count=len(ties))
    detections = np.diff(found.starts)[list(images.values())]
    filled = dict(zip(images, (detections > 0).tolist(), strict=True))
    empty = [image for image, any_found in filled.items() if any_found and not objects[image]]
    if empty:
        consequence = f"{STOPS} Here all of their detections are wrong."
        yield warning(place, f"No ground truth: {named(empty)}.", consequence, count=len(empty))
    silent = [image for image, any_found in filled.items() if objects[image] and not any_found]
    if silent:
        consequence = f"{STOPS} Here all of their objects count as missed."
        yield warning(place, f"No detection: {named(silent)}.", consequence, count=len(silent))


def _phantoms(records: DetectionRecords, objects: IntArray) -> IntArray:
    """Return the records that overlap nothing and claim their image's last object.

    They do so when published; in the other profile's order these are the ones that would.
    """
    last = objects[records.image] - 1
    marking = (records.group == NO_GROUP) | (records.group == last)
    rows = np.flatnonzero(marking & (last >= 0))
    first = rows[np.unique(records.image[rows], return_index=True)[1]]
    found: IntArray = first[records.group[first] == NO_GROUP]
    return found


def _tied_records(records: DetectionRecords) -> IntArray:
    """Return the records with the score of another one."""
    _, which, counts = np.unique(records.log_probability, return_inverse=True, return_counts=True)
    return np.flatnonzero(counts[which] > 1)


def heatmap(aps: AveragePrecisions) -> Heatmap:
    """Return the 30 average precisions in percent, with those of detection alone at the left."""
    return Heatmap(
        name="average_precision",
        title="Average precision by threshold",
        x_axis=Axis(
            "METEOR",
            ticks=METEOR_THRESHOLDS,
            labels=tuple(f"> {_format_threshold(threshold, 2)}" for threshold in METEOR_THRESHOLDS),
        ),
        y_axis=Axis(
            "IoU",
            ticks=IOU_THRESHOLDS,
            labels=tuple(_format_threshold(threshold, 1) for threshold in IOU_THRESHOLDS),
        ),
        values=100 * aps.cells,
        lead=100 * aps.detection,
        lead_label="any",
    )


def _format_threshold(threshold: float, decimals: int) -> str:
    """Return a threshold without the nought before its point."""
    return f"{threshold:.{decimals}f}".removeprefix("0") if threshold else "0"

"""Evaluator of dense captioning: box matching, METEOR of the matches, average precision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    NO_GROUP,
    AveragePrecisions,
    DetectionRecords,
    cell_name,
)
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import (
    Axis,
    Evaluation,
    Figure,
    Heatmap,
    IntArray,
    Score,
)
from jurydesk.core.tasks.densecap.densecap_items import detection_items
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.detection_chunks import match_boxes, match_images
from jurydesk.core.tasks.densecap.readers.detection_reader import matching_images
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth, metric_profile
from jurydesk.core.tasks.densecap.readers.regions import Regions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

HEATMAP = "average_precision"
"""Name of the heat map."""


def evaluate(
    truth: GroundTruth, detections: Regions, options: DenseCapOptions, run: Run
) -> Evaluation:
    """Compute the 37 scores of a system, with an item per detection and per missed object."""
    profile = metric_profile(options)
    images = dict(matching_images(truth.regions, detections))
    matched = match_images(truth, detections, images, profile, run)
    records = matched.records
    aps = run.call(average_precision.average_precisions, records, profile)
    scores = (Score(name, value, len(records.image)) for name, value in aps.by_name().items())
    return Evaluation(
        task="densecap",
        system="",
        profile=profile,
        scores=tuple(scores),
        items=detection_items(truth, detections, images, matched, profile),
        figures=(heatmap(aps),),
        defects=tuple(_profile_differences(truth, detections, images, records)),
    )


def scoring_remarks(
    truth: GroundTruth, detections: Regions, options: DenseCapOptions, run: Run
) -> Iterator[Defect]:
    """Yield what scoring reports of a system, without METEOR."""
    images = dict(matching_images(truth.regions, detections))
    records = run.call(match_boxes, truth, detections, images, metric_profile(options), run)
    yield from _profile_differences(truth, detections, images, records)


def _profile_differences(
    truth: GroundTruth, detections: Regions, images: Mapping[int, int], records: DetectionRecords
) -> Iterator[Defect]:
    """Yield a warning for each cause of differences between the profiles or from DenseCap."""
    place, names = Place(detections.path), truth.regions.images

    def image_phrase(numbers: Iterable[int]) -> str:
        distinct = dict.fromkeys(numbers)
        listed = name_list([names[number] for number in distinct])
        return fill("{images} ({listed})", counted(len(distinct), "image"), listed)

    objects = np.array([len(groups.members) for groups in truth.groups])
    phantoms = _records_without_overlap(records, objects)
    if len(phantoms):
        effect = (
            "The published profile assigns them the last object of their image, the corrected "
            "profile none."
        )
        found = fill(
            "Claims without overlap: {detections} in {image_phrase}.",
            counted(len(phantoms), "detection"),
            image_phrase(records.image[phantoms].tolist()),
        )
        yield warning(place, found, effect, count=len(phantoms))
    ties = _tied_records(records)
    if len(ties):
        effect = (
            "The published profile orders them as torch7's sort does, the corrected profile by "
            "position."
        )
        found = fill(
            "Tied scores: {detections} in {image_phrase}.",
            counted(len(ties), "detection"),
            image_phrase(records.image[ties].tolist()),
        )
        yield warning(place, found, effect, count=len(ties))
    counts = np.diff(detections.starts)[list(images.values())]
    has_detections = dict(zip(images, (counts > 0).tolist(), strict=True))
    empty = [image for image, has_any in has_detections.items() if has_any and not objects[image]]
    if empty:
        effect = (
            "DenseCap's program stops at such images; Jurydesk counts all of their detections as "
            "false."
        )
        yield warning(
            place,
            fill("No ground truth: {image_phrase}.", image_phrase(empty)),
            effect,
            count=len(empty),
        )
    silent = [image for image, has_any in has_detections.items() if objects[image] and not has_any]
    if silent:
        effect = (
            "DenseCap's program stops at such images; Jurydesk counts all of their objects as "
            "missed."
        )
        yield warning(
            place,
            fill("No detections: {image_phrase}.", image_phrase(silent)),
            effect,
            count=len(silent),
        )


def _records_without_overlap(records: DetectionRecords, objects: IntArray) -> IntArray:
    """Return the records without overlap; if published, each claims its image's last object."""
    last = objects[records.image] - 1
    claiming = (records.group == NO_GROUP) | (records.group == last)
    rows = np.flatnonzero(claiming & (last >= 0))
    first = rows[np.unique(records.image[rows], return_index=True)[1]]
    phantoms: IntArray = first[records.group[first] == NO_GROUP]
    return phantoms


def _tied_records(records: DetectionRecords) -> IntArray:
    _, values, counts = np.unique(records.log_probability, return_inverse=True, return_counts=True)
    return np.flatnonzero(counts[values] > 1)


def heatmap(aps: AveragePrecisions) -> Heatmap:
    """Return the 30 average precisions in percent, led by those of detection alone.

    Desks and results hold percent; `score_figures` is the form to show.
    """
    return Heatmap(
        name=HEATMAP,
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


def score_figures(evaluation: Evaluation) -> tuple[Figure, ...]:
    """Return the figures with average precisions from 0 to 1, as the scores have them."""
    return tuple(
        _score_heatmap(figure, evaluation)
        if isinstance(figure, Heatmap) and figure.name == HEATMAP
        else figure
        for figure in evaluation.figures
    )


def _score_heatmap(heatmap: Heatmap, evaluation: Evaluation) -> Heatmap:
    """Return the heat map on the scale of the scores, which each cell equals."""
    scores = {score.metric: score.value for score in evaluation.scores}

    values, lead = heatmap.values / 100, heatmap.lead
    lead = None if lead is None else lead / 100
    rows, columns = values.shape
    for row, iou in enumerate(heatmap.y_axis.ticks[:rows]):
        if lead is not None:
            lead[row] = scores.get(cell_name(iou), lead[row])
        for column, meteor in enumerate(heatmap.x_axis.ticks[:columns]):
            values[row, column] = scores.get(cell_name(iou, meteor), values[row, column])
    return replace(heatmap, values=values, lead=lead, decimals=3)


def _format_threshold(threshold: float, decimals: int) -> str:
    """Format a threshold without its leading zero."""
    return f"{threshold:.{decimals}f}".removeprefix("0") if threshold else "0"

"""Evaluator of dense captioning: box matching, METEOR of the matches, average precision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    NO_OBJECTS,
    AveragePrecisions,
    cell_name,
)
from jurydesk.core.metrics.detection.detection_rules import RULES, DetectionRules
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Axis, Evaluation, Figure, Heatmap, Score
from jurydesk.core.tasks.densecap.caption_texts import prepare_captions
from jurydesk.core.tasks.densecap.densecap_items import detection_items
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions, metric_profile
from jurydesk.core.tasks.densecap.detection_chunks import match_boxes, match_images
from jurydesk.core.tasks.densecap.profile_remarks import profile_remarks
from jurydesk.core.tasks.densecap.readers.box_frames import truth_in_frame
from jurydesk.core.tasks.densecap.readers.detection_reader import matching_images
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
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
    truth = truth_in_frame(truth, detections, options)
    counted, images = counted_images(truth, detections, RULES[profile])
    shown, texts = prepare_captions(counted, detections, images, RULES[profile].text, run)
    matched = match_images(shown, texts, images, profile, run)
    records = matched.records
    aps = run.call(average_precision.average_precisions, records, profile)
    named = aps.by_name(with_detection=profile != "jivc")
    scores = (Score(name, value, len(records.image)) for name, value in named.items())
    return Evaluation(
        task="densecap",
        system="",
        profile=profile,
        scores=tuple(scores),
        items=detection_items(shown, texts, images, matched, profile),
        figures=(heatmap(aps, with_detection=profile != "jivc"),),
        defects=tuple(profile_remarks(truth, detections, records, profile)),
    )


def scoring_remarks(
    truth: GroundTruth, detections: Regions, options: DenseCapOptions, run: Run
) -> Iterator[Defect]:
    """Yield what scoring reports of a system, without METEOR."""
    profile = metric_profile(options)
    truth = truth_in_frame(truth, detections, options)
    counted, images = counted_images(truth, detections, RULES[profile])
    records = run.call(match_boxes, counted, detections, images, profile, run)
    yield from profile_remarks(truth, detections, records, profile)


def counted_images(
    truth: GroundTruth, detections: Regions, rules: DetectionRules
) -> tuple[GroundTruth, dict[int, int]]:
    """Return the objects that count, and the images: index in `detections` by index in `truth`."""
    images = dict(matching_images(truth.regions, detections))
    if not rules.leaves_out:
        return truth, images
    lengths = np.diff(detections.starts)
    kept = {
        index: own
        for index, own in images.items()
        if lengths[own] and len(truth.groups[index].members)
    }
    groups = (one if index in kept else NO_OBJECTS for index, one in enumerate(truth.groups))
    return replace(truth, groups=tuple(groups)), kept


def heatmap(aps: AveragePrecisions, *, with_detection: bool = True) -> Heatmap:
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
        lead=100 * aps.detection if with_detection else None,
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

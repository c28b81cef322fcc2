"""Metric declarations of dense captioning (37 metrics)."""

from __future__ import annotations

from itertools import product

from jurydesk.core.competition.task import Statistic
from jurydesk.core.language import fill, translatable
from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    cell_name,
)
from jurydesk.core.model.evaluation import MetricInfo

SOURCE = "Johnson, Karpathy and Fei-Fei, DenseCap, CVPR 2016; eval_utils.lua"


def _metric(name: str, title: str, summary: str, *, headline: bool = False) -> MetricInfo:
    return MetricInfo(
        *(name, title, summary, (0.0, 1.0), "higher", SOURCE),
        aggregate="own",
        headline=headline,
        fewest_groups=10,
    )


def _cell(iou: float, meteor: float) -> MetricInfo:
    title = fill("AP at IoU {iou:g}, METEOR {meteor:g}", iou, meteor)
    summary = fill(
        "Average precision at an IoU of at least {iou:g} and a METEOR above {meteor:g}.",
        iou,
        meteor,
    )
    return _metric(cell_name(iou, meteor), title, summary)


def _detection(iou: float) -> MetricInfo:
    summary = fill(
        "Average precision at an IoU of at least {iou:g}, without regard to captions.", iou
    )
    return _metric(cell_name(iou), fill("AP at IoU {iou:g}", iou), summary)


METRICS = (
    _metric(
        "map",
        "mAP",
        "Mean of 30 average precisions over five IoU and six METEOR thresholds.",
        headline=True,
    ),
    _metric(
        "detmap",
        "Detection mAP",
        "Mean of the five average precisions of boxes alone.",
        headline=True,
    ),
    *(_cell(*cell) for cell in product(IOU_THRESHOLDS, METEOR_THRESHOLDS)),
    *(_detection(iou) for iou in IOU_THRESHOLDS),
)


STATISTICS: dict[str, Statistic] = {
    "image": Statistic("Image", "Number of the image in the ground truth, from 0."),
    "detection": Statistic("Detection", "Number of the detection in its image, from 0; else -1."),
    "object": Statistic("Object", "Number of the matched object, from 0; -1 for none."),
    "overlap": Statistic("IoU", "Intersection over union with the matched object."),
    "claims": Statistic("Claims object", "1 for the detection that counts for its object."),
    "meteor": Statistic("METEOR", "METEOR of the caption against those of the matched object."),
    "score": Statistic("Confidence", "The system's score of the detection."),
    "rank": Statistic(
        translatable("Rank", "of a hit"), "Rank among all detections by confidence, from 1."
    ),
}

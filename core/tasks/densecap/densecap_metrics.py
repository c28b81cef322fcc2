"""Metric declarations of dense captioning (37 metrics)."""

from __future__ import annotations

from itertools import product

from jurydesk.core.competition.task import Statistic
from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    cell_name,
)
from jurydesk.core.model.evaluation import MetricInfo

SOURCE = "Johnson, Karpathy and Fei-Fei, DenseCap, CVPR 2016; eval_utils.lua"


def _metric(name: str, title: str, summary: str, *, headline: bool = False) -> MetricInfo:
    return MetricInfo(
        name, title, summary, (0.0, 1.0), "higher", SOURCE, aggregate="own", headline=headline
    )


def _cell(overlap: float, meteor: float) -> MetricInfo:
    title = f"AP at IoU {overlap:g}, METEOR {meteor:g}"
    summary = (
        f"Average precision where a detection must overlap its object by {overlap:g} or more "
        f"and describe it with METEOR above {meteor:g}."
    )
    return _metric(cell_name(overlap, meteor), title, summary)


def _detection(overlap: float) -> MetricInfo:
    summary = f"Average precision at an overlap of {overlap:g} or more, whatever the caption says."
    return _metric(cell_name(overlap), f"AP at IoU {overlap:g}", summary)


METRICS = (
    _metric(
        "map",
        "mAP",
        "Mean of 30 average precisions over five overlap and six METEOR thresholds.",
        headline=True,
    ),
    _metric(
        "detmap",
        "Detection mAP",
        "Mean of the five average precisions that look at boxes alone.",
        headline=True,
    ),
    *(_cell(*cell) for cell in product(IOU_THRESHOLDS, METEOR_THRESHOLDS)),
    *(_detection(overlap) for overlap in IOU_THRESHOLDS),
)


STATISTICS: dict[str, Statistic] = {
    "image": Statistic("Image", "Which image of the ground truth it is, counted from 0."),
    "detection": Statistic("Detection", "Which detection of its image, from 0; -1 if missed."),
    "object": Statistic("Object", "Which merged object it lies on, from 0; -1 for none."),
    "overlap": Statistic("Overlap (IoU)", "How far the box and the object's cover one another."),
    "claims": Statistic("Claims it", "1 where it is the one detection that counts for its object."),
    "meteor": Statistic("METEOR", "How near its caption is to those of its object."),
    "score": Statistic("Confidence", "The score that the system gave it."),
    "rank": Statistic("Rank", "Its place among all detections by that score, from 1."),
}

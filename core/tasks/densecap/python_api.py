"""Python API of dense captioning: an evaluator that takes arrays image by image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import (
    AveragePrecisions,
    Float32Array,
)
from jurydesk.core.metrics.detection.detection_rules import RULES, Profile
from jurydesk.core.tasks.densecap.detection_chunks import match_images
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


class DenseCapScores(TypedDict):
    """Both mean average precisions and their parts, by DenseCap's names."""

    map: float
    ap: dict[str, float]
    detmap: float
    det: dict[str, float]


CaptionedBoxes = tuple[Float32Array, Sequence[str]]


@dataclass(slots=True, eq=False)
class DenseCaptioningEvaluator:
    """Replacement for DenseCap's evaluator of the same name, fed image by image.

    Boxes are (xc, yc, w, h) in 1-based pixels. Unlike DenseCap's, it accepts images without
    detections or without ground truth.
    """

    profile: Profile = "published"
    _detections: list[CaptionedBoxes] = field(default_factory=list)
    _scores: list[Float32Array] = field(default_factory=list)
    _truth: list[CaptionedBoxes] = field(default_factory=list)

    def add_result(
        self,
        log_probabilities: npt.ArrayLike,
        boxes: npt.ArrayLike,
        captions: Sequence[str],
        target_boxes: npt.ArrayLike,
        target_captions: Sequence[str],
    ) -> None:
        """Add an image with n detections and m ground-truth boxes.

        Args:
            log_probabilities: Scores (n,) or (n, k), of which the first column counts.
            boxes: Boxes (n, 4) of the detections.
            captions: Captions (n,) of the detections.
            target_boxes: Boxes (m, 4) of the ground truth.
            target_captions: Captions (m,) of the ground truth.

        Raises:
            ValueError: Lengths differ, a value is not finite, or a size is negative.
        """
        detected, truth = _boxes(boxes, captions), _boxes(target_boxes, target_captions)
        scores = np.array(log_probabilities, np.float32, ndmin=1)
        if len(scores) != len(detected):
            raise ValueError(f"{len(scores)} log-probabilities, but {len(detected)} boxes")
        scores = scores.reshape(len(scores), -1)[:, 0] if len(scores) else np.empty(0, np.float32)
        if not np.isfinite(scores).all():
            raise ValueError("a log-probability is not finite")
        self._detections.append((detected, tuple(captions)))
        self._scores.append(scores)
        self._truth.append((truth, tuple(target_captions)))

    def evaluate(self, run: Run | None = None) -> DenseCapScores:
        """Return the scores of the images added so far.

        Raises:
            ResourceMissing: METEOR's language data are not installed.
        """
        aps = self._average_precisions(run)
        named = aps.by_name()
        cells = {name: value for name, value in named.items() if "_score" in name}
        names = map(average_precision.cell_name, average_precision.IOU_THRESHOLDS)
        boxes = {name: named[name] for name in names}
        return {"map": aps.map, "ap": cells, "detmap": aps.detection_map, "det": boxes}

    def _average_precisions(self, run: Run | None) -> AveragePrecisions:
        from jurydesk.core.execution.run import Run

        truth = _regions(self._truth, [])
        boxes = truth.corners(RULES[self.profile], is_truth=True)
        groups = [
            average_precision.merge_ground_truth(boxes[truth.rows(image)], self.profile)
            for image in range(len(truth.images))
        ]
        matched = match_images(
            GroundTruth(truth, tuple(groups), ""),
            _regions(self._detections, self._scores),
            {image: image for image in range(len(groups))},
            self.profile,
            run or Run(),
        )
        return average_precision.average_precisions(matched.records, self.profile)


def _boxes(boxes: npt.ArrayLike, captions: Sequence[str]) -> Float32Array:
    table = np.array(boxes, np.float32).reshape(-1, 4)  # a copy: callers may reuse their arrays
    if len(table) != len(captions):
        raise ValueError(f"{len(table)} boxes, but {len(captions)} captions")
    if not np.isfinite(table).all() or (table[:, 2:] < 0).any():
        raise ValueError("a box is not finite, or its size is negative")
    return table


def _regions(images: Sequence[CaptionedBoxes], scores: Sequence[Float32Array]) -> Regions:
    boxes = np.concatenate([np.empty((0, 4), np.float32), *(boxes for boxes, _ in images)])
    return Regions(
        images=tuple(map(str, range(len(images)))),
        starts=np.cumsum([0, *(len(boxes) for boxes, _ in images)]),
        boxes=boxes,
        captions=tuple(caption for _, captions in images for caption in captions),
        scores=np.concatenate([np.empty(0), *scores]),
        source_boxes=boxes.astype(np.float64),
        box_format="xcycwh",
    )

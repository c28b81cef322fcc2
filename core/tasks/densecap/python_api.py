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
    Profile,
)
from jurydesk.core.tasks.densecap.detection_chunks import match_images
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


class DenseCapScores(TypedDict):
    """The two means, and the average precisions behind each, by their published names."""

    map: float
    ap: dict[str, float]
    detmap: float
    det: dict[str, float]


CaptionedBoxes = tuple[Float32Array, Sequence[str]]


@dataclass(slots=True, eq=False)
class DenseCaptioningEvaluator:
    """Collects the results of images one by one, as the original's class of that name does.

    Boxes are (xc, yc, w, h), in pixels that count from 1. Unlike the original, it takes images
    without any detection or without any ground truth.
    """

    profile: Profile = "published"
    _found: list[CaptionedBoxes] = field(default_factory=list)
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
        """Add an image: n detections and m boxes of its ground truth.

        `log_probabilities` is (n,) or (n, k), of which the first column counts; `boxes` is (n, 4)
        with n captions, `target_boxes` (m, 4) with m. Raises ValueError where these do not go
        together, a value is not finite, or a size is negative.
        """
        found, truth = _boxes(boxes, captions), _boxes(target_boxes, target_captions)
        scores = np.array(log_probabilities, np.float32, ndmin=1)
        if len(scores) != len(found):
            raise ValueError(f"{len(scores)} log-probabilities, but {len(found)} boxes")
        scores = scores.reshape(len(found), -1)[:, 0] if len(found) else np.empty(0, np.float32)
        if not np.isfinite(scores).all():
            raise ValueError("a log-probability is not finite")
        self._found.append((found, tuple(captions)))
        self._scores.append(scores)
        self._truth.append((truth, tuple(target_captions)))

    def evaluate(self, run: Run | None = None) -> DenseCapScores:
        """Return all numbers of the images so far.

        Raises ResourceMissing where METEOR's language data are not installed.
        """
        aps = self._average_precisions(run)
        named = aps.named()
        cells = {name: value for name, value in named.items() if "_score" in name}
        boxes = {
            name: named[name]
            for name in map(average_precision.cell_name, average_precision.IOU_THRESHOLDS)
        }
        return {"map": aps.map, "ap": cells, "detmap": aps.detection_map, "det": boxes}

    def _average_precisions(self, run: Run | None) -> AveragePrecisions:
        from jurydesk.core.execution.run import Run

        truth = _regions(self._truth, [])
        groups = [
            average_precision.merge_ground_truth(boxes, self.profile) for boxes, _ in self._truth
        ]
        described = match_images(
            GroundTruth(truth, tuple(groups), ""),
            _regions(self._found, self._scores),
            {image: image for image in range(len(groups))},
            self.profile,
            run or Run(),
        )
        return average_precision.average_precisions(described.records, self.profile)


def _boxes(boxes: npt.ArrayLike, captions: Sequence[str]) -> Float32Array:
    table = np.array(boxes, np.float32).reshape(-1, 4)  # a copy: callers use their arrays again
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
        scores=np.concatenate([np.empty(0, np.float32), *scores]),
        written=boxes.astype(np.float64),
        box_format="xcycwh",
    )

"""Captioned boxes of many images, common to ground truth and detections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from jurydesk.core.metrics.detection.average_precision import Float32Array
from jurydesk.core.metrics.detection.average_precision import corners as centered_corners
from jurydesk.core.metrics.detection.detection_rules import AnyFloatArray, DetectionRules, round_to
from jurydesk.core.model.evaluation import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Captioned regions of a file, grouped by image.

    Attributes:
        images: Ids of the images.
        starts: Image i owns the rows `starts[i]:starts[i + 1]`.
        boxes: Boxes (n, 4) as (xc, yc, w, h) in float32.
        captions: Captions (n,).
        scores: Scores (n,), log-probabilities in DenseCap's files; empty for ground truth.
        source_boxes: Boxes (n, 4) of the file, in `box_format`.
        box_format: Format of the file's boxes.
        sizes: Known (width, height) by image, in pixels.
        path: Path of the file.
        frame: "720" if the boxes refer to images of 720 pixels on the longer side; else empty.
        programs: Profiles whose programs score files of this shape; empty for all.
        ids: Ids of the regions (n,), if the file has them.
    """

    images: tuple[str, ...]
    starts: IntArray
    boxes: Float32Array
    captions: tuple[str, ...]
    scores: FloatArray
    source_boxes: FloatArray
    box_format: str
    sizes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    path: str = ""
    frame: str = ""
    programs: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    def rows(self, image: int) -> slice:
        """Return the rows of one image."""
        return slice(int(self.starts[image]), int(self.starts[image + 1]))

    def corners(self, rules: DetectionRules, *, is_truth: bool) -> AnyFloatArray:
        """Return the corners x1, y1, x2, y2 (n, 4) that a program computes from the boxes."""
        if rules.has_inclusive_pixels:
            return centered_corners(self.boxes)
        sides = round_to(self.source_boxes, rules.truth_sides) if is_truth else self.source_boxes
        precision = rules.truth_corners if is_truth else rules.detection_corners
        return round_to(TO_CORNERS[self.box_format](sides), precision)

    def in_image_order(self, order: Sequence[int]) -> Regions:
        """Return the regions with the images in another order."""
        slices = [self.rows(image) for image in order]
        rows = np.concatenate([np.empty(0, np.int64), *map(_row_numbers, slices)])
        return replace(
            self,
            images=tuple(self.images[image] for image in order),
            starts=np.cumsum([0, *(s.stop - s.start for s in slices)]),
            boxes=self.boxes[rows],
            captions=tuple(self.captions[row] for row in rows.tolist()),
            scores=self.scores[rows] if len(self.scores) else self.scores,
            source_boxes=self.source_boxes[rows],
            ids=tuple(self.ids[row] for row in rows.tolist()) if self.ids else (),
        )

    def image_indices(self) -> dict[tuple[str, int], int]:
        """Return the index of every image by its id and the number of earlier occurrences."""
        if len(set(self.images)) == len(self.images):
            return {(image, 0): index for index, image in enumerate(self.images)}
        seen: Counter[str] = Counter()
        indices = {}
        for index, image in enumerate(self.images):
            indices[image, seen[image]] = index
            seen[image] += 1
        return indices


def _row_numbers(rows: slice) -> IntArray:
    return np.arange(rows.start, rows.stop)


def _from_center(boxes: FloatArray) -> FloatArray:
    return boxes


def _from_corner(boxes: FloatArray) -> FloatArray:
    return np.column_stack([boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:]])


def _from_two_corners(boxes: FloatArray) -> FloatArray:
    low, high = boxes[:, :2], boxes[:, 2:]
    return np.column_stack([(low + high) / 2, high - low])


TO_CENTERED: dict[str, Callable[[FloatArray], FloatArray]] = {
    "xcycwh": _from_center,
    "xywh": _from_corner,
    "xyxy": _from_two_corners,
}
"""DenseCap's conversion of each box format to (xc, yc, w, h)."""


TO_CORNERS: dict[str, Callable[[Any], Any]] = {
    "xywh": lambda box: np.column_stack([box[:, :2], box[:, :2] + box[:, 2:]]),
    "xyxy": lambda box: box,
    "xcycwh": lambda box: np.column_stack(
        [box[:, :2] - box[:, 2:] / 2, box[:, :2] + box[:, 2:] / 2]
    ),
}
"""Conversion of each box format to x1, y1, x2, y2, without DenseCap's inclusive pixels."""


def to_centered_boxes(boxes: FloatArray, box_format: str) -> Float32Array:
    """Convert boxes (n, 4) of any format to (xc, yc, w, h), rounded to float32."""
    return TO_CENTERED[box_format](boxes).astype(np.float32)

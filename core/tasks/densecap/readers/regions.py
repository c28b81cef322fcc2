"""Captioned boxes of many images, common to ground truth and detections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from jurydesk.core.metrics.detection.average_precision import Float32Array
from jurydesk.core.model.evaluation import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Captioned regions of a file, grouped by image.

    Attributes:
        images: Ids of the images.
        starts: Image i owns the rows `starts[i]:starts[i + 1]`.
        boxes: Boxes (n, 4) as (xc, yc, w, h) in float32.
        captions: Captions (n,).
        scores: Log-probabilities (n,); empty for ground truth.
        source_boxes: Boxes (n, 4) of the file, in `box_format`.
        box_format: Format of the file's boxes.
        sizes: Known (width, height) by image, in pixels.
        path: Path of the file.
    """

    images: tuple[str, ...]
    starts: IntArray
    boxes: Float32Array
    captions: tuple[str, ...]
    scores: Float32Array
    source_boxes: FloatArray
    box_format: str
    sizes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    path: str = ""

    def rows(self, image: int) -> slice:
        """Return the rows of one image."""
        return slice(int(self.starts[image]), int(self.starts[image + 1]))

    def image_indices(self) -> dict[tuple[str, int], int]:
        """Return the index of every image by its id and the number of earlier occurrences."""
        seen: Counter[str] = Counter()
        indices = {}
        for index, image in enumerate(self.images):
            indices[image, seen[image]] = index
            seen[image] += 1
        return indices


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


def to_centered_boxes(boxes: FloatArray, box_format: str) -> Float32Array:
    """Convert boxes (n, 4) of any format to (xc, yc, w, h), rounded to float32."""
    return TO_CENTERED[box_format](boxes).astype(np.float32)

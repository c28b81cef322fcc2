"""Captioned boxes of many images, common to ground truth and detections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from jurydesk.core.metrics.detection.average_precision import Float32Array
from jurydesk.core.model.evaluation import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """The regions of all images of a file, image by image.

    Image `i` owns the rows `starts[i]:starts[i + 1]` of `boxes` (n, 4), `captions` and `scores`
    (n,), the log-probabilities (empty for ground truth). Boxes are (xc, yc, w, h) in float32.
    `written` holds the boxes as the file has them, in `box_format`. `sizes` are the width and
    height of the images that the file at `path` tells.
    """

    images: tuple[str, ...]
    starts: IntArray
    boxes: Float32Array
    captions: tuple[str, ...]
    scores: Float32Array
    written: FloatArray
    box_format: str
    sizes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    path: str = ""

    def rows(self, image: int) -> slice:
        """Return the rows of one image."""
        return slice(int(self.starts[image]), int(self.starts[image + 1]))

    def places(self) -> dict[tuple[str, int], int]:
        """Return where every image stands, by its id and how often that id came before."""
        seen: dict[str, int] = {}
        found = {}
        for index, image in enumerate(self.images):
            found[image, seen.setdefault(image, 0)] = index
            seen[image] += 1
        return found


def _centered(boxes: FloatArray) -> FloatArray:
    return boxes


def _from_corner(boxes: FloatArray) -> FloatArray:
    return np.column_stack([boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:]])


def _from_two_corners(boxes: FloatArray) -> FloatArray:
    low, high = boxes[:, :2], boxes[:, 2:]
    return np.column_stack([(low + high) / 2, high - low])


TO_CENTERED: dict[str, Callable[[FloatArray], FloatArray]] = {
    "xcycwh": _centered,
    "xywh": _from_corner,
    "xyxy": _from_two_corners,
}
"""How DenseCap itself turns each way of writing boxes into (xc, yc, w, h)."""


def to_centered_boxes(boxes: FloatArray, box_format: str) -> Float32Array:
    """Convert boxes (n, 4) of any format to (xc, yc, w, h), rounded to float32."""
    return TO_CENTERED[box_format](boxes).astype(np.float32)

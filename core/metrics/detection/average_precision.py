"""Dense-captioning mean average precision over IoU and METEOR thresholds.

Matching the detections of an image yields one record per detection; all scores, curves and what-ifs
are functions of the records. Boxes are (xc, yc, w, h); boxes and log-probabilities are float32, as
in the model's output. Source: Johnson, Karpathy, Fei-Fei, DenseCap (CVPR 2016), eval_utils.lua.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.detection.torch_sort import torch_descending
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

Profile = Literal["published", "corrected"]
Float32Array = npt.NDArray[np.float32]

IOU_THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)  # inclusive
METEOR_THRESHOLDS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25)  # exclusive: METEOR 0 never suffices
MERGE_IOU = 0.7  # ground-truth boxes with at least this IoU are one object
RECALL_LEVELS = 100
NO_GROUP = -1
BLOCK_IOUS = 1 << 20  # IoUs computed at once, with about 50 MB


@dataclass(frozen=True, slots=True, eq=False)
class MergedObjects:
    """Merged ground truth of one image: corners (g, 4), and the boxes of each group."""

    corners: FloatArray
    members: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class DetectionRecords:
    """Records of all detections, (n,) each, by image and in matching order within an image.

    `group` is the image's merged box with the largest IoU (`NO_GROUP` for none), `overlap` that
    IoU, and `claims` whether this detection is the first to match it. `meteor` is NaN where it was
    not computed. `objects` is the number of merged boxes of all images.
    """

    image: IntArray
    detection: IntArray
    group: IntArray
    overlap: FloatArray
    claims: BoolArray
    log_probability: FloatArray
    meteor: FloatArray
    objects: int

    def deciding(self) -> BoolArray:
        """Return the mask (n,) of records whose METEOR can affect a score."""
        return self.claims & (self.overlap >= IOU_THRESHOLDS[0])


def corners(boxes: Float32Array) -> Float32Array:
    """Return the corners x1, y1, x2, y2 (n, 4) of boxes (n, 4), with width x2 - x1 + 1."""
    center, size = boxes[:, :2], boxes[:, 2:]
    half = (size - np.float32(1)) / np.float32(2)
    return np.concatenate([center - half, center + half], axis=1)


def iou_matrix(one: FloatArray, other: FloatArray) -> FloatArray:
    """Compute IoUs (n, m) of corners (n, 4) and (m, 4), with inclusive pixels."""
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    sides = high - low + 1
    meeting = (sides > 0).all(axis=2)
    shared = sides[..., 0] * sides[..., 1]
    union = (_areas(one)[:, None] + _areas(other)[None, :]) - shared
    ious: FloatArray = np.divide(shared, union, out=np.zeros_like(shared), where=meeting)
    return ious


def _blocks(rows: int, columns: int) -> list[slice]:
    step = max(BLOCK_IOUS // max(columns, 1), 1)
    return [slice(start, start + step) for start in range(0, rows, step)]


def best_ious(one: FloatArray, other: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the index (n,) of the first best of `other` (m, 4), m > 0, and the IoU (n,)."""
    best, most = np.zeros(len(one), np.int64), np.zeros(len(one))
    for part in _blocks(len(one), len(other)):
        table = iou_matrix(one[part], other)
        best[part] = table.argmax(axis=1)
        most[part] = table.max(axis=1)
    return best, most


def _areas(box_corners: FloatArray) -> FloatArray:
    sides = box_corners[:, 2:] - box_corners[:, :2] + 1
    return np.asarray(sides[:, 0] * sides[:, 1])


def merge_ground_truth(boxes: Float32Array, profile: Profile = "published") -> MergedObjects:
    """Merge the ground-truth boxes (n, 4) of one image that mark the same object.

    Greedily, the box with the most near neighbours is merged with all of them. The published
    program counts neighbours in one byte: 256 count as none, and the remaining boxes are lost.
    """
    box_corners = corners(boxes)
    wide = box_corners.astype(np.float64)
    near = np.empty((len(wide), len(wide)), np.bool_)
    for part in _blocks(len(wide), len(wide)):
        near[part] = iou_matrix(wide[part], wide) >= MERGE_IOU
    np.fill_diagonal(near, True)
    left, counts = np.ones(len(boxes), dtype=bool), near.sum(axis=1)
    members: list[IntArray] = []
    while counts.max(initial=0) > 1:
        stored = counts % 256 if profile == "published" else counts
        chosen = int(stored.argmax())
        if stored[chosen] == 0:
            return _groups(box_corners, members)
        group = np.flatnonzero(near[chosen] & left)
        members.append(group)
        left[group] = False
        counts = (counts - near[:, group].sum(axis=1)) * left
    return _groups(box_corners, [*members, *np.flatnonzero(left)[:, None]])


def _groups(box_corners: Float32Array, members: Sequence[IntArray]) -> MergedObjects:
    means = [_float32_mean(box_corners[group]) for group in members]
    return MergedObjects(
        np.array(means, dtype=np.float64).reshape(-1, 4),
        tuple(tuple(group.tolist()) for group in members),
    )


def _float32_mean(rows: Float32Array) -> Float32Array:
    """Return the mean of rows (n, 4), summed sequentially in float32."""
    return np.asarray(np.add.accumulate(rows, axis=0)[-1] / np.float32(len(rows)))


@dataclass(frozen=True, slots=True, eq=False)
class ImageRecords:
    """Records of one image, (d,) each, in matching order."""

    detection: IntArray
    group: IntArray
    overlap: FloatArray
    claims: BoolArray
    log_probability: FloatArray
    objects: int


_NO_RECORDS = ImageRecords(
    detection=np.empty(0, np.int64),
    group=np.empty(0, np.int64),
    overlap=np.empty(0),
    claims=np.empty(0, np.bool_),
    log_probability=np.empty(0),
    objects=0,
)


def match_detections(
    boxes: Float32Array,
    log_probabilities: Float32Array,
    groups: MergedObjects,
    profile: Profile = "published",
) -> ImageRecords:
    """Match the detections of an image, boxes (d, 4), with the merged ground truth.

    Each group is claimed by the first detection whose best group it is, for any IoU. In the
    published program, a detection without overlap claims the last group of the image.
    """
    scores = log_probabilities.astype(np.float64)
    order = descending_order(scores, profile)
    count, objects = len(boxes), len(groups.members)
    if count == 0 or objects == 0:
        best, overlap = np.full(count, NO_GROUP), np.zeros(count)
    else:
        best, overlap = best_ious(corners(boxes[order]).astype(np.float64), groups.corners)
        best[overlap == 0] = NO_GROUP
    claimed = best.copy()
    if profile == "published" and objects:
        claimed[best == NO_GROUP] = objects - 1
    first = np.zeros(count, dtype=bool)
    first[np.unique(claimed, return_index=True)[1]] = True
    return ImageRecords(order, best, overlap, first & (claimed != NO_GROUP), scores[order], objects)


def descending_order(values: FloatArray, profile: Profile) -> IntArray:
    """Return the descending order; ties are as in torch7 (`published`) or stable (`corrected`)."""
    if profile == "published":
        return torch_descending(values)
    return np.argsort(-values, kind="stable")


def concatenate_records(images: Sequence[ImageRecords]) -> DetectionRecords:
    """Return the records of all images, in order, without METEOR."""
    lengths = [len(image.detection) for image in images]
    parts = [_NO_RECORDS, *images]
    return DetectionRecords(
        image=np.repeat(np.arange(len(images)), lengths),
        detection=np.concatenate([part.detection for part in parts]),
        group=np.concatenate([part.group for part in parts]),
        overlap=np.concatenate([part.overlap for part in parts]),
        claims=np.concatenate([part.claims for part in parts]),
        log_probability=np.concatenate([part.log_probability for part in parts]),
        meteor=np.full(sum(lengths), np.nan),
        objects=sum(part.objects for part in parts),
    )


@dataclass(frozen=True, slots=True, eq=False)
class AveragePrecisions:
    """Average precisions (5, 6) by IoU and METEOR threshold, and of detection alone (5,)."""

    cells: FloatArray
    detection: FloatArray

    @property
    def map(self) -> float:
        """Mean of the 30 cells, summed row by row."""
        return float(np.add.accumulate(self.cells.ravel())[-1] / self.cells.size)

    @property
    def detection_map(self) -> float:
        """Mean of the five average precisions that ignore captions."""
        return float(np.add.accumulate(self.detection)[-1] / self.detection.size)

    def by_name(self) -> dict[str, float]:
        """Return all values by their published names (`map`, `ov0.3_score0.05`, `ov0.3`)."""
        cells = dict(zip(product(IOU_THRESHOLDS, METEOR_THRESHOLDS), self.cells.flat, strict=True))
        named = {"map": self.map, "detmap": self.detection_map}
        named |= {cell_name(iou, meteor): float(ap) for (iou, meteor), ap in cells.items()}
        detection = zip(IOU_THRESHOLDS, self.detection, strict=True)
        return named | {cell_name(iou): float(ap) for iou, ap in detection}


def cell_name(overlap: float, meteor: float | None = None) -> str:
    """Return the published name of a cell; without `meteor`, of detection alone."""
    return f"ov{overlap:g}" if meteor is None else f"ov{overlap:g}_score{meteor:g}"


def true_positives(
    records: DetectionRecords, overlap: float, meteor: float | None = None
) -> BoolArray:
    """Return the mask (n,) of true positives; without `meteor`, by IoU alone."""
    hits = records.claims & (records.overlap >= overlap)
    return hits if meteor is None else hits & (records.meteor > meteor)


def average_precisions(
    records: DetectionRecords, profile: Profile = "published"
) -> AveragePrecisions:
    """Compute all 30 + 5 average precisions; needs the METEOR of `records.deciding()`."""
    order = descending_order(records.log_probability, profile)
    levels = recall_levels(profile)

    def ap(overlap: float, meteor: float | None = None) -> float:
        hits = np.flatnonzero(true_positives(records, overlap, meteor)[order])
        return interpolated_average_precision(hits, records.objects, levels)

    cells = [[ap(overlap, meteor) for meteor in METEOR_THRESHOLDS] for overlap in IOU_THRESHOLDS]
    detection = [ap(overlap) for overlap in IOU_THRESHOLDS]
    return AveragePrecisions(np.array(cells), np.array(detection))


def recall_levels(profile: Profile) -> FloatArray:
    """Return the 100 recall levels: sums of 0.01 with rounding errors, or exactly k / 100."""
    if profile == "published":
        return np.add.accumulate(np.r_[0.0, np.full(RECALL_LEVELS - 1, 0.01)])
    return np.arange(RECALL_LEVELS) / 100


def interpolated_average_precision(hits: IntArray, objects: int, levels: FloatArray) -> float:
    """Return the mean over `levels` of the highest precision at that recall or above.

    `hits` are the 0-based ranks (h,) of the true positives, ascending, where precision peaks. A
    level that is never reached counts 0.
    """
    if len(hits) == 0 or objects == 0:
        return 0.0
    found = np.arange(1, len(hits) + 1)
    precision = found / (hits + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    reached = np.searchsorted(found / objects, levels, side="left")
    at_levels = np.r_[best, 0.0][reached]
    return float(np.add.accumulate(at_levels)[-1] / len(levels))

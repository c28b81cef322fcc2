"""Dense-captioning mean average precision over IoU and METEOR thresholds.

Matching the detections of an image yields one record per detection; all scores, curves and what-ifs
are functions of the records. Boxes are corners x1, y1, x2, y2. What differs between programs is in
`detection_rules.py`. Source: Johnson, Karpathy, Fei-Fei, DenseCap (CVPR 2016), eval_utils.lua.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.detection.detection_rules import (
    RULES,
    AnyFloatArray,
    DetectionRules,
    Profile,
    RecallLevels,
    descending_order,
    recall_levels,
    round_to,
    rules_of,
)
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

Float32Array = npt.NDArray[np.float32]

IOU_THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)  # inclusive but in JIVC's program
METEOR_THRESHOLDS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25)  # exclusive: METEOR 0 never suffices
MERGE_IOU = 0.7  # ground-truth boxes with at least this IoU are one object
NO_GROUP = -1
BLOCK_IOUS = 1 << 20  # IoUs computed at once, with about 50 MB


@dataclass(frozen=True, slots=True, eq=False)
class MergedObjects:
    """Merged ground truth of one image: corners (g, 4), and the boxes of each group."""

    corners: FloatArray
    members: tuple[tuple[int, ...], ...]


NO_OBJECTS = MergedObjects(np.empty((0, 4)), ())


@dataclass(frozen=True, slots=True, eq=False)
class DetectionRecords:
    """Records of all detections, (n,) each, by image and in matching order within an image.

    `group` is the image's merged box with the largest IoU (`NO_GROUP` for none), `overlap` that
    IoU, and `claims` whether this detection is the first to match it. `meteor` is NaN where it was
    not computed. `objects` is the number of merged boxes of all images. With `claims_above`, an
    IoU must exceed a threshold.
    """

    image: IntArray
    detection: IntArray
    group: IntArray
    overlap: FloatArray
    claims: BoolArray
    log_probability: FloatArray
    meteor: FloatArray
    objects: int
    claims_above: bool = False

    def deciding(self) -> BoolArray:
        """Return the mask (n,) of records whose METEOR can affect a score."""
        return self.claims & (self.overlap >= IOU_THRESHOLDS[0])


def corners(boxes: Float32Array) -> Float32Array:
    """Return the corners x1, y1, x2, y2 (n, 4) of boxes (n, 4), with width x2 - x1 + 1."""
    center, size = boxes[:, :2], boxes[:, 2:]
    half = (size - np.float32(1)) / np.float32(2)
    return np.concatenate([center - half, center + half], axis=1)


def iou_matrix(
    one: AnyFloatArray, other: AnyFloatArray, *, has_inclusive_pixels: bool = True
) -> FloatArray:
    """Compute IoUs (n, m) of corners (n, 4) and (m, 4), in their precision."""
    extra = 1 if has_inclusive_pixels else 0  # an int keeps the precision of float32
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    sides = high - low + extra
    meeting = (sides > 0).all(axis=2)
    shared = sides[..., 0] * sides[..., 1]
    union = (_areas(one, extra)[:, None] + _areas(other, extra)[None, :]) - shared
    ious: FloatArray = np.divide(
        shared, union, out=np.zeros_like(shared), where=meeting & (union > 0)
    )
    return ious


def _blocks(rows: int, columns: int) -> list[slice]:
    step = max(BLOCK_IOUS // max(columns, 1), 1)
    return [slice(start, start + step) for start in range(0, rows, step)]


def best_ious(
    one: FloatArray, other: FloatArray, rules: DetectionRules = RULES["published"]
) -> tuple[IntArray, FloatArray]:
    """Return the index (n,) of the best of `other` (m, 4), m > 0, and the IoU (n,)."""
    best, most = np.zeros(len(one), np.int64), np.zeros(len(one))
    for part in _blocks(len(one), len(other)):
        table = iou_matrix(one[part], other, has_inclusive_pixels=rules.has_inclusive_pixels)
        best[part] = _index_of_largest(table, rules)
        most[part] = table.max(axis=1)
    return best, most


def _index_of_largest(values: FloatArray | IntArray, rules: DetectionRules) -> IntArray:
    """Return the index of the largest value of the last axis, of equal ones by the rules."""
    if rules.takes_last:
        return np.asarray(values.shape[-1] - 1 - values[..., ::-1].argmax(axis=-1))
    return np.asarray(values.argmax(axis=-1))


def _areas(box_corners: AnyFloatArray, extra: int) -> AnyFloatArray:
    sides = box_corners[:, 2:] - box_corners[:, :2] + extra
    return np.asarray(sides[:, 0] * sides[:, 1])


def merge_ground_truth(
    box_corners: AnyFloatArray, profile: Profile | DetectionRules = "published"
) -> MergedObjects:
    """Merge the ground-truth boxes, corners (n, 4), of one image that mark the same object.

    Greedily, the box with the most near neighbours is merged with all of them. DenseCap's program
    counts neighbours in one byte: 256 count as none, and the remaining boxes are lost.
    """
    rules = rules_of(profile)
    near = _near_boxes(box_corners, rules)
    left, counts = np.ones(len(box_corners), dtype=bool), near.sum(axis=1)
    members: list[IntArray] = []
    while counts.max(initial=0) > 1:
        stored = counts % 256 if rules.counts_in_byte else counts
        chosen = int(_index_of_largest(stored, rules))
        if stored[chosen] == 0:
            return _groups(box_corners, members, rules)
        group = np.flatnonzero(near[chosen] & left)
        members.append(group)
        left[group] = False
        fewer = 0 if rules.counts_once else near[:, group].sum(axis=1)
        counts = (counts - fewer) * left
    alone = np.flatnonzero(counts)[:: -1 if rules.takes_last else 1]
    return _groups(box_corners, [*members, *alone[:, None]], rules)


def _near_boxes(box_corners: AnyFloatArray, rules: DetectionRules) -> BoolArray:
    """Return which boxes (n, n) mark the same object."""
    dtype = np.float32 if rules.merging == "single" else np.float64
    boxes, limit = round_to(box_corners.astype(np.float64), rules.merging), dtype(MERGE_IOU)
    near = np.empty((len(boxes), len(boxes)), np.bool_)
    for part in _blocks(len(boxes), len(boxes)):
        ious = iou_matrix(boxes[part], boxes, has_inclusive_pixels=rules.has_inclusive_pixels)
        near[part] = ious > limit if rules.merges_above else ious >= limit
    if rules.keeps_degenerate:
        np.fill_diagonal(near, True)
    return near


def _groups(
    box_corners: AnyFloatArray, members: Sequence[IntArray], rules: DetectionRules
) -> MergedObjects:
    means = [_mean_box(box_corners[group], rules) for group in members]
    return MergedObjects(
        np.array(means, dtype=np.float64).reshape(-1, 4),
        tuple(tuple(group.tolist()) for group in members),
    )


def _mean_box(rows: AnyFloatArray, rules: DetectionRules) -> AnyFloatArray:
    """Return the mean of rows (n, 4), summed sequentially in the precision of the rules."""
    dtype = np.float32 if rules.mean == "single" else np.float64
    return np.asarray(np.add.accumulate(rows.astype(dtype), axis=0)[-1] / dtype(len(rows)))


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
    box_corners: AnyFloatArray,
    scores: AnyFloatArray,
    groups: MergedObjects,
    profile: Profile | DetectionRules = "published",
) -> ImageRecords:
    """Match the detections of an image, corners (d, 4), with the merged ground truth.

    Each group is claimed by the first detection whose best group it is, for any IoU. In DenseCap's
    program, a detection without overlap claims the last group of the image.
    """
    rules, values = rules_of(profile), scores.astype(np.float64)
    order = descending_order(values, "corrected" if rules.claims_stably else rules)
    count, objects = len(box_corners), len(groups.members)
    if count == 0 or objects == 0:
        best, overlap = np.full(count, NO_GROUP), np.zeros(count)
    else:
        best, overlap = best_ious(box_corners[order].astype(np.float64), groups.corners, rules)
        best[overlap == 0] = NO_GROUP
    claimed = best.copy()
    if rules.has_phantom_claims and objects:
        claimed[best == NO_GROUP] = objects - 1
    first = np.zeros(count, dtype=bool)
    first[np.unique(claimed, return_index=True)[1]] = True
    return ImageRecords(order, best, overlap, first & (claimed != NO_GROUP), values[order], objects)


def concatenate_records(
    images: Sequence[ImageRecords], profile: Profile | DetectionRules = "published"
) -> DetectionRecords:
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
        claims_above=rules_of(profile).claims_above,
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

    def by_name(self, *, with_detection: bool = True) -> dict[str, float]:
        """Return the values by their published names (`map`, `ov0.3_score0.05`, `ov0.3`)."""
        cells = dict(zip(product(IOU_THRESHOLDS, METEOR_THRESHOLDS), self.cells.flat, strict=True))
        named = {"map": self.map} | ({"detmap": self.detection_map} if with_detection else {})
        named |= {cell_name(iou, meteor): float(ap) for (iou, meteor), ap in cells.items()}
        if not with_detection:
            return named
        detection = zip(IOU_THRESHOLDS, self.detection, strict=True)
        return named | {cell_name(iou): float(ap) for iou, ap in detection}


def cell_name(overlap: float, meteor: float | None = None) -> str:
    """Return the published name of a cell; without `meteor`, of detection alone."""
    return f"ov{overlap:g}" if meteor is None else f"ov{overlap:g}_score{meteor:g}"


def true_positives(
    records: DetectionRecords, overlap: float, meteor: float | None = None
) -> BoolArray:
    """Return the mask (n,) of true positives; without `meteor`, by IoU alone."""
    enough = records.overlap > overlap if records.claims_above else records.overlap >= overlap
    hits = records.claims & enough
    return hits if meteor is None else hits & (records.meteor > meteor)


def average_precisions(
    records: DetectionRecords, profile: Profile | DetectionRules = "published"
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


def interpolated_average_precision(hits: IntArray, objects: int, levels: RecallLevels) -> float:
    """Return the mean over `levels` of the highest precision at that recall or above.

    `hits` are the 0-based ranks (h,) of the true positives, ascending, where precision peaks. A
    level that is never reached counts 0.
    """
    if len(hits) == 0 or objects == 0:
        return 0.0
    found = np.arange(1, len(hits) + 1)
    precision = levels.rounded(found / (hits + 1))
    best = np.maximum.accumulate(precision[::-1])[::-1]
    at_levels = np.r_[best, 0.0][levels.first_reaching(found / objects)]
    return float(np.add.accumulate(at_levels)[-1] / len(levels))

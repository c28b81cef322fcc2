"""Simulated detectors whose boxes were written in another convention or frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.defects import Transformation
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.densecap.readers.frame_fit import FACTOR, NO_FRAME, find_frame
from jurydesk.core.tasks.densecap.readers.regions import Regions, to_centered_boxes

Frame = Callable[[FloatArray, float, float], FloatArray]
"""Function of corners (n, 4), width and height of the image: the corners in another frame."""


def _by(across: float, down: float | None = None) -> FloatArray:
    return np.array([across, across if down is None else down] * 2)


def _padded(box: FloatArray, width: float, height: float) -> FloatArray:
    side = max(width, height)
    return (box + _by((side - width) / 2, (side - height) / 2)) / side


def _shortest(side: float, limit: float) -> Frame:
    def scaled(box: FloatArray, width: float, height: float) -> FloatArray:
        return box * min(side / min(width, height), limit / max(width, height))

    return scaled


def _stretched(side: float) -> Frame:
    return lambda box, width, height: box * side / _by(width, height)


def _longest(side: float) -> Frame:
    return lambda box, width, height: box * side / max(width, height)


FRAMES: dict[str, Frame] = {
    "detections in the 720 frame, ground truth in pixels": lambda box, w, h: box * 720 / max(w, h),
    "0..1": lambda box, w, h: box / _by(w, h),
    "0..1000": lambda box, w, h: box * 1000 / _by(w, h),
    "0..100": lambda box, w, h: box * 100 / _by(w, h),
    "0..1 of the padded square": _padded,
    **{f"stretched to {side}": _stretched(side) for side in (224, 336, 448, 512, 640, 1024)},
    **{f"longest side {side}": _longest(side) for side in (512, 800, 1024)},
    "shortest side 600": _shortest(600, 1000),
    "shortest side 800": _shortest(800, 1333),
}
CONVENTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "xyxy": lambda box: box,
    "xywh": lambda box: np.c_[box[:, :2], box[:, 2:] - box[:, :2]],
    "xcycwh": lambda box: np.c_[(box[:, :2] + box[:, 2:]) / 2, box[:, 2:] - box[:, :2]],
    "yxyx": lambda box: box[:, [1, 0, 3, 2]],
    "yxhw": lambda box: np.c_[box[:, :2], box[:, 2:] - box[:, :2]][:, [1, 0, 3, 2]],
}


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedJob:
    """Ground truth and detections, and what must be named; None for a job that is right."""

    truth: Regions
    detections: Regions
    expected: Transformation | None


def simulated_jobs(count: int, seed: int) -> Iterator[SimulatedJob]:
    """Yield jobs: a quarter right, others in a wrong frame, convention or scale.

    Detectors have box noise of 3 to 25 % of the sides, 10 to 70 % false boxes, 3 to 40 images.
    """
    draw = np.random.default_rng(seed)
    for number in range(count):
        frame, convention, factor = NO_FRAME, "xywh", 1.0
        match number % 4:
            case 1:
                frame = list(FRAMES)[draw.integers(len(FRAMES))]
            case 2:
                convention = ("xyxy", "xcycwh", "yxyx", "yxhw")[draw.integers(4)]
            case 3:
                frame, factor = FACTOR, float(draw.choice([0.5, 0.6, 0.75, 1.25, 1.44, 1.8, 2.0]))
        yield _job(draw, frame, convention, factor)


def _job(draw: np.random.Generator, frame: str, convention: str, factor: float) -> SimulatedJob:
    noise, wrong = draw.uniform(0.03, 0.25), draw.uniform(0.1, 0.7)
    truth, found = [], []
    sizes = {}
    for image in range(int(draw.integers(3, 41))):
        width, height = draw.integers(240, 1281, 2).astype(float)
        sizes[str(image)] = (width, height)
        boxes = _boxes(draw, int(draw.integers(3, 16)), width, height)
        shown = boxes[draw.random(len(boxes)) < 0.9]
        sides = np.tile(shown[:, 2:] - shown[:, :2], 2)
        hits = shown + draw.normal(0, noise, shown.shape) * sides
        others = _boxes(draw, round(len(hits) * wrong / (1 - wrong)), width, height)
        own = np.concatenate([hits, others])
        own = np.c_[np.minimum(own[:, :2], own[:, 2:]), np.maximum(own[:, :2], own[:, 2:])]
        moved = own * factor if frame == FACTOR else FRAMES.get(frame, _unmoved)(own, width, height)
        truth.append(boxes)
        found.append(CONVENTIONS[convention](moved))
    expected = None
    if (frame, convention) != (NO_FRAME, "xywh"):
        known = round(factor, 2) if frame == FACTOR else None
        expected = Transformation(convention, frame, known)
    is_sized = frame != FACTOR  # with sizes a factor may be a frame
    return SimulatedJob(
        _regions(truth, "xyxy", sizes if is_sized else {}, None),
        _regions(found, "xywh", {}, draw),
        expected,
    )


def _unmoved(box: FloatArray, width: float, height: float) -> FloatArray:
    return box


def _boxes(draw: np.random.Generator, count: int, width: float, height: float) -> FloatArray:
    low = draw.uniform(0, 0.75, (count, 2))
    size = draw.uniform(0.06, 0.5, (count, 2))
    boxes: FloatArray = np.c_[low, np.minimum(low + size, 1)] * _by(width, height)
    return boxes


def _regions(
    boxes: list[FloatArray],
    box_format: str,
    sizes: dict[str, tuple[float, float]],
    draw: np.random.Generator | None,
) -> Regions:
    numbers = np.concatenate(boxes)
    return Regions(
        tuple(map(str, range(len(boxes)))),
        np.cumsum([0, *map(len, boxes)]),
        to_centered_boxes(numbers, box_format),
        ("a dog",) * len(numbers),
        np.empty(0) if draw is None else draw.random(len(numbers)),
        numbers,
        box_format,
        sizes,
    )


@dataclass(frozen=True, slots=True)
class Diagnoses:
    """Numbers of jobs: named right, undecided, named wrong; and right jobs that were accused."""

    named: int
    undecided: int
    wrong: int
    accused: int


def diagnose(jobs: Iterator[SimulatedJob]) -> Diagnoses:
    """Count how often the transformation of a job is named."""
    counts = dict.fromkeys(("named", "undecided", "wrong", "accused"), 0)
    for job in jobs:
        pairs = [(image, image) for image in range(len(job.truth.images))]
        fit = find_frame(job.truth, job.detections, pairs)
        found = None if fit is None else fit.transformation
        if job.expected is None:
            counts["accused"] += found is not None
        elif found is None:
            counts["undecided"] += 1
        else:
            counts["named" if _is_same(found, job.expected) else "wrong"] += 1
    return Diagnoses(**counts)


def _is_same(found: Transformation, wanted: Transformation) -> bool:
    """Return whether the transformation is named, the factor within 3 %."""
    same = (found.convention, found.scale) == (wanted.convention, wanted.scale)
    if wanted.factor is None or found.factor is None:
        return same
    return same and abs(found.factor / wanted.factor - 1) < 0.03

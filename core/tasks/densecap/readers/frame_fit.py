"""Search for the convention and the frame in which detections fit the ground truth best.

A convention is the meaning of a box's four numbers, a frame the image size that they refer to.
Nothing is repaired: the result is a warning. The thresholds were chosen on simulated detectors
(noise of 3 to 25 %, 10 to 70 % false boxes, 3 to 40 images) so that right files stay silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.model.defects import Transformation
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.densecap.readers.regions import TO_CORNERS, Regions

MOST_PAIRS = 200_000
"""Pairs of a detection and an object in the images of the sample, which are evenly spaced."""
COMPARED_PAIRS = 20_000
"""Pairs that are compared; of more, evenly spaced detections of each image are."""
GAIN, RATIO = 0.05, 1.1
"""Least gain of the mean IoU, added and as a factor, of a fit that is reported."""
EQUAL = 0.01
"""Means this near count as equal; the fit with the fewest changes is taken."""
FAIR_MEDIAN = 0.2
BETTER_IMAGES, FEWEST_IMAGES, CLEAR_RATIO = 0.75, 5, 2.0
CLOSE = 0.3
"""IoU from which a detection and an object are taken for the same region."""
FAR = 0.1
"""Share of the largest coordinate from which coordinates give the factor."""
STEP, STEPS, COARSE = 1.02, 80, 4

NO_FRAME = "none"
FACTOR = "factor"
DENSECAP_SIDE = 720.0  # DenseCap's longer side
STRETCHED_SIDES = (224, 336, 448, 512, 640, 1024)
LONGEST_SIDES = (512, 640, 800, 1024)
SHORTEST_SIDES = {600: 1000, 800: 1333}  # detectors' shortest side and the limit of the longest

CONVENTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    **TO_CORNERS,
    "yxyx": lambda box: box[:, [1, 0, 3, 2]],
    "yxhw": lambda box: TO_CORNERS["xywh"](box[:, [1, 0, 3, 2]]),
    "ycxchw": lambda box: TO_CORNERS["xcycwh"](box[:, [1, 0, 3, 2]]),
}
"""Corners x1, y1, x2, y2 of boxes by the meaning of their numbers; the last three: rows first."""

Sides = FloatArray
"""Widths and heights (n, 2) of the images of n boxes."""


def _scaled(factor: Callable[[Sides], FloatArray]) -> Callable[[FloatArray, Sides], FloatArray]:
    """Return a frame that multiplies x and y by `factor` (n, 1) or (n, 2)."""
    return lambda box, sides: box * np.tile(np.broadcast_to(factor(sides), sides.shape), 2)


def _from_padded_square(box: FloatArray, sides: Sides) -> FloatArray:
    longest = _longest(sides)
    return box * longest - np.tile((longest - sides) / 2, 2)


def _longest(sides: Sides) -> FloatArray:
    longest: FloatArray = sides.max(axis=1, keepdims=True)
    return longest


def _shortest(side: int, limit: int) -> Callable[[Sides], FloatArray]:
    def factor(sides: Sides) -> FloatArray:
        shortest = sides.min(axis=1, keepdims=True)
        found: FloatArray = 1 / np.minimum(side / shortest, limit / _longest(sides))
        return found

    return factor


FRAMES: dict[str, Callable[[FloatArray, Sides], FloatArray]] = {
    translatable("detections in the 720 frame, ground truth in pixels"): _scaled(
        lambda sides: _longest(sides) / DENSECAP_SIDE
    ),
    translatable("detections in pixels, ground truth in the 720 frame"): _scaled(
        lambda sides: DENSECAP_SIDE / _longest(sides)
    ),
    "0..1": _scaled(lambda sides: sides),
    "0..1000": _scaled(lambda sides: sides / 1000),
    "0..100": _scaled(lambda sides: sides / 100),
    translatable("0..1 of the padded square"): _from_padded_square,
    **{
        f"stretched to {side}": _scaled(lambda sides, side=side: sides / side)  # type: ignore[misc]
        for side in STRETCHED_SIDES
    },
    **{
        f"longest side {side}": _scaled(lambda sides, side=side: _longest(sides) / side)  # type: ignore[misc]
        for side in LONGEST_SIDES
    },
    **{
        f"shortest side {side}": _scaled(_shortest(side, limit))
        for side, limit in SHORTEST_SIDES.items()
    },
}
"""Conversions of corners to the frame of the ground truth, given the sizes of the images."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameFit:
    """Best fit of detections: its transformation, and median IoU as read and after it."""

    transformation: Transformation
    median_as_read: float
    median: float


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Best IoU (n,) of every detection under one transformation."""

    convention: str
    frame: str
    best: FloatArray
    factor: float = 1.0

    @property
    def mean(self) -> float:
        return float(self.best.mean())


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """Strongest detections of some images, and all pairs with objects of their images.

    `boxes` (n, 4) are the numbers of the file, `objects` (m, 4) corners, `image` (n,) the image of
    each detection, `sides` (n, 2) its size (NaN if unknown), and `one` and `other` (p,) the pairs,
    those of a detection together, from `starts` (n,) on.
    """

    boxes: FloatArray
    objects: FloatArray
    image: IntArray
    sides: Sides
    one: IntArray
    other: IntArray
    starts: IntArray

    def ious(self, corners: FloatArray) -> FloatArray:
        """Return the IoU of each pair, without DenseCap's inclusive pixels."""
        own, its = corners.T, self.objects.T
        wide, high = (
            _lengths(
                np.maximum(own[side][self.one], its[side][self.other]),
                np.minimum(own[side + 2][self.one], its[side + 2][self.other]),
            )
            for side in (0, 1)
        )
        shared = wide * high
        total = _areas(corners)[self.one] + _areas(self.objects)[self.other] - shared
        ious: FloatArray = np.divide(shared, total, out=np.zeros_like(shared), where=total > 0)
        return ious

    def fit(self, convention: str, frame: str, corners: FloatArray, factor: float = 1.0) -> _Fit:
        """Return the fit of converted corners."""
        best = np.maximum.reduceat(self.ious(corners), self.starts)
        return _Fit(convention, frame, best, factor)


def _areas(corners: FloatArray) -> FloatArray:
    left, top, right, bottom = corners.T
    return _lengths(left, right) * _lengths(top, bottom)


def _lengths(starts: FloatArray, ends: FloatArray) -> FloatArray:
    lengths: FloatArray = np.maximum(ends - starts, 0)
    return lengths


def find_frame(
    truth: Regions, detections: Regions, pairs: Sequence[tuple[int, int]]
) -> FrameFit | None:
    """Return the transformation that fits clearly better than the boxes as they were read.

    `pairs` are images in both files: (index in the ground truth, index in the detections).
    """
    sample = _sample(truth, detections, pairs)
    if sample is None:
        return None
    read = detections.box_format
    current = sample.fit(read, NO_FRAME, CONVENTIONS[read](sample.boxes))
    candidates = [current, *_framed_fits(sample)]
    highest = max(fit.mean for fit in candidates)
    named = min(
        (fit for fit in candidates if fit.mean >= highest - EQUAL),
        key=lambda fit: ((fit.convention != read) + (fit.frame != NO_FRAME), -fit.mean),
    )
    if named is not current and not _is_better(named, current, sample):
        named = current
    factor = _best_factor(sample)
    if _gains(factor, named) and _is_better(factor, current, sample):
        named = factor
    if named is current:
        return None
    known = round(named.factor, 2) if named.frame == FACTOR else None
    return FrameFit(
        Transformation(named.convention, named.frame, known),
        float(np.median(current.best)),
        float(np.median(named.best)),
    )


def _sample(
    truth: Regions, detections: Regions, pairs: Sequence[tuple[int, int]]
) -> _Sample | None:
    """Return the sample of images with boxes on both sides; None without any."""
    rows, objects, owners = list[IntArray](), list[FloatArray](), list[int]()
    used = [pair for pair in pairs if _counts(truth, detections, pair) > 0]
    total = sum(_counts(truth, detections, pair) for pair in used)
    kept = max(1, min(len(used), len(used) * MOST_PAIRS // max(total, 1)))
    chosen = [used[i * len(used) // kept] for i in range(kept)] if used else []
    step = -(-sum(_counts(truth, detections, pair) for pair in chosen) // COMPARED_PAIRS)
    for its, own in chosen:
        of_image = detections.rows(own)
        corners = CONVENTIONS[truth.box_format](truth.source_boxes[truth.rows(its)])
        order = np.argsort(-detections.scores[of_image], kind="stable")[: 2 * len(corners)]
        rows.append(of_image.start + order[::step])
        objects.append(corners)
        owners.append(own)
    if not chosen:
        return None
    counts = np.array([len(one) for one in objects])
    image = np.repeat(np.arange(len(rows)), [len(one) for one in rows])
    width = counts[image]
    starts = np.cumsum([0, *width[:-1]])
    one = np.repeat(np.arange(len(image)), width)
    first = np.cumsum([0, *counts[:-1]])[image]
    other = np.arange(len(one)) - starts[one] + first[one]
    sizes = {**detections.sizes, **truth.sizes}
    unknown = (np.nan, np.nan)
    sides = np.array([sizes.get(detections.images[own], unknown) for own in owners], np.float64)
    boxes = detections.source_boxes[np.concatenate(rows)]
    return _Sample(boxes, np.concatenate(objects), image, sides[image], one, other, starts)


def _counts(truth: Regions, detections: Regions, pair: tuple[int, int]) -> int:
    """Return the number of pairs of an image."""
    its, own = (
        int(regions.starts[image + 1] - regions.starts[image])
        for regions, image in zip((truth, detections), pair, strict=True)
    )
    return its * min(own, 2 * its)


def _framed_fits(sample: _Sample) -> Iterator[_Fit]:
    """Yield the fit of every convention in every frame; frames need the sizes of all images."""
    is_sized = not np.isnan(sample.sides).any()
    for convention, convert in CONVENTIONS.items():
        corners = convert(sample.boxes)
        yield sample.fit(convention, NO_FRAME, corners)
        for frame, scale in FRAMES.items() if is_sized else ():
            yield sample.fit(convention, frame, scale(corners, sample.sides))


def _best_factor(sample: _Sample) -> _Fit:
    """Return the best fit of one factor for all coordinates, estimated from the fitting boxes."""

    def at(convention: str, steps: int) -> _Fit:
        factor = STEP**steps
        return sample.fit(
            convention, FACTOR, CONVENTIONS[convention](sample.boxes) / factor, factor
        )

    def mean(fit: _Fit) -> float:
        return fit.mean

    coarse = range(-STEPS, STEPS + 1, COARSE)
    by_steps = {(one, k): at(one, k) for one in CONVENTIONS for k in coarse}
    convention, near = max(by_steps, key=lambda key: by_steps[key].mean)
    best = max((at(convention, k) for k in range(near - COARSE, near + COARSE + 1)), key=mean)
    corners = CONVENTIONS[convention](sample.boxes)
    ious = sample.ious(corners / best.factor)
    is_best = (ious >= CLOSE) & (ious == best.best[sample.one])
    own, its = corners[sample.one[is_best]], sample.objects[sample.other[is_best]]
    is_far = its > FAR * its.max(initial=1.0)  # a small divisor is mostly noise
    if not is_far.any():
        return best
    factor = float(np.median(own[is_far] / its[is_far]))
    refined = sample.fit(convention, FACTOR, corners / factor, factor)
    return refined if refined.mean >= best.mean - EQUAL else best


def _gains(fit: _Fit, other: _Fit) -> bool:
    return fit.mean >= other.mean + GAIN and fit.mean >= RATIO * other.mean


def _is_better(fit: _Fit, current: _Fit, sample: _Sample) -> bool:
    """Return whether a fit is so much better, and in so many images, that it is no accident."""
    if not _gains(fit, current) or float(np.median(fit.best)) < FAIR_MEDIAN:
        return False
    own, its = (_image_means(one.best, sample.image) for one in (fit, current))
    differ: BoolArray = np.abs(own - its) > 1e-9
    better = int((own > its)[differ].sum())
    is_frequent = better >= BETTER_IMAGES * int(differ.sum())
    return is_frequent and (better >= FEWEST_IMAGES or fit.mean >= CLEAR_RATIO * current.mean)


def _image_means(values: FloatArray, image: IntArray) -> FloatArray:
    means: FloatArray = np.bincount(image, values) / np.bincount(image)
    return means

"""Checks for a wrong box format or scale between ground truth and detections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from jurydesk.core.metrics.detection.average_precision import MergedObjects, best_ious, corners
from jurydesk.core.model.defects import Defect, Place, counted, name_list, warning
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.densecap.readers.regions import TO_CENTERED, Regions, to_centered_boxes

SAMPLED_IMAGES = 200
POOR_OVERLAP, GOOD_OVERLAP = 0.1, 0.4
OTHER_SCALE = 1.8

Pairs = list[tuple[int, int]]
"""The images that both files have: (index in the ground truth, index in the detections)."""


def check_box_fit(
    truth: Regions, groups: tuple[MergedObjects, ...], found: Regions, pairs: Pairs, path: str
) -> Iterator[Defect]:
    """Yield warnings about boxes that do not seem to fit the images."""
    sample = [pairs[i] for i in _sample_positions(len(pairs))]
    if not sample:
        return
    place = Place(path)
    yield from _other_format(groups, found, sample, place)
    yield from _other_scale(truth, found, sample, place)
    yield from boxes_outside(found, {**found.sizes, **truth.sizes}, place)


def _sample_positions(count: int) -> list[int]:
    """Return up to `SAMPLED_IMAGES` evenly spaced positions below `count`."""
    return sorted({i * count // SAMPLED_IMAGES for i in range(SAMPLED_IMAGES)} if count else ())


def _median_best(
    groups: tuple[MergedObjects, ...], found: Regions, pairs: Pairs, box_format: str
) -> float:
    """Return the median over detections of the largest overlap with any object of their image."""
    best: list[FloatArray] = [np.empty(0)]
    for truth, image in pairs:
        boxes = to_centered_boxes(found.written[found.rows(image)], box_format)
        if len(boxes) and len(groups[truth].members):
            placed = corners(boxes).astype(np.float64)
            best.append(best_ious(placed, groups[truth].corners)[1])
    values = np.concatenate(best)
    return float(np.median(values)) if len(values) else 1.0


def _other_format(
    groups: tuple[MergedObjects, ...], found: Regions, pairs: Pairs, place: Place
) -> Iterator[Defect]:
    """Yield a warning where boxes fit badly as they were read, or much better in another format."""
    tried = {name: _median_best(groups, found, pairs, name) for name in TO_CENTERED}
    present = tried.pop(found.box_format)
    likeliest = max(tried, key=lambda name: tried[name])
    is_better = tried[likeliest] >= max(POOR_OVERLAP, 2 * present)
    if present >= POOR_OVERLAP and not (is_better and tried[likeliest] >= GOOD_OVERLAP):
        return
    better = (
        f"Read as {likeliest} it would be {tried[likeliest]:.2f}: try --box-format {likeliest}."
    )
    yield warning(
        place,
        f"Half of the detections overlap no ground truth by more than {present:.2f}.",
        f"The boxes were read as {found.box_format}.",
        better if is_better else "Check that both files mean the same images, at the same size.",
    )


def _other_scale(truth: Regions, found: Regions, pairs: Pairs, place: Place) -> Iterator[Defect]:
    wide = [_median_extent(truth, image) for image, _ in pairs]
    seen = [_median_extent(found, image) for _, image in pairs]
    both = [(a, b) for a, b in zip(wide, seen, strict=True) if a > 0 and b > 0]
    if not both:
        return
    factor = float(np.median([b / a for a, b in both]))
    if not 1 / OTHER_SCALE <= factor <= OTHER_SCALE:
        yield warning(
            place,
            f"The detections lie {factor:.2f} times as far out as the ground truth.",
            "Both must be given in pixels of the same image size.",
            "DenseCap scores boxes on images scaled to 720 pixels on the longer side.",
        )


def _median_extent(regions: Regions, image: int) -> float:
    """Return the median of max(right, lower edge) over an image's boxes; 0 without boxes."""
    edges = corners(regions.boxes[regions.rows(image)])[:, 2:]
    return float(np.median(edges.max(axis=1))) if len(edges) else 0.0


def boxes_outside(
    regions: Regions, sizes: Mapping[str, tuple[float, float]], place: Place
) -> Iterator[Defect]:
    """Yield boxes more than a pixel outside their image; `sizes` are (width, height)."""
    leaving = [
        image
        for index, image in enumerate(regions.images)
        if _is_outside(regions, index, sizes.get(image))
    ]
    if leaving:
        found_there = f"Boxes leave {counted(len(leaving), 'picture')}: {name_list(leaving)}."
        yield warning(place, found_there, "They are scored as they are.", count=len(leaving))


def _is_outside(found: Regions, index: int, size: tuple[float, float] | None) -> bool:
    edges = corners(found.boxes[found.rows(index)])
    if not len(edges):
        return False
    too_far = size is not None and bool((edges[:, 2:] > np.array(size) + 1).any())
    return too_far or bool((edges < -1).any())

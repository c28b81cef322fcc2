"""Checks for a wrong box format or scale between ground truth and detections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.metrics.detection.average_precision import MergedObjects, best_ious, corners
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.densecap.readers.regions import TO_CENTERED, Regions, to_centered_boxes

SAMPLED_IMAGES = 200
POOR_IOU, GOOD_IOU = 0.1, 0.4
MAX_SCALE = 1.8

Pairs = list[tuple[int, int]]
"""Images in both files: (index in the ground truth, index in the detections)."""


def check_box_fit(
    truth: Regions, groups: tuple[MergedObjects, ...], detections: Regions, pairs: Pairs, path: str
) -> Iterator[Defect]:
    """Yield warnings about boxes that do not seem to fit the images."""
    sample = [pairs[i] for i in _sample_positions(len(pairs))]
    if not sample:
        return
    place = Place(path)
    yield from _check_format(groups, detections, sample, place)
    yield from _check_scale(truth, detections, sample, place)
    yield from check_image_bounds(detections, {**detections.sizes, **truth.sizes}, place)


def _sample_positions(count: int) -> list[int]:
    """Return up to `SAMPLED_IMAGES` evenly spaced positions below `count`."""
    return sorted({i * count // SAMPLED_IMAGES for i in range(SAMPLED_IMAGES)} if count else ())


def _median_iou(
    groups: tuple[MergedObjects, ...], detections: Regions, pairs: Pairs, box_format: str
) -> float:
    """Return the median over detections of the largest IoU with an object of their image."""
    ious: list[FloatArray] = [np.empty(0)]
    for truth, image in pairs:
        boxes = to_centered_boxes(detections.source_boxes[detections.rows(image)], box_format)
        if len(boxes) and len(groups[truth].members):
            box_corners = corners(boxes).astype(np.float64)
            ious.append(best_ious(box_corners, groups[truth].corners)[1])
    values = np.concatenate(ious)
    return float(np.median(values)) if len(values) else 1.0


def _check_format(
    groups: tuple[MergedObjects, ...], detections: Regions, pairs: Pairs, place: Place
) -> Iterator[Defect]:
    """Yield a warning if boxes fit badly as they were read, or much better in another format."""
    medians = {name: _median_iou(groups, detections, pairs, name) for name in TO_CENTERED}
    current = medians.pop(detections.box_format)
    best = max(medians, key=lambda name: medians[name])
    is_better = medians[best] >= max(POOR_IOU, 2 * current)
    if current >= POOR_IOU and not (is_better and medians[best] >= GOOD_IOU):
        return
    hint = "Check that both files describe the same images at the same size."
    if is_better:
        hint = fill(
            "As {best} it would be {medians:.2f}: set the box format to {best2}.",
            best,
            medians[best],
            best,
        )
    yield warning(
        place,
        fill("The median IoU of the detections with the nearest object is {current:.2f}.", current),
        fill("The boxes were read as {box_format}.", detections.box_format),
        hint,
    )


def _check_scale(
    truth: Regions, detections: Regions, pairs: Pairs, place: Place
) -> Iterator[Defect]:
    extents = [(_median_extent(truth, a), _median_extent(detections, b)) for a, b in pairs]
    factors = [b / a for a, b in extents if a > 0 and b > 0]
    if not factors:
        return
    factor = float(np.median(factors))
    if not 1 / MAX_SCALE <= factor <= MAX_SCALE:
        yield warning(
            place,
            fill(
                "The coordinates of the detections are {factor:.2f} times those of the "
                "ground truth.",
                factor,
            ),
            "Both must be given in pixels of the same image size.",
            "DenseCap scores boxes on images scaled to 720 pixels on the longer side.",
        )


def _median_extent(regions: Regions, image: int) -> float:
    """Return the median of max(right edge, bottom edge) over an image's boxes; 0 without boxes."""
    edges = corners(regions.boxes[regions.rows(image)])[:, 2:]
    return float(np.median(edges.max(axis=1))) if len(edges) else 0.0


def check_image_bounds(
    regions: Regions, sizes: Mapping[str, tuple[float, float]], place: Place
) -> Iterator[Defect]:
    """Yield a warning for boxes more than a pixel outside their image.

    `sizes` are (width, height) in pixels by image.
    """
    images = [
        image
        for index, image in enumerate(regions.images)
        if _is_outside(regions, index, sizes.get(image))
    ]
    if images:
        found = fill(
            "Boxes extend beyond {images}: {name_list}.",
            counted(len(images), "image"),
            name_list(images),
        )
        yield warning(place, found, "They are scored unchanged.", count=len(images))


def _is_outside(regions: Regions, index: int, size: tuple[float, float] | None) -> bool:
    edges = corners(regions.boxes[regions.rows(index)])
    if not len(edges):
        return False
    exceeds_size = size is not None and bool((edges[:, 2:] > np.array(size) + 1).any())
    return exceeds_size or bool((edges < -1).any())

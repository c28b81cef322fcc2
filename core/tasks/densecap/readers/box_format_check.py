"""Checks for a wrong box format or frame between ground truth and detections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from jurydesk.core.language import Message, counted, fill, join_messages, name_list, reason
from jurydesk.core.metrics.detection.average_precision import MergedObjects, best_ious, corners
from jurydesk.core.model.defects import Defect, Place, Transformation, warning
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.densecap.densecap_options import FRAME_NAMES
from jurydesk.core.tasks.densecap.readers.frame_fit import (
    DENSECAP_SIDE,
    NO_FRAME,
    FrameFit,
    find_frame,
)
from jurydesk.core.tasks.densecap.readers.regions import TO_CENTERED, Regions

SAMPLED_IMAGES = 200
POOR_IOU = 0.1
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
    fit = find_frame(truth, detections, sample)
    if fit is not None:
        yield _frame_warning(fit, detections.box_format, place)
    else:
        yield from _check_overlap(groups, detections, sample, place)
        yield from _check_scale(truth, detections, sample, place)
    yield from check_image_bounds(detections, {**detections.sizes, **truth.sizes}, place)


def _sample_positions(count: int) -> list[int]:
    """Return up to `SAMPLED_IMAGES` evenly spaced positions below `count`."""
    return sorted({i * count // SAMPLED_IMAGES for i in range(SAMPLED_IMAGES)} if count else ())


def _median_iou(groups: tuple[MergedObjects, ...], detections: Regions, pairs: Pairs) -> float:
    """Return the median over detections of the largest IoU with an object of their image."""
    ious: list[FloatArray] = [np.empty(0)]
    for truth, image in pairs:
        boxes = detections.boxes[detections.rows(image)]
        if len(boxes) and len(groups[truth].members):
            box_corners = corners(boxes).astype(np.float64)
            ious.append(best_ious(box_corners, groups[truth].corners)[1])
    values = np.concatenate(ious)
    return float(np.median(values)) if len(values) else 1.0


def _frame_warning(fit: FrameFit, read: str, place: Place) -> Defect:
    """Return the warning that boxes would fit in another convention or frame."""
    wanted = fit.transformation
    if wanted.factor is not None:
        return _factor_warning(fit, wanted.factor, read, place)
    if wanted.scale != NO_FRAME:
        hint = fill(
            "Read as {convention}, {scale}, it would be {median:.2f}: set {options}.",
            wanted.convention,
            Message(wanted.scale),
            fit.median,
            _frame_options(wanted, read),
        )
    elif wanted.convention in TO_CENTERED:
        hint = fill(
            "As {best} it would be {medians:.2f}: set the box format to {best2}.",
            wanted.convention,
            fit.median,
            wanted.convention,
        )
    else:
        hint = fill(
            "As {convention}, rows first, it would be {median:.2f}: swap x and y.",
            wanted.convention,
            fit.median,
        )
    found = _median_sentence(fit.median_as_read)
    expected = fill("The boxes were read as {box_format}.", read)
    return replace(warning(place, found, expected, hint), transformation=wanted)


def _frame_options(wanted: Transformation, read: str) -> str:
    """Return the options that convert the boxes; rows first have none."""
    names = {scale: name for name, scale in FRAME_NAMES.items()}
    options = [f"--frame {names[wanted.scale]}"]
    if wanted.convention != read and wanted.convention in TO_CENTERED:
        options.append(f"--box-format {wanted.convention}")
    return " ".join(options)


def _factor_warning(fit: FrameFit, factor: float, read: str, place: Place) -> Defect:
    wanted = fit.transformation
    convention = "" if wanted.convention == read else wanted.convention
    side = round(DENSECAP_SIDE / factor)
    ratio = fill("{factor:.2f} is 720 to {side}.", factor, side)
    hint = fill(
        "Divided by it, the median IoU would be {median:.2f}, not {current:.2f}.",
        fit.median,
        fit.median_as_read,
    )
    advice = fill("Read them as {convention}, too.", convention) if convention else ""
    chosen = fill("Set --factor {factor:.2f}.", factor)
    return replace(
        warning(place, _factor_sentence(factor), ratio, join_messages([hint, chosen, advice])),
        transformation=wanted,
    )


def _median_sentence(median: float) -> str:
    return fill(
        "The median IoU of the detections with the nearest object is {current:.2f}.", median
    )


def _factor_sentence(factor: float) -> str:
    return fill(
        "The coordinates of the detections are {factor:.2f} times those of the ground truth.",
        factor,
    )


def _check_overlap(
    groups: tuple[MergedObjects, ...], detections: Regions, pairs: Pairs, place: Place
) -> Iterator[Defect]:
    """Yield a warning if boxes fit badly, for a reason that is not known."""
    current = _median_iou(groups, detections, pairs)
    if current < POOR_IOU:
        yield warning(
            place,
            _median_sentence(current),
            fill("The boxes were read as {box_format}.", detections.box_format),
            "Check that both files describe the same images at the same size.",
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
            _factor_sentence(factor),
            "Both must be given in pixels of the same image size.",
            reason("DenseCap scores boxes on images scaled to 720 pixels on the longer side."),
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
    edges = corners(regions.boxes)
    owner = np.repeat(np.arange(len(regions.images)), np.diff(regions.starts))
    unknown = (np.inf, np.inf)
    ends = np.array([sizes.get(one, unknown) for one in regions.images]).reshape(-1, 2)
    is_outside = (edges < -1).any(axis=1) | (edges[:, 2:] > ends[owner] + 1).any(axis=1)
    images = [regions.images[index] for index in np.unique(owner[is_outside]).tolist()]
    if images:
        found = fill(
            "Boxes extend beyond {images}: {name_list}.",
            counted(len(images), "image"),
            name_list(images),
        )
        yield warning(place, found, "They are scored unchanged.", count=len(images))

"""Image ids and box frames of detections, brought to those of the ground truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jurydesk.core.language import fill, name_list
from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.detection_rules import LUA, RULES
from jurydesk.core.model.defects import Defect, Place, error, note, warning
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.densecap.densecap_options import (
    FRAME_NAMES,
    DenseCapOptions,
    metric_profile,
)
from jurydesk.core.tasks.densecap.preparation import LUA_SIDE, lua_boxes
from jurydesk.core.tasks.densecap.readers.frame_fit import FRAMES
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.json_shapes import IMAGE_SUFFIXES
from jurydesk.core.tasks.densecap.readers.regions import (
    TO_CORNERS,
    Regions,
    to_centered_boxes,
)


def with_known_ids(truth: Regions, detections: Regions) -> tuple[Regions, Sequence[Defect]]:
    """Return detections with the ground truth's ids, where both differ in folder and suffix only.

    `VG_100K/285.jpg`, `285.jpg` and `285` are the same image.
    """
    known = set(truth.images)
    if known.issuperset(detections.images):
        return detections, ()
    by_stem = {picture_stem(image): image for image in truth.images}
    images = [
        image if image in known else by_stem.get(picture_stem(image), image)
        for image in detections.images
    ]
    changed = [old for old, new in zip(detections.images, images, strict=True) if old != new]
    if not changed:
        return detections, ()
    place, times = Place(detections.path), Counter(images)
    if twice := [image for image in changed if times[by_stem[picture_stem(image)]] > 1]:
        found = fill("Files with one name in several folders: {names}.", name_list(twice))
        return detections, [error(place, found, "A file name for each image is expected.")]
    found = fill(
        "File names are read as image ids: {first} as {id}.",
        changed[0],
        by_stem[picture_stem(changed[0])],
    )
    return replace(detections, images=tuple(images)), [note(place, found, count=len(changed))]


def picture_stem(image: str) -> str:
    """Return an image's id without folders and the suffix of a picture."""
    name = image.replace("\\", "/").rpartition("/")[2]
    stem, _, suffix = name.rpartition(".")
    return stem if stem and f".{suffix}".lower() in IMAGE_SUFFIXES else image


def in_common_frame(
    truth: GroundTruth, detections: Regions, options: DenseCapOptions
) -> tuple[GroundTruth, Regions, Sequence[Defect]]:
    """Return both sides in one frame, with what was converted.

    `frame` and `factor` of the options convert the detections. Without them, those of GRiT's
    writer, in the frame of 720 pixels, are converted to pixels; for DenseCap's own program the
    ground truth is converted to that frame instead, as it prepares it.
    """
    place = Place(detections.path)
    chosen = FRAME_NAMES.get(options.frame, "")
    if options.factor > 0 and options.factor != 1:
        detections = _with_corners(detections, _corners(detections) / options.factor)
    if options.frame != "auto":
        return truth, *_converted(truth.regions, detections, chosen)
    if detections.frame != "720" or is_in_lua_frame(truth.regions):
        return truth, detections, ()
    if metric_profile(options) not in LUA:
        return truth, *_converted(truth.regions, detections, FRAME_NAMES["720"])
    prepared = truth_in_frame(truth, detections, options)
    if prepared is truth:
        return truth, detections, [_unknown_sizes(place)]
    found = "The detections are in the frame of 720 pixels."
    effect = "The ground truth was converted to it by the rule lua-720; captions are unchanged."
    return prepared, detections, [note(place, found, effect)]


def truth_in_frame(
    truth: GroundTruth, detections: Regions, options: DenseCapOptions
) -> GroundTruth:
    """Return ground truth in the frame of 720 pixels if DenseCap's program scores GRiT's boxes.

    It is prepared by the rule lua-720. Without the sizes of its images it is unchanged.
    """
    profile, regions = metric_profile(options), truth.regions
    is_lua = profile in LUA and options.frame == "auto" and detections.frame == "720"
    if not is_lua or is_in_lua_frame(regions):
        return truth
    sides = _sides(regions, dict(regions.sizes))
    if np.isnan(sides[np.diff(regions.starts) > 0]).any():
        return truth
    rows = np.repeat(np.arange(len(regions.images)), np.diff(regions.starts))
    corners = _corners(regions)
    size = corners[:, 2:] - corners[:, :2]
    boxes = lua_boxes(np.column_stack([corners[:, :2], size]), sides[rows])
    prepared = replace(
        regions,
        source_boxes=boxes,
        box_format="xcycwh",
        boxes=to_centered_boxes(boxes, "xcycwh"),
        sizes={image: _scaled_size(size) for image, size in regions.sizes.items()},
    )
    places = prepared.corners(RULES[profile], is_truth=True)
    groups = tuple(
        average_precision.merge_ground_truth(places[prepared.rows(image)], profile)
        for image in range(len(prepared.images))
    )
    return replace(truth, regions=prepared, groups=groups)


def _scaled_size(size: tuple[float, float]) -> tuple[float, float]:
    factor = LUA_SIDE / max(size)
    return size[0] * factor, size[1] * factor


def _converted(truth: Regions, detections: Regions, frame: str) -> tuple[Regions, Sequence[Defect]]:
    if not frame:
        return detections, ()
    place = Place(detections.path)
    sides = _sides(detections, {**detections.sizes, **truth.sizes})
    if np.isnan(sides[np.diff(detections.starts) > 0]).any():
        return detections, [_unknown_sizes(place)]
    rows = np.repeat(np.arange(len(detections.images)), np.diff(detections.starts))
    converted = FRAMES[frame](_corners(detections), sides[rows])
    found = fill("The boxes were converted: {frame}.", frame)
    return _with_corners(detections, converted), [note(place, found)]


def _unknown_sizes(place: Place) -> Defect:
    return warning(
        place,
        "The boxes are in another frame, but the sizes of the images are unknown.",
        "They are scored unchanged.",
        'Give image_data.json (--image-data), or "width" and "height" in the ground truth.',
    )


def _sides(regions: Regions, sizes: dict[str, tuple[float, float]]) -> FloatArray:
    unknown = (np.nan, np.nan)
    known = [sizes.get(image, unknown) for image in regions.images]
    return np.array(known, np.float64).reshape(-1, 2)


def _corners(regions: Regions) -> FloatArray:
    corners: FloatArray = TO_CORNERS[regions.box_format](regions.source_boxes)
    return corners


def _with_corners(regions: Regions, corners: FloatArray) -> Regions:
    return replace(
        regions, source_boxes=corners, box_format="xyxy", boxes=to_centered_boxes(corners, "xyxy")
    )


def is_in_lua_frame(truth: Regions) -> bool:
    """Return whether boxes refer to images of 720 pixels on the longer side.

    DenseCap's own files do, and files in which most images have a box that ends there.
    """
    if truth.box_format == "xcycwh":
        return True
    edges = [
        float(_corners(truth)[rows, 2:].max())
        for rows in map(truth.rows, range(len(truth.images)))
        if rows.stop > rows.start
    ]
    near = [edge for edge in edges if abs(edge - LUA_SIDE) <= 2]
    return len(near) > len(edges) / 2

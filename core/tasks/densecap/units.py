"""Images as the units of resampling: all detections of an image are drawn together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from core.metrics.dense_draws import DrawnPrecisions
from core.metrics.dense_images import ImagePrecisions
from core.metrics.dense_map import NO_GROUP, Profile
from core.model import FloatArray, IntArray, ItemTable, Units
from core.tasks.densecap.items import NOBODY, records_of

FOUND_OVERLAP = 0.5
"""An object counts as found from this overlap on."""


def image_units(items: ItemTable, profile: str) -> Units:
    """The images of the items, and all 37 scores of any draw of them."""
    columns = items.columns
    image = columns["image"].astype(np.int64)
    count = int(image.max(initial=-1)) + 1
    object_rows = (columns["detection"] == NOBODY) | (
        (columns["claims"] == 1) & (columns["object"] != NO_GROUP)
    )
    objects = np.bincount(image[object_rows], minlength=count)
    records = records_of(columns)
    drawn = DrawnPrecisions(records, objects, cast("Profile", profile))
    alone = ImagePrecisions(records, objects, cast("Profile", profile))

    def scores(counts: FloatArray) -> Mapping[str, float]:
        return drawn.draw(counts).named()

    own = {"map": alone.map, "detmap": alone.detection_map}
    numbers = {**own, **_numbers(items, image, objects)}
    return Units(_names(items, count), scores, "images", numbers)


def _numbers(items: ItemTable, image: IntArray, objects: IntArray) -> dict[str, FloatArray]:
    """What is told of each image: its objects, its detections, and how many objects they found."""
    columns, count = items.columns, len(objects)
    found = (columns["claims"] == 1) & (columns["object"] != NO_GROUP)
    near = found & (columns["overlap"] >= FOUND_OVERLAP)
    detections = np.bincount(image[columns["detection"] != NOBODY], minlength=count)
    hits = np.bincount(image[near], minlength=count).astype(np.float64)
    return {
        "recall": hits / np.where(objects > 0, objects, np.nan),
        "found": hits,
        "objects": objects.astype(np.float64),
        "detections": detections.astype(np.float64),
    }


def _names(items: ItemTable, count: int) -> tuple[str, ...]:
    """The images' names, by their numbers; an image without any item goes by its number."""
    names = [str(number) for number in range(count)]
    numbers, first = np.unique(items.columns["image"].astype(np.int64), return_index=True)
    for number, row in zip(numbers.tolist(), first.tolist(), strict=True):
        names[number] = items.ids[row].rpartition(" · ")[0]
    return tuple(names)

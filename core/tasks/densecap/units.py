"""Images as the units of resampling: all detections of an image are drawn together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from core.metrics.dense_draws import DrawnPrecisions
from core.metrics.dense_map import NO_GROUP, Profile
from core.model import FloatArray, ItemTable, Units
from core.tasks.densecap.items import NOBODY, records_of


def image_units(items: ItemTable, profile: str) -> Units:
    """The images of the items, and all 37 scores of any draw of them."""
    columns = items.columns
    image = columns["image"].astype(np.int64)
    count = int(image.max(initial=-1)) + 1
    object_rows = (columns["detection"] == NOBODY) | (
        (columns["claims"] == 1) & (columns["object"] != NO_GROUP)
    )
    objects = np.bincount(image[object_rows], minlength=count)
    drawn = DrawnPrecisions(records_of(columns), objects, cast("Profile", profile))

    def scores(counts: FloatArray) -> Mapping[str, float]:
        return drawn.draw(counts).named()

    return Units(_names(items, count), scores, "images")


def _names(items: ItemTable, count: int) -> tuple[str, ...]:
    """The images' names, by their numbers; an image without any item goes by its number."""
    names = [str(number) for number in range(count)]
    numbers, first = np.unique(items.columns["image"].astype(np.int64), return_index=True)
    for number, row in zip(numbers.tolist(), first.tolist(), strict=True):
        names[number] = items.ids[row].rpartition(" · ")[0]
    return tuple(names)

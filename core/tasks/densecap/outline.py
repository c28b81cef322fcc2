"""What a checker of detections needs: the images, and neither boxes nor captions of people."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.defects import counted
from core.metrics.dense_map import Groups
from core.model import Json
from core.outline import Fact, Outline, items, text, texts
from core.tasks.densecap.ground_truth import GroundTruth
from core.tasks.densecap.regions import Regions
from core.tasks.densecap.shapes import is_size


def facts(truth: GroundTruth) -> tuple[Fact, ...]:
    """The images, and their sizes as far as the ground truth tells them."""
    images, sizes = truth.regions.images, truth.regions.sizes
    named = f"The ids of the {counted(len(images), 'image')}."
    measured = f"Width and height of {counted(len(sizes), 'image')}, in pixels."
    return (
        Fact("images", named, list(images)),
        Fact("sizes", measured, [[name, *size] for name, size in sizes.items()]),
    )


def reference(values: Mapping[str, Json]) -> GroundTruth:
    """Images without any box."""
    images = texts(values["images"])
    sizes = {}
    for name, width, height in (items(one) for one in items(values["sizes"])):
        if not is_size((width, height)):
            raise ValueError("the sizes of images are positive numbers")
        sizes[text(name)] = (width, height)
    nothing = Regions(
        images,
        np.zeros(len(images) + 1, np.int64),
        np.empty((0, 4), np.float32),
        (),
        np.empty(0, np.float32),
        np.empty((0, 4)),
        "xcycwh",
        sizes,
    )
    return GroundTruth(nothing, (Groups(np.empty((0, 4)), ()),) * len(images), "")


OUTLINE: Outline[GroundTruth] = Outline(
    facts,
    reference,
    options=("box_format",),
    unable=(
        "Whether the boxes overlap the ground truth as they should, or were written in another "
        "form or at another scale: that takes the boxes of the ground truth.",
    ),
    scripts=("densecap_shapes.js", "densecap.js"),
)

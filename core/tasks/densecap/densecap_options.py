"""Options of dense captioning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from jurydesk.core.model.options import option

if TYPE_CHECKING:
    from jurydesk.core.metrics.detection.detection_rules import Profile

PROFILES = (
    "published",
    "corrected",
    "densecap-pytorch",
    "densecap-pytorch-1.4",
    "controlcap",
    "dynrefer",
    "scenic",
    "jivc",
)
"""Rows of `RULES`, whose module needs NumPy."""

SHAPE_PROGRAMS = {
    "grit": ("published", "scenic"),
    "controlcap": ("controlcap", "dynrefer"),
    "jivc": ("jivc",),
    "densecap-pytorch": ("densecap-pytorch", "densecap-pytorch-1.4"),
}
"""Profiles whose programs score result files of a shape."""

FRAME_NAMES = {
    "720": "detections in the 720 frame, ground truth in pixels",
    "truth-720": "detections in pixels, ground truth in the 720 frame",
    "unit": "0..1",
    "thousand": "0..1000",
    "hundred": "0..100",
    "square": "0..1 of the padded square",
    **{f"stretched-{side}": f"stretched to {side}" for side in (224, 336, 448, 512, 640, 1024)},
    **{f"longest-{side}": f"longest side {side}" for side in (512, 640, 800, 1024)},
    **{f"shortest-{side}": f"shortest side {side}" for side in (600, 800)},
}
"""Names of the frames of `frame_fit.FRAMES` by those of the option."""


@dataclass(frozen=True, slots=True)
class DenseCapOptions:
    """Options of a dense-captioning evaluation."""

    profile: str = option(
        "published",
        "published reproduces the Lua evaluator, corrected fixes its errors; others follow the "
        "program of that name.",
        choices=PROFILES,
    )
    box_format: str = option(
        "auto",
        "Format of the boxes; auto uses the file's box_format field, or its layout's format.",
        label="Box format",
        choices=("auto", "xcycwh", "xywh", "xyxy"),
    )
    frame: str = option(
        "auto",
        "Image size that the detections refer to; auto converts those of GRiT, pixels none.",
        label="Frame of the boxes",
        choices=("auto", "pixels", *FRAME_NAMES),
    )
    factor: float = option(
        1.0,
        "Number that the coordinates of the detections are divided by.",
        label="Factor of the boxes",
        form="NUMBER",
    )


def metric_profile(options: DenseCapOptions) -> Profile:
    """Return the profile as the metric's literal type."""
    return cast("Profile", options.profile)

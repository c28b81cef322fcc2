"""Options of dense captioning."""

from __future__ import annotations

from dataclasses import dataclass

from jurydesk.core.model.options import option

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

"""Options of dense captioning."""

from __future__ import annotations

from dataclasses import dataclass

from jurydesk.core.model.options import option


@dataclass(frozen=True, slots=True)
class DenseCapOptions:
    """Options of a dense-captioning evaluation."""

    profile: str = option(
        "published",
        "published reproduces the Lua evaluator; corrected fixes its errors.",
        choices=("published", "corrected"),
    )
    box_format: str = option(
        "auto",
        "Format of the boxes; auto uses the file's box_format field, or its layout's format.",
        label="Box format",
        choices=("auto", "xcycwh", "xywh", "xyxy"),
    )

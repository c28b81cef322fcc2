"""Options of dense captioning."""

from __future__ import annotations

from dataclasses import dataclass

from jurydesk.core.model.options import option


@dataclass(frozen=True, slots=True)
class DenseCapOptions:
    """The options of the dense-captioning competition."""

    profile: str = option(
        "published",
        "published equals the Lua evaluator, with its quirks; corrected repairs them.",
        choices=("published", "corrected"),
    )
    box_format: str = option(
        "auto",
        "How detections and lists write boxes; auto goes by the shape and its box_format field.",
        label="Form of the boxes",
        choices=("auto", "xcycwh", "xywh", "xyxy"),
    )

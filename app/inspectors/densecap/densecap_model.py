"""Tables of one image of dense captions: its detections and the ground-truth objects."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from jurydesk.app.inspectors.densecap.densecap_panel_model import (
    VERDICTS,
    verdict_hint,
    verdict_tone,
)
from jurydesk.app.style.visible_text import display_text
from jurydesk.core.language import translatable
from jurydesk.core.metrics.detection.error_analysis import KINDS, LEFT_OUT, TRUE, Kind
from jurydesk.core.metrics.detection.threshold_what_if import NEAR, Thresholds
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tasks.densecap.densecap_evidence import Detection, Object, Scene

SHOWN_TEXT = 160
FOUND = translatable("found", "of an object")


def detection_verdict(detection: Detection, thresholds: Thresholds) -> int:
    """Return the verdict on one detection, as in the table of all items."""
    if detection.score < thresholds.score:
        return LEFT_OUT
    kind = _kind(detection, thresholds)
    return TRUE if kind is None else list(KINDS).index(kind)


def _kind(detection: Detection, thresholds: Thresholds) -> Kind | None:
    if detection.overlap < NEAR:
        return "background"
    if not detection.claims:
        return "duplicate"
    enough = thresholds.iou_suffices(detection.overlap)
    meteor, least = detection.meteor, thresholds.meteor
    described = least is None or (meteor is not None and meteor > least)
    if enough:
        return None if described else "misdescribed"
    return "mislocated" if described else "both"


def detection_columns(scene: Scene, codes: Sequence[int]) -> tuple[Column, ...]:
    """Return the detections in their order of claiming, with their verdicts."""
    found = scene.detections
    hints = [verdict_hint(code) for code in codes]
    return (
        TextColumn(
            "caption",
            translatable("Caption"),
            [display_text(one.caption, SHOWN_TEXT) for one in found],
        ),
        TextColumn(
            "reference",
            translatable("Best reference"),
            [best_reference(scene, one) for one in found],
        ),
        NumberColumn(
            "iou", "IoU", np.array([one.overlap for one in found], np.float64), decimals=2
        ),
        NumberColumn(
            "meteor", "METEOR", np.array([_meteor(one) for one in found], np.float64), decimals=2
        ),
        NumberColumn(
            "score",
            translatable("Score", "of a hit"),
            np.array([one.score for one in found], np.float64),
            decimals=2,
        ),
        TextColumn(
            "verdict",
            translatable("Verdict"),
            [VERDICTS[code] for code in codes],
            tooltip=" ".join(dict.fromkeys(hints))
            if len(found) == 1
            else translatable("At the chosen thresholds."),
            paint=lambda row: verdict_tone(codes[row]),
            is_prose=True,
        ),
    )


def object_columns(scene: Scene, codes: Sequence[int]) -> tuple[Column, ...]:
    """Return the objects with their captions, and whether a true detection claims them."""
    found = {one.object for one, code in zip(scene.detections, codes, strict=True) if code == TRUE}
    return (
        TextColumn(
            "said", translatable("People say"), [captions_of(entry) for entry in scene.objects]
        ),
        NumberColumn(
            "people",
            translatable("Boxes"),
            np.array([len(entry.captions) for entry in scene.objects], np.int64),
            decimals=0,
            tooltip=translatable("Boxes of the ground truth that were merged into it."),
        ),
        TextColumn(
            "found",
            translatable("Found"),
            [FOUND if i in found else translatable("missed") for i in range(len(scene.objects))],
            is_prose=True,
            paint=lambda row: "good" if row in found else "bad",
        ),
    )


def captions_of(entry: Object) -> str:
    """Return the captions of an object on one line."""
    return display_text(" · ".join(entry.captions), SHOWN_TEXT)


def best_reference(scene: Scene, detection: Detection) -> str:
    """Return the reference with the best METEOR, else the first; empty without an object."""
    references = scene.references(detection)
    return display_text(references[max(detection.reference, 0)], SHOWN_TEXT) if references else ""


def _meteor(detection: Detection) -> float:
    return math.nan if detection.meteor is None else detection.meteor


def image_size(scene: Scene) -> tuple[float, float]:
    """Return the size of the image; if unknown, the extent of its boxes."""
    if scene.size is not None:
        return scene.size
    corners = [entry.corners for entry in scene.objects]
    corners += [entry.corners for entry in scene.detections]
    across = max((x2 for _, _, x2, _ in corners), default=1.0)
    down = max((y2 for _, _, _, y2 in corners), default=1.0)
    return max(across, 1.0), max(down, 1.0)

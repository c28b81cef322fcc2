"""The boxes of an image of dense captions, and the canvas where its picture is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from app.models.dense import verdict_word
from app.models.scene import said_of
from app.plain import shown
from app.theme import colour
from app.tips import tip
from app.views.boxes import Box, BoxKind
from app.views.images import LoadedPicture
from core.metrics.dense_errors import TRUE
from core.tasks.densecap.evidence import Corners, Scene

WHICH = ("All boxes", "True ones", "This one")
ALL, TRUE_ONES, THIS_ONE = range(3)
LONGEST_CANVAS = 1000
SHOWN_TEXT = 200


def scene_boxes(scene: Scene, codes: Sequence[int], which: int, chosen: int) -> list[Box]:
    """The boxes of objects and detections; a row is a detection, then come the objects.

    `which` says how many detections are drawn; the chosen one always is, and its object.
    """
    return [*_objects(scene, codes, which, chosen), *_detections(scene, codes, which, chosen)]


def _objects(scene: Scene, codes: Sequence[int], which: int, chosen: int) -> Iterator[Box]:
    claimed = {
        one.object for one, code in zip(scene.detections, codes, strict=True) if code == TRUE
    }
    mine = scene.detections[chosen].object if chosen >= 0 else -1
    for thing, entry in enumerate(scene.objects):
        if which == THIS_ONE and chosen >= 0 and thing != mine:
            continue
        kind: BoxKind = "object" if thing in claimed else "missed"
        yield _box(len(scene.detections) + thing, entry.corners, kind, said_of(entry))


def _detections(scene: Scene, codes: Sequence[int], which: int, chosen: int) -> Iterator[Box]:
    for row, (entry, code) in enumerate(zip(scene.detections, codes, strict=True)):
        is_drawn = which == ALL or (which == TRUE_ONES and code == TRUE)
        if row == chosen or is_drawn:
            kind: BoxKind = "hit" if code == TRUE else "other"
            text = f"{shown(entry.caption, SHOWN_TEXT)}: {verdict_word(code)}"
            yield _box(row, entry.corners, kind, text)


def _box(row: int, corners: Corners, kind: BoxKind, text: str) -> Box:
    x1, y1, x2, y2 = (round(side) for side in corners)
    return Box(row, x1, y1, x2 - x1 + 1, y2 - y1 + 1, kind, tip(text))


def blank(size: tuple[float, float]) -> LoadedPicture:
    """An empty canvas of an image's size."""
    width, height = (max(1, round(side)) for side in size)
    share = min(1.0, LONGEST_CANVAS / max(width, height))
    image = QImage(
        max(1, round(share * width)), max(1, round(share * height)), QImage.Format.Format_RGB32
    )
    image.fill(colour("card"))
    return LoadedPicture(Path(), image, QSize(width, height))

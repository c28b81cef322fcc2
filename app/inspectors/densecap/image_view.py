"""Picture of an image of dense captions, with boxes of detections and objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.inspectors.boxes import Box, BoxesView, BoxKind
from jurydesk.app.inspectors.densecap.densecap_model import captions_of, image_size
from jurydesk.app.inspectors.densecap.densecap_panel_model import VERDICTS
from jurydesk.app.inspectors.image_loader import (
    LoadedPicture,
    PictureLoader,
    reading_text,
)
from jurydesk.app.style.theme import colour, px
from jurydesk.app.style.visible_text import display_text, tip
from jurydesk.app.widgets.parts import ElidedLabel, label, row_layout, set_spacing
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.language import translatable, translate
from jurydesk.core.metrics.detection.error_analysis import TRUE
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tasks.densecap.densecap_evidence import Corners, Scene

WHICH = (translatable("All boxes"), translatable("True boxes"), translatable("Selected box"))
ALL, TRUE_ONES, THIS_ONE = range(3)
LONGEST_CANVAS = 1000
SHOWN_TEXT = 200


def scene_boxes(scene: Scene, codes: Sequence[int], which: int, chosen: int) -> list[Box]:
    """Return the boxes of objects and detections; rows are detections, then objects.

    `which` chooses the detections to draw; the chosen one and its object are always drawn.
    """
    return [*_objects(scene, codes, which, chosen), *_detections(scene, codes, which, chosen)]


def _objects(scene: Scene, codes: Sequence[int], which: int, chosen: int) -> Iterator[Box]:
    claimed = {
        one.object for one, code in zip(scene.detections, codes, strict=True) if code == TRUE
    }
    chosen_object = scene.detections[chosen].object if chosen >= 0 else -1
    for thing, entry in enumerate(scene.objects):
        if which == THIS_ONE and chosen >= 0 and thing != chosen_object:
            continue
        kind: BoxKind = "object" if thing in claimed else "missed"
        yield _box(len(scene.detections) + thing, entry.corners, kind, captions_of(entry))


def _detections(scene: Scene, codes: Sequence[int], which: int, chosen: int) -> Iterator[Box]:
    for row, (entry, code) in enumerate(zip(scene.detections, codes, strict=True)):
        is_drawn = which == ALL or (which == TRUE_ONES and code == TRUE)
        if row == chosen or is_drawn:
            kind: BoxKind = "hit" if code == TRUE else "other"
            text = f"{display_text(entry.caption, SHOWN_TEXT)}: {translate(VERDICTS[code])}"
            yield _box(row, entry.corners, kind, text)


def _box(row: int, corners: Corners, kind: BoxKind, text: str) -> Box:
    x1, y1, x2, y2 = (round(side) for side in corners)
    return Box(row, x1, y1, x2 - x1 + 1, y2 - y1 + 1, kind, text)


def blank_picture(size: tuple[float, float]) -> LoadedPicture:
    """Return an empty canvas of an image's size."""
    width, height = (max(1, round(side)) for side in size)
    share = min(1.0, LONGEST_CANVAS / max(width, height))
    image = QImage(
        max(1, round(share * width)), max(1, round(share * height)), QImage.Format.Format_RGB32
    )
    image.fill(colour("card"))
    return LoadedPicture(Path(), image, QSize(width, height))


SPACING = 10
KEYS = translatable("detections N P   images I U   boxes B")


class ScenePicture(QWidget):
    """Picture with all boxes, the true ones, or one; rows are detections, then objects."""

    row_hovered = Signal(object)
    row_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.boxes = BoxesView(translate("Picture with boxes"))
        self.note = ElidedLabel("", "small", Qt.TextElideMode.ElideRight)
        self.which = Segments(translate("Boxes shown"))
        self.which.show_words([translate(word) for word in WHICH])
        self.which.setToolTip(tip(translate(KEYS)))
        self.loaded: LoadedPicture | None = None
        self._keys = label(translate(KEYS), "tiny")
        self._scene: Scene | None = None
        self._codes: Sequence[int] = ()
        self._current_detection = -1
        self._folder: Path | None = None
        self._files = PictureFolder(None)
        self._loader = PictureLoader(self)
        column = QVBoxLayout(self)
        set_spacing(column, SPACING)
        column.addWidget(self.boxes, 1)
        below = row_layout(self.which, self.note, self._keys)
        below.setStretchFactor(self.note, 1)
        column.addLayout(below)
        self.which.chosen.connect(self._show_boxes)
        self.boxes.row_hovered.connect(self.row_hovered)
        self.boxes.row_chosen.connect(self.row_chosen)
        self._loader.loaded.connect(self._show_image)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.which.set_room(self.width())
        room = self.width() - self.which.sizeHint().width() - px(20)
        below = self.boxes.minimumHeight() + px(SPACING) + self.which.sizeHint().height()
        has_room = self.height() >= below
        for part in (self.which, self.note):
            part.setVisible(has_room)
        self._keys.setVisible(has_room and self._keys.sizeHint().width() <= room)

    def minimumSizeHint(self) -> QSize:
        """Return the room of the picture, which has all of the height in low windows."""
        return QSize(self.which.minimumSizeHint().width(), self.boxes.minimumHeight())

    def use_folder(self, folder: Path | None) -> None:
        if folder != self._folder:
            self._folder = folder
            self._files = PictureFolder(folder)

    def show_scene(self, scene: Scene, codes: Sequence[int], entered: int) -> None:
        """Show another image, on an empty canvas until its picture is loaded."""
        self._scene, self._codes, self._current_detection = scene, codes, entered
        path = self._files.find(scene.image)
        self._loader.want(path)
        missing = (
            "" if self._folder is None else translate("The folder has no picture of this image.")
        )
        self.note.setText(missing if path is None else reading_text(path))
        self._show_loaded(blank_picture(image_size(scene)))

    def show_boxes(self, scene: Scene, codes: Sequence[int], entered: int) -> None:
        """Show the same image with other verdicts or another current detection."""
        self._scene, self._codes, self._current_detection = scene, codes, entered
        self._show_boxes()

    def step(self) -> None:
        """Choose the next kind of boxes."""
        self.which.choose((self.which.index + 1) % len(WHICH))

    def _show_image(self, picture: LoadedPicture) -> None:
        if self._scene is None:
            return
        self.note.setText(picture.problem)
        if not picture.problem:
            size = self._scene.size
            known_size = picture.size if size is None else QSize(round(size[0]), round(size[1]))
            self._show_loaded(replace(picture, size=known_size))

    def _show_loaded(self, picture: LoadedPicture) -> None:
        self.loaded = picture
        if self._scene is not None:
            self.boxes.show_picture(picture, self._boxes(self._scene))

    def _show_boxes(self) -> None:
        if self._scene is not None:
            self.boxes.show_boxes(self._boxes(self._scene))

    def _boxes(self, scene: Scene) -> Sequence[Box]:
        return scene_boxes(scene, self._codes, max(self.which.index, ALL), self._current_detection)

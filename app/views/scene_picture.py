"""The picture of an image of dense captions, with the boxes of detections and of objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.models.scene import extent
from app.theme import px
from app.tips import tip
from app.views.boxes import Box, BoxesView
from app.views.images import LoadedPicture, PictureLoader, pictures_in
from app.views.scene_boxes import ALL, WHICH, blank, scene_boxes
from app.widgets.parts import Elided, beside, label, spaced
from app.widgets.segments import Segments
from core.tasks.densecap.evidence import Scene

KEYS = "detections N P   images I U   boxes B"


class ScenePicture(QWidget):
    """Shows all boxes, true ones, or one; rows are detections, then objects."""

    row_hovered = Signal(object)
    row_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes = BoxesView("Picture with boxes")
        self.note = Elided("", "small", Qt.TextElideMode.ElideRight)
        self.which = Segments("Boxes shown")
        self.which.show_words(WHICH)
        self.which.setToolTip(tip(KEYS))
        self.loaded: LoadedPicture | None = None
        self._keys = label(KEYS, "tiny")
        self._scene: Scene | None = None
        self._codes: Sequence[int] = ()
        self._entered = -1
        self._folder: Path | None = None
        self._files: dict[str, Path] = {}
        self._loader = PictureLoader(self)
        column = QVBoxLayout(self)
        spaced(column, 10)
        column.addWidget(self.boxes, 1)
        below = beside(self.which, self.note, self._keys)
        below.setStretchFactor(self.note, 1)
        column.addLayout(below)
        self.which.chosen.connect(self._show_boxes)
        self.boxes.row_hovered.connect(self.row_hovered)
        self.boxes.row_chosen.connect(self.row_chosen)
        self._loader.loaded.connect(self._arrived)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, the words become a list, and the keys are its tip."""
        super().resizeEvent(event)
        self.which.set_room(self.width())
        room = self.width() - self.which.sizeHint().width() - px(20)
        self._keys.setVisible(self._keys.sizeHint().width() <= room)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the list of words; the keys give way."""
        smallest = super().minimumSizeHint()
        return QSize(self.which.minimumSizeHint().width(), smallest.height())

    def use_folder(self, folder: Path | None) -> None:
        """Look for pictures in this folder."""
        if folder != self._folder:
            self._folder = folder
            self._files = {} if folder is None else pictures_in(folder)

    def show_scene(self, scene: Scene, codes: Sequence[int], entered: int) -> None:
        """Show another image, on an empty canvas until its picture is loaded."""
        self._scene, self._codes, self._entered = scene, codes, entered
        path = self._files.get(scene.image) or self._files.get(Path(scene.image).stem)
        self._loader.want(path)
        missing = "" if self._folder is None else "The folder has no picture of this image."
        self.note.setText(missing if path is None else "")
        self._put(blank(extent(scene)))

    def show_boxes(self, scene: Scene, codes: Sequence[int], entered: int) -> None:
        """Show the same image with other verdicts, or with another detection that is entered."""
        self._scene, self._codes, self._entered = scene, codes, entered
        self._show_boxes()

    def step(self) -> None:
        """Go on to the next choice of boxes."""
        self.which.choose((self.which.index + 1) % len(WHICH))

    def _arrived(self, picture: LoadedPicture) -> None:
        if self._scene is None:
            return
        self.note.setText(picture.problem)
        if not picture.problem:
            size = self._scene.size
            told = picture.size if size is None else QSize(round(size[0]), round(size[1]))
            self._put(replace(picture, size=told))

    def _put(self, picture: LoadedPicture) -> None:
        self.loaded = picture
        if self._scene is not None:
            self.boxes.show_picture(picture, self._boxes(self._scene))

    def _show_boxes(self) -> None:
        if self._scene is not None:
            self.boxes.show_boxes(self._boxes(self._scene))

    def _boxes(self, scene: Scene) -> Sequence[Box]:
        return scene_boxes(scene, self._codes, max(self.which.index, ALL), self._entered)

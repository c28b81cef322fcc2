"""One image of dense captions: its boxes, its detections, what people marked, the alignment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.format import number
from app.models.dense import FIRST
from app.models.scene import extent, verdict
from app.pages.page import Export
from app.theme import px, theme
from app.views.alignment import AlignmentView
from app.views.boxes import Box, BoxesView
from app.views.export import png_writer, svg_writer
from app.views.images import LoadedPicture, PictureLoader, pictures_in
from app.views.inspectors import InspectedItem, Inspector
from app.views.scene_boxes import ALL, WHICH, blank, scene_boxes
from app.views.scene_meteor import Described, SceneMeteor
from app.views.scene_tables import SceneTables
from app.widgets.parts import Card, beside, label
from app.widgets.segments import Segments
from core.metrics.dense_cuts import Thresholds
from core.tasks.densecap.evidence import Scene

IMAGES = "images"
"""The role of the folder with the pictures."""
KEYS = "detections N P   images I U   boxes B"


class SceneInspector(Inspector):
    """Shows a `Scene`; rows are detections, then objects, in the boxes as in the two tables."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene: Scene | None = None
        self.thresholds = FIRST
        self.codes: tuple[int, ...] = ()
        self.boxes = BoxesView("Picture with boxes")
        self.picture_note = label("", "small")
        self.which = Segments("Boxes shown")
        self.which.show_words(WHICH)
        self.tables = SceneTables()
        self.detections, self.objects = self.tables.detections, self.tables.objects
        self.alignment = AlignmentView()
        self.alignment_note = label("", "muted", wrap=True)
        self._raw: Scene | None = None
        self._entered = -1
        self._settling = False
        self._folder: Path | None = None
        self._files: dict[str, Path] = {}
        self._loader = PictureLoader(self)
        self._meteor = SceneMeteor(self)
        self.picture: LoadedPicture | None = None
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        pictures = QWidget()
        left = QVBoxLayout(pictures)
        left.setContentsMargins(0, 0, 0, 0)
        left.addWidget(self.boxes, 1)
        left.addLayout(beside(self.which, self.picture_note, None, label(KEYS, "tiny")))
        card = Card(padding=(14, 10))
        card.body.addWidget(self.alignment)
        card.body.addWidget(self.alignment_note)
        left.addWidget(card)
        across = QSplitter(Qt.Orientation.Horizontal)
        across.addWidget(pictures)
        across.addWidget(self.tables)
        across.setStretchFactor(0, 1)
        across.setStretchFactor(1, 1)
        across.setChildrenCollapsible(False)
        self._left = left
        self._across = across
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(across, 1)
        self.setFocusProxy(self.detections)
        self._space()

    def _space(self) -> None:
        self._left.setSpacing(px(10))
        self._across.setHandleWidth(px(14))
        self._across.setSizes([px(520), px(520)])

    def _connect(self) -> None:
        theme().changed.connect(self._space)
        self.tables.detection_entered.connect(self._detection_changed)
        self.tables.object_entered.connect(self._object_changed)
        self.tables.row_hovered.connect(self.boxes.set_hovered)
        self.boxes.row_hovered.connect(self.tables.hover)
        self.boxes.row_chosen.connect(self.tables.choose)
        self.which.chosen.connect(self._show_boxes)
        self._loader.loaded.connect(self._picture_loaded)
        self._meteor.described.connect(self._arrived)

    # One item

    def show_item(self, item: InspectedItem) -> None:
        """Show a detection, or a missed object, among all others of its image."""
        scene = item.evidence
        if not isinstance(scene, Scene):
            raise TypeError(f"a scene is needed, not a {type(scene).__name__}")
        is_new = scene != self._raw
        self.thresholds = item.context if isinstance(item.context, Thresholds) else FIRST
        self._settling = True
        if is_new:
            self._raw = self.scene = scene
            self._entered = -1
            self._use_folder(self.folder_of(item, IMAGES))
        self._show_verdicts()
        if is_new:
            self._show_picture(scene)
        else:
            self._show_boxes()
        number, thing = int(item.values["detection"]), int(item.values["object"])
        numbers = [one.number for one in scene.detections]
        if number in numbers:
            self.detections.set_current_row(numbers.index(number))
            self._chosen(numbers.index(number))
        else:
            self.objects.set_current_row(thing)
            self._object_chosen(thing)
        self._settling = False

    def _show_verdicts(self) -> None:
        scene = self.scene
        if scene is None:
            return
        self.codes = tuple(verdict(one, self.thresholds) for one in scene.detections)
        self.tables.show_scene(scene, self.codes)

    # The picture

    def _use_folder(self, folder: Path | None) -> None:
        if folder != self._folder:
            self._folder = folder
            self._files = {} if folder is None else pictures_in(folder)

    def _show_picture(self, scene: Scene) -> None:
        path = self._files.get(scene.image) or self._files.get(Path(scene.image).stem)
        self._loader.want(path)
        missing = "" if self._folder is None else "The folder has no picture of this image."
        self.picture_note.setText(missing if path is None else "")
        self._put(blank(extent(scene)))

    def _picture_loaded(self, picture: LoadedPicture) -> None:
        if self.scene is None:
            return
        self.picture_note.setText(picture.problem)
        if not picture.problem:
            size = self.scene.size
            told = picture.size if size is None else QSize(round(size[0]), round(size[1]))
            self._put(replace(picture, size=told))

    def _put(self, picture: LoadedPicture) -> None:
        self.picture = picture
        self.boxes.show_picture(picture, self._boxes())

    def _show_boxes(self) -> None:
        self.boxes.show_boxes(self._boxes())

    def _boxes(self) -> Sequence[Box]:
        if self.scene is None:
            return ()
        return scene_boxes(self.scene, self.codes, max(self.which.index, ALL), self._entered)

    # Boxes, captions and records follow each other

    def _detection_changed(self, row: int) -> None:
        if not self._settling and self.scene is not None:
            self._chosen(row)
            self.item_wanted.emit(f"{self.scene.image} · {self.scene.detections[row].number + 1}")

    def _chosen(self, row: int) -> None:
        scene = self.scene
        if scene is None or row == self._entered:
            return
        self._entered = row
        detection = scene.detections[row]
        self.tables.mark_object(detection.object)
        self.boxes.current_row = row
        self._show_boxes()
        self._describe(scene, row)

    def _object_changed(self, row: int) -> None:
        if not self._settling:
            self._object_chosen(row)

    def _object_chosen(self, row: int) -> None:
        if self.scene is None:
            return
        self._entered = -1
        self.detections.set_current_row(None)
        self.boxes.current_row = len(self.scene.detections) + row
        self._show_boxes()
        self._say("People say: " + "; ".join(self.scene.objects[row].captions) + ".")

    # METEOR

    def _describe(self, scene: Scene, row: int) -> None:
        """Align the chosen detection, and score those of its image that nobody needed yet."""
        if not scene.references(scene.detections[row]):
            self._say("It overlaps no object: there is nothing to compare its caption with.")
            return
        self._meteor.ask(scene, row)

    def _arrived(self, described: Described) -> None:
        if described.scene is not self.scene or described.row != self._entered:
            return
        if described.known != self.scene:
            self.scene = described.known
            self._settling = True
            self._show_verdicts()
            self.detections.set_current_row(described.row)
            self._settling = False
            self._show_boxes()
        alignment = described.alignment
        if alignment is None:
            self._say(described.problem)
            return
        references = self.scene.references(self.scene.detections[described.row])
        several = f"best of {len(references)} · " if len(references) > 1 else ""
        chip = f"{several}METEOR {number(alignment.score, 2)}"
        self.alignment_note.hide()
        self.alignment.show_alignment(alignment, ("Caption", "Best reference"), chip)
        self.alignment.show()

    def _say(self, sentence: str) -> None:
        self.alignment.hide()
        self.alignment_note.setText(sentence)
        self.alignment_note.show()

    # Keys, copies and files

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_N:
                self.detections.step(1)
            case Qt.Key.Key_P:
                self.detections.step(-1)
            case Qt.Key.Key_I:
                self.evidence_stepped.emit(1)
            case Qt.Key.Key_U:
                self.evidence_stepped.emit(-1)
            case Qt.Key.Key_B:
                self.which.choose((self.which.index + 1) % len(WHICH))
            case (
                Qt.Key.Key_Plus | Qt.Key.Key_Equal | Qt.Key.Key_Minus | Qt.Key.Key_0 | Qt.Key.Key_Z
            ):
                self.boxes.keyPressEvent(event)
            case Qt.Key.Key_Period | Qt.Key.Key_Comma:
                self.alignment.keyPressEvent(event)
            case _:
                event.ignore()

    def copied(self, headers: bool) -> str:
        """The selected objects or detections as tab-separated text."""
        return self.tables.copied(headers=headers)

    def exports(self) -> Sequence[Export]:
        """The alignment as a picture."""
        if self.alignment.isHidden():
            return ()
        return (
            Export("Alignment", "*.png", png_writer(self.alignment)),
            Export("Alignment", "*.svg", svg_writer(self.alignment, "Alignment")),
        )

"""Inspector of one image of dense captions: boxes, detections, ground truth, alignment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from jurydesk.app.inspectors.alignment.alignment_view import AlignmentView
from jurydesk.app.inspectors.densecap.densecap_model import detection_verdict
from jurydesk.app.inspectors.densecap.densecap_panel_model import INITIAL_THRESHOLDS
from jurydesk.app.inspectors.densecap.densecap_tables import SceneTables
from jurydesk.app.inspectors.densecap.image_view import ScenePicture
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.jobs.job import Job, Notify, view_jobs
from jurydesk.app.plots.plot_export import picture_exports
from jurydesk.app.style.theme import px, theme
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, label, set_spacing
from jurydesk.app.widgets.scroll import CardScrollArea
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.execution.run import Run
from jurydesk.core.language import translatable, translate
from jurydesk.core.metrics.detection.threshold_what_if import Thresholds
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.tables.numbers import number
from jurydesk.core.tasks.densecap.densecap_evidence import Scene


class SceneCaption(Card):
    """METEOR's alignment of one detection's caption."""

    def __init__(self) -> None:
        super().__init__(padding=(14, 10))
        self.alignment = AlignmentView()
        self.note = label("", "muted", wrap=True)
        self.body.addWidget(self.alignment)
        self.body.addWidget(self.note)

    def show_alignment(self, alignment: Alignment, references: int) -> None:
        """Show the alignment with the best of `references` references."""
        chip = f"METEOR {number(alignment.score, 2)}"
        if references > 1:
            chip = translate("best of {count} · {score}", count=references, score=chip)
        self.note.hide()
        self.alignment.show_alignment(
            alignment, (translate("Caption"), translate("Reference")), chip
        )
        self.alignment.show()

    def say(self, sentence: str) -> None:
        """Show a sentence instead of an alignment."""
        self.alignment.hide()
        self.note.setText(sentence)
        self.note.show()

    def exports(self) -> Sequence[Export]:
        return (
            ()
            if self.alignment.isHidden()
            else picture_exports(self.alignment, translate("Alignment"))
        )


@dataclass(frozen=True, slots=True)
class ScoredScene:
    """Scene with METEOR: `known` has the scores that `scene` lacked.

    `alignment` is that of the detection in `row`; if None, `problem` gives the reason.
    """

    scene: Scene
    known: Scene
    row: int
    alignment: Alignment | None
    problem: str = ""


class SceneMeteorJobs(QObject):
    """Computes METEOR of scenes in jobs; `scored` carries each result."""

    scored = Signal(object)

    def start(self, scene: Scene, row: int) -> None:
        """Align a detection with its best reference, and score its image where needed."""
        job = Job(translate("Aligning"), partial(_score_scene, scene, row), quiet=True)
        job.succeeded.connect(self.scored)
        view_jobs().start(job)


def _score_scene(scene: Scene, row: int, run: Run, notify: Notify) -> ScoredScene:
    try:
        known = scene.with_meteor(run)
        return ScoredScene(scene, known, row, known.align(known.detections[row]))
    except ResourceMissing as missing:
        return ScoredScene(scene, scene, row, None, str(missing))


ROOMY = (760, 490)
"""Minimum width and height at which all parts are shown."""
SMALLEST = (360, 102)
ROOM_FOR_HEADS = 140
"""Minimum height for the heads of the tables; below it two rows take their place."""
PARTS = (translatable("Captions"), translatable("People"), "METEOR")


class SceneLayout(QSplitter):
    """Picture with the alignment below it at the left, both tables at the right.

    With little room, such as for two systems side by side, segments choose one of tables and
    alignment to be shown beside the picture, or below it where that is narrow and high.
    """

    def __init__(self, picture: ScenePicture, tables: SceneTables, caption: SceneCaption) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.picture, self.tables, self.caption = picture, tables, caption
        self.parts = Segments(translate("Part shown"))
        self.parts.show_words([translate(part) for part in PARTS])
        self._scroll = CardScrollArea()
        self._left, self._right = QWidget(), QWidget()
        self._left_column, self._right_column = QVBoxLayout(self._left), QVBoxLayout(self._right)
        for column in (self._left_column, self._right_column):
            set_spacing(column, 10)
        self._left_column.addWidget(picture, 1)
        self._left_column.addWidget(caption)
        self._right_column.addWidget(self.parts, 0, Qt.AlignmentFlag.AlignLeft)
        self._right_column.addWidget(tables, 1)
        self._right_column.addWidget(self._scroll, 1)
        self.addWidget(self._left)
        self.addWidget(self._right)
        self.setChildrenCollapsible(False)
        self.is_small = False
        self.parts.chosen.connect(self._show_part)
        theme().changed.connect(self._space)
        self._space()
        self._show_part()

    def _space(self) -> None:
        self.setHandleWidth(px(14))
        self.setSizes([px(520), px(520)])

    def minimumSizeHint(self) -> QSize:
        width, height = SMALLEST
        return QSize(px(width), px(height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, height = ROOMY
        self._arrange(small=self.width() < px(width) or self.height() < px(height))
        self._turn()
        self.parts.set_room(self._right.width())
        for table in (self.tables.detections, self.tables.objects):
            table.horizontalHeader().setVisible(self.height() >= px(ROOM_FOR_HEADS))

    def _turn(self) -> None:
        """Place the picture above the tables where that is narrow and high."""
        is_tall = self.is_small and self.height() > self.width()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        if (self.orientation() is down) is not is_tall:
            self.setOrientation(down if is_tall else across)
            self._space()

    def _arrange(self, *, small: bool) -> None:
        if small == self.is_small:
            return
        self.is_small = small
        if small:
            self._scroll.setWidget(self.caption)
        else:
            self._scroll.takeWidget()
            self._left_column.addWidget(self.caption)
            self.caption.show()
        self._space()
        self._show_part()

    def _show_part(self) -> None:
        """Show the chosen part; with enough room, all parts."""
        chosen = self.parts.index if self.is_small else None
        self.parts.setVisible(self.is_small)
        # The whole parts, which would keep their height without their tables.
        self.tables.filtered_detections.setVisible(chosen in (None, 0))
        self.tables.filtered_objects.setVisible(chosen in (None, 1))
        self.tables.setVisible(chosen in (None, 0, 1))
        self._scroll.setVisible(chosen == 2)


IMAGES = "images"
"""Role of the folder with the pictures."""


class SceneInspector(Inspector):
    """Inspector of a `Scene`; rows are detections, then objects, in boxes and tables."""

    guide_part = translatable("Detections")

    def __init__(self) -> None:
        super().__init__()
        self.scene: Scene | None = None
        self.thresholds = INITIAL_THRESHOLDS
        self.codes: tuple[int, ...] = ()
        self.picture = ScenePicture()
        self.tables = SceneTables()
        self.caption = SceneCaption()
        self.boxes, self.alignment = self.picture.boxes, self.caption.alignment
        self.detections, self.objects = self.tables.detections, self.tables.objects
        self._raw: Scene | None = None
        self._current_detection = -1
        self._is_updating = False
        self._meteor = SceneMeteorJobs(self)
        self.parts = SceneLayout(self.picture, self.tables, self.caption)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.parts, 1)
        self.setFocusProxy(self.detections)
        self._connect()

    def _connect(self) -> None:
        self.tables.detection_entered.connect(self._detection_changed)
        self.tables.object_entered.connect(self._object_changed)
        self.tables.row_hovered.connect(self.boxes.set_hovered)
        self.picture.row_hovered.connect(self.tables.hover)
        self.picture.row_chosen.connect(self.tables.choose)
        self._meteor.scored.connect(self._show_scores)

    def show_item(self, item: InspectedItem) -> None:
        """Show a detection or a missed object among the others of its image."""
        scene = item.evidence
        if not isinstance(scene, Scene):
            raise TypeError(f"expected a scene, got {type(scene).__name__}")
        is_new = scene != self._raw
        self.thresholds = (
            item.context if isinstance(item.context, Thresholds) else INITIAL_THRESHOLDS
        )
        self._is_updating = True
        if is_new:
            self._raw = self.scene = scene
            self._current_detection = -1
            self.picture.use_folder(self.folder_of(item, IMAGES))
        self._show_verdicts()
        if is_new:
            self.picture.show_scene(scene, self.codes, self._current_detection)
        else:
            self._show_boxes()
        number, thing = int(item.values["detection"]), int(item.values["object"])
        numbers = [one.number for one in scene.detections]
        if number in numbers:
            self.detections.set_current_row(numbers.index(number))
            self._choose_detection(numbers.index(number))
        else:
            self.objects.set_current_row(thing)
            self._object_chosen(thing)
        self._is_updating = False

    def _show_verdicts(self) -> None:
        scene = self.scene
        if scene is None:
            return
        self.codes = tuple(detection_verdict(one, self.thresholds) for one in scene.detections)
        self.tables.show_scene(scene, self.codes)

    def _show_boxes(self) -> None:
        if self.scene is not None:
            self.picture.show_boxes(self.scene, self.codes, self._current_detection)

    def _detection_changed(self, row: int) -> None:
        if not self._is_updating and self.scene is not None:
            self._choose_detection(row)
            self.item_requested.emit(
                f"{self.scene.image} · {self.scene.detections[row].number + 1}"
            )

    def _choose_detection(self, row: int) -> None:
        scene = self.scene
        if scene is None or row == self._current_detection:
            return
        self._current_detection = row
        detection = scene.detections[row]
        self.tables.mark_object(detection.object)
        self.boxes.current_row = row
        self._show_boxes()
        self._describe(scene, row)

    def _object_changed(self, row: int) -> None:
        if not self._is_updating:
            self._object_chosen(row)

    def _object_chosen(self, row: int) -> None:
        if self.scene is None:
            return
        self._current_detection = -1
        self.detections.set_current_row(None)
        self.boxes.current_row = len(self.scene.detections) + row
        self._show_boxes()
        captions = "; ".join(self.scene.objects[row].captions)
        self.caption.say(translate("Ground truth: {captions}.", captions=captions))

    def _describe(self, scene: Scene, row: int) -> None:
        if not scene.references(scene.detections[row]):
            self.caption.say(
                translate("The detection overlaps no object, so its caption has no reference.")
            )
            return
        self._meteor.start(scene, row)

    def _show_scores(self, described: ScoredScene) -> None:
        if described.scene is not self.scene or described.row != self._current_detection:
            return
        if described.known != self.scene:
            self.scene = described.known
            self._is_updating = True
            self._show_verdicts()
            self.detections.set_current_row(described.row)
            self._is_updating = False
            self._show_boxes()
        alignment = described.alignment
        if alignment is None:
            self.caption.say(described.problem)
            return
        references = self.scene.references(self.scene.detections[described.row])
        self.caption.show_alignment(alignment, len(references))

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
                self.picture.step()
            case (
                Qt.Key.Key_Plus | Qt.Key.Key_Equal | Qt.Key.Key_Minus | Qt.Key.Key_0 | Qt.Key.Key_Z
            ):
                self.boxes.keyPressEvent(event)
            case Qt.Key.Key_Period | Qt.Key.Key_Comma:
                self.alignment.keyPressEvent(event)
            case _:
                event.ignore()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        return self.tables.selection_text(headers=headers)

    def exports(self) -> Sequence[Export]:
        return self.caption.exports()


INSPECTOR = SceneInspector

"""View of a picture with boxes: zoom by wheel or keys, linked with the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsRectItem, QGraphicsScene, QGraphicsView

from jurydesk.app.inspectors.image_loader import LoadedPicture
from jurydesk.app.style.theme import LIGHT, colour, px, theme
from jurydesk.app.style.visible_text import tip

BoxKind = Literal["hit", "missed", "object", "other", "repeated"]
_HATCH, _SOLID = Qt.BrushStyle.BDiagPattern, Qt.BrushStyle.SolidPattern
ZOOM_STEP = 1.25
MAX_ZOOM = 16.0
CONTEXT_FACTOR = 6.0
"""Multiple of a box's height that is shown around it."""
_TONES: dict[BoxKind, str] = {
    "hit": "good",
    "missed": "bad",
    "object": "exact",
    "other": "muted",
    "repeated": "exact",
}


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangle in pixels of the picture, with its table row and kind."""

    row: int
    x: int
    y: int
    width: int
    height: int
    kind: BoxKind
    label: str


def box_ink(name: str) -> QColor:
    """Return a colour for marks on scans, which are light in any theme."""
    return QColor(getattr(LIGHT, name))


class BoxesView(QGraphicsView):
    """Picture with boxes; its signals carry the row of a box, or None."""

    row_chosen = Signal(object)
    row_hovered = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
        )
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.boxes: tuple[Box, ...] = ()
        self.current_row: int | None = None
        self.hovered_row: int | None = None
        self._items: dict[int, QGraphicsRectItem] = {}
        self._fits = True
        theme().follow(self._restyle)

    def show_picture(self, picture: LoadedPicture, boxes: Sequence[Box]) -> None:
        self._scene.clear()
        self.boxes, self._items = (), {}
        pixmap = self._scene.addPixmap(QPixmap.fromImage(picture.image))
        pixmap.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        if picture.image.width():
            pixmap.setScale(picture.size.width() / picture.image.width())
        self._scene.setSceneRect(QRectF(0, 0, picture.size.width(), picture.size.height()))
        self.fit()
        self.show_boxes(boxes)

    def show_boxes(self, boxes: Sequence[Box]) -> None:
        """Show other boxes over the same picture, keeping the zoom."""
        for item in self._items.values():
            self._scene.removeItem(item)
        self.boxes, self._items = tuple(boxes), {}
        for box in boxes:
            item = self._scene.addRect(QRectF(box.x, box.y, box.width, box.height))
            item.setToolTip(tip(box.label))
            self._items[box.row] = item
        self._restyle()

    def set_current(self, row: int | None) -> None:
        """Mark a row's box and scroll to it."""
        self.current_row = row
        self._restyle()
        item = self._items.get(row) if row is not None else None
        if item is not None and not self._fits:
            self.centerOn(item)

    def set_hovered(self, row: int | None) -> None:
        """Mark the box of the row under the mouse."""
        if row != self.hovered_row:
            self.hovered_row = row
            self._restyle()

    def _restyle(self) -> None:
        self.setMinimumSize(px(160), px(88))
        self.setBackgroundBrush(colour("background"))
        for box in self.boxes:
            item = self._items[box.row]
            marked = box.row in (self.current_row, self.hovered_row)
            tone = box_ink("accent" if box.row == self.current_row else _TONES[box.kind])
            width = 3 if marked else 1 if box.kind == "other" else 2
            pen = QPen(tone, px(width))
            pen.setCosmetic(True)
            if box.kind in ("missed", "object"):
                pen.setStyle(Qt.PenStyle.DashLine)
            item.setPen(pen)
            filled = box.kind in ("hit", "missed")
            alpha = 0.08 if filled else 0.6 if box.kind == "repeated" else 0.0
            tone.setAlphaF(0.2 if marked else alpha)
            item.setBrush(QBrush(tone, _HATCH if box.kind == "repeated" else _SOLID))
            item.setZValue(2 if marked else 1)

    def fit(self) -> None:
        """Show the whole picture."""
        self._fits = True
        self.resetTransform()
        self.fitInView(self.sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)

    def zoom(self, factor: float) -> None:
        """Zoom in (factor above 1) or out, at most to the whole picture."""
        smallest = self._fitting_scale()
        scale = min(max(self.transform().m11() * factor, smallest), MAX_ZOOM)
        if scale <= smallest:
            self.fit()
        else:
            self._fits = False
            self.scale(scale / self.transform().m11(), scale / self.transform().m11())

    def show_box(self, row: int) -> None:
        """Zoom to a box and its surroundings."""
        item = self._items.get(row)
        if item is not None:
            around = item.rect()
            room = around.height() * CONTEXT_FACTOR / 2
            self._fits = False
            self.fitInView(
                around.adjusted(-room, -room, room, room), Qt.AspectRatioMode.KeepAspectRatio
            )

    def _fitting_scale(self) -> float:
        whole = self.sceneRect()
        if whole.isEmpty():
            return 1.0
        size = self.viewport().size()
        return min(size.width() / whole.width(), size.height() / whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fits:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(ZOOM_STEP ** (event.angleDelta().y() / 120))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(ZOOM_STEP)
            case Qt.Key.Key_Minus:
                self.zoom(1 / ZOOM_STEP)
            case Qt.Key.Key_0:
                self.fit()
            case Qt.Key.Key_Z if self.current_row is not None:
                self.show_box(self.current_row)
            case _:
                event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self._row_at(event)
        if row != self.hovered_row:
            self.set_hovered(row)
            self.row_hovered.emit(row)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self.hovered_row is not None:
            self.set_hovered(None)
            self.row_hovered.emit(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        row = self._row_at(event)
        if row is not None and event.button() is Qt.MouseButton.LeftButton:
            self.row_chosen.emit(row)

    def _row_at(self, event: QMouseEvent) -> int | None:
        """Return the row of the smallest box under the mouse, which larger ones may cover."""
        point = self.mapToScene(event.position().toPoint())
        under = [box for box in self.boxes if self._items[box.row].rect().contains(point)]
        return min(under, key=lambda box: box.width * box.height).row if under else None

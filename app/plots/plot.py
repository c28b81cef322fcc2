"""Base class of plots: axes, theme colours, brushing, keyboard, and export."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from html import escape
from math import ceil, log2, sqrt

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPicture,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QGraphicsRectItem, QToolTip, QWidget

from jurydesk.app.sheets.numbers_sheet import show_numbers
from jurydesk.app.style.theme import (
    HIGH_CONTRAST,
    LIGHT,
    TINY,
    Colours,
    current,
    font,
    px,
    take_off,
    theme,
)
from jurydesk.app.style.visible_text import elide, tip
from jurydesk.app.widgets.screen_reader import set_role
from jurydesk.core.language import localize_number, translate_text
from jurydesk.core.model.evaluation import Axis, FloatArray, IntArray
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import DataColumn

MARGIN = 0.02
PICTURE_MARGIN = 12
TITLE_HEIGHT, TITLE_MARGIN = 30, 8
REACH = 10
"""Maximum distance, in pixels, of the mouse from a curve that it selects."""
LEAST_BRUSH = 3
"""Minimum width and height, in pixels, of a rectangle that is brushed."""
MOVES = {
    Qt.Key.Key_Left: (-0.1, 0.0),
    Qt.Key.Key_Right: (0.1, 0.0),
    Qt.Key.Key_Up: (0.0, 0.1),
    Qt.Key.Key_Down: (0.0, -0.1),
}
"""Parts of the view by which an arrow key with Shift moves it."""


SETTLE = QEvent.Type(QEvent.registerEventType())
"""Event after which the axes of a plot have their room."""


def tint(colours: Colours, name: str, alpha: float = 1.0) -> QColor:
    """Return a colour of a palette with an opacity, a higher one where contrast must be high."""
    value = QColor(getattr(colours, name))
    value.setAlphaF(sqrt(alpha) if colours is HIGH_CONTRAST else alpha)
    return value


def pen(colours: Colours, name: str, width: float = 1.0, alpha: float = 1.0) -> QPen:
    """Return a pen of that colour, whose width does not zoom with the plot."""
    made: QPen = pg.mkPen(tint(colours, name, alpha), width=width)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    made.setCapStyle(Qt.PenCapStyle.RoundCap)
    return made


class QuietAxis(pg.AxisItem):
    """An axis with few ticks and no grid lines, whose ticks can have labels."""

    def __init__(self, orientation: str, axis: Axis) -> None:
        super().__init__(orientation, maxTickLength=0)
        self.axis = axis
        self.enableAutoSIPrefix(False)  # a zoomed axis says 0.2, not 200 (x0.001)
        self.finest = 0.0
        """Minimum distance of two ticks: 1 on an axis of counts."""
        if axis.ticks:
            labels = axis.labels or tuple(f"{tick:g}" for tick in axis.ticks)
            self.setTicks([list(zip(axis.ticks, labels, strict=True))])

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        least = self.finest
        levels: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        if self.orientation == "left" and levels:  # labels must not overlap each other
            coarsest, _ = levels[0]
            room = max(1.0, size / QFontMetricsF(font(TINY)).height())
            doublings = ceil(log2(max(1.0, (high - low) / coarsest / room)))
            least = max(least, coarsest * 2**doublings if doublings else 0.0)
        return [(max(step, least), offset) for step, offset in levels]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if spacing >= 1:
            return [numbers.count(round(value * scale)) for value in values]
        strings: list[str] = super().tickStrings(values, scale, spacing)
        return [localize_number(text).replace("-", numbers.MINUS) for text in strings]

    def measure(self) -> None:
        """Draw the numbers if they changed, which sets the room that the axis asks for."""
        if self.picture is None and self.isVisible():
            unseen = QPicture()
            painter = QPainter(unseen)
            self.paint(painter, None, None)
            painter.end()

    def restyle(self, colours: Colours) -> None:
        """Apply a palette and the current type size."""
        self.setPen(pen(colours, "line"))
        self.setTextPen(pen(colours, "muted"))
        self.setStyle(tickFont=font(TINY), tickTextOffset=px(6))
        if self.orientation == "bottom":
            self.setLabel(escape(axis_title(self.axis)), **label_style(colours))


def axis_title(axis: Axis) -> str:
    """Return the title of an axis with its unit, if it has one."""
    title, unit = translate_text(axis.title), translate_text(axis.unit)
    return f"{title} ({unit})" if unit else title


def label_style(colours: Colours) -> dict[str, str]:
    """Return pyqtgraph's settings for the small muted type of axis titles."""
    return {"color": colours.muted, "font-size": f"{px(TINY)}px"}


class BrushBox(pg.ViewBox):
    """View box in which a drag with the left button brushes, and one with Shift moves the view."""

    brush_drawn = Signal(QRectF)
    """The rectangle of a finished drag, in the units of the axes."""

    def mouseDragEvent(self, event: object, axis: int | None = None) -> None:
        moves = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)  # type: ignore[attr-defined]
        left = Qt.MouseButton.LeftButton
        if axis is not None or moves or event.button() != left:  # type: ignore[attr-defined]
            super().mouseDragEvent(event, axis)
            return
        event.accept()  # type: ignore[attr-defined]
        start, end = QPointF(event.buttonDownPos(left)), QPointF(event.pos())  # type: ignore[attr-defined]
        if event.isFinish():  # type: ignore[attr-defined]
            self.rbScaleBox.hide()
            drawn = QRectF(start, end).normalized() & self.rect()
            self.brush_drawn.emit(self.childGroup.mapRectFromParent(drawn).normalized())
        else:
            self.updateScaleBox(start, end)


class Plot(pg.PlotWidget):
    """A plot of an evaluation's items, which can be hovered, selected and brushed.

    Signals carry a row of the item table, or None; `rows_brushed` carries the rows (n,) of the
    items in a rectangle, or None. Subclasses draw, find the item near a point (`row_near`) and
    those in a rectangle (`rows_in`), and mark the current and the hovered item.
    """

    item_hovered = Signal(object)
    item_chosen = Signal(object)
    rows_brushed = Signal(object)
    left_axis: type[QuietAxis] = QuietAxis
    least_height = 110
    """Minimum height, unscaled."""
    brushes_columns = False
    """True if a rectangle always has the height of the plot."""

    def __init__(self, x_axis: Axis, y_axis: Axis, name: str) -> None:
        self._axes = (QuietAxis("bottom", x_axis), self.left_axis("left", y_axis))
        self._y_title = axis_title(y_axis)
        self.colours: Colours = current()
        self._key_width = 0.0
        self._is_unsettled = False
        box = BrushBox(enableMenu=False)
        super().__init__(axisItems={"bottom": self._axes[0], "left": self._axes[1]}, viewBox=box)
        self.current_row: int | None = None
        self.hovered_row: int | None = None
        self.numbers: Callable[[], Sequence[DataColumn]] = list
        """What the plot draws, by column, for its table."""
        self.tip_lines: Callable[[int], Sequence[str]] = lambda row: ()
        """Lines of the tooltip of an item."""
        for part in (self, self.viewport()):
            set_role(part, QAccessible.Role.Chart)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(self.Shape.NoFrame)
        self.hideButtons()
        # pyqtgraph's menu of options is never shown; it would outlive the plot, without a parent.
        item = self.getPlotItem()
        item.ctrlMenu.deleteLater()
        item.ctrlMenu = None
        take_off([one for one in vars(item.ctrl).values() if isinstance(one, QWidget)])
        self._brush = QGraphicsRectItem()
        self._brush.setZValue(50)
        self._brush.hide()
        self.addItem(self._brush, ignoreBounds=True)
        box.setDefaultPadding(MARGIN)
        box.brush_drawn.connect(self._brush_drawn)
        box.sigRangeChanged.connect(self._settle_soon)
        self.scene().sigMouseMoved.connect(self._hover_position)
        self.scene().sigMouseClicked.connect(self._choose_clicked)
        theme().changed.connect(self._theme_changed)

    def setAccessibleName(self, name: str) -> None:
        """Name the plot, and its viewport, which is what a screen reader finds in focus."""
        super().setAccessibleName(name)
        self.viewport().setAccessibleName(name)

    def setAccessibleDescription(self, description: str) -> None:
        """Describe what the plot shows, for screen readers."""
        super().setAccessibleDescription(description)
        self.viewport().setAccessibleDescription(description)

    # For subclasses

    @abstractmethod
    def row_near(self, x: float, y: float) -> int | None:
        """Return the item nearest to a point of the plot, if one is near enough."""

    def row_beside(self, step: int) -> int | None:
        """Return the item right (1) or left (-1) of the current one, if items are ordered."""
        return None

    def rows_in(self, brush: QRectF) -> IntArray | None:
        """Return the rows (n,) of the items in a rectangle; None if items cannot be brushed."""
        return None

    @abstractmethod
    def draw(self) -> None:
        """Set the pens and brushes of all parts."""

    @abstractmethod
    def mark(self) -> None:
        """Mark the current and the hovered item, without drawing anything else again."""

    # Public interface

    def set_current(self, row: int | None) -> None:
        """Mark the selected item."""
        if row != self.current_row:
            self.current_row = row
            self.mark()

    def set_hovered(self, row: int | None) -> None:
        """Mark the item under the mouse, in the plot or in the table."""
        if row != self.hovered_row:
            self.hovered_row = row
            self.mark()

    def name_axes(self, x_axis: Axis, y_axis: Axis) -> None:
        """Set the titles of the axes."""
        self._axes[0].axis = x_axis
        self._y_title = axis_title(y_axis)
        self.restyle(self.colours)

    def show_lower_axis(self, *, shown: bool) -> None:
        """Show the numbers below the plot, or leave half a line for the lowest number beside it."""
        item = self.getPlotItem()
        item.showAxis("bottom", shown)
        below = 0 if shown else self.fontMetrics().height() / 2
        item.layout.setContentsMargins(0, 0, self._key_width, below)

    def leave_room(self, width: float) -> None:
        """Leave this width right of the axes, for a key that must cover nothing."""
        if width != self._key_width:
            self._key_width = width
            layout = self.getPlotItem().layout
            left, top, _, below = layout.getContentsMargins()
            layout.setContentsMargins(left, top, max(left, width), below)
            self._show_title()

    @property
    def has_brush(self) -> bool:
        """True while a rectangle is brushed."""
        return bool(self._brush.isVisible())

    def brush(self, drawn: QRectF) -> None:
        """Mark a rectangle, in the units of the axes, and emit the rows of its items."""
        if self.brushes_columns:
            view = self.getViewBox().viewRect()
            drawn = QRectF(drawn.left(), view.top(), drawn.width(), view.height())
        rows = self.rows_in(drawn)
        if rows is not None:
            self._brush.setRect(drawn)
            self._brush.show()
            self.rows_brushed.emit(rows)

    def clear_brush(self) -> None:
        """Remove the rectangle, without a signal."""
        self._brush.hide()

    def _brush_drawn(self, drawn: QRectF) -> None:
        wide, high = self._pixel()
        if drawn.width() >= LEAST_BRUSH * wide and drawn.height() >= LEAST_BRUSH * high:
            self.brush(drawn)

    def _end_brush(self) -> None:
        self.clear_brush()
        self.rows_brushed.emit(None)

    def restyle(self, colours: Colours) -> None:
        self.colours = colours
        self.setMinimumSize(QSize(px(160), px(self.least_height)))
        self._brush.setPen(pen(colours, "accent"))
        self._brush.setBrush(tint(colours, "accent", 0.08))
        self.getViewBox().rbScaleBox.setPen(pen(colours, "accent"))
        self.getViewBox().rbScaleBox.setBrush(tint(colours, "accent", 0.08))
        self.setBackground(tint(colours, "card"))
        for axis in self._axes:
            axis.restyle(colours)
        self._show_title()
        self.draw()
        self.mark()

    def _show_title(self) -> None:
        """Show as much of the y axis's title as fits: a wider one would widen the whole plot."""
        plot = self.getPlotItem()
        taken = round(self._axes[1].width() + self._key_width)
        room = max(0, self.width() - taken - 2 * px(TITLE_MARGIN))
        text = self.elided_title(QFontMetricsF(font(TINY)), room)
        plot.setTitle(escape(text), justify="left", color=self.colours.muted, size=f"{px(TINY)}px")
        plot.titleLabel.setToolTip(tip(self._y_title))
        plot.titleLabel.setMaximumHeight(px(TITLE_HEIGHT))
        plot.layout.setRowFixedHeight(0, px(TITLE_HEIGHT))

    def elided_title(self, metrics: QFontMetricsF, room: int) -> str:
        """Return the y axis's title shortened to a width in pixels."""
        return elide(metrics, self._y_title, Qt.TextElideMode.ElideRight, room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if getattr(self, "plotItem", None) is not None:  # pyqtgraph resizes without one, too
            self._show_title()  # first: a wider title would keep the plot from shrinking
        super().resizeEvent(event)
        self._settle_soon()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._settle_soon()

    def _settle_soon(self) -> None:
        """Find the place of the axes before the next paint, which changes in a scene bring on."""
        if not self._is_unsettled and self.isVisible():
            self._is_unsettled = True
            high = Qt.EventPriority.HighEventPriority.value
            QCoreApplication.postEvent(self, QEvent(SETTLE), high)

    def customEvent(self, event: QEvent) -> None:
        self._settle()

    def _settle(self) -> None:
        """Give the axes their room: found while they are painted, it has all painted twice."""
        is_due = self._is_unsettled and self.isVisible()  # not closed since
        self._is_unsettled = False
        if not is_due:
            return
        layout = self.getPlotItem().layout
        self.scene().prepareForPaint()
        for axis in (*reversed(self._axes), *self._axes):  # the lower one needs the left one's room
            layout.activate()
            axis.measure()
        layout.activate()
        self.scene().prepareForPaint()

    def picture_size(self) -> QSize:
        """Return the size of an exported picture, in screen pixels."""
        margin = 2 * px(PICTURE_MARGIN)
        size: QSize = self.size()
        return size + QSize(margin, margin)

    def paint_picture(self, painter: QPainter) -> None:
        """Paint the plot in the light palette, whatever the theme of the window."""
        size, margin = self.picture_size(), px(PICTURE_MARGIN)
        painter.fillRect(0, 0, size.width(), size.height(), tint(LIGHT, "card"))
        self.set_hovered(None)
        self.restyle(LIGHT)
        self.scene().prepareForPaint()
        target = QRectF(margin, margin, self.width(), self.height())
        self.render(painter, target, self.viewport().rect())
        self.restyle(current())

    def show_table(self) -> None:
        """Show the numbers of the plot as a table."""
        show_numbers(self, self.numbers())

    def show_all(self) -> None:
        """Reset the zoom."""
        self.getViewBox().autoRange()

    def _theme_changed(self) -> None:
        self.restyle(current())

    def _pixel(self) -> tuple[float, float]:
        """Return the size of a pixel in the units of the axes."""
        width, height = self.getViewBox().viewPixelSize()
        return width, height

    def _hover_position(self, position: object) -> None:
        row = self._row_at(position)
        if row != self.hovered_row:
            self.set_hovered(row)
            self.item_hovered.emit(row)
        self.setCursor(
            Qt.CursorShape.ArrowCursor if row is None else Qt.CursorShape.PointingHandCursor
        )

    def _row_at(self, position: object) -> int | None:
        box = self.getViewBox()
        if not box.sceneBoundingRect().contains(position):
            return None
        point = box.mapSceneToView(position)
        return self.row_near(point.x(), point.y())

    def _choose_clicked(self, event: object) -> None:
        if event.button() != Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            return
        if event.double():  # type: ignore[attr-defined]
            self.show_all()
            return
        row = self._row_at(event.scenePos())  # type: ignore[attr-defined]
        if row is not None:
            self.item_chosen.emit(row)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._settle()
        super().paintEvent(event)
        if self.hasFocus():  # a border of the style sheet would take room that pyqtgraph draws on
            painter = QPainter(self.viewport())
            painter.setPen(pen(self.colours, "accent"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
            painter.end()

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the tooltip of the item under the mouse."""
        if isinstance(event, QHelpEvent) and self.hovered_row is not None:
            text = tip(*self.tip_lines(self.hovered_row))
            if text:
                QToolTip.showText(event.globalPos(), text, self)
                return True
        shown: bool = super().viewportEvent(event)
        return shown

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)
        if self.hovered_row is not None:
            self.set_hovered(None)
            self.item_hovered.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.getViewBox().scaleBy((0.8, 0.8))
            case Qt.Key.Key_Minus:
                self.getViewBox().scaleBy((1.25, 1.25))
            case Qt.Key.Key_0 | Qt.Key.Key_Home:
                self.show_all()
            case Qt.Key.Key_B:
                self.brush(self.getViewBox().viewRect())
            case Qt.Key.Key_Escape if self.has_brush:
                self._end_brush()
            case _ if event.key() in MOVES and moves:
                across, down = MOVES[Qt.Key(event.key())]
                view = self.getViewBox().viewRect()
                self.getViewBox().translateBy((across * view.width(), down * view.height()))
            case Qt.Key.Key_T:
                self.show_table()
            case Qt.Key.Key_Left:
                self._step(-1)
            case Qt.Key.Key_Right:
                self._step(1)
            case _:
                event.ignore()

    def _step(self, step: int) -> None:
        row = self.row_beside(step)
        if row is not None:
            self.item_chosen.emit(row)


def finite_limits(axis: Axis, values: Sequence[float]) -> tuple[float, float]:
    """Return the declared limits of an axis, or else the range of its values."""
    if axis.limits is not None:
        return axis.limits
    found = [value for value in values if value == value]
    return (min(found), max(found)) if found else (0.0, 1.0)


def within(values: FloatArray, low: float, high: float) -> IntArray:
    """Return the indices (m,) of the values (n,) in an interval; NaN is in none."""
    return np.flatnonzero((values >= low) & (values <= high))

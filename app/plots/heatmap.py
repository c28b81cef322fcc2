"""Heat map of a matrix, whose cells are selected with the mouse or the arrow keys."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from jurydesk.app.plots.plot_description import describe_heatmap
from jurydesk.app.sheets.numbers_sheet import show_numbers
from jurydesk.app.style.distinct_names import fit_names
from jurydesk.app.style.theme import BASE, LIGHT, SMALL, TINY, Colours, current, font, px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.screen_reader import announce, set_role
from jurydesk.core.export.tables.figure_tables import heatmap_numbers, tick_label
from jurydesk.core.language import localize_number, translate, translate_text
from jurydesk.core.model.evaluation import Axis, Heatmap
from jurydesk.core.tables import numbers

Cell = tuple[int, int]
"""Row and column; the lead column is `LEAD`."""
LEAD = -1
TYPE_SIZES = (BASE, SMALL, TINY)
LABELS_SHARE = 0.4
"""Most of the width that labels of rows take; longer ones are cut in the middle."""
LABEL_GAP = 4
"""Least room between two labels of columns."""
CELL_MARGIN = 4
"""Least room beside a number, both sides together."""


@cache
def _viridis() -> Any:
    return pg.colormap.get("viridis")


def viridis_color(share: float) -> QColor:
    """Return the colour of a share (0 to 1) of the maximum: viridis on a square-root scale."""
    color: QColor = _viridis().map(math.sqrt(min(max(share, 0.0), 1.0)), mode="qcolor")
    return color


def contrasting_color(ground: QColor) -> QColor:
    """Return black or white, whichever contrasts more with a colour."""
    light = 0.299 * ground.red() + 0.587 * ground.green() + 0.114 * ground.blue()
    return QColor("#111111" if light > 130 else "#ffffff")


def shown_label(axis: Axis, index: int) -> str:
    """Return a label in the language of the window; names, of systems or answers, stay as they are.

    A label is a number if it tells its own tick, as "> .05" does.
    """
    label = tick_label(axis, index)
    try:
        is_number = float(label.removeprefix("> ")) == axis.ticks[index]
    except (ValueError, IndexError):
        is_number = False
    return localize_number(label) if is_number else label


class HeatmapLayout:
    """Positions of the cells and labels of a heat map in a picture of a given size."""

    def __init__(self, heatmap: Heatmap, size: QSize) -> None:
        rows, columns = heatmap.values.shape
        metrics = QFontMetricsF(font(SMALL))
        labels = [shown_label(heatmap.y_axis, row) for row in range(rows)]
        self.rows, self.columns = rows, columns
        self.has_lead = heatmap.lead is not None
        widest = max(map(metrics.horizontalAdvance, labels), default=0) + px(10)
        self._left = min(widest, size.width() * LABELS_SHARE)
        self._gap, self._lead_gap = px(2), px(10) if self.has_lead else 0
        self._below = 2 * metrics.height() + px(10)
        width = size.width() - self._left - self._lead_gap
        self._width = max(1.0, width / max(columns + self.has_lead, 1))
        self._height = max(1.0, (size.height() - self._below) / max(rows, 1))
        self._size = size

    def cells(self) -> Iterator[Cell]:
        """Return all cells, row by row, the lead column first."""
        first = LEAD if self.has_lead else 0
        return ((row, column) for row in range(self.rows) for column in range(first, self.columns))

    def cell_at(self, position: QPointF) -> Cell | None:
        """Return the cell at a point, or None between and outside the cells."""
        return next((cell for cell in self.cells() if self.rect(cell).contains(position)), None)

    def _x(self, column: int) -> float:
        if column == LEAD:
            return self._left
        x: float = self._left + (column + self.has_lead) * self._width + self._lead_gap
        return x

    def rect(self, cell: Cell) -> QRectF:
        row, column = cell
        return QRectF(
            self._x(column), row * self._height, self._width - self._gap, self._height - self._gap
        )

    def row_label(self, row: int) -> QRectF:
        return QRectF(0, row * self._height, self._left - px(8), self._height - self._gap)

    def column_label(self, column: int) -> QRectF:
        top = self.rows * self._height + px(2)
        return QRectF(self._x(column), top, self._width - self._gap, self._below / 2)

    def caption(self) -> QRectF:
        top = self._size.height() - self._below / 2 + px(4)
        return QRectF(self._left, top, self._size.width() - self._left, self._below / 2)


class HeatmapView(QWidget):
    """View of a `Heatmap`; emits the selected cell (row, column; the lead column is -1)."""

    cell_chosen = Signal(int, int)
    cell_hovered = Signal(object)
    cell_opened = Signal()
    """Enter was pressed on the selected cell."""

    def __init__(self, heatmap: Heatmap) -> None:
        super().__init__()
        self.heatmap = heatmap
        self.colours: Colours = current()
        self.current_cell: Cell | None = None
        self.hovered_cell: Cell | None = None
        set_role(self, QAccessible.Role.Chart)
        self.setAccessibleName(translate_text(heatmap.title))
        self.setAccessibleDescription(describe_heatmap(heatmap))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        theme().follow(self._theme_changed)

    # Values

    def value(self, cell: Cell) -> float:
        row, column = cell
        if column != LEAD:
            return float(self.heatmap.values[row, column])
        return float("nan") if self.heatmap.lead is None else float(self.heatmap.lead[row])

    def describe(self, cell: Cell) -> str:
        """Return the labels of a cell and its value with all digits."""
        row, column = cell
        heatmap = self.heatmap
        across = (
            translate_text(heatmap.lead_label)
            if column == LEAD
            else f"{translate_text(heatmap.x_axis.title)} {shown_label(heatmap.x_axis, column)}"
        )
        down = f"{translate_text(heatmap.y_axis.title)} {shown_label(heatmap.y_axis, row)}"
        return f"{down}, {across}: {numbers.exact(self.value(cell))}"

    def largest(self) -> float:
        """Return the maximum of the colour scale."""
        values = self.heatmap.values.ravel().tolist()
        values += [] if self.heatmap.lead is None else self.heatmap.lead.tolist()
        return max((value for value in values if not math.isnan(value)), default=0.0)

    def ground(self, share: float, colours: Colours) -> QColor:
        """Return the colour of a cell whose value is this share of the maximum."""
        return viridis_color(share)

    def cell_text(self, value: float, fewer: int = 0) -> str:
        """Return a value as its cell shows it, with fewer decimals where there is little room."""
        return numbers.number(value, max(0, self.heatmap.decimals - fewer))

    def cell_at(self, position: QPointF) -> Cell | None:
        """Return the cell at a point of the widget."""
        return HeatmapLayout(self.heatmap, self.size()).cell_at(position)

    # Painting

    def restyle(self, colours: Colours) -> None:
        self.colours = colours
        self.update()

    def _theme_changed(self) -> None:
        self.setMinimumSize(px(260), px(180))
        self.restyle(current())

    def picture_size(self) -> QSize:
        """Return the size of an exported picture, in screen pixels."""
        return self.size()

    def paint_picture(self, painter: QPainter) -> None:
        """Paint the heat map in the light palette, without a selection."""
        size = self.picture_size()
        painter.fillRect(0, 0, size.width(), size.height(), QColor(LIGHT.card))
        self._paint(painter, size, LIGHT, marked=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint(painter, self.size(), self.colours, marked=True)
        painter.end()

    def _paint(self, painter: QPainter, size: QSize, colours: Colours, *, marked: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        layout = HeatmapLayout(self.heatmap, size)
        largest, fewer = self.largest(), self._choose_type(painter, layout)
        for cell in layout.cells():
            value, rect = self.value(cell), layout.rect(cell)
            ground = self._paint_ground(painter, rect, value, largest, colours)
            if fewer is not None:
                undefined = math.isnan(value)
                painter.setPen(QColor(colours.muted) if undefined else contrasting_color(ground))
                text = self.cell_text(value, fewer)
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
        if marked:
            self._paint_marks(painter, layout, colours)
        self._paint_labels(painter, layout, colours)

    def _choose_type(self, painter: QPainter, layout: HeatmapLayout) -> int | None:
        """Set the largest type in which every number fits its cell; return the decimals left out.

        None if there is no room for numbers.
        """
        cells = list(layout.cells())
        if not cells:
            return None
        room, values = layout.rect(cells[0]), [self.value(cell) for cell in cells]
        for fewer in (0, 1, 2):
            texts = {self.cell_text(value, fewer) for value in values}
            for size in TYPE_SIZES:
                metrics = QFontMetricsF(font(size))
                width = max(map(metrics.horizontalAdvance, texts)) + px(CELL_MARGIN)
                if metrics.height() <= room.height() and width <= room.width():
                    painter.setFont(font(size))
                    return fewer
        return None

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, value: float, largest: float, colours: Colours
    ) -> QColor:
        """Paint a cell without its number; return its colour."""
        share = value / largest if largest > 0 else 0.0
        ground = QColor(colours.hover) if math.isnan(value) else self.ground(share, colours)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, px(5), px(5))
        return ground

    def _paint_marks(self, painter: QPainter, layout: HeatmapLayout, colours: Colours) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for cell, name, width in (
            (self.hovered_cell, colours.muted, 1.5),
            (self.current_cell, colours.text, 2.5),
        ):
            if cell is not None:
                painter.setPen(QPen(QColor(name), px(width)))
                painter.drawRoundedRect(layout.rect(cell), px(5), px(5))

    def _paint_labels(self, painter: QPainter, layout: HeatmapLayout, colours: Colours) -> None:
        heatmap = self.heatmap
        painter.setPen(QColor(colours.muted))
        painter.setFont(font(SMALL))
        rows, columns = heatmap.values.shape
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        texts = [shown_label(heatmap.y_axis, row) for row in range(rows)]
        room = layout.row_label(0).width() + 1 if rows else 0.0
        shown = fit_names(texts, QFontMetricsF(font(SMALL)).horizontalAdvance, room)
        for row, text in enumerate(texts):
            painter.drawText(layout.row_label(row), right, shown[text])
        self._paint_column_labels(painter, layout, columns)
        painter.setFont(font(TINY))
        caption = translate(
            "{across} across, {down} down",
            across=translate_text(heatmap.x_axis.title),
            down=translate_text(heatmap.y_axis.title),
        )
        painter.drawText(layout.caption(), Qt.AlignmentFlag.AlignLeft, caption)

    def _paint_column_labels(self, painter: QPainter, layout: HeatmapLayout, columns: int) -> None:
        """Paint as many labels of columns as do not run into each other, the lead's first."""
        axis, metrics, free = self.heatmap.x_axis, QFontMetricsF(painter.font()), -math.inf
        labels = [(n, shown_label(axis, n)) for n in range(columns)]
        if self.heatmap.lead is not None:
            labels.insert(0, (LEAD, translate_text(self.heatmap.lead_label)))
        for column, text in labels:
            place, width = layout.column_label(column), metrics.horizontalAdvance(text)
            left = place.center().x() - width / 2
            if left >= free:
                box = QRectF(left - 1, place.top(), width + 2, place.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                free = left + width + px(LABEL_GAP)

    # Mouse and keys

    def set_cell(self, cell: Cell | None) -> None:
        """Mark a cell as selected."""
        self.current_cell = cell
        self.update()

    def show_table(self) -> None:
        """Show the numbers of the heat map as a table."""
        show_numbers(self, heatmap_numbers(self.heatmap))

    def _choose(self, cell: Cell) -> None:
        self.set_cell(cell)
        announce(self, self.describe(cell))
        self.cell_chosen.emit(*cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, cell: Cell | None) -> None:
        if cell != self.hovered_cell:
            self.hovered_cell = cell
            self.setToolTip("" if cell is None else tip(self.describe(cell)))
            self.cell_hovered.emit(cell)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell is not None and event.button() is Qt.MouseButton.LeftButton:
            self._choose(cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        step = steps.get(Qt.Key(event.key()))
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_cell is not None:
            self.cell_opened.emit()
            return
        if event.key() == Qt.Key.Key_T:
            self.show_table()
            return
        if step is None:
            event.ignore()
            return
        rows, columns = self.heatmap.values.shape
        first = 0 if self.heatmap.lead is None else LEAD
        row, column = self.current_cell or (-step[0], first - step[1])
        self._choose(
            (
                min(max(row + step[0], 0), rows - 1),
                min(max(column + step[1], first), columns - 1),
            )
        )

"""Where the cells and labels of a heat map stand, and in which colours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF

from app.theme import SMALL, font, px
from app.views.figure_text import tick_label
from core.model import Heatmap

Cell = tuple[int, int]
"""Row and column; the lead column is `LEAD`."""
LEAD = -1


@cache
def _viridis() -> Any:
    return pg.colormap.get("viridis")


def shade(share: float) -> QColor:
    """The colour of a share (0 to 1) of the largest value: viridis on a square-root scale."""
    return _viridis().map(math.sqrt(min(max(share, 0.0), 1.0)), mode="qcolor")


def ink(ground: QColor) -> QColor:
    """Black or white, whichever is read better on a colour."""
    light = 0.299 * ground.red() + 0.587 * ground.green() + 0.114 * ground.blue()
    return QColor("#111111" if light > 130 else "#ffffff")


class HeatmapLayout:
    """Where the cells and labels of a heat map stand in a picture of a given size."""

    def __init__(self, heatmap: Heatmap, size: QSize) -> None:
        rows, columns = heatmap.values.shape
        metrics = QFontMetricsF(font(SMALL))
        labels = [tick_label(heatmap.y_axis, row) for row in range(rows)]
        self.rows, self.columns = rows, columns
        self.has_lead = heatmap.lead is not None
        self._left = max(map(metrics.horizontalAdvance, labels), default=0) + px(10)
        self._gap, self._lead_gap = px(2), px(10) if self.has_lead else 0
        self._below = 2 * metrics.height() + px(10)
        width = size.width() - self._left - self._lead_gap
        self._width = max(1.0, width / max(columns + self.has_lead, 1))
        self._height = max(1.0, (size.height() - self._below) / max(rows, 1))
        self._size = size

    def cells(self) -> Iterator[Cell]:
        """Every cell, row by row, the lead column first."""
        first = LEAD if self.has_lead else 0
        return ((row, column) for row in range(self.rows) for column in range(first, self.columns))

    def cell_at(self, position: QPointF) -> Cell | None:
        """The cell at a point; None between and outside the cells."""
        return next((cell for cell in self.cells() if self.rect(cell).contains(position)), None)

    def _x(self, column: int) -> float:
        if column == LEAD:
            return self._left
        return self._left + (column + self.has_lead) * self._width + self._lead_gap

    def rect(self, cell: Cell) -> QRectF:
        """The box of a cell."""
        row, column = cell
        return QRectF(
            self._x(column), row * self._height, self._width - self._gap, self._height - self._gap
        )

    def row_label(self, row: int) -> QRectF:
        """Where the label of a row stands."""
        return QRectF(0, row * self._height, self._left - px(8), self._height - self._gap)

    def column_label(self, column: int) -> QRectF:
        """Where the label of a column stands."""
        top = self.rows * self._height + px(2)
        return QRectF(self._x(column), top, self._width - self._gap, self._below / 2)

    def caption(self) -> QRectF:
        """Where the two axes are named."""
        top = self._size.height() - self._below / 2 + px(4)
        return QRectF(self._left, top, self._size.width() - self._left, self._below / 2)

"""Cells of the options that were tried: the distance from the number also as a mark."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen

from jurydesk.app.style.theme import colour, px
from jurydesk.app.tables.table_view import TableCellDelegate
from jurydesk.core.tables.columns import Column, NumberColumn

WIDTH, GAP = 84, 12
"""Width of the marks, and the room between them and the numbers."""


class DistanceCells(TableCellDelegate):
    """Delegate that paints a mark beside each number of the column `difference`.

    The middle is the number that was asked for; the axis is that of square roots, so that small
    distances can be told from none.
    """

    def content_width(self, column: Column, text: int) -> int:
        room = px(WIDTH + GAP) if column.name == "difference" else 0
        return super().content_width(column, text) + room

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        super().paint_cell(painter, inside, column, row)
        if column.name == "difference" and isinstance(column, NumberColumn):
            paint_mark(painter, inside, mark_place(column, row))


def mark_place(column: NumberColumn, row: int) -> float:
    """Return the place of a mark from -1 to 1; NaN for an undefined number."""
    value, all_values = float(column.values[row]), np.abs(column.values)
    if not math.isfinite(value):
        return math.nan
    most = float(np.max(all_values[np.isfinite(all_values)]))
    return math.copysign(math.sqrt(abs(value) / most), value) if most else 0.0


def paint_mark(painter: QPainter, inside: QRect, place: float) -> None:
    """Paint the middle of the axis, and a disc with a line to it at `place`."""
    if math.isnan(place):
        return
    radius, half = px(3.5), px(WIDTH) / 2
    middle = QPointF(inside.left() + half, inside.top() + inside.height() / 2)
    disc = middle + QPointF(place * (half - radius), 0)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour("border"), 1))
    painter.drawLine(middle - QPointF(0, px(7)), middle + QPointF(0, px(7)))
    painter.setPen(QPen(colour("accent"), px(2)))
    painter.drawLine(middle, disc)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    painter.drawEllipse(disc, radius, radius)
    painter.restore()

"""Cells of the Rate page's tables: finished shares as bars, intervals of agreement as lines."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen

from jurydesk.app.pages.rate.rate_model import DONE, INTERVAL, ITEMS, axis
from jurydesk.app.style.theme import TINY, colour, font, px
from jurydesk.app.style.visible_text import elide, fitted_names
from jurydesk.app.tables.table_view import TableCellDelegate
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn
from jurydesk.core.tables.numbers import UNDEFINED

BAR, LEAST_BAR, GAP, STRIP = 84, 24, 12, 132
"""Width of a bar, and its least one; the room beside it, and the width of an axis."""
TWO_LINED = 40
"""Height of a row from which a number has its interval below it."""
RIGHT, MIDDLE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter


NAMED = ("rater", "system", "other", "program")
"""Columns of names, which stay distinct where they are cut."""


class NameCells(TableCellDelegate):
    """Delegate that cuts names where no two of a column become equal."""

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        if column.name not in NAMED:
            super().paint_cell(painter, inside, column, row)
            return
        shown = cut_name(column, row, painter.fontMetrics(), painter.font(), inside.width())
        painter.drawText(inside, self.table.table_model.alignment(column), shown)


def cut_name(column: Column, row: int, metrics: QFontMetrics, in_font: QFont, width: int) -> str:
    """Return a name of a column within a width, cut where no two of its names become equal."""
    text = column.text(row)
    if metrics.horizontalAdvance(text) > width:
        names = tuple(map(column.text, range(len(column.values))))
        text = fitted_names(names, width, in_font.toString())[text]
    return elide(metrics, text, Qt.TextElideMode.ElideRight, width)


class ProgressCells(NameCells):
    """Delegate that paints the finished share of a rater's items beside their number."""

    def content_width(self, column: Column, text: int) -> int:
        return super().content_width(column, text) + (px(BAR + GAP) if column.name == DONE else 0)

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        super().paint_cell(painter, inside, column, row)
        columns = {one.name: one for one in self.table.table_model.columns}
        items = columns.get(ITEMS)
        if column.name == DONE and isinstance(column, NumberColumn) and items is not None:
            text = painter.fontMetrics().horizontalAdvance(column.text(row))
            room = min(px(BAR), inside.width() - text - px(GAP))
            if room >= px(LEAST_BAR):
                done, planned = float(column.values[row]), float(items.values[row])
                paint_bar(painter, inside, room, done, planned)


def paint_bar(painter: QPainter, inside: QRect, width: int, part: float, whole: float) -> None:
    """Paint a bar of a width at the left of a cell, filled by the share of a whole."""
    bar = QRectF(inside.left(), inside.center().y() - px(3), width, px(6))
    share = min(max(part / whole, 0.0), 1.0) if whole else 0.0
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("line"))
    painter.drawRoundedRect(bar, px(3), px(3))
    if share:
        painter.setBrush(colour("accent"))
        painter.drawRoundedRect(bar.adjusted(0, 0, -bar.width() * (1 - share), 0), px(3), px(3))
    painter.restore()


class ResultCells(NameCells):
    """Delegate with intervals below numbers in high rows, and those of alpha on one axis."""

    def content_width(self, column: Column, text: int) -> int:
        if column.name == INTERVAL:
            return px(STRIP)
        width = super().content_width(column, text)
        if self.table.row_height < TWO_LINED or not isinstance(column, NumberColumn):
            return width
        metrics, rows = QFontMetrics(font(TINY)), range(len(column.values))
        return max([width, *(metrics.horizontalAdvance(ends_text(column, row)) for row in rows)])

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        if column.name == INTERVAL:
            self._strip(painter, inside, row)
        elif isinstance(column, NumberColumn) and self.table.row_height >= TWO_LINED:
            self._number(painter, inside, column, row)
        else:
            super().paint_cell(painter, inside, column, row)

    def _number(self, painter: QPainter, inside: QRect, column: NumberColumn, row: int) -> None:
        below = ends_text(column, row)
        if not below:
            super().paint_cell(painter, inside, column, row)
            return
        half = inside.height() // 2
        painter.drawText(
            inside.adjusted(0, px(3), 0, -half + px(3)), RIGHT | MIDDLE, column.text(row)
        )
        painter.setFont(font(TINY))
        painter.setPen(colour("muted"))
        painter.drawText(inside.adjusted(0, half - px(1), 0, -px(3)), RIGHT | MIDDLE, below)

    def _strip(self, painter: QPainter, inside: QRect, row: int) -> None:
        columns = {one.name: one for one in self.table.table_model.columns}
        alpha = columns.get("alpha")
        if not isinstance(alpha, NumberColumn):
            return
        low, high, step = axis(alpha)
        strip = QRectF(inside.adjusted(px(6), 0, -px(6), 0))

        def place(value: float) -> float:
            return strip.left() + strip.width() * (min(max(value, low), high) - low) / (high - low)

        painter.save()
        painter.setPen(QPen(colour("line"), 1))
        for tick in range(round((high - low) / step) + 1):
            x = place(low + tick * step)
            painter.drawLine(QLineF(x, inside.top(), x, inside.bottom() + 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ends, value = alpha.intervals[row] if alpha.intervals else None, float(alpha.values[row])
        y = strip.center().y()
        if ends is not None and math.isfinite(ends.low) and math.isfinite(ends.high):
            round_cap = Qt.PenCapStyle.RoundCap
            painter.setPen(QPen(colour("accent"), px(3), Qt.PenStyle.SolidLine, round_cap))
            painter.drawLine(QLineF(place(ends.low), y, place(ends.high), y))
        if math.isfinite(value):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("accent"))
            painter.drawEllipse(QPointF(place(value), y), px(4), px(4))
        else:
            painter.setPen(colour("muted"))
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, UNDEFINED)
        painter.restore()


def ends_text(column: NumberColumn, row: int) -> str:
    """Return the interval of a cell as its second line; empty without one."""
    ends = column.intervals[row] if column.intervals else None
    if ends is None or not math.isfinite(float(column.values[row])):
        return ""
    return numbers.interval(ends, 2)

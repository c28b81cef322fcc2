"""How a cell of the board is painted: numbers with intervals, strips, names with their marks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QLineF,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app import format
from app.models.board import CELL, BoardModel, Column
from app.models.interval_scale import Scale, ends_of
from app.theme import SMALL, TINY, colour, font, px
from core.board import Row
from core.model import Score


def paint_interval(painter: QPainter, rect: QRectF, score: Score | None, scale: Scale) -> None:
    """Draw one score on the common scale, or say on which side of it the score lies."""
    ends = None if score is None else ends_of(score)
    if score is None or ends is None:
        return
    if ends[1] < scale.low or ends[0] > scale.high:
        _paint_beside(painter, rect, "left" if ends[1] < scale.low else "right")
        return
    middle = rect.center().y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour("line"), 1))
    painter.drawLine(QLineF(rect.left(), middle, rect.right(), middle))
    left, right = (_at(rect, scale, end) for end in ends)
    painter.setPen(QPen(colour("accent"), px(4), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QLineF(left, middle, right, middle))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    painter.drawEllipse(QPointF(_at(rect, scale, score.value), middle), px(5), px(5))


def _paint_beside(painter: QPainter, rect: QRectF, side: str) -> None:
    painter.setFont(font(TINY))
    painter.setPen(colour("muted"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, f"{side} of scale")


def _at(rect: QRectF, scale: Scale, value: float) -> float:
    return rect.left() + rect.width() * min(max(scale.share(value), 0.0), 1.0)


Index = QModelIndex | QPersistentModelIndex
GAP = 8
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
MIDDLE = Qt.AlignmentFlag.AlignVCenter


class Cells(QStyledItemDelegate):
    """Paints one cell by the kind of its column."""

    def __init__(self, model: BoardModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.hovered: Index = QModelIndex()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.data(CELL)
        rect: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour("accent_soft"))
        elif index.row() == self.hovered.row():
            painter.fillRect(rect, colour("hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(
                QRect(rect.left(), rect.bottom() - px(1), rect.width(), px(2)), colour("accent")
            )
        inside = rect.adjusted(px(10), 0, -px(10), -1)
        if column.kind == "metric":
            self._number(painter, inside, row, column, under=index == self.hovered)
        elif column.kind == "interval":
            self._strip(painter, inside, row, column)
        else:
            self._name(painter, inside, row, index.data(), column)
        painter.restore()

    def _number(
        self, painter: QPainter, rect: QRect, row: Row, column: Column, *, under: bool
    ) -> None:
        if column.metric is None:
            return
        score, best = self._model.cell(row, column.metric)
        value = float("nan") if score is None else score.value
        text = format.number(value, column.metric.decimals)
        below = format.interval(score.interval if score else None, column.metric.decimals)
        upper = rect
        if below:
            half = rect.height() // 2
            upper = rect.adjusted(0, px(6), 0, -half + px(4))
            painter.setFont(font(TINY))
            painter.setPen(colour("muted"))
            painter.drawText(rect.adjusted(0, half, 0, -px(6)), RIGHT | MIDDLE, below)
        shown = font(bold=best)
        shown.setUnderline(under)
        painter.setFont(shown)
        painter.setPen(colour("accent" if under else "muted" if row.summary.stale else "text"))
        painter.drawText(upper, RIGHT | MIDDLE, text)

    def _strip(self, painter: QPainter, rect: QRect, row: Row, column: Column) -> None:
        scale = self._model.scale
        if column.metric is not None and scale is not None:
            score = self._model.score(row, column.metric)
            paint_interval(painter, QRectF(rect.adjusted(px(10), 0, -px(10), 0)), score, scale)

    def _name(self, painter: QPainter, rect: QRect, row: Row, text: str, column: Column) -> None:
        chips = self._model.chips(row) if column.kind == "system" else []
        metrics = QFontMetrics(font())
        room = max(rect.width() - chips_width(chips), rect.width() // 3)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        painter.setClipRect(rect)
        painter.setFont(font())
        painter.setPen(colour("text"))
        painter.drawText(rect, LEFT | MIDDLE, shown)
        left = rect.left() + metrics.horizontalAdvance(shown) + px(GAP)
        for chip in chips:
            _paint_chip(painter, QPoint(left, rect.center().y()), chip)
            left += _chip_width(chip) + px(GAP)


def _chip_width(text: str) -> int:
    return QFontMetrics(font(TINY)).horizontalAdvance(text) + px(16)


def chips_width(chips: Sequence[str]) -> int:
    """The room that chips take beside a name, in pixels."""
    return sum(_chip_width(chip) + px(GAP) for chip in chips)


def _paint_chip(painter: QPainter, at: QPoint, text: str) -> None:
    height = px(19)
    rect = QRectF(at.x(), at.y() - height / 2, _chip_width(text), height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour("bad"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, height / 2, height / 2)
    painter.setFont(font(TINY))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


class Header(QHeaderView):
    """Column titles; a triangle beside the one that the board is sorted by."""

    def __init__(self, model: BoardModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._model = model
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self._model
        painter.save()
        painter.fillRect(rect, colour("card"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        is_sorted = model.sorting is not None and model.sorting[0] == section
        painter.setFont(font(SMALL, bold=True))
        painter.setPen(colour("text" if is_sorted else "muted"))
        inside = rect.adjusted(px(10), 0, -px(10), 0)
        title = model.headerData(section, Qt.Orientation.Horizontal)
        align = model.headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        metrics = painter.fontMetrics()
        painter.drawText(inside, align | Qt.TextFlag.TextWordWrap, title)
        if model.sorting is not None and is_sorted:
            width = min(metrics.horizontalAdvance(title), inside.width() - px(14))
            right = align & Qt.AlignmentFlag.AlignRight
            x = inside.right() - width - px(9) if right else inside.left() + width + px(9)
            _paint_triangle(painter, QPointF(x, rect.center().y()), down=model.sorting[1])
        painter.restore()


def _paint_triangle(painter: QPainter, centre: QPointF, *, down: bool) -> None:
    half, tip = px(3), px(2) * (1 if down else -1)
    corners = [QPointF(-half, -tip), QPointF(half, -tip), QPointF(0, tip)]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))

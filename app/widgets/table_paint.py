"""How the cells and column titles of a table are painted."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app.models.table import TableModel
from app.theme import colour, px

PADDING = 10


class Cells(QStyledItemDelegate):
    """Paints a cell: a hairline below, the selection and the row under the mouse behind.

    What a cell says is taken from the model itself: asking it through Qt, three times a cell, would
    wait for the interpreter each time while a job works.
    """

    def __init__(self, model: TableModel, table: QTableView) -> None:
        super().__init__(table)
        self._model = model
        self._table = table
        self.hovered_place = -1

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        rect: QRect = option.rect
        cell = self._model.cell(index)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or index.row() == self.hovered_place:
            painter.fillRect(rect, colour("accent_soft" if selected else "hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        if self._is_focus(index):
            painter.fillRect(QRect(rect.left(), rect.bottom() - px(1), rect.width(), px(2)),
                             colour("accent"))  # fmt: skip
        padding = px(PADDING)
        inside = rect.adjusted(padding, 0, -padding, -1)
        painter.setFont(self._table.font())
        painter.setPen(colour(cell.paint or "text"))
        metrics = painter.fontMetrics()
        text = metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, cell.alignment, text)

    def _is_focus(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        """Whether the keyboard stands on this very cell."""
        here = self._table.currentIndex()
        return self._table.hasFocus() and (index.row(), index.column()) == (
            here.row(),
            here.column(),
        )


class Header(QHeaderView):
    """Column titles in small type, with a triangle where the table is sorted."""

    def __init__(self, model: TableModel, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._model = model
        self._table = table
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(px(40))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        painter.save()
        painter.fillRect(rect, colour("card"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        sorting = self._model.sorting
        is_sorted = sorting is not None and sorting[0] == section
        at_keyboard = self._table.hasFocus() and self._table.currentIndex().column() == section
        painter.setFont(self.font())
        painter.setPen(colour("text" if is_sorted or at_keyboard else "muted"))
        inside = rect.adjusted(px(PADDING), 0, -px(PADDING), -1)
        title = str(self._data(section, Qt.ItemDataRole.DisplayRole))
        align = Qt.AlignmentFlag(self._data(section, Qt.ItemDataRole.TextAlignmentRole))
        shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, align, shown)
        if sorting is not None and is_sorted:
            width = painter.fontMetrics().horizontalAdvance(shown)
            left = inside.right() - width if align & Qt.AlignmentFlag.AlignRight else inside.left()
            beside = left - px(7) if align & Qt.AlignmentFlag.AlignRight else left + width + px(7)
            self._triangle(painter, QPointF(beside, rect.center().y()), descending=sorting[1])
        painter.restore()

    def _data(self, section: int, role: Qt.ItemDataRole) -> object:
        return self._model.headerData(section, Qt.Orientation.Horizontal, role)

    def _triangle(self, painter: QPainter, centre: QPointF, *, descending: bool) -> None:
        half, tip = px(3), px(2) * (1 if descending else -1)
        corners = [QPointF(-half, -tip), QPointF(half, -tip), QPointF(0, tip)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colour("accent"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))

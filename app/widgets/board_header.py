"""The titles of the board's columns, in one line or two."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QHeaderView, QWidget

from app.models.board import BoardModel
from app.theme import SMALL, colour, font, px


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

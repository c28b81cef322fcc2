"""Text with marked letters, painted without markup."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter, QTextCharFormat, QTextLayout

from jurydesk.app.style.theme import colour


def draw_marked_text(
    painter: QPainter, box: QRect, text: str, marks: Sequence[tuple[int, int]]
) -> None:
    """Paint a line of text in a box, its marked letters (first, number) underlined in colour."""
    form = QTextCharFormat()
    form.setFontUnderline(True)
    form.setForeground(colour("accent"))
    layout = QTextLayout(text, painter.font())
    layout.setFormats([_range(form, *mark) for mark in marks])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(box.width())
    layout.endLayout()
    top = box.top() + (box.height() - line.height()) / 2
    layout.draw(painter, QPointF(box.left(), top))


def _range(form: QTextCharFormat, start: int, length: int) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.format, found.start, found.length = form, start, length
    return found

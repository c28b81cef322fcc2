"""Table of a ranked list whose rows begin the page with the image of the word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from jurydesk.app.inspectors.image_loader import Box
from jurydesk.app.inspectors.thumbnails import Thumbnails, paint_thumbnail
from jurydesk.app.style.theme import px
from jurydesk.app.tables.table_view import PADDING, Table, TableCellDelegate
from jurydesk.core.tables.columns import Column

PAGE = "name"
"""Column of the pages."""
WIDTH, EDGE = 70, 2
"""Unscaled width of the image of a word, and what is left free above and below it."""
LEAST_PAGE = 30
"""Unscaled width that the image leaves for the name of the page."""


class WordCells(TableCellDelegate):
    """Delegate that paints a word before the name of its page."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.word_of: Callable[[int], tuple[Path, Box] | None] = lambda row: None
        """Function that returns the page's file and the box of a row; None without an image."""
        self.has_words = False
        """Whether there are images of words at all."""
        self.thumbnails = Thumbnails(self)
        self.thumbnails.arrived.connect(table.viewport().update)

    def content_width(self, column: Column, text: int) -> int:
        width = super().content_width(column, text)
        has_word = self.has_words and column.name == PAGE
        return width + px(WIDTH + PADDING) if has_word else width

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        width = px(WIDTH)
        has_room = inside.width() >= width + px(PADDING + LEAST_PAGE)
        if self.has_words and column.name == PAGE and has_room:
            word = self.word_of(row)
            if word is not None:
                edge = px(EDGE)
                box = QRectF(inside.left(), inside.top() + edge, width, inside.height() - 2 * edge)
                paint_thumbnail(painter, box, self.thumbnails.image(*word), is_whole=True)
            inside = inside.adjusted(width + px(PADDING), 0, 0, 0)
        super().paint_cell(painter, inside, column, row)

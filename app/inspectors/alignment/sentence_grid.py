"""Two texts and their reference side by side, one row for each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from jurydesk.app.inspectors.alignment.alignment_layout import WordFlow, flow
from jurydesk.app.inspectors.alignment.alignment_view import match_sentence
from jurydesk.app.inspectors.alignment.compared_sentences import (
    NO_MATCH,
    ComparedTexts,
    MarkedSentence,
    MarkedWord,
)
from jurydesk.app.style.theme import BASE, colour, font, px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.wrapped_view import WrappedView
from jurydesk.core.language import translate

GAP, PADDING, WORD_GAP = 20, 3, 1
"""Space between two columns, beside the letters of a word, and between two words."""
EDGE, LEADING, LINE_HEIGHT = 9, 9, 2.0
"""Space above and below the sentences of a row, between two lines, thickness of a line."""
LEAST_ROW = 58
"""Height of a row beside a photo."""
COLUMNS = 3
REFERENCE = 1


class SidePart(Protocol):
    """A part at the left of the rows, such as a photo for each."""

    def place_rows(self, rows: Sequence[tuple[float, float]]) -> None:
        """Take the top and the height of each row, in pixels."""


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """Row of the grid: its top, its height, and the words of each column."""

    top: float
    height: float
    flows: tuple[WordFlow, ...]


@dataclass(frozen=True, slots=True)
class PlacedRows:
    """All rows, the left edges of the columns, and the height of a line of text."""

    rows: tuple[PlacedRow, ...]
    lefts: tuple[float, ...]
    line: float

    @property
    def height(self) -> float:
        return self.rows[-1].top + self.rows[-1].height if self.rows else 0.0


class SentenceGrid(WrappedView[PlacedRows]):
    """Sentences of a text, its reference and another text, row by row.

    Words that one text alone matches are bold on a tint in it, with a solid line for the left text
    and a dashed one for the right text, there and in the reference; unmatched words are grey.
    """

    # Class attributes, because Qt asks for the height after an object's own attributes are gone
    texts: ComparedTexts | None = None
    side_width = 0
    """Unscaled width of the part at the left; 0 without one."""
    side: SidePart | None = None
    type_size = BASE
    """Size of the type."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Sentences of both systems"), parent)
        self.setMouseTracking(True)

    def show_texts(self, texts: ComparedTexts, description: str) -> None:
        """Show two texts with their reference."""
        self.texts = texts
        self.setAccessibleDescription(description)
        self.lay_out()

    @property
    def least_width(self) -> int:
        return px(240)

    @property
    def left(self) -> int:
        """Left edge of the first column, in pixels."""
        return px(self.side_width + GAP) if self.side_width else 0

    def minimumSizeHint(self) -> QSize:
        return QSize(self.least_width, px(LEAST_ROW))

    def set_in_lines(self, width: int) -> PlacedRows:
        plain, bold = (
            QFontMetricsF(font(self.type_size)),
            QFontMetricsF(font(self.type_size, bold=True)),
        )
        line = plain.height() + px(LEADING)
        room = max(1.0, (width - self.left - (COLUMNS - 1) * px(GAP)) / COLUMNS)
        lefts = tuple(self.left + place * (room + px(GAP)) for place in range(COLUMNS))
        rows: list[PlacedRow] = []
        top = 0.0
        for number in range(self.texts.rows if self.texts else 0):
            flows = tuple(
                self._flow(column, number, place, room, (plain, bold))
                for place, column in enumerate(self.texts.columns if self.texts else ())
            )
            lines = max(one.lines for one in flows)
            height = lines * line + 2 * px(EDGE)
            rows.append(PlacedRow(top, max(height, self._least_row()), flows))
            top += rows[-1].height
        return PlacedRows(tuple(rows), lefts, line)

    def _least_row(self) -> float:
        return px(LEAST_ROW) if self.side_width else 0.0

    def _flow(
        self,
        column: tuple[MarkedSentence, ...],
        number: int,
        place: int,
        room: float,
        metrics: tuple[QFontMetricsF, QFontMetricsF],
    ) -> WordFlow:
        words = column[number] if number < len(column) else ()
        texts = [word.text for word in words]
        widths = [
            metrics[is_bold(word, place)].horizontalAdvance(word.text) + 2 * px(PADDING)
            for word in words
        ]
        return flow(texts, widths, room, px(WORD_GAP))

    def height_of(self, placed: PlacedRows) -> int:
        return round(placed.height)

    def lay_out(self) -> None:
        super().lay_out()
        self._place_side()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_side()

    def _place_side(self) -> None:
        if isinstance(self.side, QWidget):
            placed = self.place(self.width())
            self.side.setGeometry(0, 0, px(self.side_width), round(placed.height))
            self.side.place_rows([(row.top, row.height) for row in placed.rows])

    def paint(self, painter: QPainter, top: int, bottom: int) -> None:
        placed = self.place(self.width())
        for number, row in enumerate(placed.rows):
            if row.top + row.height < top or row.top > bottom:
                continue
            if number:
                painter.setPen(QPen(colour("line"), 1))
                painter.drawLine(QLineF(0, row.top, self.width(), row.top))
            for place, words in enumerate(row.flows):
                self._paint_words(painter, placed, row, place, words)

    def _sentence(self, place: int, number: int) -> MarkedSentence:
        column = self.texts.columns[place] if self.texts else ()
        return column[number] if number < len(column) else ()

    def _paint_words(
        self, painter: QPainter, placed: PlacedRows, row: PlacedRow, place: int, words: WordFlow
    ) -> None:
        sentence = self._sentence(place, placed.rows.index(row))
        for word, where in zip(sentence, words.words, strict=True):
            box = QRectF(
                placed.lefts[place] - px(PADDING) + where.left,
                row.top + px(EDGE) + where.line * placed.line,
                where.width,
                placed.line - px(LEADING) + px(3),
            )
            if is_bold(word, place):
                painter.fillRect(box, colour("accent_soft"))
            painter.setFont(font(self.type_size, bold=is_bold(word, place)))
            painter.setPen(colour("muted" if word.mark == "neither" else "text"))
            inside = box.adjusted(px(PADDING), 0, -px(PADDING) + 1, 0)
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, word.text)
            if word.mark in ("left", "right"):
                painter.setPen(line_pen(word.mark))
                y = box.bottom() + px(1)
                painter.drawLine(QLineF(box.left(), y, box.right(), y))

    def word_at(self, x: float, y: float) -> MarkedWord | None:
        """Return the word at a point of the view."""
        placed = self.place(self.width())
        for number, row in enumerate(placed.rows):
            if row.top <= y < row.top + row.height:
                place = max((i for i, left in enumerate(placed.lefts) if left <= x), default=0)
                line = int((y - row.top - px(EDGE)) // placed.line)
                found = row.flows[place].word_at(line, x - placed.lefts[place])
                return None if found is None else self._sentence(place, number)[found]
        return None

    def tooltip_at(self, x: float, y: float) -> str:
        """Return a line for each match of the word at a point; empty without any."""
        word = self.word_at(x, y)
        if word is None or self.texts is None:
            return ""
        return tip(
            *dict.fromkeys(
                match_sentence(alignment, drawing.matches[match])
                for match, alignment, drawing in zip(
                    (word.left, word.right), self.texts.alignments, self.texts.drawings, strict=True
                )
                if match != NO_MATCH and alignment is not None
            )
        )


def is_bold(word: MarkedWord, place: int) -> bool:
    """Return whether a word of a column is matched by its own text alone."""
    return place != REFERENCE and word.mark in ("left", "right")


def line_pen(mark: str) -> QPen:
    """Return the pen of the line below words that one text alone matches."""
    dashed = mark == "right"
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    pen = QPen(colour("accent"), px(LINE_HEIGHT), style)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen

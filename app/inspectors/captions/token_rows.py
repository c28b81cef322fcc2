"""Rows of tokens: a caption over its references, with the n-grams that they share marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.format import counted
from app.inspectors.captions.spans import Span, occurrences
from app.plain import shown
from app.theme import HEADING, SMALL, TINY, colour, font, px, theme
from app.views.alignment_layout import Flow, flow

MOST_WORDS = 400
"""Longer texts are cut here: nobody reads on, and drawing takes too long."""
LINE, HEAD, GAP, NUMBER = 32, 20, 6, 10


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A text in words: its title, a remark, and its shared n-grams."""

    title: str
    remark: str
    words: tuple[str, ...]
    spans: tuple[Span, ...]

    @property
    def shared(self) -> int:
        """The number of its words that are shared."""
        return sum(span.words for span in self.spans)


class TokenRows(QWidget):
    """Shared n-grams are underlined, with their number of words; single ones by a thin line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[TokenRow, ...] = ()
        self.chosen = ""
        self._flows: tuple[int, tuple[Flow, ...]] | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Caption and references"))
        theme().changed.connect(self._lay_out)

    def show_rows(self, rows: Sequence[TokenRow]) -> None:
        """Show other texts."""
        self.rows = tuple(rows)
        self.setAccessibleDescription(" ".join(map(describe, self.rows)))
        self._lay_out()

    def choose(self, gram: str) -> None:
        """Tint an n-gram wherever it is; nothing for an empty one."""
        self.chosen = gram
        self.update()

    def _lay_out(self) -> None:
        self._flows = None
        self.updateGeometry()
        self.update()

    # Size

    def flows(self, width: int) -> tuple[Flow, ...]:
        """Return where every word of each row is in a width."""
        if self._flows is None or self._flows[0] != width:
            self._flows = (width, tuple(self._flow(row, width) for row in self.rows))
        return self._flows[1]

    def _flow(self, row: TokenRow, width: int) -> Flow:
        metrics = QFontMetricsF(font(HEADING))
        texts = [shown(word) for word in row.words[:MOST_WORDS]]
        ends = {span.start + span.words - 1 for span in row.spans if span.words > 1}
        widths = [
            metrics.horizontalAdvance(text) + (px(NUMBER) if place in ends else 0)
            for place, text in enumerate(texts)
        ]
        return flow(texts, widths, width, px(GAP))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return sum(px(HEAD) + one.lines * px(LINE) + px(GAP) for one in self.flows(width))

    def sizeHint(self) -> QSize:
        width = max(self.width(), px(240))
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(240), self.heightForWidth(max(self.width(), px(240))))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self._paint(QPainter(self))

    def picture_size(self) -> QSize:
        """Return the size of the picture that is exported."""
        return self.size()

    def paint_picture(self, painter: QPainter) -> None:
        """Paint it for a file."""
        painter.fillRect(self.rect(), colour("card"))
        self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = 0
        for row, placed in zip(self.rows, self.flows(self.width()), strict=True):
            head = QRectF(0, top, self.width(), px(HEAD))
            painter.setFont(font(SMALL, bold=True))
            painter.setPen(colour("text"))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(head, middle | Qt.AlignmentFlag.AlignLeft, shown(row.title))
            painter.setFont(font(SMALL))
            painter.setPen(colour("muted"))
            painter.drawText(head, middle | Qt.AlignmentFlag.AlignRight, row.remark)
            top += px(HEAD)
            self._words(painter, row, placed, top)
            top += placed.lines * px(LINE) + px(GAP)

    def _words(self, painter: QPainter, row: TokenRow, placed: Flow, top: int) -> None:
        for span in occurrences(row.words, self.chosen):
            for stretch in placed.stretches(span.start, span.words):
                y = top + stretch.line * px(LINE)
                box = QRectF(stretch.left, y, stretch.right - stretch.left, px(LINE - 6))
                painter.fillRect(box, colour("accent_soft"))
        shared = {place for s in row.spans for place in range(s.start, s.start + s.words)}
        for place, word in enumerate(placed.words):
            painter.setFont(font(HEADING))
            painter.setPen(colour("text" if place in shared else "muted"))
            box = QRectF(word.left, top + word.line * px(LINE), word.width, px(LINE - 8))
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, left, shown(row.words[place]))
        for span in row.spans:
            self._underline(painter, span, placed, top)

    def _underline(self, painter: QPainter, span: Span, placed: Flow, top: int) -> None:
        stretches = placed.stretches(span.start, span.words)
        several = span.words > 1
        painter.setPen(QPen(colour("accent" if several else "muted"), px(3 if several else 1)))
        for stretch in stretches:
            y = top + (stretch.line + 1) * px(LINE) - px(6)
            painter.drawLine(round(stretch.left), y, round(stretch.right), y)
        if several and stretches:
            last = stretches[-1]
            painter.setFont(font(TINY))
            painter.setPen(colour("accent"))
            box = QRectF(last.right - px(NUMBER), top + last.line * px(LINE), px(NUMBER), px(LINE))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(span.words))


def describe(row: TokenRow) -> str:
    """Return a row in a sentence, for those who cannot see it."""
    shared = counted(row.shared, "shared word")
    return f"{row.title}: {shown(' '.join(row.words[:MOST_WORDS]))}. {shared}; {row.remark}."

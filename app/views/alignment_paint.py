"""Painting an alignment: words, underlines in the modules' colours, brackets, joining lines."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen

from app.theme import BASE, HEADING, SMALL, colour, font, px
from app.views.alignment_layout import (
    LEGEND_LINE,
    LINE,
    PADDING,
    TITLE,
    Block,
    Drawn,
    Layout,
    Sentence,
    Span,
    Stretch,
)

BOX, RADIUS, STROKE = 29, 5, 3
"""Height of a word with its underline, radius of the underline's ends, and its thickness."""
BRACKET_DROP, BRACKET_TICK = 4, 3
QUIET, MATE, MARKED = 0.30, 0.45, 1.0
TINT = 0.16
UNMATCHED = "muted"


def word_metrics() -> QFontMetricsF:
    """The measures of the type that words are set in."""
    return QFontMetricsF(font(HEADING))


def label_metrics() -> QFontMetricsF:
    """The measures of the type that the legend is set in."""
    return QFontMetricsF(font(BASE))


@dataclass(frozen=True, slots=True)
class Painting:
    """One pass over the picture; only what lies between `top` and `bottom` is painted."""

    painter: QPainter
    picture: Drawn
    place: Layout
    modules: tuple[str, ...]
    marked: int | None
    top: float
    bottom: float

    def title(self, block: Block, text: str, chip: str = "") -> None:
        """The title of a sentence, with a rounded word beside it."""
        bold = font(BASE, bold=True)
        self.painter.setFont(bold)
        self.painter.setPen(colour("text"))
        row = QRectF(0, block.top, self.place.width, px(TITLE - 4))
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        self.painter.drawText(row, align, text)
        if chip:
            left = QFontMetricsF(bold).horizontalAdvance(text) + px(8)
            small = QFontMetricsF(font(SMALL))
            room = max(self.place.width - left - px(20), 0)
            chip = small.elidedText(chip, Qt.TextElideMode.ElideLeft, room)
            self.painter.setFont(font(SMALL))
            width = small.horizontalAdvance(chip) + px(20)
            box = QRectF(left, row.top() + 0.5, width, row.height() - 1)
            self.painter.setPen(QPen(colour("line"), 1))
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
            self.painter.setPen(colour("muted"))
            self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, chip)

    def sentence(self, *, reference: bool) -> None:
        """The words of one sentence, with their underlines and the brackets of the chunks."""
        block = self.place.reference if reference else self.place.hypothesis
        words = self.picture.reference if reference else self.picture.hypothesis
        for number in range(len(self.picture.matches)):
            self._underline(block, number, self.picture.span(number, reference=reference))
        for chunk, span in enumerate(self.picture.chunk_spans(reference=reference)):
            self._bracket(block, span, chunk)
        self._words(block, words)

    def joins(self) -> None:
        """Lines between matched words: all of them, quietly, where they cross no text."""
        if self.place.is_calm:
            for number in range(len(self.picture.matches)):
                self._join(number, QUIET)
        if self.marked is None:
            return
        chunk = self.picture.chunk_of[self.marked]
        for number, other in enumerate(self.picture.chunk_of):
            if other == chunk:
                self._join(number, MARKED if number == self.marked else MATE)

    def legend(self, labels: tuple[tuple[str, str], ...]) -> None:
        """The modules' names, underlined as their words are; pairs of module and label."""
        self.painter.setFont(font(BASE))
        first = self.place.legend_top + px(4)
        for (module, label), word in zip(labels, self.place.legend.words, strict=True):
            top = first + word.line * px(LEGEND_LINE)
            box = QRectF(word.left, top, word.width, px(BOX - 3))
            self.painter.setPen(colour("muted"))
            text = box.adjusted(0, 0, 0, -px(STROKE))
            self.painter.drawText(text, Qt.AlignmentFlag.AlignCenter, label)
            if module:
                self.painter.fillPath(_crescent(box), colour(module))

    # Parts

    def _sees(self, top: float, height: float) -> bool:
        return top < self.bottom and top + height > self.top

    def _tone(self, match: int) -> str:
        return self.modules[self.picture.matches[match].module]

    def _box(self, block: Block, stretch: Stretch) -> QRectF:
        top = block.line_top(stretch.line)
        return QRectF(stretch.left, top, stretch.right - stretch.left, px(BOX))

    def _words(self, block: Block, sentence: Sentence) -> None:
        self.painter.setFont(font(HEADING))
        pens = {True: colour(UNMATCHED), False: colour("text")}
        for word, text, match in zip(
            block.flow.words, sentence.words, sentence.match_of, strict=True
        ):
            top = block.line_top(word.line)
            if self._sees(top, px(LINE)):
                self.painter.setPen(pens[match < 0])
                inner = word.width - 2 * px(PADDING)
                box = QRectF(word.left + px(PADDING), top, inner, px(BOX - STROKE))
                self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _underline(self, block: Block, match: int, span: Span) -> None:
        for stretch in block.stretches(span):
            box = self._box(block, stretch)
            if not self._sees(box.top(), box.height()):
                continue
            if match == self.marked:
                path = QPainterPath()
                path.addRoundedRect(box, px(RADIUS), px(RADIUS))
                self.painter.fillPath(path, colour(self._tone(match), TINT))
            self.painter.fillPath(_crescent(box), colour(self._tone(match)))

    def _bracket(self, block: Block, span: Span, chunk: int) -> None:
        marked = self.marked is not None and self.picture.chunk_of[self.marked] == chunk
        self.painter.setPen(QPen(colour("muted" if marked else "faint", 1 if marked else 0.6), 1))
        stretches = block.stretches(span)
        for number, stretch in enumerate(stretches):
            box = self._box(block, stretch)
            if not self._sees(box.top(), px(LINE)):
                continue
            y = round(box.bottom()) + px(BRACKET_DROP) + 0.5
            left, right = round(box.left()) + 2.5, round(box.right()) - 2.5
            self.painter.drawLine(QLineF(left, y, right, y))
            ends = (left,) if number == 0 else ()
            ends += (right,) if number == len(stretches) - 1 else ()
            for x in ends:
                self.painter.drawLine(QLineF(x, y, x, y - px(BRACKET_TICK)))

    def _join(self, match: int, strength: float) -> None:
        above = self.place.hypothesis.stretches(self.picture.span(match, reference=False))[-1]
        below = self.place.reference.stretches(self.picture.span(match, reference=True))[0]
        start = QPointF(above.middle, self._box(self.place.hypothesis, above).bottom())
        end = QPointF(below.middle, self._box(self.place.reference, below).top())
        bend = (end.y() - start.y()) / 2
        path = QPainterPath(start)
        path.cubicTo(start + QPointF(0, bend), end - QPointF(0, bend), end)
        pen = QPen(colour(self._tone(match), strength), px(2) if strength == MARKED else 1)
        self.painter.strokePath(path, pen)


def _crescent(box: QRectF) -> QPainterPath:
    """The lower border of a rounded box, its ends thinning out upwards."""
    left, right, bottom = box.left(), box.right(), box.bottom()
    radius, inner = min(px(RADIUS), box.width() / 2), bottom - px(STROKE)
    path = QPainterPath(QPointF(left, bottom - radius))
    path.quadTo(left, bottom, left + radius, bottom)
    path.lineTo(right - radius, bottom)
    path.quadTo(right, bottom, right, bottom - radius)
    path.quadTo(right, inner, right - radius, inner)
    path.lineTo(left + radius, inner)
    path.quadTo(left, inner, left, bottom - radius)
    return path

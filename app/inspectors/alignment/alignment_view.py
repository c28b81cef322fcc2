"""View of METEOR's alignment of two texts: matched words joined, chunks bracketed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
)
from PySide6.QtWidgets import QWidget

from jurydesk.app.inspectors.alignment.alignment_layout import (
    LEGEND_LINE,
    LINE,
    PADDING,
    TITLE,
    AlignmentDrawing,
    AlignmentLayout,
    Sentence,
    SentenceBlock,
    Stretch,
    WordSpan,
    drawing_of,
    layout,
    unaligned_drawing,
)
from jurydesk.app.style.theme import BASE, HEADING, SMALL, colour, font, px
from jurydesk.app.style.visible_text import display_text, elide, tip
from jurydesk.app.widgets.wrapped_view import WrappedView
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch
from jurydesk.core.tables.numbers import count, quantity

BOX, RADIUS, STROKE = 29, 5, 3
"""Height of a word with its underline, radius of the underline's ends, its thickness."""
DASHES = {"synonym": [2.4, 1.2], "paraphrase": [1.0, 1.0]}
"""Lengths of dashes and gaps below the words of a module, in widths of the line."""
BRACKET_DROP, BRACKET_TICK = 4, 3
QUIET, MATE, MARKED = 0.30, 0.45, 1.0
TINT = 0.16
UNMATCHED = "muted"
MODULE_NAMES = (
    translatable("exact"),
    translatable("stem"),
    translatable("synonym"),
    translatable("paraphrase"),
)
"""Names of METEOR's modules, which are translated where they are shown."""


@dataclass(frozen=True, slots=True)
class AlignmentPainter:
    """Painter of the parts of an alignment between `top` and `bottom`."""

    painter: QPainter
    picture: AlignmentDrawing
    place: AlignmentLayout
    modules: tuple[str, ...]
    marked: int | None
    top: float
    bottom: float

    def title(self, block: SentenceBlock, text: str, chip: str = "") -> None:
        """Paint the title of a sentence, with a chip beside it."""
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
            chip = elide(small, chip, Qt.TextElideMode.ElideLeft, room)
            self.painter.setFont(font(SMALL))
            width = small.horizontalAdvance(chip) + px(20)
            box = QRectF(left, row.top() + 0.5, width, row.height() - 1)
            self.painter.setPen(QPen(colour("line"), 1))
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
            self.painter.setPen(colour("muted"))
            self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, chip)

    def sentence(self, *, reference: bool) -> None:
        """Paint the words of a sentence, their underlines and the brackets of chunks."""
        block = self.place.reference if reference else self.place.hypothesis
        words = self.picture.reference if reference else self.picture.hypothesis
        for number in range(len(self.picture.matches)):
            self._underline(block, number, self.picture.span(number, reference=reference))
        for chunk, span in enumerate(self.picture.chunk_spans(reference=reference)):
            self._bracket(block, span, chunk)
        self._words(block, words)

    def paint_joins(self) -> None:
        """Paint lines between matched words: all that cross no text, else the marked chunk."""
        if self.place.has_single_lines:
            for number in range(len(self.picture.matches)):
                self._join(number, QUIET)
        if self.marked is None:
            return
        chunk = self.picture.chunk_of[self.marked]
        for number, other in enumerate(self.picture.chunk_of):
            if other == chunk:
                self._join(number, MARKED if number == self.marked else MATE)

    def legend(self, labels: tuple[tuple[str, str], ...]) -> None:
        """Paint the labels of the legend, pairs of module and label."""
        self.painter.setFont(font(BASE))
        first = self.place.legend_top + px(4)
        for (module, label), word in zip(labels, self.place.legend.words, strict=True):
            top = first + word.line * px(LEGEND_LINE)
            box = QRectF(word.left, top, word.width, px(BOX - 3))
            self.painter.setPen(colour("muted"))
            text = box.adjusted(0, 0, 0, -px(STROKE))
            self.painter.drawText(text, Qt.AlignmentFlag.AlignCenter, label)
            if module:
                paint_underline(self.painter, box, module)

    def _is_in_view(self, top: float, height: float) -> bool:
        return top < self.bottom and top + height > self.top

    def _tone(self, match: int) -> str:
        return self.modules[self.picture.matches[match].module]

    def _box(self, block: SentenceBlock, stretch: Stretch) -> QRectF:
        top = block.line_top(stretch.line)
        return QRectF(stretch.left, top, stretch.right - stretch.left, px(BOX))

    def _words(self, block: SentenceBlock, sentence: Sentence) -> None:
        self.painter.setFont(font(HEADING))
        pens = {True: colour(UNMATCHED), False: colour("text")}
        for word, text, match in zip(
            block.flow.words, sentence.words, sentence.match_of, strict=True
        ):
            top = block.line_top(word.line)
            if self._is_in_view(top, px(LINE)):
                self.painter.setPen(pens[match < 0])
                inner = word.width - 2 * px(PADDING)
                box = QRectF(word.left + px(PADDING), top, inner, px(BOX - STROKE))
                self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _underline(self, block: SentenceBlock, match: int, span: WordSpan) -> None:
        for stretch in block.stretches(span):
            box = self._box(block, stretch)
            if not self._is_in_view(box.top(), box.height()):
                continue
            if match == self.marked:
                path = QPainterPath()
                path.addRoundedRect(box, px(RADIUS), px(RADIUS))
                self.painter.fillPath(path, colour(self._tone(match), TINT))
            paint_underline(self.painter, box, self._tone(match))

    def _bracket(self, block: SentenceBlock, span: WordSpan, chunk: int) -> None:
        marked = self.marked is not None and self.picture.chunk_of[self.marked] == chunk
        self.painter.setPen(QPen(colour("muted" if marked else "faint", 1 if marked else 0.6), 1))
        stretches = block.stretches(span)
        for number, stretch in enumerate(stretches):
            box = self._box(block, stretch)
            if not self._is_in_view(box.top(), px(LINE)):
                continue
            y = round(box.bottom()) + px(BRACKET_DROP) + 0.5
            left, right = round(box.left()) + 2.5, round(box.right()) - 2.5
            self.painter.drawLine(QLineF(left, y, right, y))
            ends: tuple[float, ...] = (left,) if number == 0 else ()
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


def paint_underline(painter: QPainter, box: QRectF, module: str) -> None:
    """Paint the line below a word, which tells the modules apart without their colours, too.

    It is solid (exact), double (stem), dashed (synonym) or dotted (paraphrase).
    """
    tone, bottom = colour(module), box.bottom()
    if module == "stem":
        for y in (bottom - px(STROKE), bottom - 0.5):
            painter.fillRect(QRectF(box.left(), y - 0.5, box.width(), max(1.0, px(1))), tone)
    elif module in DASHES:
        pen = QPen(tone, px(STROKE - 0.5), Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(DASHES[module])
        y = bottom - px(STROKE) / 2
        painter.setPen(pen)
        painter.drawLine(QPointF(box.left() + 1, y), QPointF(box.right() - 1, y))
    else:
        painter.fillPath(_crescent(box), tone)


def _crescent(box: QRectF) -> QPainterPath:
    """Return the lower border of a rounded box, thinning towards its ends."""
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


TOOLTIP_CHARACTERS = 200
NOTHING = unaligned_drawing((), ())


class AlignmentView(WrappedView[AlignmentLayout]):
    """Two sentences, one below the other, and METEOR's matches between them.

    The mouse over a word, or the keys `,` and `.`, mark one match: its words are tinted and joined,
    the rest of its chunk more faintly. `match_marked` carries its number, or None.
    """

    match_marked = Signal(object)

    # Class attributes, because Qt asks for the height after an object's own attributes are gone
    alignment: Alignment | None = None
    marked: int | None = None
    picture = NOTHING
    _titles = ("", "")
    _chip = ""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Alignment"), parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(self.least_width)

    def show_alignment(self, alignment: Alignment, titles: tuple[str, str], chip: str = "") -> None:
        """Show an alignment with a title for each sentence; `chip` is placed beside the second."""
        self._show(drawing_of(alignment), alignment, titles, chip, alignment_summary(alignment))

    def show_texts(
        self,
        hypothesis: Sequence[str],
        reference: Sequence[str],
        titles: tuple[str, str],
        chip: str = "",
    ) -> None:
        """Show two sentences without an alignment."""
        picture = unaligned_drawing(hypothesis, reference)
        self._show(picture, None, titles, chip, translate("Not aligned."))

    def _show(
        self,
        picture: AlignmentDrawing,
        alignment: Alignment | None,
        titles: tuple[str, str],
        chip: str,
        description: str,
    ) -> None:
        self.picture, self.alignment = picture, alignment
        self._titles, self._chip = titles, chip
        self.marked = None
        self.setAccessibleDescription(description)
        self.lay_out()

    def mark(self, match: int | None) -> None:
        """Mark a match, counted in the order of the reference, or none."""
        if match != self.marked:
            self.marked = match
            self.match_marked.emit(match)
            self.update()

    def step(self, direction: int) -> None:
        """Mark the next match (1) or the previous one (-1), cyclically."""
        total = len(self.picture.matches)
        if total:
            current = self.marked if self.marked is not None else (-1 if direction > 0 else total)
            self.mark((current + direction) % total)

    def match_at(self, x: float, y: float) -> int | None:
        """Return the match whose word is at a point of the widget."""
        place = self.place(self.width())
        for block, sentence in (
            (place.hypothesis, self.picture.hypothesis),
            (place.reference, self.picture.reference),
        ):
            word = block.word_at(x, y)
            if word is not None and sentence.match_of[word] >= 0:
                return sentence.match_of[word]
        return None

    def tooltip_at(self, x: float, y: float) -> str:
        """Return a sentence about the match at a point; empty without one."""
        match = self.match_at(x, y)
        if match is None or self.alignment is None:
            return ""
        return tip(match_sentence(self.alignment, self.picture.matches[match]))

    def set_in_lines(self, width: int) -> AlignmentLayout:
        legend, words = QFontMetricsF(font(BASE)), QFontMetricsF(font(HEADING))
        labels = [legend.horizontalAdvance(label) for _, label in self._legend()]
        return layout(self.picture, width, words.horizontalAdvance, labels)

    def height_of(self, placed: AlignmentLayout) -> int:
        return placed.height

    def paint(self, painter: QPainter, top: int, bottom: int) -> None:
        place = self.place(self.width())
        modules = self.alignment.modules if self.alignment else ()
        strokes = AlignmentPainter(painter, self.picture, place, modules, self.marked, top, bottom)
        strokes.paint_joins()
        strokes.title(place.hypothesis, self._titles[0])
        strokes.title(place.reference, self._titles[1], self._chip)
        strokes.sentence(reference=False)
        strokes.sentence(reference=True)
        strokes.legend(self._legend())

    def _legend(self) -> tuple[tuple[str, str], ...]:
        """Return pairs of module and label; labels of no module have an empty one."""
        labels: list[tuple[str, str]] = []
        if self.alignment is not None:
            found = Counter(self.alignment.modules[m.module] for m in self.alignment.matches)
            labels += [
                (name, f"{translate_text(name)} {count(found[name])}")
                for name in self.alignment.modules
            ]
            labels.append(("", translate("unmatched")))
        cut = self.picture.hypothesis.cut + self.picture.reference.cut
        if cut:
            words = quantity(cut, "further word")
            labels.append(("", translate("{words} not drawn", words=words)))
        return tuple(labels)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mark(self.match_at(event.position().x(), event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self.mark(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Period:
                self.step(1)
            case Qt.Key.Key_Comma:
                self.step(-1)
            case _:
                event.ignore()


def match_sentence(alignment: Alignment, match: AlignmentMatch) -> str:
    """Return a match in words: module, both sides, weight and chunk."""
    above = alignment.hypothesis[match.match_start : match.match_start + match.match_length]
    below = alignment.reference[match.start : match.start + match.length]
    said, meant = (display_text(" ".join(words), TOOLTIP_CHARACTERS) for words in (above, below))
    chunk = alignment.chunk_of_matches()[alignment.matches.index(match)] + 1
    module = alignment.modules[match.module]
    return translate(
        "{module}: “{said}” and “{meant}”, weight {weights:g}, chunk {chunk} of {chunks}",
        module=module,
        said=said,
        meant=meant,
        weights=alignment.weights[match.module],
        chunk=chunk,
        chunks=alignment.chunks,
    )


def alignment_summary(alignment: Alignment) -> str:
    """Return the alignment as a sentence for screen readers."""
    total = quantity(len(alignment.hypothesis), "word")
    if not alignment.matches:
        return translate("None of {total} matched.", total=total)
    words = sum(match.match_length for match in alignment.matches)
    found = Counter(alignment.modules[match.module] for match in alignment.matches)
    kinds = ", ".join(
        f"{count(found[name])} {translate_text(name)}" for name in alignment.modules if found[name]
    )
    return translate(
        "{count} of {total} matched in {chunks}: {kinds}.",
        count=count(words),
        total=total,
        chunks=quantity(alignment.chunks, "chunk"),
        kinds=kinds,
    )

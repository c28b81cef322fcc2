"""METEOR's alignment of two texts: matched words underlined and joined, chunks bracketed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.format import count, counted
from app.plain import shown, tip
from app.theme import colour, theme
from app.views.alignment_layout import Drawn, Layout, drawn, layout, unaligned
from app.views.alignment_paint import Painting, label_metrics, word_metrics
from core.metrics.meteor.alignment import Alignment, Match

TOOLTIP_CHARACTERS = 200
MINIMUM_WIDTH = 200
NOTHING = unaligned((), ())


class AlignmentView(QWidget):
    """Two sentences, one above the other, and what METEOR matched in them.

    The mouse over a word, or the keys `,` and `.`, mark one match: its words are tinted and
    joined, and the rest of its chunk more faintly. `match_marked` tells its number, or None.
    """

    match_marked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.alignment: Alignment | None = None
        self.marked: int | None = None
        self.picture = NOTHING
        self._layout: Layout | None = None
        self._titles = ("", "")
        self._chip = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(MINIMUM_WIDTH)
        self.setAccessibleName(self.tr("Alignment"))
        theme().changed.connect(self._lay_out)

    def show_alignment(self, alignment: Alignment, titles: tuple[str, str], chip: str = "") -> None:
        """Show an alignment under a title for each sentence; `chip` stands beside the second."""
        self._show(drawn(alignment), alignment, titles, chip, summary(alignment))

    def show_texts(
        self,
        hypothesis: Sequence[str],
        reference: Sequence[str],
        titles: tuple[str, str],
        chip: str = "",
    ) -> None:
        """Show the words of two sentences whose alignment is not known."""
        picture = unaligned(hypothesis, reference)
        self._show(picture, None, titles, chip, self.tr("Not aligned."))

    def _show(
        self,
        picture: Drawn,
        alignment: Alignment | None,
        titles: tuple[str, str],
        chip: str,
        told: str,
    ) -> None:
        self.picture, self.alignment = picture, alignment
        self._titles, self._chip = titles, chip
        self.marked = None
        self.setAccessibleDescription(told)
        self._lay_out()

    def mark(self, match: int | None) -> None:
        """Mark a match, counted in the order of the reference, or none."""
        if match != self.marked:
            self.marked = match
            self.match_marked.emit(match)
            self.update()

    def step(self, direction: int) -> None:
        """Mark the next match (1) or the one before (-1), and begin again after the last."""
        total = len(self.picture.matches)
        if total:
            here = self.marked if self.marked is not None else (-1 if direction > 0 else total)
            self.mark((here + direction) % total)

    def match_at(self, x: float, y: float) -> int | None:
        """The match whose word is at a point of the widget."""
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
        """What is told of the match at a point; empty where there is none."""
        match = self.match_at(x, y)
        if match is None or self.alignment is None:
            return ""
        return tip(match_sentence(self.alignment, self.picture.matches[match]))

    # Size

    def place(self, width: int) -> Layout:
        """Where everything stands in a width."""
        if self._layout is None or self._layout.width != width:
            labels = [label_metrics().horizontalAdvance(label) for _, label in self._legend()]
            measure = word_metrics().horizontalAdvance
            self._layout = layout(self.picture, width, measure, labels)
        return self._layout

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.place(width).height

    def sizeHint(self) -> QSize:
        width = max(self.width(), MINIMUM_WIDTH)
        return QSize(width, self.heightForWidth(width))

    def _lay_out(self) -> None:
        self._layout = None
        self.updateGeometry()
        self.update()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint(painter, event.rect().top(), event.rect().bottom() + 1)

    def picture_size(self) -> QSize:
        """The size of the picture that is exported."""
        return self.size()

    def paint_picture(self, painter: QPainter) -> None:
        """Paint it for a file."""
        painter.fillRect(self.rect(), colour("card"))
        self._paint(painter, 0, self.height())

    def _paint(self, painter: QPainter, top: int, bottom: int) -> None:
        place = self.place(self.width())
        modules = self.alignment.modules if self.alignment else ()
        strokes = Painting(painter, self.picture, place, modules, self.marked, top, bottom)
        strokes.joins()
        strokes.title(place.hypothesis, self._titles[0])
        strokes.title(place.reference, self._titles[1], self._chip)
        strokes.sentence(reference=False)
        strokes.sentence(reference=True)
        strokes.legend(self._legend())

    def _legend(self) -> tuple[tuple[str, str], ...]:
        """Pairs of module and label; the parts that are no module have an empty one."""
        labels: list[tuple[str, str]] = []
        if self.alignment is not None:
            found = Counter(self.alignment.modules[m.module] for m in self.alignment.matches)
            labels += [(name, f"{name} {count(found[name])}") for name in self.alignment.modules]
            labels.append(("", self.tr("unmatched")))
        cut = self.picture.hypothesis.cut + self.picture.reference.cut
        if cut:
            labels.append(("", f"{counted(cut, 'further word')} not drawn"))
        return tuple(labels)

    # Mouse and keys

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

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            told = self.tooltip_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().event(event)


def match_sentence(alignment: Alignment, match: Match) -> str:
    """What one match is, in words: its module, both sides, its weight and its chunk."""
    above = alignment.hypothesis[match.match_start : match.match_start + match.match_length]
    below = alignment.reference[match.start : match.start + match.length]
    said, meant = (shown(" ".join(words), TOOLTIP_CHARACTERS) for words in (above, below))
    chunk = alignment.chunk_of_matches()[alignment.matches.index(match)] + 1
    module = alignment.modules[match.module]
    return (
        f"{module}: “{said}” and “{meant}”, weight {alignment.weights[match.module]:g}, "
        f"chunk {chunk} of {alignment.chunks}"
    )


def summary(alignment: Alignment) -> str:
    """The alignment in one sentence, for those who cannot see it."""
    total = counted(len(alignment.hypothesis), "word")
    if not alignment.matches:
        return f"None of {total} matched."
    words = sum(match.match_length for match in alignment.matches)
    found = Counter(alignment.modules[match.module] for match in alignment.matches)
    kinds = ", ".join(f"{count(found[name])} {name}" for name in alignment.modules if found[name])
    return f"{count(words)} of {total} matched in {counted(alignment.chunks, 'chunk')}: {kinds}."

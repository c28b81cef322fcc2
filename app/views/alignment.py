"""METEOR's alignment of two texts: matched words underlined and joined, chunks bracketed."""

from __future__ import annotations

from collections import Counter
from html import escape

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.format import count, counted
from app.theme import px, theme
from app.views.alignment_layout import Drawn, Layout, drawn, layout
from app.views.alignment_paint import Painting, word_metrics
from app.views.plain import shown
from core.metrics.meteor.alignment import Alignment, Match

TOOLTIP_CHARACTERS = 200
MINIMUM_WIDTH = 200


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
        self._picture: Drawn | None = None
        self._layout: Layout | None = None
        self._laid_out_for = 0
        self._titles = ("", "")
        self._chip = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(MINIMUM_WIDTH)
        self.setAccessibleName(self.tr("Alignment"))
        theme().changed.connect(self._lay_out)

    def show_alignment(self, alignment: Alignment, titles: tuple[str, str], chip: str = "") -> None:
        """Show an alignment under a title for each sentence; `chip` stands beside the second."""
        self.alignment, self._titles, self._chip = alignment, titles, chip
        self._picture = drawn(alignment)
        self.marked = None
        self.setAccessibleDescription(summary(alignment))
        self._lay_out()

    def mark(self, match: int | None) -> None:
        """Mark a match, counted in the order of the reference, or none."""
        if match != self.marked:
            self.marked = match
            self.match_marked.emit(match)
            self.update()

    def match_at(self, x: float, y: float) -> int | None:
        """The match whose word is at a point of the widget."""
        if self._picture is None or self._layout is None:
            return None
        for block, sentence in (
            (self._layout.hypothesis, self._picture.hypothesis),
            (self._layout.reference, self._picture.reference),
        ):
            word = block.word_at(x, y)
            if word is not None and sentence.match_of[word] >= 0:
                return sentence.match_of[word]
        return None

    # Size

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._laid_out(width).height if self._picture else px(80)

    def sizeHint(self) -> QSize:
        width = max(self.width(), MINIMUM_WIDTH)
        return QSize(width, self.heightForWidth(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._picture is not None:
            self._laid_out(self.width())

    def _laid_out(self, width: int) -> Layout:
        if self._picture is None:
            raise RuntimeError("there is no alignment to lay out")
        if self._layout is None or self._laid_out_for != width:
            measure = word_metrics().horizontalAdvance
            self._layout, self._laid_out_for = layout(self._picture, width, measure), width
        return self._layout

    def _lay_out(self) -> None:
        self._layout = None
        if self._picture is not None:
            self._laid_out(max(self.width(), MINIMUM_WIDTH))
        self.updateGeometry()
        self.update()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None or self.alignment is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        seen = event.rect()
        place = self._laid_out(self.width())
        modules = self.alignment.modules
        pass_ = Painting(
            painter, self._picture, place, modules, self.marked, seen.top(), seen.bottom() + 1
        )
        pass_.joins()
        pass_.title(place.hypothesis, self._titles[0])
        pass_.title(place.reference, self._titles[1], self._chip)
        pass_.sentence(reference=False)
        pass_.sentence(reference=True)
        pass_.legend(self._legend(self.alignment))

    def _legend(self, alignment: Alignment) -> tuple[tuple[str, str], ...]:
        found = Counter(alignment.modules[match.module] for match in alignment.matches)
        labels = [(name, f"{self.tr(name)} {count(found[name])}") for name in alignment.modules]
        labels.append(("", self.tr("unmatched")))
        if self._picture is not None:
            cut = self._picture.hypothesis.cut + self._picture.reference.cut
            if cut:
                labels.append(("", self.tr("{} not drawn").format(counted(cut, "further word"))))
        return tuple(labels)

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mark(self.match_at(event.position().x(), event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self.mark(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Period: 1, Qt.Key.Key_Comma: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._picture is None or not self._picture.matches:
            super().keyPressEvent(event)
            return
        total = len(self._picture.matches)
        here = self.marked if self.marked is not None else (-1 if step > 0 else total)
        self.mark((here + step) % total)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            match = self.match_at(event.pos().x(), event.pos().y())
            if match is None or self.alignment is None or self._picture is None:
                QToolTip.hideText()
            else:
                told = escape(match_sentence(self.alignment, self._picture.matches[match]))
                QToolTip.showText(event.globalPos(), f"<span>{told}</span>", self)
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
    words = sum(match.match_length for match in alignment.matches)
    total = counted(len(alignment.hypothesis), "word")
    found = Counter(alignment.modules[match.module] for match in alignment.matches)
    kinds = ", ".join(f"{count(found[name])} {name}" for name in alignment.modules if found[name])
    chunks = counted(alignment.chunks, "chunk")
    matched = f"{count(words)} of {total} matched in {chunks}"
    return f"{matched}: {kinds} matches." if kinds else f"No word of {total} is matched."

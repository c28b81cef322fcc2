"""How METEOR's score comes about: a sum of six lines, for any alignment."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from jurydesk.app.style.numbers import count, exact, number
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import Card, ElidedLabel, hairline, label
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment


@dataclass(frozen=True, slots=True)
class SumLine:
    """One line of the sum: what it is, how it is worked out, its value, and its formula."""

    title: str
    working: str
    value: float
    formula: str
    decimals: int = 3


def sum_lines(alignment: Alignment) -> tuple[SumLine, ...]:
    """The lines of the sum, from precision to the score."""
    a = alignment
    weights = ", ".join(f"{n} {w:g}" for n, w in zip(a.modules, a.weights, strict=True))
    weighing = (
        f"Content words weigh δ = {a.delta:g}, function words 1 − δ = {1 - a.delta:g}; "
        f"matches weigh by their module: {weights}."
    )
    matched = f"({count(a.counts[21])} + {count(a.counts[22])}) / 2"
    return (
        _of_words("Precision", a.precision, _weighted(a, 0), "first", weighing),
        _of_words("Recall", a.recall, _weighted(a, 1), "second", weighing),
        SumLine(
            f"F-mean (α = {a.alpha:.2f})",
            _harmonic(a),
            a.fmean,
            "The harmonic mean of precision P and recall R, in which recall weighs α: "
            "1 / ((1 − α) / P + α / R).",
        ),
        SumLine(
            "Fragmentation",
            _fragments(a),
            a.fragmentation,
            f"Chunks by the mean number of matched words: {count(a.chunks)} / ({matched}); "
            "0 where one chunk holds every word of both texts.",
        ),
        SumLine(
            f"Penalty (γ = {a.gamma:g}, β = {a.beta:g})",
            f"{a.gamma:g} × {number(a.fragmentation, 3)} ^ {a.beta:g}",
            a.penalty,
            "What word order takes away, less for longer chunks: γ · fragmentation ^ β.",
        ),
        SumLine(
            "Score",
            f"{number(a.fmean, 3)} × (1 − {number(a.penalty, 3)})",
            a.score,
            "F-mean × (1 − penalty); 0 where nothing matches.",
            4,
        ),
    )


def _weighted(alignment: Alignment, line: int) -> float:
    """The weighted number of words of the first or second text."""
    words, functions = alignment.counts[line], alignment.counts[2 + line]
    return alignment.delta * (words - functions) + (1 - alignment.delta) * functions


def _of_words(title: str, share: float, length: float, text: str, weighing: str) -> SumLine:
    """The share of the weighted words of a text that are matched."""
    working = f"{number(share * length, 2)} of {number(length, 2)} weighted words"
    formula = f"Weighted matched words of the {text} text by its weighted words. {weighing}"
    return SumLine(title, working, share, formula)


def _harmonic(alignment: Alignment) -> str:
    precision = f"{1 - alignment.alpha:.2f} / {number(alignment.precision, 3)}"
    return f"1 / ({precision} + {alignment.alpha:.2f} / {number(alignment.recall, 3)})"


def _fragments(alignment: Alignment) -> str:
    words = (alignment.counts[21] + alignment.counts[22]) / 2
    chunks = alignment.chunks
    if alignment.fragmentation == 0:
        return "one chunk of every word"
    return f"{count(chunks)} {'chunk' if chunks == 1 else 'chunks'} over {words:g} words"


class ScoreSum(Card):
    """The card with the sum."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("How the score comes about"), parent)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        self._rows = [
            (label(), ElidedLabel("", "small", Qt.TextElideMode.ElideRight), label())
            for _ in range(6)
        ]
        for row, (title, working, value) in enumerate(self._rows):
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            for column, cell in enumerate((title, working, value)):
                self._grid.addWidget(cell, 2 * row, column)
            if row < len(self._rows) - 1:
                self._grid.addWidget(hairline(), 2 * row + 1, 0, 1, 3)
        self._rows[-1][0].setProperty("kind", "heading")
        self._rows[-1][2].setProperty("kind", "heading")
        self._note = label("", "muted", wrap=True)
        self.body.addLayout(self._grid)
        self.body.addWidget(self._note)
        self.body.addStretch(1)
        self._scale()
        theme().changed.connect(self._scale)

    def show_alignment(self, alignment: Alignment) -> None:
        """Show the sum of an alignment's score."""
        self.title.setText(f"How {number(alignment.score)} comes about")
        self._note.hide()
        for cells, line in zip(self._rows, sum_lines(alignment), strict=True):
            texts = (line.title, line.working, number(line.value, line.decimals))
            hint = tip(f"{line.title}: {exact(line.value)}", line.formula)
            for cell, text in zip(cells, texts, strict=True):
                cell.setText(text)
                cell.setToolTip(hint)
                cell.show()

    def show_note(self, title: str, sentence: str) -> None:
        """Say why there is no sum to show."""
        self.title.setText(title)
        for cells in self._rows:
            for cell in cells:
                cell.hide()
        self._note.setText(sentence)
        self._note.show()

    def value_texts(self) -> tuple[str, ...]:
        """The values as they are written, from precision to the score."""
        return tuple(value.text() for _, _, value in self._rows)

    def _scale(self) -> None:
        self._grid.setContentsMargins(0, px(6), 0, 0)
        self._grid.setVerticalSpacing(px(7))
        self._grid.setHorizontalSpacing(px(16))

"""Card that derives METEOR's score from an alignment in six lines."""

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
class DerivationLine:
    """Line of the derivation: quantity, calculation, value and formula."""

    title: str
    working: str
    value: float
    formula: str
    decimals: int = 3


def derivation_lines(alignment: Alignment) -> tuple[DerivationLine, ...]:
    """Return the lines from precision to the score."""
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
        DerivationLine(
            f"F-mean (α = {a.alpha:.2f})",
            _harmonic(a),
            a.fmean,
            "The harmonic mean of precision P and recall R, in which recall weighs α: "
            "1 / ((1 − α) / P + α / R).",
        ),
        DerivationLine(
            "Fragmentation",
            _fragments(a),
            a.fragmentation,
            f"Chunks by the mean number of matched words: {count(a.chunks)} / ({matched}); "
            "0 if one chunk contains every word of both texts.",
        ),
        DerivationLine(
            f"Penalty (γ = {a.gamma:g}, β = {a.beta:g})",
            f"{a.gamma:g} × {number(a.fragmentation, 3)} ^ {a.beta:g}",
            a.penalty,
            "Reduction for different word order, smaller for longer chunks: γ · fragmentation ^ β.",
        ),
        DerivationLine(
            "Score",
            f"{number(a.fmean, 3)} × (1 − {number(a.penalty, 3)})",
            a.score,
            "F-mean × (1 − penalty); 0 without matches.",
            4,
        ),
    )


def _weighted(alignment: Alignment, line: int) -> float:
    """Return the weighted number of words of the first or second text."""
    words, functions = alignment.counts[line], alignment.counts[2 + line]
    return alignment.delta * (words - functions) + (1 - alignment.delta) * functions


def _of_words(title: str, share: float, length: float, text: str, weighing: str) -> DerivationLine:
    """Return the line for the share of a text's weighted words that match."""
    working = f"{number(share * length, 2)} of {number(length, 2)} weighted words"
    formula = f"Weighted matched words of the {text} text by its weighted words. {weighing}"
    return DerivationLine(title, working, share, formula)


def _harmonic(alignment: Alignment) -> str:
    precision = f"{1 - alignment.alpha:.2f} / {number(alignment.precision, 3)}"
    return f"1 / ({precision} + {alignment.alpha:.2f} / {number(alignment.recall, 3)})"


def _fragments(alignment: Alignment) -> str:
    words = (alignment.counts[21] + alignment.counts[22]) / 2
    chunks = alignment.chunks
    if alignment.fragmentation == 0:
        return "one chunk of every word"
    return f"{count(chunks)} {'chunk' if chunks == 1 else 'chunks'} over {words:g} words"


class ScoreDerivation(Card):
    """Card with the derivation of a METEOR score."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Derivation of the score"), parent)
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
        """Show the derivation of an alignment's score."""
        self.title.setText(f"Derivation of {number(alignment.score)}")
        self._note.hide()
        for cells, line in zip(self._rows, derivation_lines(alignment), strict=True):
            texts = (line.title, line.working, number(line.value, line.decimals))
            hint = tip(f"{line.title}: {exact(line.value)}", line.formula)
            for cell, text in zip(cells, texts, strict=True):
                cell.setText(text)
                cell.setToolTip(hint)
                cell.show()

    def show_note(self, title: str, sentence: str) -> None:
        """Explain why there is no derivation."""
        self.title.setText(title)
        for cells in self._rows:
            for cell in cells:
                cell.hide()
        self._note.setText(sentence)
        self._note.show()

    def value_texts(self) -> tuple[str, ...]:
        """Return the values as shown, from precision to the score."""
        return tuple(value.text() for _, _, value in self._rows)

    def _scale(self) -> None:
        self._grid.setContentsMargins(0, px(6), 0, 0)
        self._grid.setVerticalSpacing(px(7))
        self._grid.setHorizontalSpacing(px(16))

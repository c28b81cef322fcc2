"""Card that derives METEOR's score from an alignment in six lines."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import Card, ElidedLabel, hairline, label
from jurydesk.core.language import localize_number, translate, translate_text
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.tables.numbers import count, exact, number, quantity


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
    weights = ", ".join(
        f"{translate_text(n)} {w:g}" for n, w in zip(a.modules, a.weights, strict=True)
    )
    weighing = translate(
        "Content words weigh δ = {delta:g}, function words 1 − δ = {value:g}; "
        "matches weigh by their module: {weights}.",
        delta=a.delta,
        value=1 - a.delta,
        weights=weights,
    )
    matched = f"({count(a.counts[21])} + {count(a.counts[22])}) / 2"
    return (
        _word_share_line(
            translate("Precision"),
            a.precision,
            _weighted_length(a, 0),
            translate("Weighted matched words of the first text by its weighted words."),
            weighing,
        ),
        _word_share_line(
            translate("Recall"),
            a.recall,
            _weighted_length(a, 1),
            translate("Weighted matched words of the second text by its weighted words."),
            weighing,
        ),
        DerivationLine(
            translate("F-mean (α = {alpha:.2f})", alpha=a.alpha),
            _harmonic(a),
            a.fmean,
            translate(
                "The harmonic mean of precision P and recall R, in which recall weighs α: "
                "1 / ((1 − α) / P + α / R)."
            ),
        ),
        DerivationLine(
            translate("Fragmentation"),
            _fragments(a),
            a.fragmentation,
            translate(
                "Chunks by the mean number of matched words: {count} / ({matched}); 0 if "
                "one chunk contains every word of both texts.",
                count=count(a.chunks),
                matched=matched,
            ),
        ),
        DerivationLine(
            translate("Penalty (γ = {gamma:g}, β = {beta:g})", gamma=a.gamma, beta=a.beta),
            localize_number(f"{a.gamma:g} × {number(a.fragmentation, 3)} ^ {a.beta:g}"),
            a.penalty,
            translate(
                "Reduction for different word order, smaller for longer chunks: γ · "
                "fragmentation ^ β."
            ),
        ),
        DerivationLine(
            translate("Score"),
            f"{number(a.fmean, 3)} × (1 − {number(a.penalty, 3)})",
            a.score,
            translate("F-mean × (1 − penalty); 0 without matches."),
            4,
        ),
    )


def _weighted_length(alignment: Alignment, line: int) -> float:
    """Return the weighted number of words of the first or second text."""
    words, functions = alignment.counts[line], alignment.counts[2 + line]
    return alignment.delta * (words - functions) + (1 - alignment.delta) * functions


def _word_share_line(
    title: str, share: float, length: float, text: str, weighing: str
) -> DerivationLine:
    """Return the line for the share of a text's weighted words that match."""
    working = translate(
        "{number} of {number2} weighted words",
        number=number(share * length, 2),
        number2=number(length, 2),
    )
    formula = f"{text} {weighing}"
    return DerivationLine(title, working, share, formula)


def _harmonic(alignment: Alignment) -> str:
    low, high = (localize_number(f"{one:.2f}") for one in (1 - alignment.alpha, alignment.alpha))
    precision = f"{low} / {number(alignment.precision, 3)}"
    return f"1 / ({precision} + {high} / {number(alignment.recall, 3)})"


def _fragments(alignment: Alignment) -> str:
    words = localize_number(f"{(alignment.counts[21] + alignment.counts[22]) / 2:g}")
    chunks = alignment.chunks
    if alignment.fragmentation == 0:
        return translate("one chunk of every word")
    return translate("{chunks} over {words} words", chunks=quantity(chunks, "chunk"), words=words)


class Working(ElidedLabel):
    """A calculation, which says nothing unless it is whole."""

    def shown_text(self) -> str:
        shown = super().shown_text()
        return shown if shown == self.text() else ""


class ScoreDerivation(Card):
    """Card with the derivation of a METEOR score."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Derivation of the score"), parent)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        self._rows = [(label(), Working("", "small"), label()) for _ in range(6)]
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
        theme().follow(self._scale)

    def show_alignment(self, alignment: Alignment) -> None:
        """Show the derivation of an alignment's score."""
        self.title.setText(translate("Derivation of {number}", number=number(alignment.score)))
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

"""Inspector of one round: picture, dialogue so far, question, options in a system's order."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.titled_images import TitledPictures
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.widgets.parts import Card, label
from jurydesk.core.language import translatable, translate
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import count
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_evidence import RankEvidence

IMAGES = "images"
"""Role of the folder with the pictures."""
SHOWN_TEXT = 160
LONGEST_SHOWN = 400
MOST_ROWS = 200
"""More rows than rounds have options: the page scrolls, not the table."""
MOST_SYSTEMS = 4
BAR = 10
"""Length of the bar of relevance 1, in signs."""


def option_columns(
    evidence: RankEvidence, others: Mapping[str, RankEvidence]
) -> tuple[Column, ...]:
    """Return the options with their ranks, relevances, and the ranks of other systems."""
    options = evidence.options

    def paint(row: int) -> str:
        return "good" if options[row].is_true else ""

    ranks = np.array([one.rank or np.nan for one in options], np.float64)
    texts = [display_text(one.text, SHOWN_TEXT) for one in options]
    columns: list[Column] = [
        NumberColumn("rank", translatable("Rank"), ranks, decimals=0),
        TextColumn("option", translatable("Option"), texts, paint=paint),
        TextColumn("true", translatable("True"), ["✓" if one.is_true else "" for one in options]),
    ]
    if evidence.has_relevance:
        values = np.array([one.relevance for one in options], np.float64)
        bars = ["▮" * round(BAR * value) for value in values.tolist()]
        columns += [
            NumberColumn("relevance", translatable("Relevance"), values, decimals=1),
            TextColumn("bar", translatable("Bar"), bars),
        ]
    for number, (name, other) in enumerate(list(others.items())[:MOST_SYSTEMS]):
        theirs = {one.text: one.rank for one in other.options}
        values = np.array([theirs.get(one.text) or np.nan for one in options], np.float64)
        title = display_text(name)
        columns.append(NumberColumn(f"other{number}", title, values, decimals=0))
    return tuple(columns)


class VisDialRanksInspector(Inspector):
    """Inspector of a `RankEvidence`; Up and Down choose an option, T the true answer.

    W goes to the next round whose first option is wrong, Shift+W to the previous one.
    """

    guide_part = translatable("Ranks")
    wants_others = True

    def __init__(self) -> None:
        super().__init__()
        self.evidence: RankEvidence | None = None
        self._others: Mapping[str, RankEvidence] = {}
        self._ranks: FloatArray = np.empty(0)
        self.pictures = TitledPictures()
        self.dialogue = label("", "muted", wrap=True)
        self.question = label("", "heading", wrap=True)
        self.placed = label("", "", wrap=True)
        self.filtered = FilteredTable(translate("Options"), inset=0)
        self.options = self.filtered.table
        self.options.growing = ("option",)
        self.options.most_rows = MOST_ROWS
        head, listed = Card(), Card(translate("Options"))
        for part in (self.dialogue, self.question, self.placed):
            head.body.addWidget(part)
        listed.body.addWidget(self.filtered)
        fill_view(self, self.pictures, head, listed)
        self.setFocusProxy(self.options)

    def show_item(self, item: InspectedItem) -> None:
        """Show another round."""
        evidence = item.evidence
        if not isinstance(evidence, RankEvidence):
            raise TypeError(f"expected the evidence of a round, got {type(evidence).__name__}")
        self.evidence, self._others = evidence, {}
        self._ranks = item.columns.get("rank", np.empty(0))
        self.pictures.show_named(self.folder_of(item, IMAGES), str(evidence.image))
        lines = [one for one in (evidence.caption, *evidence.history) if one]
        self.dialogue.setText("\n".join(display_text(one, LONGEST_SHOWN) for one in lines))
        self.dialogue.setVisible(bool(lines))
        name = f"{evidence.image}-{evidence.round}"
        self.question.setText(display_text(evidence.question or name, LONGEST_SHOWN))
        self.placed.setText(truth_sentence(evidence))
        self._fill(0)

    def show_others(self, others: Mapping[str, InspectedItem]) -> None:
        """Show the ranks of other systems beside those of this one."""
        self._others = {
            name: item.evidence
            for name, item in others.items()
            if isinstance(item.evidence, RankEvidence)
        }
        self._fill(self.options.current_row or 0)

    def _fill(self, row: int) -> None:
        if self.evidence is None:
            return
        self.options.set_current_row(None)
        self.options.table_model.show(option_columns(self.evidence, self._others))
        if self.evidence.options:
            self.filtered.choose(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down:
                self.options.step(1)
            case Qt.Key.Key_Up:
                self.options.step(-1)
            case Qt.Key.Key_T:
                self._choose_truth()
            case Qt.Key.Key_W:
                is_back = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
                self.rows_stepped.emit(-1 if is_back else 1, self._ranks > 1)
            case _:
                event.ignore()

    def _choose_truth(self) -> None:
        options = self.evidence.options if self.evidence else ()
        for row, one in enumerate(options):
            if one.is_true:
                self.filtered.reveal(row)

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selected rows of the table, else the question."""
        if self.options.hasFocus():
            return self.options.selection_text(headers=headers)
        return self.evidence.question if self.evidence else ""


def truth_sentence(evidence: RankEvidence) -> str:
    """Return the rank of the true answer, and how many options are relevant."""
    truth = evidence.truth
    relevant = sum(one.relevance > 0 for one in evidence.options)
    if truth is None:
        return translate("The true answer is not known.")
    if not truth.rank:
        return translate("The file has no ranks for this round.")
    if not evidence.has_relevance:
        return translate("The true answer has rank {rank}.", rank=count(truth.rank))
    return translate(
        "The true answer has rank {rank}; {relevant} of {options} options are relevant.",
        rank=count(truth.rank),
        relevant=count(relevant),
        options=count(len(evidence.options)),
    )


INSPECTOR = VisDialRanksInspector

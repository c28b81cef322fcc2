"""Inspector of one query: its picture or text, its correct candidates, the best of the system."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.titled_images import TitledPicture, TitledPictures
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.widgets.parts import Card, label
from jurydesk.core.language import translatable, translate
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import count, number
from jurydesk.core.tasks.retrieval.retrieval_evidence import RetrievalEvidence

PHOTOS = "photos"
"""Role of the folder with the pictures."""
SHOWN_TEXT = 160
LONGEST_SHOWN = 400
MOST_ROWS = 12


def candidate_columns(evidence: RetrievalEvidence) -> tuple[Column, ...]:
    """Return the best candidates with their similarities; correct ones are marked."""
    candidates = evidence.candidates

    def paint(row: int) -> str:
        return "good" if candidates[row].is_own else ""

    texts = [display_text(one.text or one.name, SHOWN_TEXT) for one in candidates]
    return (
        NumberColumn("place", translatable("Place"), np.arange(len(texts)) + 1, decimals=0),
        TextColumn("candidate", translatable("Candidate"), texts, paint=paint),
        TextColumn(
            "correct", translatable("Correct"), ["✓" if one.is_own else "" for one in candidates]
        ),
        NumberColumn(
            "similarity",
            translatable("Similarity"),
            np.array([one.similarity for one in candidates], np.float64),
        ),
    )


class RetrievalInspector(Inspector):
    """Inspector of a `RetrievalEvidence`; Up and Down choose a candidate."""

    guide_part = translatable("Retrieval")

    def __init__(self) -> None:
        super().__init__()
        self.evidence: RetrievalEvidence | None = None
        self.pictures = TitledPictures()
        self.query = label("", "heading", wrap=True)
        self.correct = label("", "", wrap=True)
        self.placed = label("", "muted", wrap=True)
        self.filtered = FilteredTable(translate("Best candidates"), inset=0)
        self.candidates = self.filtered.table
        self.candidates.growing = ("candidate",)
        self.candidates.most_rows = MOST_ROWS
        self._photos = PictureFolder(None)
        head, best = Card(), Card(translate("Best candidates"))
        for part in (self.query, self.correct, self.placed):
            head.body.addWidget(part)
        best.body.addWidget(self.filtered)
        fill_view(self, self.pictures, head, best)
        self.candidates.current_row_changed.connect(self._show_pictures)
        self.setFocusProxy(self.candidates)

    def show_item(self, item: InspectedItem) -> None:
        """Show another query."""
        evidence = item.evidence
        if not isinstance(evidence, RetrievalEvidence):
            raise TypeError(f"expected the evidence of a query, got {type(evidence).__name__}")
        self.evidence = evidence
        self._photos = PictureFolder(self.folder_of(item, PHOTOS))
        self.query.setText(display_text(evidence.text or evidence.name, LONGEST_SHOWN))
        correct = "\n".join(
            display_text(text or name, LONGEST_SHOWN)
            for name, text in zip(evidence.own, evidence.own_texts, strict=True)
        )
        self.correct.setText(translate("Correct: {correct}", correct=correct))
        self.placed.setText(place_sentence(item.values))
        self.candidates.set_current_row(None)
        self.candidates.table_model.show(candidate_columns(evidence))
        if evidence.candidates:
            self.filtered.choose(0)

    def _show_pictures(self, row: int | None) -> None:
        """Show the picture of the query, or that of the chosen candidate beside the correct one."""
        if self.evidence is None:
            return
        evidence = self.evidence
        names = [evidence.picture] if evidence.picture else []
        if row is not None and evidence.candidates[row].picture:
            names.append(evidence.candidates[row].picture)
        self.pictures.show_pictures(
            [TitledPicture(name, self._photos.find(name)) for name in names]
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down:
                self.candidates.step(1)
            case Qt.Key.Key_Up:
                self.candidates.step(-1)
            case _:
                event.ignore()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selected rows of the table, else the query."""
        if self.candidates.hasFocus():
            return self.candidates.selection_text(headers=headers)
        return (self.evidence.text or self.evidence.name) if self.evidence else ""


def place_sentence(values: Mapping[str, float]) -> str:
    """Return the rank of the best correct candidate, with its range over the orders of ties."""
    rank, low, high = (values.get(name, np.nan) for name in ("rank", "rank_best", "rank_worst"))
    margin = number(values.get("margin", np.nan))
    if low == high:
        return translate(
            "Best correct candidate: rank {rank}, {margin} above the best other one.",
            rank=number(rank, 0),
            margin=margin,
        )
    return translate(
        "Best correct candidate: rank {rank}, {low} to {high} over the orders of equal "
        "similarities.",
        rank=number(rank, 1),
        low=count(int(low)),
        high=count(int(high)),
    )


INSPECTOR = RetrievalInspector

"""Inspector of one question: picture, human answers as given and as compared, and the system's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.titled_images import TitledPictures
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.parts import Card, label
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables.columns import Cell, Column, NumberColumn, TextColumn
from jurydesk.core.tasks.vqa.questions import VqaEvidence
from jurydesk.core.tasks.vqa.vqa_evidence import explain_item

IMAGES = "images"
"""Role of the folder with the pictures."""
SHOWN_TEXT = 160
LONGEST_SHOWN = 400
MOST_ROWS = 99
"""More rows than the table has: the page scrolls, not the table."""


def compared_columns(
    name: str,
    title: str,
    written: Sequence[str],
    compared: Sequence[str],
    paint: Cell | None = None,
) -> list[Column]:
    """Return answers as given and, if they differ, as compared, with the changed letters marked."""
    given, processed = (
        [display_text(one, SHOWN_TEXT) for one in texts] for texts in (written, compared)
    )
    changes = [changed_letters(*pair) for pair in zip(given, processed, strict=True)]
    columns: list[Column] = [
        TextColumn(name, title, given, paint=paint, marks=lambda row: changes[row][0])
    ]
    if list(written) != list(compared):
        title = translatable("As compared")
        columns.append(TextColumn("compared", title, processed, marks=lambda row: changes[row][1]))
    return columns


def changed_letters(one: str, other: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the letters (first, number) of each of two texts that the other lacks there."""
    from difflib import SequenceMatcher

    changes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    spans = [change[1:] for change in changes if change[0] != "equal"]
    return (
        [(first, last - first) for first, last, _, _ in spans if last > first],
        [(first, last - first) for _, _, first, last in spans if last > first],
    )


def true_answer_columns(evidence: VqaEvidence) -> tuple[Column, ...]:
    """Return the true answers as given and as compared, with the values of the system's answer."""
    compared = evidence.compared

    def paint(row: int) -> str:
        return "good" if compared[row] == evidence.processed else ""

    title = translatable("True answer")
    columns = compared_columns("answer", title, evidence.answers, compared, paint)
    if len(evidence.values) == len(compared):
        is_vqa = evidence.program == "vqa"
        title = translatable("Left out") if is_vqa else translatable("Value")
        values = np.array(evidence.values, np.float64)
        columns.append(NumberColumn("value", title, values, decimals=2))
    return tuple(columns)


class VqaInspector(Inspector):
    """Inspector of a `VqaEvidence`; Up and Down choose a true answer."""

    guide_part = translatable("Questions")

    def __init__(self) -> None:
        super().__init__()
        self.evidence: VqaEvidence | None = None
        self.pictures = TitledPictures()
        self.question = label("", "heading", wrap=True)
        self.given = Table(translate("Answer"))
        self.given.growing = ("answer",)
        self.given.most_rows = 1
        self.remark = label("", "muted", wrap=True)
        self.filtered = FilteredTable(translate("True answers"), inset=0)
        self.answers = self.filtered.table
        self.answers.growing = ("answer",)
        self.answers.most_rows = MOST_ROWS
        head, listed = Card(), Card(translate("True answers"))
        for part in (self.question, self.given, self.remark):
            head.body.addWidget(part)
        listed.body.addWidget(self.filtered)
        fill_view(self, self.pictures, head, listed)
        self.setFocusProxy(self.answers)

    def show_item(self, item: InspectedItem) -> None:
        """Show another question."""
        evidence = item.evidence
        if not isinstance(evidence, VqaEvidence):
            raise TypeError(f"expected the evidence of a question, got {type(evidence).__name__}")
        self.evidence = evidence
        self.pictures.show_named(self.folder_of(item, IMAGES), evidence.image)
        self.question.setText(display_text(evidence.question or evidence.id, LONGEST_SHOWN))
        title, said = translatable("Answer"), [evidence.given]
        columns = compared_columns("answer", title, said, [evidence.processed])
        self.given.table_model.show(columns)
        note = explain_item(evidence)[-1].note
        self.remark.setText(display_text(translate_text(note), LONGEST_SHOWN))
        self.remark.setVisible(bool(note))
        self.answers.set_current_row(None)
        self.answers.table_model.show(true_answer_columns(evidence))
        self.filtered.choose(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down:
                self.answers.step(1)
            case Qt.Key.Key_Up:
                self.answers.step(-1)
            case _:
                event.ignore()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selected rows of the table, else the answer."""
        for table in (self.answers, self.given):
            if table.hasFocus():
                return table.selection_text(headers=headers)
        return self.evidence.given if self.evidence else ""


INSPECTOR = VqaInspector

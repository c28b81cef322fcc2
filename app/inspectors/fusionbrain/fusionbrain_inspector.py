"""Inspector of one FusionBrain answer: question, accepted answers, and details of the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from jurydesk.app.inspectors.alignment.alignment_layout import WordFlow, flow
from jurydesk.app.inspectors.alignment.alignment_view import AlignmentView
from jurydesk.app.inspectors.alignment.score_sum import ScoreDerivation
from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.titled_images import TitledPicture, TitledPictures
from jurydesk.app.plots.plot_export import picture_exports
from jurydesk.app.style.theme import BASE, TITLE, colour, font, px, theme
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, label
from jurydesk.app.widgets.wrapped_view import WrappedView
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.metrics.edit_distance import Edit
from jurydesk.core.readers.picture_folder import FolderListing
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import number, quantity
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import ItemEvidence, ItemPicture

MOST_LETTERS = 2000
"""Maximum length of a text that is drawn."""
LINE, LETTER, ABOVE, PADDING = 58, 30, 20, 4
TINT = 0.14


@dataclass(frozen=True, slots=True)
class EditCell:
    """Letter, or a sequence of letters: as recognised, as accepted, and the kind of edit."""

    kind: str
    recognised: str
    accepted: str

    @property
    def longer_text(self) -> str:
        return max(self.recognised, self.accepted, key=len)


class EditsView(WrappedView[WordFlow]):
    """Text in large letters; wrong ones are tinted, with the right ones above."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Edits"), parent)
        self.cells: tuple[EditCell, ...] = ()

    def show_edits(self, edits: Sequence[Edit]) -> None:
        self.cells = tuple(_cells(edits))[:MOST_LETTERS]
        self.setAccessibleDescription(answer_summary(edits))
        self.lay_out()

    @property
    def least_width(self) -> int:
        return px(200)

    def set_in_lines(self, width: int) -> WordFlow:
        metrics = QFontMetricsF(font(TITLE))
        texts = [display_text(cell.longer_text) for cell in self.cells]
        widths = [metrics.horizontalAdvance(text) + 2 * px(PADDING) for text in texts]
        return flow(texts, widths, width, px(1))

    def height_of(self, placed: WordFlow) -> int:
        return placed.lines * px(LINE)

    def paint(self, painter: QPainter, top: int, bottom: int) -> None:
        for word, cell in zip(self.place(self.width()).words, self.cells, strict=True):
            top = word.line * px(LINE) + px(ABOVE)
            self._cell(painter, QRectF(word.left, top, word.width, px(LETTER)), cell)

    def _cell(self, painter: QPainter, box: QRectF, cell: EditCell) -> None:
        centre = Qt.AlignmentFlag.AlignCenter
        if cell.kind != "equal":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("good" if cell.kind == "insert" else "bad", TINT))
            painter.drawRoundedRect(box, px(4), px(4))
        painter.setFont(font(TITLE))
        painter.setPen(colour("text" if cell.kind == "equal" else "bad"))
        painter.drawText(box, centre, display_text(cell.recognised))
        if cell.kind == "delete":
            painter.setPen(QPen(colour("bad"), px(2)))
            middle = box.center().y()
            painter.drawLine(QLineF(box.left() + 2, middle, box.right() - 2, middle))
        if cell.kind in ("replace", "insert"):
            painter.setFont(font(BASE, bold=True))
            painter.setPen(colour("good"))
            above = QRectF(box.left(), box.top() - px(ABOVE), box.width(), px(ABOVE))
            painter.drawText(above, centre, display_text(cell.accepted))


def _cells(edits: Sequence[Edit]) -> list[EditCell]:
    """Return a cell for each letter; a replaced letter is placed below the accepted one."""
    cells = []
    for edit in edits:
        if edit.kind == "replace":
            pairs = zip(edit.recognised, edit.accepted, strict=True)
            cells += [EditCell("replace", wrong, right) for wrong, right in pairs]
        elif edit.kind == "insert":
            cells += [EditCell("insert", "", letter) for letter in edit.accepted]
        else:
            cells += [EditCell(edit.kind, letter, "") for letter in edit.recognised]
    return cells


def answer_summary(edits: Sequence[Edit]) -> str:
    """Return the edits as a sentence for screen readers."""
    said = [_edit_text(edit) for edit in edits if edit.kind != "equal"]
    if not said:
        return translate("There are no edits.")
    return translate("{edits}: {list}.", edits=quantity(len(said), "edit"), list=", ".join(said))


def _edit_text(edit: Edit) -> str:
    match edit.kind:
        case "replace":
            return translate(
                "“{display_text}” should be “{display_text2}”",
                display_text=display_text(edit.recognised),
                display_text2=display_text(edit.accepted),
            )
        case "insert":
            return translate(
                "“{display_text}” is missing", display_text=display_text(edit.accepted)
            )
    return translate("“{display_text}” is superfluous", display_text=display_text(edit.recognised))


LONGEST_TEXT = 4000
SHOWN_ANSWER = 200
TABLE_ROWS = 6


class AnswerInspector(Inspector):
    """Inspector of an `ItemEvidence`; parts that a sub-task lacks are hidden."""

    guide_part = translatable("Sub-tasks")

    def __init__(self) -> None:
        super().__init__()
        self.evidence: ItemEvidence | None = None
        self.pictures = TitledPictures()
        self.question = label("", wrap=True)
        self.prediction = label("", "competition", wrap=True)
        self.form = label("", "small", wrap=True)
        self.clip = label("", "small", wrap=True)
        self.rules = label("", "muted", wrap=True)
        self.accepted = Table(translate("Accepted answers"))
        self.nearest = Table(translate("Captions nearest to the picture"))
        self.edits = EditsView()
        self.alignment = AlignmentView()
        self.sum = ScoreDerivation()
        self._lay_out()
        theme().changed.connect(self._space)

    def _lay_out(self) -> None:
        texts = (self.question, self.prediction, self.form, self.clip, self.rules)
        for text in texts:
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._question_title = label(translate("Question"), "small")
        self._said = said = QVBoxLayout()
        said.addWidget(self._question_title)
        said.addWidget(self.question)
        said.addSpacing(px(10))
        self._prediction_title = label(translate("Prediction"), "small")
        said.addWidget(self._prediction_title)
        for text in texts[1:]:
            said.addWidget(text)
        said.addStretch(1)
        head = Card()
        self._head = QHBoxLayout()
        self._head.addLayout(said, 1)
        self._head.addWidget(self.pictures, 0, Qt.AlignmentFlag.AlignTop)
        head.body.addLayout(self._head)
        self._answers = Card(translate("Accepted answers"))
        self._answers.body.addWidget(self.accepted)
        self._nearest = Card(translate("Captions nearest to the picture"))
        self._nearest.body.addWidget(self.nearest)
        self._rank = label("", "muted", wrap=True)
        self._nearest.body.addWidget(self._rank)
        self._edits = Card(translate("Edits from the recognised text to the accepted one"))
        self._edits.body.addWidget(self.edits)
        self._aligned = Card()
        self._aligned.body.addWidget(self.alignment)
        fill_view(self, head, self._nearest, self._edits, self._aligned, self._answers, self.sum)
        for table in (self.accepted, self.nearest):
            table.growing, table.most_rows = ("text",), TABLE_ROWS
        self.setFocusProxy(self.accepted)
        self._space()

    def _space(self) -> None:
        self._head.setSpacing(px(20))
        self._said.setSpacing(px(4))

    def show_item(self, item: InspectedItem) -> None:
        evidence = item.evidence
        if not isinstance(evidence, ItemEvidence):
            raise TypeError(f"expected the evidence of an answer, got {type(evidence).__name__}")
        self.evidence = evidence
        self.pictures.show_pictures(
            [
                TitledPicture(translate_text(one.title), self._file(item, one))
                for one in evidence.pictures
            ]
        )
        self._show_texts(evidence)
        self._show_accepted(evidence)
        self._show_nearest(evidence)
        self._edits.setVisible(bool(evidence.edits))
        self.edits.show_edits(evidence.edits)
        self._show_alignment(evidence)

    def _file(self, item: InspectedItem, picture: ItemPicture) -> Path | None:
        """Return the file of a picture: in the folder of its role, else where it was at scoring.

        That place is untrusted, and counts only in or beside the inputs of the result.
        """
        folder, listing = self.folder_of(item, picture.role), FolderListing()
        found = None if folder is None else listing.find(folder, picture.name)
        return found or listing.find_absolute(item.beside, picture.found)

    def _show_texts(self, evidence: ItemEvidence) -> None:
        is_drawn = evidence.subtask == "generation"
        self._question_title.setVisible(bool(evidence.question))
        self.question.setVisible(bool(evidence.question))
        self.question.setText(shown_lines(evidence.question))
        title = translate("What the picture should show") if is_drawn else translate("Prediction")
        self._prediction_title.setText(title)
        nothing = translate("No prediction.")
        said = evidence.prediction
        self.prediction.setText(nothing if said is None else shown_lines(said) or "“”")
        same = evidence.form in ("", evidence.prediction)
        self.form.setText(
            ""
            if same
            else translate("compared as: {shown_lines}", shown_lines=shown_lines(evidence.form))
        )
        self.form.setVisible(not same)
        clip = evidence.clip
        self.clip.setVisible(clip is not None)
        self.clip.setText(
            "" if clip is None else translate("CLIP: cosine {number}", number=number(clip))
        )
        self.rules.setText("\n".join(map(translate_text, evidence.rules)))
        self.rules.setVisible(bool(evidence.rules))

    def _show_accepted(self, evidence: ItemEvidence) -> None:
        self._answers.setVisible(bool(evidence.accepted))
        self.accepted.table_model.show(_columns(evidence))
        self.accepted.set_current_row(evidence.best if evidence.best >= 0 else None)

    def _show_nearest(self, evidence: ItemEvidence) -> None:
        self._nearest.setVisible(bool(evidence.nearest))
        self.nearest.table_model.show(_near_columns(evidence))
        own = [
            number
            for number, (text, _) in enumerate(evidence.nearest)
            if _is_own_caption(text, evidence)
        ]
        self.nearest.set_current_row(own[0] if own else None)
        self._rank.setText(_rank(evidence))

    def _show_alignment(self, evidence: ItemEvidence) -> None:
        alignment = evidence.alignment
        self._aligned.setVisible(alignment is not None)
        self.sum.setVisible(alignment is not None)
        if alignment is not None:
            titles = (translate("Prediction"), translate("Accepted answer"))
            self.alignment.show_alignment(alignment, titles)
            self.sum.show_alignment(alignment)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_N:
                self.accepted.step(1)
            case Qt.Key.Key_Up | Qt.Key.Key_P:
                self.accepted.step(-1)
            case Qt.Key.Key_Period | Qt.Key.Key_Comma:
                self.alignment.keyPressEvent(event)
            case _:
                event.ignore()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selected accepted answers as tab-separated text, else the prediction."""
        if self.accepted.hasFocus() or self.evidence is None:
            return self.accepted.selection_text(headers=headers)
        return self.evidence.prediction or ""

    def exports(self) -> Sequence[Export]:
        if self.evidence is None:
            return ()
        views = (
            (self.evidence.alignment is not None, self.alignment, translate("Alignment")),
            (bool(self.evidence.edits), self.edits, translate("Edits")),
        )
        return tuple(
            export
            for is_there, view, title in views
            if is_there
            for export in picture_exports(view, title)
        )


def shown_lines(text: str) -> str:
    """Return a text of several lines with invisible characters made visible."""
    return "\n".join(display_text(line, LONGEST_TEXT) for line in text.split("\n"))


def _is_own_caption(text: str, evidence: ItemEvidence) -> bool:
    return text == (evidence.prediction or "")


def _rank(evidence: ItemEvidence) -> str:
    if evidence.among < 2:
        return translate("There is no other caption for comparison.")
    if evidence.rank == 1:
        return translate(
            "Of {among:,} captions, the picture's own is the nearest.", among=evidence.among
        )
    return translate(
        "Of {among:,} captions, the picture's own has rank {rank:,}.",
        among=evidence.among,
        rank=evidence.rank,
    )


def _near_columns(evidence: ItemEvidence) -> tuple[Column, ...]:
    texts = [text for text, _ in evidence.nearest]
    cosines = np.array([cosine for _, cosine in evidence.nearest], np.float64)
    return (
        TextColumn(
            "text", translatable("Caption"), [display_text(text, SHOWN_ANSWER) for text in texts]
        ),
        NumberColumn(
            "cosine",
            translatable("Cosine"),
            cosines,
            paint=lambda row: "good" if _is_own_caption(texts[row], evidence) else "",
        ),
    )


def _columns(evidence: ItemEvidence) -> tuple[Column, ...]:
    accepted = evidence.accepted
    scores = [np.nan if one.score is None else one.score for one in accepted]
    columns: list[Column] = [
        TextColumn(
            "text",
            translatable("Accepted"),
            [display_text(one.text, SHOWN_ANSWER) for one in accepted],
        )
    ]
    if any(one.form not in ("", one.text) for one in accepted):
        forms = [display_text(one.form, SHOWN_ANSWER) for one in accepted]
        columns.append(TextColumn("form", translatable("Compared as"), forms))
    columns.append(
        NumberColumn(
            "score",
            translatable("Score"),
            np.array(scores, np.float64),
            paint=lambda row: "good" if row == evidence.best else "",
        )
    )
    return tuple(columns)


INSPECTOR = AnswerInspector

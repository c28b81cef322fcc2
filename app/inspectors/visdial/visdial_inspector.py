"""Inspector of one question of visual dialogues: answers, reference set, explanation of scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from jurydesk.app.inspectors.alignment.alignment_job import AlignmentJobs, AlignmentResult, is_long
from jurydesk.app.inspectors.alignment.alignment_view import AlignmentView
from jurydesk.app.inspectors.alignment.score_sum import ScoreDerivation
from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.plots.plot_export import picture_exports
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, label, set_spacing
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tables.columns import Cell, Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import count, number, quantity
from jurydesk.core.tasks.visdial.answer_pairs import BEST
from jurydesk.core.tasks.visdial.visdial_evidence import DialogEvidence
from jurydesk.core.tasks.visdial.visdial_metrics import MEASURES, METRICS

SHOWN_TEXT = 160
SHOWN_WORD = 40
LISTED_WORDS = 10
TITLES = {info.name: info.title for info in METRICS}


def answer_columns(evidence: DialogEvidence) -> tuple[Column, ...]:
    """Return the system's answers with their measures for the question."""
    answers = evidence.answers
    measures = [name for name in MEASURES if any(name in one.measures for one in answers)]
    columns: list[Column] = [
        NumberColumn(
            "number",
            translatable("No."),
            np.arange(len(answers)) + 1,
            decimals=0,
            tooltip=translatable("In the order of the file"),
        ),
        TextColumn(
            "text",
            translatable("Answer"),
            [display_text(one.written, SHOWN_TEXT) for one in answers],
        ),
    ]
    if any(one.compared != one.written for one in answers):
        texts = [display_text(one.compared, SHOWN_TEXT) for one in answers]
        columns.append(TextColumn("compared", translatable("As compared"), texts))
    for name in measures:
        values = [_aggregate(name, one.measures.get(name, ())) for one in answers]
        tooltip = (
            translatable("Best over the references")
            if name == BEST
            else translatable("Mean over the references")
        )
        columns.append(NumberColumn(name, TITLES[name], np.array(values), tooltip=tooltip))
    return tuple(columns)


def _aggregate(name: str, values: Sequence[float]) -> float:
    """Return an answer's measure over all references; NaN for an empty answer."""
    if not values:
        return math.nan
    return max(values) if name == BEST else math.fsum(values) / len(values)


def display_order(evidence: DialogEvidence, answer: int) -> tuple[int, ...]:
    """Return the references by decreasing METEOR; in file order for an empty answer."""
    places = range(len(evidence.references))
    scores = evidence.answers[answer].measures.get(BEST, ())
    return tuple(sorted(places, key=lambda i: -scores[i])) if scores else tuple(places)


def reference_columns(
    evidence: DialogEvidence, answer: int, order: Sequence[int]
) -> tuple[Column, ...]:
    """Return the references in an order, with the measures of an answer against each."""
    texts = [display_text(evidence.references[i], SHOWN_TEXT) for i in order]
    columns: list[Column] = [
        TextColumn("text", translatable("Reference"), texts, paint=_truth(evidence, order))
    ]
    members = evidence.members()
    if None not in members and order:
        numbers = np.array([(members[i] or 0) + 1 for i in order], np.int64)
        columns.append(
            NumberColumn(
                "candidate",
                translatable("Candidate"),
                numbers,
                decimals=0,
                tooltip=translatable("Which candidate it is"),
            )
        )
    if len(evidence.ranks) == len(order) > 0:
        ranks = np.array([evidence.ranks[i] for i in order], np.int64)
        tooltip = translatable("The system's rank of this option")
        columns.append(
            NumberColumn("rank", translatable("Rank"), ranks, decimals=0, tooltip=tooltip)
        )
    if evidence.correlations is not None:
        tooltip = translatable("Correlation with the true answer")
        values = np.array([evidence.correlation(i) for i in order], np.float64)
        columns.append(
            NumberColumn("correlation", translatable("Correlation"), values, tooltip=tooltip)
        )
    for name, measured in evidence.answers[answer].measures.items():
        values = np.array([measured[i] for i in order], np.float64)
        columns.append(NumberColumn(name, TITLES[name], values, paint=_best(name, values)))
    return tuple(columns)


def _truth(evidence: DialogEvidence, order: Sequence[int]) -> Cell:
    return lambda row: "good" if evidence.references[order[row]] == evidence.truth else ""


def _best(name: str, values: FloatArray) -> Cell:
    best = int(values.argmax()) if name == BEST and len(values) else -1
    return lambda row: "good" if row == best else ""


def set_sentence(evidence: DialogEvidence) -> str:
    """Return the size and threshold of the reference set, as far as the file states them."""
    size = quantity(len(evidence.references), "reference")
    if evidence.chosen is None:
        return translate("{size}; the file does not state which candidates they are.", size=size)
    size = translate(
        "{references} of {count} candidates",
        references=size,
        count=count(len(evidence.chosen)),
    )
    if evidence.correlations is None or evidence.threshold is None:
        return translate("{size}; the file does not state their correlations.", size=size)
    left = [
        value
        for value, mark in zip(evidence.correlations, evidence.chosen, strict=True)
        if not mark
    ]
    threshold = number(evidence.threshold)
    if not left:
        return translate(
            "{size}: included from a correlation of {threshold}.", size=size, threshold=threshold
        )
    return translate(
        "{size}: included from a correlation of {threshold}; the best excluded one has {best}.",
        size=size,
        threshold=threshold,
        best=number(max(left)),
    )


def frequency_sentence(evidence: DialogEvidence, answer: int) -> str:
    """Return in how many reference sets each word of an answer is; CIDEr weighs by this."""
    words = dict.fromkeys(evidence.answers[answer].compared.split())
    counts = [
        f"{display_text(word, SHOWN_WORD)} {count(evidence.frequencies.get(word, 0))}"
        for word in words
    ]
    listed = ", ".join(counts[:LISTED_WORDS])
    if len(counts) > LISTED_WORDS:
        more = count(len(counts) - LISTED_WORDS)
        listed = translate("{names} and {more} more", names=listed, more=more)
    sets = quantity(evidence.sets, "reference set")
    if not counts:
        return translate("N = {sets}; the answer is empty.", sets=sets)
    return translate("N = {sets}; with the word: {words}.", sets=sets, words=listed)


KEYS = translatable("answers ← →   references ↑ ↓   matches “,” “.”")
ANSWER_ROWS, REFERENCE_ROWS = 5, 8
ROOMY, WIDE = 760, 1500
HIDDEN_FIRST = frozenset(
    ("number", "cider_2", "cider_3", "cider_4", "candidate", "fasttext_l2", "bert_l2")
)
"""Columns that are hidden in a narrow window."""
LONGEST_SHOWN = 400


class DialogInspector(Inspector):
    """Inspector of a `DialogEvidence`; Left and Right choose an answer, Up and Down a reference."""

    guide_part = translatable("Dialogues")

    def __init__(self) -> None:
        super().__init__()
        self.evidence: DialogEvidence | None = None
        self.pair = (0, 0)
        """Indices of the answer and the reference."""
        self.question = label("", "heading", wrap=True)
        self.truth = label("", "", wrap=True)
        self.set_summary = label("", "muted", wrap=True)
        self.filtered_answers = FilteredTable(translate("Answers"), inset=0)
        self.answers = self.filtered_answers.table
        self.filtered_references = FilteredTable(translate("References"), inset=0)
        self.references = self.filtered_references.table
        self.frequencies = label("", "small", wrap=True)
        self.explanation = label("", "", wrap=True)
        self.alignment = AlignmentView()
        self.sum = ScoreDerivation()
        self._order: tuple[int, ...] = ()
        self._alignment_jobs = AlignmentJobs(self)
        self._lay_out()
        self.answers.current_row_changed.connect(self._answer_changed)
        self.references.current_row_changed.connect(self._reference_changed)
        self._alignment_jobs.aligned.connect(self._show_aligned)

    def _lay_out(self) -> None:
        head = Card()
        for part in (self.question, self.truth, self.set_summary, label(translate(KEYS), "tiny")):
            head.body.addWidget(part)
        tables = []
        for title, table in ((translate("Answers"), self.filtered_answers),
                             (translate("References"), self.filtered_references)):  # fmt: skip
            card = Card(title)
            card.body.addWidget(table)
            table.table.growing = ("text",)
            tables.append(card)
        tables[0].body.addWidget(self.frequencies)
        tables[1].body.addWidget(self.explanation)
        aligned = Card()
        aligned.body.addWidget(self.alignment)
        across = QBoxLayout.Direction.LeftToRight
        self._tables, self._beside = QBoxLayout(across), QBoxLayout(across)
        for card in tables:
            card.body.addStretch(1)
            self._tables.addWidget(card, 1)
        self._beside.addWidget(aligned, 1)
        self._beside.addWidget(self.sum, 1)
        for row in (self._tables, self._beside):
            set_spacing(row, 16)
        fill_view(self, head, self._tables, self._beside)
        self.answers.most_rows, self.references.most_rows = ANSWER_ROWS, REFERENCE_ROWS
        self.setFocusProxy(self.alignment)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        for row in (self._tables, self._beside):
            row.setDirection(beside if self.width() >= px(ROOMY) else below)
        self._hide_columns()

    def _hide_columns(self) -> None:
        for table in (self.answers, self.references):
            names = frozenset(column.name for column in table.table_model.columns)
            table.show_columns(names if self.width() >= px(WIDE) else names - HIDDEN_FIRST)

    def show_item(self, item: InspectedItem) -> None:
        """Show another question with its first answer and the best reference of this."""
        evidence = item.evidence
        if not isinstance(evidence, DialogEvidence):
            raise TypeError(f"expected the evidence of a dialog, got {type(evidence).__name__}")
        self.evidence = evidence
        self._alignment_jobs.use_item(evidence)
        self.question.setText(
            display_text(evidence.question, LONGEST_SHOWN)
            or translate("Image {image}, round {round}", image=evidence.image, round=evidence.round)
        )
        self.truth.setText(
            translate(
                "True answer: {display_text}",
                display_text=display_text(evidence.truth, LONGEST_SHOWN),
            )
        )
        self.truth.setVisible(bool(evidence.truth))
        self.set_summary.setText(set_sentence(evidence))
        self._replace(self.filtered_answers, answer_columns(evidence), 0)

    def _replace(self, filtered: FilteredTable, columns: Sequence[Column], row: int) -> None:
        table = filtered.table
        table.set_current_row(None)
        table.table_model.show(columns)
        self._hide_columns()
        if table.table_model.total:
            filtered.choose(row)

    def show_pair(self, answer: int, reference: int) -> None:
        """Show an answer against a reference, both counted from 0 in file order."""
        self.filtered_answers.reveal(answer)
        self.filtered_references.reveal(self._order.index(reference))

    def _answer_changed(self, row: int | None) -> None:
        if row is None or self.evidence is None:
            return
        self.pair = (row, -1)
        self._alignment_jobs.select(*self.pair)
        self._order = display_order(self.evidence, row)
        self.frequencies.setText(frequency_sentence(self.evidence, row))
        self.explanation.hide()
        self._replace(
            self.filtered_references, reference_columns(self.evidence, row, self._order), 0
        )
        if not self._order:
            self._show_texts("", translate("There is no reference."))

    def _reference_changed(self, row: int | None) -> None:
        if row is None or self.evidence is None:
            return
        answer, reference = self.pair[0], self._order[row]
        self.pair = (answer, reference)
        reason = self.evidence.explanation(answer, reference)
        self.explanation.setText(translate_text(reason))
        self.explanation.setVisible(bool(reason))
        aligned = self._alignment_jobs.select(*self.pair)
        if aligned is not None:
            self._show_aligned(aligned)
            return
        self._show_texts(self._score(), translate("Aligning …"))
        compared = self.evidence.answers[answer].compared
        if not compared.strip():
            self._show_texts("", translate("The answer is empty."))
        elif is_long(compared):
            self._show_texts(self._score(), translate("The answer is too long to be aligned."))
        else:
            self._alignment_jobs.align()

    def _show_aligned(self, aligned: AlignmentResult) -> None:
        if aligned.alignment is None:
            self._show_texts(self._score(), aligned.problem)
            return
        chip = translate("best") if self.references.current_row == 0 else ""
        self.alignment.show_alignment(aligned.alignment, self._titles(), chip)
        self.sum.show_alignment(aligned.alignment)

    def _show_texts(self, score: str, sentence: str) -> None:
        if self.evidence is None:
            return
        answer, reference = self.pair
        meant = self.evidence.references[reference].split() if reference >= 0 else []
        said = self.evidence.answers[answer].compared.split()
        self.alignment.show_texts(said, meant, self._titles())
        self.sum.show_note(score, sentence)

    def _titles(self) -> tuple[str, str]:
        return (
            translate("Answer {number}", number=self.pair[0] + 1),
            translate("Reference {number}", number=self.pair[1] + 1),
        )

    def _score(self) -> str:
        if self.evidence is None:
            return ""
        measured = self.evidence.answers[self.pair[0]].measures.get("meteor", ())
        return f"METEOR {number(measured[self.pair[1]])}" if measured else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_N:
                self.references.step(1)
            case Qt.Key.Key_Up | Qt.Key.Key_P:
                self.references.step(-1)
            case Qt.Key.Key_Right:
                self.answers.step(1)
            case Qt.Key.Key_Left:
                self.answers.step(-1)
            case Qt.Key.Key_Period | Qt.Key.Key_Comma:
                self.alignment.keyPressEvent(event)
            case _:
                event.ignore()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selected rows of the focused table, else the submitted answer."""
        for table in (self.answers, self.references):
            if table.hasFocus():
                return table.selection_text(headers=headers)
        return self.evidence.answers[self.pair[0]].written if self.evidence else ""

    def exports(self) -> Sequence[Export]:
        return picture_exports(self.alignment, translate("Alignment")) if self.evidence else ()


INSPECTOR = DialogInspector

"""Cards with the tables of a planned study: its raters, and the results of their answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLocale, QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from jurydesk.app.pages.rate.rate_cells import NAMED, TWO_LINED, ProgressCells, ResultCells
from jurydesk.app.pages.rate.rate_model import (
    DONE,
    ENOUGH,
    INTERVAL,
    ITEMS,
    NEXT,
    STATE,
    USUAL_WIDTH,
    WIDTH,
    agreement_columns,
    enough_sentence,
    next_column,
    progress_columns,
    state_column,
)
from jurydesk.app.state.session import Session
from jurydesk.app.style.theme import px
from jurydesk.app.tables.left_out_label import LeftOutLabel
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.tables.table_view import ROW_HEIGHT, Table
from jurydesk.app.widgets.controls import DecimalBox
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.parts import Card, ElidedLabel, label, row_layout
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.human_evaluation.results.study_tables import (
    AGREEMENT,
    CORRELATIONS,
    PREFERENCES,
    PROGRAMS,
    RANKING,
    RATERS,
    REPORTS,
    agreement_remarks,
    effect_lines,
    pair_family,
    study_table,
)
from jurydesk.core.language import current_language, translatable, translate, translate_text
from jurydesk.core.tables.columns import Column, NumberColumn
from jurydesk.core.workflow.ratings import StudyState

PREFERENCES_TITLE = translatable("Preferences", "of raters")
PROGRAMS_TITLE = translatable("Programs", "among raters")
TABLES = {
    translatable("Agreement"): translatable("Agreement between raters, with 95 % intervals."),
    translatable("Ranking"): translatable(
        "Mean ratings (ranks that the ratings leave possible at 95 %)."
    ),
    translatable("Correlations"): translatable(
        "Correlation of metrics with ratings, with 95 % intervals."
    ),
    PREFERENCES_TITLE: translatable("Which of two systems is preferred, and by how much."),
    PROGRAMS_TITLE: translatable("What programs among the raters add to people's ratings."),
}
"""Titles of the result tables, and what they show."""
NOTHING_YET = translatable("No answers are in yet.")
NO_METRIC = translatable("The rated systems have no scores: score them with Ctrl+R.")
CARE = (*(name for name, *_ in REPORTS), "missing", "checks_passed")
"""Columns of raters that follow from their answers."""
LEAST_NEEDED = {
    RATERS: ("drift", "severity", "consistency", "straight", "seconds", "missing",
             "checks_passed", STATE),
    AGREEMENT: ("exact", "icc_1k", "gwet", "icc", WIDTH, INTERVAL, ENOUGH),
    CORRELATIONS: ("n", "pearson", "kendall"),
    PREFERENCES: ("neither", "other_preferred", "preferred", "p_all_pairs"),
    PROGRAMS: ("both", "more", "bias", "agreement"),
}  # fmt: skip
"""Columns of a table that wait for room, the least needed first; those of a ranking are many."""
LEAST_DONE = 84
"""Width of finished items without a bar, before scaling."""
LEAST_NAME = 120
"""Width of a name that gives way, before scaling."""
FEW, MANY, MOST = 8, 20, 1_000_000
"""Rows of raters in sight above results, and without any; no limit."""


class RatersTable(Table):
    """Table of raters, in which names and bars give way to reports of care."""

    def width_beside(self, section: int, dropped: str) -> int:
        name, needed = self.table_model.columns[section].name, super().width_beside(section, "")
        return min(needed, px(self.least[name])) if name in self.least else needed


class RatersCard(Card):
    """Card with a row for each rater, below the buttons of what is done with their packets.

    `action_requested` carries the row whose next action was chosen.
    """

    action_requested = Signal(int)
    title_text = translatable("Raters")

    def __init__(self, session: Session, actions: Sequence[QPushButton]) -> None:
        super().__init__("", padding=(6, 6))
        self._session = session
        head = QWidget()
        head.setLayout(FlowLayout(label(translate(self.title_text), "heading"), *actions))
        self.body.addLayout(row_layout(head, margins=(10, 4, 6, 4)))
        table = RatersTable(translate(self.title_text), cells=ProgressCells)
        self.results = FilteredTable(translate(self.title_text), table, inset=2)
        self.table = table
        table.growing, table.dropped = (NEXT, "rater"), LEAST_NEEDED[RATERS]
        table.least = {DONE: LEAST_DONE, "rater": LEAST_NAME}
        self.body.addWidget(self.results)
        self.body.addWidget(LeftOutLabel(table))
        self.remark = label(
            translate("Names stay in this desk; packets have the code only. F2 names a rater."),
            "small",
            wrap=True,
        )
        self.remark.setContentsMargins(px(10), 0, px(10), px(4))
        self.body.addWidget(self.remark)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        table.clicked.connect(self._click)
        table.opened.connect(self._open)

    @property
    def exported_title(self) -> str:
        return self.title_text

    def show_raters(self, state: StudyState) -> None:
        """Show the raters of a plan: progress, state, what is to be done, and care if known."""
        study, people = state.study, self._session.study_findings
        if study is None:
            return
        columns = study_table(RATERS, study, people, self._session.profile, label=state.label)
        rater, *rest = progress_columns(columns)
        added = [] if study.imported else [next_column(state, study, people)]
        at = next(place for place, one in enumerate(rest) if one.name == ITEMS) + 1
        found = [rater, *rest[:at], state_column(state, study, people), *added, *rest[at:]]
        empty = {one.name for one in rest if one.name in CARE and not _says_anything(one)}
        self.table.hidden = frozenset(empty | {ITEMS})
        self.table.most_rows = FEW if people is not None and people.raters else MANY
        self.table.least_rows = min(3, len(study.raters))
        self.table.table_model.show(found)
        self.table.keep_height()
        self.remark.setVisible(not study.imported and not self._session.read_only)

    def _click(self, index: QModelIndex) -> None:
        column, row = self.table.table_model.cell(index)
        if column.name == NEXT:
            self.action_requested.emit(row)

    def _open(self, row: int) -> None:
        """Take the action of an opened row; a double click on the action itself took it already."""
        index = self.table.currentIndex()
        if not index.isValid() or self.table.table_model.cell(index)[0].name != NEXT:
            self.action_requested.emit(row)


def _says_anything(column: Column) -> bool:
    """Return whether a column of numbers has any but 0 and undefined ones."""
    values = np.nan_to_num(np.array(column.values, float))
    known = isinstance(column, NumberColumn) and np.isfinite(np.array(column.values, float)).any()
    return bool(known and (column.name != "missing" or values.any()))


def _least_needed(name: str, columns: Sequence[Column]) -> Sequence[str]:
    """Return which columns of a table of results wait for room, the least needed first."""
    if name == RANKING:
        return [one.name for one in columns[:1:-1]]  # all but the systems and their overall mean
    return LEAST_NEEDED[name]


class ResultsCard(Card):
    """Card with the result tables of the same answers.

    Preferences are among them if a question compares entries.
    """

    chosen_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__("", padding=(6, 6))
        self._session = session
        self._study_state = StudyState()
        self.words = Segments(translate("Table"))
        self.about = ElidedLabel("", "muted", Qt.TextElideMode.ElideRight)
        table = Table(translate("Agreement"), cells=ResultCells)
        self.results = FilteredTable(translate("Agreement"), table, inset=2)
        table.least = dict.fromkeys(NAMED, LEAST_NAME)
        self.table = table
        self.empty = label("", "muted", wrap=True)
        self.empty.setContentsMargins(px(10), px(10), px(10), px(10))
        head = row_layout(self.words, margins=(6, 4, 6, 4))
        head.addWidget(self.about, 1)
        self.body.addLayout(head)
        self._titles = tuple(TABLES)[:-2]
        self.words.show_words(tuple(map(translate, self._titles)))
        self.body.addWidget(self.results, 1)
        self.body.addWidget(LeftOutLabel(table))
        self.body.addWidget(self.empty, 1)
        self.remark = label("", "small", wrap=True)
        self.remark.setContentsMargins(px(10), 0, px(10), px(4))
        self.body.addWidget(self.remark)
        self.widest = DecimalBox()
        self.rule = self._make_rule()
        self.body.addWidget(self.rule)
        self.words.chosen.connect(self._choose)
        self.widest.valueChanged.connect(self._fill)

    def _make_rule(self) -> QWidget:
        """Return the row of the stopping rule."""
        self.widest.setAccessibleName(translate("Width of an interval that is narrow enough"))
        self.widest.setLocale(QLocale(current_language()))
        self.widest.setRange(0.01, 2.0)
        self.widest.setSingleStep(0.05)
        self.widest.setValue(USUAL_WIDTH)
        self.widest.lineEdit().setTextMargins(px(6), 0, 0, 0)
        before = label(translate("Stop when every interval is at most this wide:"), "small")
        after = label(translate("It looks at agreement, never at who is ahead."), "small")
        row = QWidget()
        row.setLayout(FlowLayout(before, self.widest, after))
        row.setContentsMargins(px(10), 0, px(10), px(4))
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.words.set_room(self.width() - px(24))

    @property
    def visible_table(self) -> str:
        """Title of the visible table."""
        return self._titles[max(self.words.index, 0)]

    @property
    def exported_title(self) -> str:
        return self.visible_table

    def show_results(self, study_state: StudyState) -> None:
        """Show the results of a study in the chosen table."""
        self._study_state = study_state
        people = self._session.study_findings
        absent = set() if people is not None and people.preferences else {PREFERENCES_TITLE}
        if people is None or not people.judges:
            absent.add(PROGRAMS_TITLE)
        titles = tuple(title for title in TABLES if title not in absent)
        if titles != self._titles:
            chosen = min(max(self.words.index, 0), len(titles) - 1)
            self._titles = titles
            self.words.show_words(tuple(map(translate, titles)), chosen)
        self._fill()

    def _choose(self) -> None:
        self._fill()
        self.chosen_changed.emit()

    def _fill(self) -> None:
        columns = self._columns()
        people, reason = self._session.study_findings, ""
        is_agreement = self.visible_table == "Agreement"
        if people is not None and is_agreement:
            reason = " ".join(agreement_remarks(people))
        if people is not None and self.visible_table == PREFERENCES_TITLE:
            reason = " ".join([translate_text(pair_family(people)), *effect_lines(people)])
        self.remark.setText(reason)
        self.remark.setVisible(bool(reason))
        self.table.setAccessibleName(translate(self.visible_table))
        rows = bool(columns) and len(columns[0].values) > 0
        self.about.show_text(
            enough_sentence(columns, self.widest.value())
            if is_agreement and rows
            else translate(TABLES[self.visible_table])
        )
        self.rule.setVisible(is_agreement and rows)
        self.results.setVisible(rows)
        self.empty.setVisible(not rows)
        self.table.set_row_height(TWO_LINED if is_agreement else ROW_HEIGHT)
        self.table.least_rows, self.table.most_rows = FEW, MOST
        self.table.dropped = _least_needed(self.visible_table.lower(), columns)
        self.table.table_model.show(columns if rows else ())
        self.table.keep_height()
        if not rows:
            self.empty.setText(translate(NO_METRIC if people is not None else NOTHING_YET))

    def _columns(self) -> Sequence[Column]:
        session, study = self._session, self._study_state.study
        people, name = session.study_findings, self.visible_table.lower()
        if study is None or people is None or not people.raters:
            return ()
        title = self._metric_title
        columns = study_table(
            *(name, study, people, session.profile), label=self._study_state.label, title=title
        )
        if name == AGREEMENT:
            return agreement_columns(columns, people, self.widest.value())
        return columns

    def _metric_title(self, name: str) -> str:
        info = self._session.metric(name)
        return info.title if info else name

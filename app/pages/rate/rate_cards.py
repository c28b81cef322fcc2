"""Cards of a planned study: plan, packets and answers, result tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy

from jurydesk.app.pages.leaderboard.facts_card import FactsCard
from jurydesk.app.pages.rate.rate_model import state_column
from jurydesk.app.state.session import Session
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import display_text, tip
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.parts import Card, ElidedLabel, button, label, restyle, row_layout
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.human_evaluation.design.planning import items_per_rater
from jurydesk.core.human_evaluation.design.study import RatingStudy
from jurydesk.core.human_evaluation.results.rater_reports import RaterReport
from jurydesk.core.human_evaluation.results.study_tables import (
    RATERS,
    REPORTS,
    agreement_remarks,
    effect_lines,
    pair_family,
    study_table,
)
from jurydesk.core.language import (
    LANGUAGES,
    current_language,
    translatable,
    translate,
    translate_text,
)
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column
from jurydesk.core.workflow.ratings import StudyState

PREFERENCES_TITLE = translatable("Preferences", "of raters")
PROGRAMS_TITLE = translatable("Programs", "among raters")
TABLES = {
    translatable("Raters"): translatable("Progress and working style of each rater."),
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
PACKETS_HINT = translatable(
    "One file for each rater, without names of systems. A double click opens it; "
    "the answers come back as a file."
)
ANSWERS_HINT = translatable(
    "Or drop answers files anywhere on the window, in any order and as often as you like."
)
RATING_HINT = translatable(
    "Rate a packet yourself: its answers are merged when you close the page."
)
NOTHING_YET = translatable("No answers are in yet.")
NO_METRIC = translatable("The rated systems have no scores: score them with Ctrl+R.")


CARE = (*(name for name, *_ in REPORTS), "missing", "checks_passed")
"""Columns of raters that are empty without answers."""


class PlanCard(FactsCard):
    """Plan in one line, with its details on request; `plan_again_requested` asks for another."""

    def __init__(self) -> None:
        super().__init__()
        self._told: tuple[str, str, dict[str, str]] = ("", "", {})
        self.details = QPushButton(translate("Details"))
        self.details.setProperty("kind", "small")
        self.details.setCheckable(True)
        self.details.toggled.connect(self._fold)
        self.plan_again = button(
            translate("Plan again …"),
            self.plan_again_requested.emit,
            "small",
            translate("Make another plan"),
        )
        self.title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        row = row_layout(self.title, self.sentence, self.details, self.plan_again, spacing=12)
        row.setStretch(1, 1)
        self.body.insertLayout(0, row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    plan_again_requested = Signal()

    def _fold(self) -> None:
        title, sentence, facts = self._told
        self.show_facts(title, sentence, facts if self.details.isChecked() else {})

    def show_study(self, study: RatingStudy, *, answered: bool, read_only: bool) -> None:
        """Show a study; once answers are in, it cannot be planned again."""
        request, questionnaire = study.request, study.questionnaire
        entries, words = request.sequences * len(study.pool.systems), study.words
        questions = numbers.quantity(len(questionnaire.questions), "question")
        extras = (
            translate("{number} practice", number=request.practice) if request.practice else "",
            translate("{number} with a known answer", number=request.attention)
            if request.attention
            else "",
            translate("{share} shown twice", share=numbers.percent(request.repeated))
            if request.repeated
            else "",
        )
        self._told = (
            translate("Plan"),
            translate(
                "{entries} of {items}, each rated by {raters}.",
                entries=numbers.quantity(entries, *words.entry),
                items=numbers.quantity(request.sequences, *words.item),
                raters=numbers.quantity(request.ratings, "rater"),
            ),
            {
                translate("Systems"): ", ".join(study.pool.systems),
                translate("Raters"): translate(
                    "{raters}, with {items} items each",
                    raters=numbers.count(request.raters),
                    items=items_per_rater(study),
                ),
                translate("Questionnaire"): f"{translate_text(questionnaire.title)} ({questions})",
                translate("More items"): ", ".join(filter(None, extras)),
                translate(words.picture[1]).capitalize(): study.images or translate("no folder"),
                translate("Seed"): str(study.seed),
            },
        )
        self._fold()
        self.plan_again.setEnabled(not answered and not read_only)
        hint = (
            translatable("Answers to this plan are in: plan again in another desk.")
            if answered
            else translatable("This desk is open for reading only.")
            if read_only
            else translatable("Make another plan")
        )
        self.plan_again.setToolTip(translate(hint))


class PacketsCard(Card):
    """Card to make packets, merge answers and rate locally."""

    packets_requested = Signal()
    merge_requested = Signal()
    rating_requested = Signal()
    folder_requested = Signal()
    pictures_requested = Signal()

    def __init__(self) -> None:
        super().__init__(translate("Packets and answers"), spacing=8)
        self.is_next = False
        """Whether packets are what is missing, so that their button is filled."""
        self.html = QCheckBox(translate("Also as pages for any browser"))
        self.html.setToolTip(translate("For raters who cannot install anything."))
        self.language = ChoiceBox()
        self.language.setAccessibleName(translate("Language of the packets"))
        self.language.setToolTip(translate("Language of instructions, statements and page"))
        for code, name in LANGUAGES.items():
            self.language.addItem(name, code)
        self.language.setCurrentIndex(max(0, self.language.findData(current_language())))
        self.pack = button(
            translate("Make packets …"),
            self.packets_requested.emit,
        )
        self.show_folder = button(
            translate("Show packets"),
            self.folder_requested.emit,
            "quiet",
            translate("Open their folder"),
        )
        self.pictures = button(
            translate("Pictures are in …"),
            self.pictures_requested.emit,
            hint=translate("Folder of the pictures for the packets"),
        )
        self.merge = button(
            translate("Merge answers …"),
            self.merge_requested.emit,
        )
        self.rate = button(
            translate("Rate now"),
            self.rating_requested.emit,
        )
        self.state = label("", "muted", wrap=True)
        hints = {
            self.pack: (translate("Make packets  (Ctrl+P)"), PACKETS_HINT),
            self.merge: (translate("Merge answers  (Ctrl+M)"), ANSWERS_HINT),
            self.rate: (translate("Rate now  (Ctrl+Return)"), RATING_HINT),
        }
        for action, (keys, hint) in hints.items():
            action.setToolTip(tip(keys, translate(hint)))
        self.body.addWidget(self.state)
        self.body.addLayout(
            FlowLayout(self.pack, self.pictures, self.merge, self.rate, self.show_folder)
        )
        self.body.addLayout(FlowLayout(self.language, self.html))

    def show_state(
        self,
        study_state: StudyState,
        *,
        writable: bool,
        rater: str,
        folder: bool,
        images: Path | None,
        report: RaterReport | None,
    ) -> None:
        """Enable the possible actions; `rater` would rate now, whose progress is in `report`.

        `images` is the folder of pictures that the user chose in place of the plan's.
        """
        for widget in (self.pack, self.pictures, self.language, self.html, self.merge, self.rate):
            widget.setEnabled(writable)
        shown = study_state.label(rater)
        if report is not None and report.is_unfinished:
            next_item, all_items = numbers.count(report.done + 1), numbers.count(report.items)
            text = translate(
                "Resume as {rater} at {item} of {all}", rater=shown, item=next_item, all=all_items
            )
        elif rater:
            text = translate("Rate now as {rater}", rater=shown)
        else:
            text = translate("Rate now")
        self.rate.setText(text)
        self.rate.setEnabled(writable and bool(rater))
        self.show_folder.setVisible(folder)
        raters = len(study_state.study.raters) if study_state.study else 0
        made, back = len(study_state.packed), len(study_state.answered)
        self.is_next = writable and made < raters and not back
        restyle(self.pack, "kind", "primary" if self.is_next else "")
        text = translate(
            "Packets made: {made} of {raters}. Answers back: {back}.",
            made=numbers.count(made),
            raters=numbers.count(raters),
            back=numbers.count(back),
        )
        self.pictures.setVisible(bool(study_state.lost_pictures))
        self.state.setText(" ".join(filter(None, (text, _pictures_sentence(study_state, images)))))


def _pictures_sentence(study_state: StudyState, images: Path | None) -> str:
    """Say where the pictures are, if not where the plan has them; else empty."""
    if not study_state.lost_pictures:
        return ""
    if images is not None:
        return translate("Pictures are taken from {folder}.", folder=display_text(str(images)))
    lost = display_text(study_state.lost_pictures)
    return translate("The pictures are not found in {folder}: choose their folder.", folder=lost)


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
        self.results = FilteredTable(translate("Raters"))
        self.table = self.results.table
        self.empty = label("", "muted", wrap=True)
        self.empty.setContentsMargins(px(10), px(10), px(10), px(10))
        head = row_layout(self.words, margins=(6, 4, 6, 4))
        head.addWidget(self.about, 1)
        self.body.addLayout(head)
        self._titles = tuple(TABLES)[:-2]
        self.words.show_words(tuple(map(translate, self._titles)))
        self.body.addWidget(self.results, 1)
        self.body.addWidget(self.empty, 1)
        self.remark = label("", "small", wrap=True)
        self.remark.setContentsMargins(px(10), 0, px(10), px(4))
        self.body.addWidget(self.remark)
        self.words.chosen.connect(self._choose)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.words.set_room(self.width() - px(24))

    @property
    def visible_table(self) -> str:
        """Title of the visible table."""
        return self._titles[max(self.words.index, 0)]

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
        if people is not None and self.visible_table == "Agreement":
            reason = " ".join(agreement_remarks(people))
        if people is not None and self.visible_table == PREFERENCES_TITLE:
            reason = " ".join([translate_text(pair_family(people)), *effect_lines(people)])
        self.remark.setText(reason)
        self.remark.setVisible(bool(reason))
        self.about.setText(translate(TABLES[self.visible_table]))
        self.table.setAccessibleName(translate(self.visible_table))
        has_answers = people is not None and bool(people.raters)
        care = () if has_answers else CARE
        self.table.hidden = frozenset(care if self.visible_table == "Raters" else ())
        rows = bool(columns) and len(columns[0].values) > 0
        self.results.setVisible(rows)
        self.empty.setVisible(not rows)
        self.table.table_model.show(columns if rows else ())
        if not rows:
            self.empty.setText(translate(NO_METRIC if people is not None else NOTHING_YET))

    def _columns(self) -> Sequence[Column]:
        session, study = self._session, self._study_state.study
        if study is None:
            return ()
        people, name = session.study_findings, self.visible_table.lower()
        if name != RATERS and (people is None or not people.raters):
            return ()
        columns = study_table(
            *(name, study, people, session.profile),
            label=self._study_state.label,
            title=self._metric_title,
        )
        if name == RATERS:
            columns.insert(1, state_column(self._study_state, study, people))
        return columns

    def _metric_title(self, name: str) -> str:
        info = self._session.metric(name)
        return info.title if info else name

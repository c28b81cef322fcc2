"""Cards of a planned study: its plan, its packets and answers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy

from jurydesk.app.pages.leaderboard.facts_card import FactsCard
from jurydesk.app.pages.rate.plan_form import INDICATOR, PADDING, break_lines
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import display_text, tip
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.parts import Card, button, label, restyle, row_layout
from jurydesk.core.human_evaluation.design.planning import items_per_rater
from jurydesk.core.human_evaluation.design.study import RatingStudy
from jurydesk.core.human_evaluation.results.rater_reports import RaterReport
from jurydesk.core.language import (
    LANGUAGES,
    current_language,
    translatable,
    translate,
    translate_text,
)
from jurydesk.core.tables import numbers
from jurydesk.core.workflow.ratings import StudyState

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
        row = row_layout(self.title, self.details, self.plan_again)
        row.setStretch(0, 1)
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
    """Card of packets: number, language, pictures; its `buttons` stand above the raters."""

    packets_requested = Signal()
    merge_requested = Signal()
    rating_requested = Signal()
    folder_requested = Signal()
    pictures_requested = Signal()

    def __init__(self) -> None:
        super().__init__(translate("Packets and answers"), spacing=8)
        self.is_next = False
        """Whether packets are what is missing, so that their button is filled."""
        self._html_title = translate("Also as pages for any browser")
        self.html = QCheckBox(self._html_title)
        self.html.setAccessibleName(self._html_title)
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
        self.body.addLayout(FlowLayout(self.language, self.html, self.pictures, self.show_folder))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - 2 * px(PADDING) - px(INDICATOR)
        self.html.setText(break_lines(self._html_title, self.html.fontMetrics(), room))

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons of what is done with packets, which stand above the raters."""
        return self.pack, self.merge, self.rate

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        for one in self.buttons:
            one.setVisible(visible)

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

"""Rules for submissions: deadline with time zone, arrival times, newest file per team."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import button, label, row_layout
from jurydesk.core.intake.deadlines import EXAMPLE, Deadline, TimeError, parse_deadline
from jurydesk.core.intake.received_list import read_received
from jurydesk.core.intake.submission import IntakeRules
from jurydesk.core.language import translatable, translate, translate_plural, translate_text
from jurydesk.core.model.defects import Defect

NO_DEADLINE = translatable(
    "Leave it empty for no deadline. Late submissions are scored and marked as late."
)
FILE_TIMES = translatable(
    "The arrival time of a submission is the time of its file, which its team can change."
)


class SubmissionRulesSheet(Sheet):
    """Form of the rules; `chosen` carries them when they are valid."""

    guide_part = translatable("Many submissions")

    chosen = Signal(object)

    def __init__(self, rules: IntakeRules, folder: Path, parent: QWidget) -> None:
        super().__init__(translate("Submission rules"), parent, width=500)
        self._received, self._received_list = rules.received, rules.received_list
        self._folder = folder
        self.deadline = QLineEdit(str(rules.deadline or ""))
        self.deadline.setPlaceholderText(EXAMPLE)
        self.deadline.setAccessibleName(translate("Deadline with its time zone"))
        self.problem = label("", "bad", wrap=True)
        self.times = label("", "muted", wrap=True)
        self.choose = button(translate("Use a list of times …"), self.choose_list)
        self.choose.setToolTip(translate("A CSV file with the columns: file or team, time"))
        self.forget = button(translate("Use the files’ times"), self.forget_list)
        self.list_problem = label("", "bad", wrap=True)
        self.latest = QCheckBox(translate("Only the newest file of each team counts"))
        self.latest.setChecked(rules.latest)
        self._build()
        self._show_times()

    def _build(self) -> None:
        self.add_head()
        caption = label(translate("Deadline, with its time zone"), "heading")
        caption.setBuddy(self.deadline)
        self._add_part(
            caption, self.deadline, self.problem, label(translate(NO_DEADLINE), "muted", wrap=True)
        )
        lists = row_layout(self.choose, self.forget, None)
        self._add_part(label(translate("Times"), "heading"), self.times, self.list_problem, lists)
        self._add_part(self.latest)
        cancel, keep = (
            button(translate("Cancel"), self.close),
            button(translate("Keep"), self.accept, "primary"),
        )
        self._add_part(row_layout(None, cancel, keep))
        for wrong in (self.problem, self.list_problem):
            wrong.hide()

    def _add_part(self, *parts: QWidget | QHBoxLayout) -> None:
        """Add widgets that belong together, with a gap above them."""
        self.body.addSpacing(px(6))
        for part in parts:
            if isinstance(part, QWidget):
                self.body.addWidget(part)
            else:
                self.body.addLayout(part)

    def initial_focus(self) -> QWidget:
        return self.deadline

    # Times

    def choose_list(self) -> None:
        """Ask for a list of arrival times."""
        name, _ = QFileDialog.getOpenFileName(
            self.window(),
            translate("Times of arrival"),
            str(self._folder),
            f"{translate('Times of arrival')} (*.csv);;{translate('All files')} (*)",
        )
        if name:
            self.read_list(Path(name))

    def read_list(self, path: Path) -> None:
        """Use the times of a list, or show what is wrong with it."""
        reading = read_received(path, IntakeRules(self._deadline_or_none()).zone)
        if reading.data is None:
            _show_problem(self.list_problem, _first_defect(reading.defects))
        else:
            self._received, self._received_list = reading.data, str(path)
            _show_problem(self.list_problem, "")
        self._show_times()

    def forget_list(self) -> None:
        """Use the times of the files."""
        self._received, self._received_list = {}, ""
        _show_problem(self.list_problem, "")
        self._show_times()
        self.choose.setFocus()

    def _show_times(self) -> None:
        count = len(self._received)
        listed = translate_plural(
            "Your list has {count} time; all others are the times of the files.",
            "Your list has {count} times; all others are the times of the files.",
            count,
        )
        self.times.setText(listed if count else translate(FILE_TIMES))
        self.forget.setVisible(bool(count))
        self.adjustSize()

    # Result

    def _deadline_or_none(self) -> Deadline | None:
        try:
            return self._deadline()
        except TimeError:
            return None

    def _deadline(self) -> Deadline | None:
        text = self.deadline.text().strip()
        return parse_deadline(text) if text else None

    def accept(self) -> None:
        """Emit the rules and close, or show what is wrong with the deadline."""
        try:
            deadline = self._deadline()
        except TimeError as error:
            _show_problem(self.problem, translate_text(str(error)))
            self.adjustSize()
            self.deadline.setFocus()
            return
        self.close()
        latest = self.latest.isChecked()
        self.chosen.emit(IntakeRules(deadline, latest, self._received, self._received_list))


def _show_problem(problem: QLabel, sentence: str) -> None:
    problem.setText(sentence)
    problem.setVisible(bool(sentence))


def _first_defect(defects: Sequence[Defect]) -> str:
    """Return the first defect as text, and the number of the others."""
    first, others = defects[0], len(defects) - 1
    texts = [translate_text(part) for part in (first.found, first.expected, first.hint) if part]
    if others:
        texts.append(
            translate_plural("And {count} more defect.", "And {count} more defects.", others)
        )
    return f"{first.place}: {' '.join(texts)}"

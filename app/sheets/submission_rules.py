"""The rules for submissions: deadline and time zone, whose times count, and which of a team's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.numbers import quantity
from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import button, label, row_layout
from jurydesk.core.intake.deadlines import EXAMPLE, Deadline, TimeError, parse_deadline
from jurydesk.core.intake.submission import IntakeRules, read_received
from jurydesk.core.model.defects import Defect

WITHOUT = "Leave it empty for none. What comes in later is scored all the same, and marked as late."
OF_FILES = "When a submission came in is the time of its file, which its team could change."
LIST = "Times of arrival (*.csv);;All files (*)"


class SubmissionRulesSheet(Sheet):
    """`chosen` carries the rules as soon as they can be read."""

    chosen = Signal(object)

    def __init__(self, rules: IntakeRules, folder: Path, parent: QWidget) -> None:
        super().__init__("Submission rules", parent, width=500)
        self._received = rules.received
        self._folder = folder
        self.deadline = QLineEdit(str(rules.deadline or ""))
        self.deadline.setPlaceholderText(EXAMPLE)
        self.deadline.setAccessibleName("Deadline with its time zone")
        self.problem = label("", "bad", wrap=True)
        self.times = label("", "muted", wrap=True)
        self.choose = button("Use a list of times …", self.choose_list)
        self.choose.setToolTip("A CSV file; a line is: file or team, time")
        self.forget = button("Use the files’ times", self.forget_list)
        self.list_problem = label("", "bad", wrap=True)
        self.latest = QCheckBox("Only the newest file of each team counts")
        self.latest.setChecked(rules.latest)
        self._build()
        self._show_times()

    def _build(self) -> None:
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label("Submission rules", "title"))
        caption = label("Deadline, with its time zone", "heading")
        caption.setBuddy(self.deadline)
        self._part(caption, self.deadline, self.problem, label(WITHOUT, "muted", wrap=True))
        lists = row_layout(self.choose, self.forget, None)
        self._part(label("Times", "heading"), self.times, self.list_problem, lists)
        self._part(self.latest)
        cancel, keep = button("Cancel", self.close), button("Keep", self.accept, "primary")
        self._part(row_layout(None, cancel, keep))
        for wrong in (self.problem, self.list_problem):
            wrong.hide()

    def _part(self, *parts: QWidget | QHBoxLayout) -> None:
        """Parts that belong together, and a gap above them."""
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
        """Ask for the organiser's own list of times."""
        name, _ = QFileDialog.getOpenFileName(
            self.window(), "Times of arrival", str(self._folder), LIST
        )
        if name:
            self.read_list(Path(name))

    def read_list(self, path: Path) -> None:
        """Go by the times of a list; say what is wrong with it otherwise."""
        found = read_received(path, IntakeRules(self._deadline_or_none()).zone)
        if found.data is None:
            _say(self.list_problem, _first(found.defects))
        else:
            self._received = found.data
            _say(self.list_problem, "")
        self._show_times()

    def forget_list(self) -> None:
        """Go by the times of the files."""
        self._received = {}
        _say(self.list_problem, "")
        self._show_times()
        self.choose.setFocus()

    def _show_times(self) -> None:
        known = len(self._received)
        listed = f"Your list tells {quantity(known, 'time')}; the others are those of the files."
        self.times.setText(listed if known else OF_FILES)
        self.forget.setVisible(bool(known))
        self.adjustSize()

    # The end

    def _deadline_or_none(self) -> Deadline | None:
        try:
            return self._deadline()
        except TimeError:
            return None

    def _deadline(self) -> Deadline | None:
        written = self.deadline.text().strip()
        return parse_deadline(written) if written else None

    def accept(self) -> None:
        """Hand out the rules and close; say what is wrong with the deadline otherwise."""
        try:
            until = self._deadline()
        except TimeError as wrong:
            _say(self.problem, str(wrong))
            self.adjustSize()
            self.deadline.setFocus()
            return
        self.close()
        self.chosen.emit(IntakeRules(until, self.latest.isChecked(), self._received))


def _say(problem: QLabel, sentence: str) -> None:
    """Say what is wrong, or nothing any more."""
    problem.setText(sentence)
    problem.setVisible(bool(sentence))


def _first(defects: Sequence[Defect]) -> str:
    """The first thing that is wrong with a list, and how much else is."""
    one = defects[0]
    more = f" And {quantity(len(defects) - 1, 'more defect')}." if len(defects) > 1 else ""
    return f"{one.place}: {' '.join(filter(None, (one.found, one.expected, one.hint)))}{more}"

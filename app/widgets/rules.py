"""The rules for submissions: the deadline with its time zone, and which of a team's files count."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.theme import px
from app.widgets.parts import beside, button, label
from app.widgets.popup import Popup
from core.intake.submission import Rules
from core.intake.times import EXAMPLE, TimeError, deadline

ADVICE = (
    "What came later is scored and marked as late. The time is that of the file, or of the zip's "
    "member: it can be changed, so keep your own list where that matters."
)


class RulesSheet(Popup):
    """`chosen` carries the rules as soon as they can be read."""

    chosen = Signal(object)

    def __init__(self, rules: Rules, parent: QWidget) -> None:
        super().__init__("Submission rules", parent, width=480)
        self._rules = rules
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label("Submission rules", "title"))
        self.deadline = QLineEdit(str(rules.deadline or ""))
        self.deadline.setPlaceholderText(f"{EXAMPLE}, or nothing")
        self.deadline.setAccessibleName("Deadline with its time zone")
        self.deadline.returnPressed.connect(self.accept)
        self.latest = QCheckBox("Only the newest file of each team counts")
        self.latest.setChecked(rules.latest)
        self.problem = label("", "bad", wrap=True)
        self.problem.hide()
        self.body.addWidget(label("Deadline, with its time zone", "small"))
        self.body.addWidget(self.deadline)
        self.body.addWidget(self.problem)
        self.body.addWidget(label(ADVICE, "muted", wrap=True))
        self.body.addWidget(self.latest)
        cancel, keep = button("Cancel", self.close), button("Keep", self.accept, "primary")
        self.body.addLayout(beside(None, cancel, keep))

    def first(self) -> QWidget:
        return self.deadline

    def accept(self) -> None:
        """Hand out the rules and close; say what is wrong with the deadline otherwise."""
        written = self.deadline.text().strip()
        try:
            until = deadline(written) if written else None
        except TimeError as wrong:
            self.problem.setText(str(wrong))
            self.problem.show()
            self.adjustSize()
            return
        self.close()
        self.chosen.emit(replace(self._rules, deadline=until, latest=self.latest.isChecked()))

"""Form of the policy for sealed entries: budgets of looks, and what goes back to teams."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from jurydesk.app.widgets.parts import button, label, number_box, row_layout, set_spacing
from jurydesk.core.language import translatable, translate

if TYPE_CHECKING:
    from jurydesk.core.workflow.entries.entry_policy import EntryPolicy

BUDGETS = {
    "day": translatable("Looks of a team a day"),
    "month": translatable("Looks of a team a month"),
    "total": translatable("Looks of a team in all"),
}
CHECKS = {
    "rounds": translatable("Round scores to the width of their interval"),
    "ladder": translatable("Count a score only if it is better by a standard error"),
    "approval": translatable("Hold entries of a new key for your approval"),
}
EVERYTHING = translatable("Tell every metric, not the ranking metric alone")
NOTE = translatable(
    "The policy holds for looks from now on. Entries are compared with the systems that are on the "
    "board when it is kept."
)
MOST = 9999


class EntryPolicyForm(QWidget):
    """Form of the policy; `chosen` carries another one than was shown, or the same again.

    The button `keep` stands where the sheet has its buttons.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._policy: EntryPolicy | None = None
        column = QVBoxLayout(self)
        set_spacing(column, 8)
        self.boxes = {
            name: number_box(translate(text), 0, MOST, 0) for name, text in BUDGETS.items()
        }
        for name, box in self.boxes.items():
            box.setSpecialValueText(translate("no limit"))
            caption = label(translate(BUDGETS[name]))
            caption.setBuddy(box)
            column.addLayout(row_layout(caption, None, box))
        self.everything = QCheckBox(translate(EVERYTHING))
        self.checks = {name: QCheckBox(translate(text)) for name, text in CHECKS.items()}
        for check in (self.everything, *self.checks.values()):
            column.addWidget(check)
        column.addWidget(label(translate(NOTE), "muted", wrap=True))
        self.keep = button(translate("Keep the policy"), self._choose, "primary")

    def show_policy(self, policy: EntryPolicy) -> None:
        """Show a policy, to change it."""
        self._policy = policy
        for name, box in self.boxes.items():
            box.setValue(getattr(policy, name))
        for name, check in self.checks.items():
            check.setChecked(getattr(policy, name))
        self.everything.setChecked(policy.returns == "everything")

    def _choose(self) -> None:
        if self._policy is None:
            return
        values: dict[str, Any] = {name: box.value() for name, box in self.boxes.items()}
        values |= {name: check.isChecked() for name, check in self.checks.items()}
        values["returns"] = "everything" if self.everything.isChecked() else "score"
        self.chosen.emit(replace(self._policy, **values))

"""Sealed entry as the organiser sees it before it is scored: who sent it, and what to decide."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget

from jurydesk.app.style.visible_text import display_text
from jurydesk.app.widgets.parts import Card, label, restyle, set_spacing
from jurydesk.core.language import translatable, translate, translate_text

if TYPE_CHECKING:
    from jurydesk.core.workflow.entries.entry_review import EntryReview
    from jurydesk.core.workflow.entries.look import EntryOutcome

CONSENT = translatable("I compared the words with the team: approve this key")
REASON = translatable("Reason to score it all the same; the certificate prints it")
KINDS = {"ready": "good", "again": "good", "held": "heading", "refused": "bad", "unreadable": "bad"}
"""Kinds of text by the state of an entry."""
LONGEST = 300


@dataclass(frozen=True, slots=True)
class EntryChoice:
    """What the organiser decided about an entry: consent to its key, or a reason to score it."""

    review: EntryReview
    approves: bool = False
    reason: str = ""

    @property
    def path(self) -> Path:
        """File of the entry."""
        return self.review.path

    @property
    def is_scored(self) -> bool:
        """Whether the entry may be scored after this decision, or was."""
        return self.review.state in ("ready", "again") or self.approves or bool(self.reason)


class EntryCard(QWidget):
    """Card of an entry; `changed` follows a decision."""

    changed = Signal()

    def __init__(self, review: EntryReview) -> None:
        from jurydesk.core.workflow.entries.entry_review import waits_for_consent
        from jurydesk.core.workflow.entries.look import may_be_overruled

        super().__init__()
        self.review = review
        self._column = QVBoxLayout(self)
        set_spacing(self._column, 0)
        card = Card()
        self._column.addWidget(card)
        self.lines = card.body
        team = f" – {review.entry.team}" if review.entry else ""
        self.lines.addWidget(label(_visible(f"{review.path.name}{team}"), "heading", wrap=True))
        decision = _visible(translate_text(review.decision))
        self.decision = label(decision, KINDS[review.state], wrap=True)
        self.lines.addWidget(self.decision)
        self._remarks = [
            label(_visible(translate_text(one)), "muted", wrap=True) for one in review.remarks
        ]
        for remark in self._remarks:
            self.lines.addWidget(remark)
        if review.entry and review.entry.statement:
            said = translate("Statement: {text}", text=review.entry.statement)
            self.lines.addWidget(label(_visible(said), "muted", wrap=True))
        self.consent: QCheckBox | None = None
        self.reason: QLineEdit | None = None
        if waits_for_consent(review):
            self.consent = QCheckBox(translate(CONSENT))
            self.consent.toggled.connect(self.changed)
            self.lines.addWidget(self.consent)
        elif review.state in ("held", "refused") and may_be_overruled(review):
            self.reason = QLineEdit()
            self.reason.setPlaceholderText(translate(REASON))
            self.reason.setAccessibleName(translate(REASON))
            self.reason.textChanged.connect(self.changed)
            self.lines.addWidget(self.reason)

    @property
    def choice(self) -> EntryChoice:
        """What the organiser decided."""
        approves = self.consent is not None and self.consent.isChecked()
        reason = "" if self.reason is None else self.reason.text().strip()
        return EntryChoice(self.review, approves, reason)

    def show_outcome(self, outcome: EntryOutcome) -> None:
        """Show what became of the entry in place of the decision that was asked for."""
        from jurydesk.core.workflow.entries.ledger_table import look_sentences

        for asked in (self.consent, self.reason):
            if asked is not None:
                asked.setEnabled(False)
        look, row = outcome.look, outcome.row
        for remark in self._remarks:  # they tell how many looks were used before
            remark.setVisible(look is None)
        told = "" if row is None else translate_text(row.message)
        self.decision.setText(_visible(told or translate_text(outcome.review.decision)))
        restyle(self.decision, "kind", "good" if look is not None else "bad")
        for sentence in () if look is None else look_sentences(look):
            self.lines.addWidget(label(_visible(translate_text(sentence)), wrap=True))
        for defect in outcome.defects:
            text = f"{defect.place}: {translate_text(defect.found)}"
            self.lines.addWidget(label(_visible(text), "muted", wrap=True))


def _visible(text: str) -> str:
    return display_text(text, LONGEST)

"""Sealed entries in the window: what is known before anything is scored, ledger and policy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from jurydesk.app.sheets.entry_card import EntryCard
from jurydesk.app.sheets.entry_policy_form import EntryPolicyForm
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.parts import (
    button,
    clear_layout,
    label,
    row_layout,
    scrolled_rows,
)
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.language import translatable, translate, translate_plural, translate_text

if TYPE_CHECKING:
    from jurydesk.core.desk.entry_ledger import LedgerRow
    from jurydesk.core.workflow.entries.entry_policy import EntryPolicy
    from jurydesk.core.workflow.entries.entry_review import EntryReview
    from jurydesk.core.workflow.entries.look import EntryOutcome

INTRODUCTION = translatable(
    "Entries after the deadline, counted in the ledger of the desk. Nothing is scored before you "
    "say so."
)
NONE_YET = translatable("Drop entries (.juryentry) on the window, or add them.")
UNBROKEN = translatable("The chain is unbroken. Head: {hash}")
MOST_ROWS = 9
"""A longer table scrolls."""
HEIGHT = 430
"""Greatest height of the entries."""


class EntriesSheet(Sheet):
    """Entries with what is known of them, the ledger, and the policy.

    `added` carries the paths of more entries, `score_requested` what was decided of each,
    `save_requested` the folder of the certificates, `policy_chosen` a policy, and
    `board_requested` asks for the public board of all looks.
    """

    guide_part = translatable("Sealed entries")

    added = Signal(object)
    score_requested = Signal(object)
    save_requested = Signal(object)
    policy_chosen = Signal(object)
    board_requested = Signal()

    def __init__(self, start: Path, parent: QWidget) -> None:
        super().__init__(translate("Sealed entries"), parent, width=860)
        self._start = start
        self._is_scored = False
        self.cards: list[EntryCard] = []
        self.add_head(translate(INTRODUCTION))
        self.parts = Segments(translate("Part of the sheet"))
        words = translate("Entries"), translate("Ledger"), translate("Policy")
        self.parts.show_words([*words], 0)
        self.parts.chosen.connect(self._show_part)
        self.body.addLayout(row_layout(self.parts, None))
        self.summary = label(translate(NONE_YET), wrap=True)
        self.body.addWidget(self.summary)
        self.entries, self._list = scrolled_rows(translate("Entries"), 8)
        self.ledger = Table(translate("Ledger"))
        self.ledger.most_rows = MOST_ROWS
        self.head = label("", "tiny", wrap=True)
        self.policy = EntryPolicyForm()
        self.policy.chosen.connect(self.policy_chosen)
        for part in (self.entries, self.ledger, self.head, self.policy):
            self.body.addWidget(part)
        self.add = button(translate("Add entries …"), self.choose_entries)
        self.score = button(translate(translatable("Score", "command")), self._request, "primary")
        self.save = button(translate("Save certificates …"), self.choose_folder, "primary")
        self.close_button = button(translate("Close"), self.close)
        self.board = button(translate("Public board …"), self.board_requested.emit)
        last = (self.save, self.score, self.policy.keep, self.board)
        self.body.addLayout(row_layout(self.add, None, self.close_button, *last))
        self._show_part()

    def initial_focus(self) -> QWidget:
        return self.parts

    def fit(self, width: int) -> None:
        """Let the entries scroll where the window has no room for all."""
        if not self.entries.isHidden():
            self.fit_rows(self.entries, HEIGHT)

    # What is shown

    def say(self, sentence: str) -> None:
        """Show a sentence above the entries."""
        self.summary.setText(translate_text(sentence))
        self.fit_again()

    def show_reviews(self, reviews: Sequence[EntryReview]) -> None:
        """Show what is known of entries that nobody has scored yet."""
        clear_layout(self._list)
        self.cards = [EntryCard(one) for one in reviews]
        for card in self.cards:
            card.changed.connect(self._count)
            self._list.addWidget(card)
        self._is_scored = False
        self._show_part()
        self.parts.setFocus()  # no Enter of a file dialog counts a look in the ledger

    def show_outcomes(self, outcomes: Sequence[EntryOutcome]) -> None:
        """Show what became of the entries, in their order."""
        for card, outcome in zip(self.cards, outcomes, strict=False):
            card.show_outcome(outcome)
        self._is_scored = any(one.look is not None for one in outcomes)
        scored = sum(one.look is not None for one in outcomes)
        said = translate_plural(
            "{count} entry has a certificate.", "{count} entries have a certificate.", scored
        )
        self.say(said)
        self.score.setEnabled(False)
        self._show_part()
        (self.save if self._is_scored else self.close_button).setFocus()

    def show_ledger(self, rows: Sequence[LedgerRow], policy: EntryPolicy) -> None:
        """Show the ledger, whose chain was checked, and the policy in force."""
        from jurydesk.core.desk.entry_ledger import SCORED
        from jurydesk.core.workflow.entries.ledger_table import ledger_columns

        self.ledger.table_model.show(ledger_columns([*reversed(rows)]))
        self.board.setEnabled(any(row.kind == SCORED for row in rows))
        head = rows[-1].hash if rows else translate("none")
        self.head.setText(translate(UNBROKEN, hash=head))
        self.policy.show_policy(policy)
        self._show_part()

    def _show_part(self) -> None:
        part = self.parts.index
        for index, widgets in enumerate(
            (
                (self.summary, self.entries),
                (self.ledger, self.head, self.board),
                (self.policy, self.policy.keep),
            )
        ):
            for widget in widgets:
                widget.setVisible(index == part)
        self.entries.setVisible(part == 0 and bool(self.cards))
        self.add.setVisible(part == 0)
        self.score.setVisible(part == 0 and not self._is_scored)
        self.save.setVisible(part == 0 and self._is_scored)
        self._count()
        self.fit_again()

    def _count(self) -> None:
        if self._is_scored:
            return
        count = sum(card.choice.is_scored for card in self.cards)
        self.score.setEnabled(bool(count))
        if self.cards:
            self.say(
                translate_plural(
                    "{count} of {all} entries can be scored.",
                    "{count} of {all} entries can be scored.",
                    count,
                    all=len(self.cards),
                )
            )

    # What the organiser does

    def choose_entries(self) -> None:
        """Ask for entries."""
        title, pattern = translate("Add entries"), f"{translate('Sealed entries')} (*.juryentry)"
        names, _ = QFileDialog.getOpenFileNames(self, title, str(self._start), pattern)
        if names:
            self.added.emit([Path(name) for name in names])

    def choose_folder(self) -> None:
        """Ask for the folder of the certificates."""
        title = translate("Folder of the certificates")
        name = QFileDialog.getExistingDirectory(self, title, str(self._start))
        if name:
            self.save_requested.emit(Path(name))

    def _request(self) -> None:
        self.score.setEnabled(False)
        self.score_requested.emit([card.choice for card in self.cards])

"""Card of the open desk: its file, what is scored, its result, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from jurydesk.app.pages.leaderboard.facts_card import FactsCard
from jurydesk.app.state.session import Session
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.parts import button
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables import numbers
from jurydesk.core.workflow.desk_contents import best_score

LONGEST = 200
COMMANDS = (
    ("run.verify", translatable("Verify …")),
    ("file.rename", translatable("Rename …")),
)
"""Commands of the card, with the words on their buttons."""


class DeskCommandButton(QPushButton):
    """Button that asks for a command of the window."""

    requested = Signal(str)

    def __init__(self, command: str, title: str) -> None:
        super().__init__(translate(title))
        self.setProperty("kind", "small")
        self._command = command
        self.clicked.connect(self._request)

    def _request(self) -> None:
        self.requested.emit(self._command)


class DeskCard(FactsCard):
    """Card of the open desk; `command_requested` carries the id of a command."""

    command_requested = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._state: tuple[object, ...] = ()
        self._shown: dict[str, str] = {}
        self.folder_button = button(translate("Show in folder"), self._show_folder, "small")
        buttons = [DeskCommandButton(*one) for one in COMMANDS]
        for one in buttons:
            one.requested.connect(self.command_requested)
        self.body.addLayout(FlowLayout(*buttons, self.folder_button))

    def show_desk(self, *, unsaved: bool) -> None:
        """Show the facts of the open desk, which has a competition."""
        state = self._session.state, self._session.profile, self._session.desk.path, unsaved
        if state == self._state:
            return
        self._state = state
        facts = desk_facts(self._session, unsaved=unsaved)
        if facts != self._shown:
            self._shown = facts
            self.show_facts(translate("This desk"), "", facts)
            self.folder_button.setVisible(not unsaved)

    def _show_folder(self) -> None:
        from jurydesk.app.widgets.shown_files import show_folder

        show_folder(self._session.desk.path.parent)


def desk_facts(session: Session, *, unsaved: bool) -> dict[str, str]:
    """Return names and texts of what is known of the open desk."""
    facts = {
        translate("File"): translate("not saved yet") if unsaved else session.desk.path.name,
        translate("Competition"): translate_text(session.task.title),
        translate("Profile"): session.profile,
    }
    summaries = session.profile_systems()
    if summaries:
        scored = numbers.quantity(len(summaries), "system")
        outdated = session.describe_stale()
        facts[translate("Scored")] = f"{scored}. {translate_text(outdated)}" if outdated else scored
        # The best of results of several options or files would be a rank that the board has not.
        best = None if outdated else best_score(session.task, summaries, session.rank_by)
        if best is not None and len(summaries) == 1:
            facts[translate("Score")] = translate_text(best.text)
        elif best is not None:
            facts[translate("Best score")] = f"{translate_text(best.text)} · {best.system}"
    return {name: display_text(text, LONGEST) for name, text in facts.items()}

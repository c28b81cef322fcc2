"""Card of the open desk: its file, what is scored, its result, and what can be done with it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout

from jurydesk.app.pages.home.installation_card import InstallationLine
from jurydesk.app.state.session import Session
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.parts import Card, WrappedLabel, button, clear_layout, set_spacing
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables import numbers

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


class DeskCard(Card):
    """Card of the open desk; `command_requested` carries the id of a command."""

    command_requested = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(translate("This desk"), spacing=8)
        self._session = session
        self._state: tuple[object, ...] = ()
        self._shown: tuple[tuple[str, str], ...] = ()
        self._facts = QVBoxLayout()
        set_spacing(self._facts, 8)
        self.body.addLayout(self._facts)
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
        facts = tuple(desk_facts(self._session, unsaved=unsaved))
        if facts == self._shown:
            return
        self._shown = facts
        clear_layout(self._facts)
        for name, text in facts:
            line = WrappedLabel(display_text(text, LONGEST))
            self._facts.addWidget(InstallationLine(name, line))
        self.folder_button.setVisible(not unsaved)

    def _show_folder(self) -> None:
        from jurydesk.app.widgets.shown_files import show_folder

        show_folder(self._session.desk.path.parent)


def desk_facts(session: Session, *, unsaved: bool) -> Iterator[tuple[str, str]]:
    """Yield names and texts of what is known of the open desk."""
    file = translate("not saved yet") if unsaved else session.desk.path.name
    yield translate("File"), file
    yield translate("Competition"), translate_text(session.task.title)
    yield translate("Profile"), session.profile
    summaries = session.profile_systems()
    if not summaries:
        return
    systems = numbers.quantity(len(summaries), "system")
    yield translate("Scored"), translate_text(session.state.results.received) or systems
    from jurydesk.core.analysis.leaderboard import find_score, make_leaderboard  # imports NumPy

    board = make_leaderboard(session.task, summaries, rank_by=session.rank_by)
    info, first = board.headline, board.rows[0]
    score = None if info is None else find_score(first.summary, info.name)
    if info is None or info.doubt or score is None or not math.isfinite(score.value):
        return
    shown = f"{translate_text(info.title)} {numbers.number(score.value, info.decimals)}"
    if first.place == 1:
        yield translate("Best score"), f"{shown} · {first.summary.system}"
    elif len(summaries) == 1:
        yield translate("Score"), shown

"""Every sheet that a command opens: keys do nothing by accident, and nothing is cut."""

from __future__ import annotations

from contextlib import suppress

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton

from jurydesk.app.commands.catalogue import COMMANDS
from jurydesk.app.sheets import self_test_sheet
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.sheets.verify_sheet import VerifySheet
from jurydesk.app.style.theme import theme
from jurydesk.core.selftest.check import Check
from jurydesk.core.selftest.checks import record
from support.language import shown_in
from support.windows.keyboard import press
from support.windows.layout_faults import cut_texts, double_bars, parts, shown_widgets
from support.windows.waiting import until_quiet

Key = Qt.Key
OPENED = (
    "file.rename", "edit.preferences", "run.verify", "run.plan", "run.rules",
    "run.entries", "help.guide", "help.keys", "help.palette", "help.self_test", "help.add_ons",
    "help.about", "board.robustness", "board.rename",
)  # fmt: skip
"""Commands of a scored desk that open a sheet."""
ELSEWHERE = {"file.kit"}
"""A command that opens a sheet only of competitions with participants' kits."""


def open_sheet(qtbot, window, command: str) -> Sheet:
    """Open a sheet by its command, as menu and palette do."""
    window.actions_[command].trigger()
    until_quiet(qtbot, window)
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(Sheet)))
    (sheet,) = (one for one in window.findChildren(Sheet) if one.isVisible())
    return sheet


def send_enter(*, held: bool) -> None:
    """Press Enter where the focus is, or send the repetition of a held key."""
    widget = QApplication.focusWidget()
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", held)
        QApplication.sendEvent(widget, event)


@pytest.fixture
def sheets(qtbot, scored, monkeypatch):
    """Return a window whose sheets start nothing that takes long."""
    checked = record([Check("files", "library", "ok", "2.4.6: 900 files as installed.")])
    monkeypatch.setattr(self_test_sheet, "examine", lambda *_: checked)
    monkeypatch.setattr(VerifySheet, "verify", lambda *_: None)
    return scored


def test_every_command_that_opens_a_sheet_is_among_these(sheets):
    named = {one.id for one in COMMANDS if one.callback.partition(".")[2].startswith("show_")}
    named |= {one.id for one in COMMANDS if one.callback == "entries.show"}
    others = {"file.export", "help.log", "items.suspects", *(
        one.id for one in COMMANDS if one.id.startswith("why.")
    )}  # fmt: skip
    assert named - others - {*OPENED} - ELSEWHERE == set()


@pytest.mark.parametrize("command", OPENED)
def test_keys_choose_nothing_by_accident_and_escape_closes(qtbot, sheets, command):
    before = QApplication.focusWidget()
    sheet = open_sheet(qtbot, sheets, command)
    first = QApplication.focusWidget()
    assert first is not None
    assert first is sheet or sheet.isAncestorOf(first)
    for _ in range(3):
        send_enter(held=True)
    until_quiet(qtbot, sheets)
    assert sheet.isVisible()
    filled = [
        one.text()
        for one in sheet.findChildren(QPushButton)
        if one.isVisible() and one.property("kind") == "primary"
    ]
    assert len(filled) <= 1
    seen = [press(qtbot, Key.Key_Tab) for _ in range(60)]
    assert all(one is sheet or sheet.isAncestorOf(one) for one in seen)
    assert seen.count(seen[0]) > 1
    press(qtbot, Key.Key_Escape)
    if sheet.isVisible():  # a line with a search is cleared first
        press(qtbot, Key.Key_Escape)
    assert not sheet.isVisible()
    assert QApplication.focusWidget() is before


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("command", OPENED)
def test_no_text_of_a_sheet_is_cut_in_a_small_window_of_large_type(
    qtbot, sheets, command, language
):
    sheets.resize(1024, 700)
    theme().set_zoom(2.0)
    with shown_in(language):
        sheet = open_sheet(qtbot, sheets, command)

        def faults() -> list[str]:
            shown = list(shown_widgets(sheet))
            return [*cut_texts([*parts(shown)]), *double_bars(shown)]

        with suppress(qtbot.TimeoutError):
            qtbot.waitUntil(lambda: faults() == [], timeout=2000)
        assert faults() == []
        press(qtbot, Key.Key_Escape)

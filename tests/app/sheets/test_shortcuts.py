"""Sheet of keys: where each key works, and reading it in any window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from jurydesk.app.sheets.help import ShortcutsSheet
from jurydesk.app.widgets.command import WindowCommand

PAGES = {"board": "Board", "items": "Items"}
COMMANDS = (
    WindowCommand("file.open", "Open …", "File", "files.choose", ("Ctrl+O",)),
    WindowCommand("board.remove", "Remove the system", "Edit", "remove_system", ("Del",)),
    WindowCommand("items.next", "Next item", "View", "next_item", ("J",)),
    WindowCommand("view.nowhere", "Without a key", "View", "nothing"),
)


def texts(sheet: ShortcutsSheet) -> list[str]:
    return [label.text() for label in sheet.findChildren(QLabel)]


def test_keys_of_a_page_are_listed_under_its_name(below) -> None:
    sheet = ShortcutsSheet(COMMANDS, PAGES, below)
    shown = texts(sheet)
    assert shown[shown.index("Board") + 1] == "Remove the system"
    assert shown[shown.index("Items") + 1] == "Next item"
    assert shown[shown.index("File") + 1] == "Open …"
    assert "Edit" not in shown
    assert "Without a key" not in shown


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_sheet_higher_than_the_window_scrolls_by_key(qtbot, below) -> None:
    many = [WindowCommand(f"file.{n}", f"Command {n}", "File", "x", ("F2",)) for n in range(60)]
    below.resize(500, 300)
    sheet = ShortcutsSheet(many, PAGES, below)
    sheet.open()
    bar = sheet._room.verticalScrollBar()
    qtbot.waitUntil(bar.isVisible)
    assert sheet.height() < 300
    qtbot.keyClick(sheet, Qt.Key.Key_PageDown)
    assert bar.value() > 0

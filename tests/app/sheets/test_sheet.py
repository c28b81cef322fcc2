"""Sheets over the window keep the keyboard focus until they are closed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.widgets.parts import button, row_layout
from support.windows.keyboard import press


class EmptySheet(Sheet):
    def __init__(self, parent: QWidget) -> None:
        super().__init__("A sheet", parent, width=300)
        self.done: list[str] = []
        self.line = QLineEdit()
        self.off = button("Off", self.close)
        self.off.setEnabled(False)
        self.yes, self.no = button("Yes", self._say_yes), button("No", self.close)
        self.body.addWidget(self.line)
        self.body.addLayout(row_layout(self.off, self.yes, self.no))

    def initial_focus(self) -> QWidget:
        return self.line

    def accept(self) -> None:
        self.done.append("accepted")

    def _say_yes(self) -> None:
        self.done.append("yes")


@pytest.fixture
def sheet(qtbot, below):
    covered = button("Below", below.close)
    covered.setParent(below)
    covered.show()
    covered.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is covered)
    made = EmptySheet(below)
    made.open()
    made.below = covered
    return made


def test_tab_cycles_within_the_sheet_in_both_directions(qtbot, sheet):
    assert QApplication.focusWidget() is sheet.line
    assert [press(qtbot, Qt.Key.Key_Tab) for _ in range(4)] == [
        *(sheet.yes, sheet.no, sheet.line, sheet.yes)
    ]
    back = [press(qtbot, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier) for _ in range(3)]
    assert back == [sheet.line, sheet.no, sheet.yes]
    assert sheet.isVisible()


def test_enter_presses_the_focused_button_or_else_accepts_once(qtbot, sheet):
    press(qtbot, Qt.Key.Key_Return)
    press(qtbot, Qt.Key.Key_Tab)
    press(qtbot, Qt.Key.Key_Enter)
    assert sheet.done == ["accepted", "yes"]


def test_escape_closes_the_sheet_and_restores_the_focus(qtbot, sheet):
    assert press(qtbot, Qt.Key.Key_Escape) is sheet.below
    assert not sheet.isVisible()
    assert sheet.done == []


def test_a_click_below_the_sheet_closes_it(qtbot, sheet):
    with qtbot.waitSignal(sheet.closed):
        sheet.below.setFocus()
    assert not sheet.isVisible()

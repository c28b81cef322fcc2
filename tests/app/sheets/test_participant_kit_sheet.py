"""Sheet of the participant kit, used with the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from jurydesk.app.sheets.participant_kit_sheet import ParticipantKitSheet
from jurydesk.core.competition.redaction import RedactionFact
from jurydesk.core.participant_kit.kit import ParticipantKit
from support.windows.keyboard import press

FEW = (RedactionFact("names", "The names of the 3 items.", ["a", "b", "c"]),)
MANY = tuple(RedactionFact(f"n{i}", f"Fact number {i} of very many.", i) for i in range(60))


@pytest.fixture
def open_sheet(below):
    def make(facts: tuple[RedactionFact, ...] = FEW, has_page: bool = True) -> ParticipantKitSheet:
        kit = ParticipantKit(
            "toy", "Toy", "0.1.0", {"missing": "skip"}, facts, ("Whether it is true.",)
        )
        made = ParticipantKitSheet(kit, {"missing": "Items without a value"}, has_page, below)
        made.heard = []
        made.export_requested.connect(lambda kit, suffix, _: made.heard.append((kit.title, suffix)))
        made.open()
        return made

    return make


def test_all_data_that_leave_the_computer_are_listed(open_sheet):
    said = [part.text() for part in open_sheet().findChildren(QLabel)]
    assert "•  The names of the 3 items." in said
    assert "•  The option “Items without a value”: skip." in said
    assert "•  Whether it is true." in said


def test_enter_asks_for_the_file_of_the_checking_program(qtbot, open_sheet):
    sheet = open_sheet()
    assert QApplication.focusWidget() is sheet.program
    press(qtbot, Qt.Key.Key_Return)
    assert sheet.heard == [("Toy", ".jurycomp")]
    assert not sheet.isVisible()


def test_tab_reaches_the_button_for_the_browser_page_and_cancel(qtbot, open_sheet):
    sheet = open_sheet()
    cancel = press(qtbot, Qt.Key.Key_Tab)
    assert cancel.text() == "Cancel"
    assert press(qtbot, Qt.Key.Key_Tab) is sheet.page
    press(qtbot, Qt.Key.Key_Return)
    assert sheet.heard == [("Toy", ".html")]


def test_escape_writes_nothing(qtbot, open_sheet):
    sheet = open_sheet()
    press(qtbot, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    assert sheet.heard == []


def test_a_competition_without_a_browser_checker_is_reported(open_sheet):
    sheet = open_sheet(has_page=False)
    assert sheet.page is None
    said = [part.text() for part in sheet.findChildren(QLabel)]
    assert "There is no browser page for this competition." in said


def test_many_facts_scroll_by_key_and_the_buttons_stay_visible(qtbot, below, open_sheet):
    sheet = open_sheet(MANY)
    assert below.rect().contains(sheet.geometry())
    assert sheet.rect().contains(sheet.program.geometry())
    reached = [press(qtbot, Qt.Key.Key_Tab) for _ in range(4)]
    assert sheet.facts in reached
    sheet.facts.setFocus()
    press(qtbot, Qt.Key.Key_PageDown)
    assert sheet.facts.verticalScrollBar().value() > 0


def test_facts_that_need_no_scrolling_are_no_tab_stop(open_sheet):
    sheet = open_sheet()
    assert sheet.facts.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert sheet.facts.verticalScrollBar().maximum() == 0

"""Sheet of the rules for submissions, used with the keyboard."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from jurydesk.app.sheets.submission_rules import FILE_TIMES, SubmissionRulesSheet
from jurydesk.core.intake.deadlines import parse_deadline
from jurydesk.core.intake.submission import IntakeRules
from support.windows.keyboard import press


@pytest.fixture
def open_sheet(below, tmp_path):
    def make(rules: IntakeRules = IntakeRules()) -> SubmissionRulesSheet:  # noqa: B008 - a frozen value
        made = SubmissionRulesSheet(rules, tmp_path, below)
        made.heard = []
        made.chosen.connect(made.heard.append)
        made.open()
        return made

    return make


def test_a_typed_deadline_is_accepted_with_enter(qtbot, open_sheet):
    sheet = open_sheet()
    qtbot.keyClicks(QApplication.focusWidget(), "2018-05-01 23:59 AoE")
    press(qtbot, Qt.Key.Key_Return)
    assert not sheet.isVisible()
    assert sheet.heard == [IntakeRules(parse_deadline("2018-05-01 23:59 AoE"))]


def test_a_deadline_without_a_time_zone_is_refused_and_the_sheet_stays_open(qtbot, open_sheet):
    sheet = open_sheet()
    qtbot.keyClicks(sheet.deadline, "2018-05-01 23:59")
    press(qtbot, Qt.Key.Key_Return)
    assert sheet.isVisible()
    assert sheet.problem.isVisible()
    assert sheet.heard == []
    assert sheet.problem.text() == (
        "“2018-05-01 23:59” is not a deadline. Write it as YYYY-MM-DD HH:MM ZONE, such as "
        "2018-05-01 23:59 AoE."
    )
    assert sheet.rect().contains(sheet.childrenRect())
    assert QApplication.focusWidget() is sheet.deadline


def test_an_empty_field_removes_the_deadline(qtbot, open_sheet):
    sheet = open_sheet(IntakeRules(parse_deadline("2018-05-01 23:59 AoE"), latest=True))
    assert sheet.deadline.text() == "2018-05-01 23:59 AoE"
    sheet.deadline.selectAll()
    press(qtbot, Qt.Key.Key_Delete)
    press(qtbot, Qt.Key.Key_Return)
    assert sheet.heard == [IntakeRules(latest=True)]


def test_tab_reaches_every_part_and_escape_discards_changes(qtbot, open_sheet):
    sheet = open_sheet()
    reached = [QApplication.focusWidget(), *(press(qtbot, Qt.Key.Key_Tab) for _ in range(5))]
    assert reached[:3] == [sheet.deadline, sheet.choose, sheet.latest]
    assert [widget.text() for widget in reached[3:5]] == ["Cancel", "Keep"]
    assert reached[5] is sheet.deadline
    assert sheet.deadline.accessibleName() == "Deadline with its time zone"
    press(qtbot, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    assert sheet.heard == []


def test_space_ticks_that_only_the_newest_submission_counts(qtbot, open_sheet):
    sheet = open_sheet()
    sheet.latest.setFocus()
    press(qtbot, Qt.Key.Key_Space)
    press(qtbot, Qt.Key.Key_Return)
    assert sheet.heard == [IntakeRules(latest=True)]


def test_a_list_of_times_is_chosen_kept_and_removed_again(qtbot, open_sheet, tmp_path, monkeypatch):
    own = tmp_path / "times.csv"
    own.write_text("team,time\nnorth,2018-05-01 22:10 UTC\nsouth,2018-05-02 01:00 UTC\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(own), ""))
    sheet = open_sheet()
    assert sheet.times.text() == FILE_TIMES
    sheet.choose.setFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert sheet.times.text() == "Your list has 2 times; all others are the times of the files."
    sheet.deadline.setFocus()
    press(qtbot, Qt.Key.Key_Return)
    north = datetime(2018, 5, 1, 22, 10, tzinfo=UTC)
    assert sheet.heard[0].received["north"] == north
    again = open_sheet(sheet.heard[0])
    again.forget.setFocus()
    press(qtbot, Qt.Key.Key_Space)
    assert again.times.text() == FILE_TIMES
    assert not again.forget.isVisible()
    again.accept()
    assert again.heard == [IntakeRules()]


def test_a_damaged_list_of_times_is_reported_with_the_line(qtbot, open_sheet, tmp_path):
    own = tmp_path / "times.csv"
    own.write_text("north,2018-05-01 22:10 UTC\nsouth,soon\neast\n")
    sheet = open_sheet(IntakeRules(received={"kept": datetime(2018, 5, 1, tzinfo=UTC)}))
    sheet.read_list(own)
    assert sheet.list_problem.isVisible()
    said = sheet.list_problem.text()
    assert said.startswith("times.csv, line 2: “soon” is not a time.")
    assert said.endswith("And 1 more defect.")
    assert sheet.times.text() == "Your list has 1 time; all others are the times of the files."


def test_the_sheet_fits_into_a_small_window(below, open_sheet):
    below.resize(420, 480)
    sheet = open_sheet()
    assert sheet.width() <= 420 - 32
    assert sheet.rect().contains(sheet.childrenRect())

"""Sheet of the self-test: its request, results and end."""

from __future__ import annotations

import json
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.sheets import self_test_sheet
from jurydesk.app.sheets.self_test_sheet import BUSY, SelfTestSheet
from jurydesk.app.widgets.parts import placed_widgets
from jurydesk.core.selftest.check import Check
from jurydesk.core.selftest.checks import record
from support.windows.keyboard import press

Key = Qt.Key

CHECKS = (
    Check("files", "numpy", "ok", "2.4.6: 900 files as installed."),
    Check("files", "inflect", "differs", "Files differ from those installed: a <b>.py."),
    Check("networks", "networks", "absent", "PyTorch is not installed."),
)


@pytest.fixture
def answers(monkeypatch):
    """Return what the program answers to the sheet; `asked` lists its commands."""
    found = {"record": record(CHECKS), "asked": []}

    def ask(*arguments, run):
        found["asked"].append(arguments)
        if isinstance(found["record"], OSError):
            raise found["record"]
        return found["record"]

    monkeypatch.setattr(self_test_sheet, "run_json_command", ask)
    return found


@pytest.fixture
def open_sheet(qtbot, below, jobs):
    def make(device: str = "cpu") -> SelfTestSheet:
        sheet = SelfTestSheet(LatestJob(below, jobs), device, below)
        sheet.open()
        qtbot.waitUntil(lambda: sheet.summary.text() != BUSY)
        return sheet

    return make


def lines(sheet):
    texts = [cell.text() for cell in placed_widgets(sheet.rows)]
    return [texts[start : start + 3] for start in range(0, len(texts), 3)]


def test_differences_are_shown_first(answers, open_sheet):
    sheet = open_sheet()
    assert [row[:2] for row in lines(sheet)] == [
        ["differs", "inflect"],
        ["not here", "networks"],
        ["in order", "numpy"],
    ]
    digest = answers["record"]["sha256"][:12]
    assert sheet.summary.text() == f"3 checks: 1 differ, 1 missing. Record {digest}."


def test_file_names_are_shown_as_plain_text(answers, open_sheet):
    sheet = open_sheet()
    reported = placed_widgets(sheet.rows)[2]
    assert isinstance(reported, QLabel)
    assert reported.text() == "Files differ from those installed: a <b>.py."
    assert reported.textFormat() == Qt.TextFormat.PlainText


def test_the_device_of_the_preferences_is_tested(answers, open_sheet):
    open_sheet("cuda:1")
    assert answers["asked"] == [("selftest", "--quiet", "--device", "cuda:1")]


def test_success_is_reported(answers, open_sheet):
    answers["record"] = record(CHECKS[:1])
    assert open_sheet().summary.text().startswith("1 check: all present parts are in order. ")


def test_the_record_is_copied_by_keys(qtbot, answers, open_sheet):
    sheet = open_sheet()
    press(qtbot, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    while not sheet.copy_button.hasFocus():
        press(qtbot, Qt.Key.Key_Tab)
    press(qtbot, Qt.Key.Key_Return)
    assert json.loads(QGuiApplication.clipboard().text()) == answers["record"]


def test_the_reason_for_an_incomplete_test_is_reported(answers, open_sheet):
    answers["record"] = OSError("There is no device 'cuda:1' here.")
    sheet = open_sheet()
    assert sheet.summary.text() == "There is no device 'cuda:1' here."
    assert not sheet.copy_button.isEnabled()


@pytest.fixture
def endless(monkeypatch, answers):
    """Return an event that lets the self-test end, which else runs until it is cancelled."""
    go_on = threading.Event()

    def ask(*arguments, run):
        while not go_on.wait(0.005):
            run.check()
        return answers["record"]

    monkeypatch.setattr(self_test_sheet, "run_json_command", ask)
    return go_on


def test_enter_in_the_palette_opens_the_sheet_and_leaves_it_open(qtbot, window, answers):
    window.actions_.run("help.palette")
    qtbot.keyClicks(window.views.sheet.search, "self-test")
    press(qtbot, Key.Key_Return)
    assert window.views.sheet.isVisible()
    qtbot.waitUntil(lambda: window.views.sheet.summary.text() != BUSY)
    press(qtbot, Key.Key_Escape)


def test_the_help_menu_opens_the_sheet(qtbot, window, answers):
    window.actions_.run("help.self_test")
    assert isinstance(window.views.sheet, SelfTestSheet)
    qtbot.waitUntil(lambda: window.views.sheet.summary.text() != BUSY)
    press(qtbot, Key.Key_Escape)
    assert answers["asked"] == [("selftest", "--quiet", "--device", window.evaluator.device)]
    window.actions_.run("help.self_test")
    qtbot.waitUntil(lambda: window.views.sheet.summary.text() != BUSY)
    assert len(answers["asked"]) == 2


def test_escape_closes_the_sheet_and_the_test_goes_on(qtbot, window, endless):
    window.actions_.run("help.self_test")
    press(qtbot, Key.Key_Escape)
    assert window.views.sheet is None
    assert window.strip.isVisible()
    assert window.jobs.visible().title == "Self-test"
    window.actions_.run("help.self_test")
    assert window.views.sheet.summary.text() == BUSY
    press(qtbot, Key.Key_Escape)
    endless.set()
    qtbot.waitUntil(lambda: window.toast.text.text().startswith("The self-test has ended. 3 check"))
    window.actions_.run("help.self_test")
    assert window.views.sheet.summary.text().startswith("3 checks: 1 differ")
    qtbot.waitUntil(lambda: window.jobs.visible() is None)  # its thread ends after the result


def test_escape_asks_before_it_ends_a_long_test(qtbot, window, endless, monkeypatch):
    monkeypatch.setattr("jurydesk.app.jobs.job.LONG_SECONDS", 0.0)
    window.actions_.run("help.self_test")
    job = window.jobs.visible()
    press(qtbot, Key.Key_Escape)
    press(qtbot, Key.Key_Escape)
    assert not job.cancelling
    asked = "Cancel “Self-test”? It has run for a while. Its work so far is lost."
    assert window.notice.text.text() == asked
    stop = next(one for one in window.notice.buttons if one.text() == "Cancel it")
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.jobs.visible() is None)
    assert window.toast.isHidden()


def test_the_sheet_of_a_cancelled_test_closes(qtbot, window, endless):
    window.actions_.run("help.self_test")
    window.cancel()
    qtbot.waitUntil(lambda: window.views.sheet is None)

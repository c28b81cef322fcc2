"""Sheet of the self-test: its request, results and end."""

from __future__ import annotations

import json
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from jurydesk.app.sheets import self_test_sheet
from jurydesk.app.sheets.self_test_sheet import BUSY, SelfTestSheet
from jurydesk.core.selftest.check import Check
from jurydesk.core.selftest.checks import record
from support.windows.keyboard import press

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
def open_sheet(qtbot, below):
    def make(device: str = "cpu") -> SelfTestSheet:
        sheet = SelfTestSheet(device, below)
        sheet.open()
        qtbot.waitUntil(sheet.job.isFinished)
        qtbot.waitUntil(lambda: sheet.summary.text() != BUSY)
        return sheet

    return make


def lines(sheet):
    return [
        [sheet.rows.itemAtPosition(row, column).widget().text() for column in range(3)]
        for row in range(3)
    ]


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
    reported = sheet.rows.itemAtPosition(0, 2).widget()
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


def test_escape_cancels_the_test(qtbot, below, monkeypatch):
    begun = threading.Event()

    def ask(*arguments, run):
        begun.set()
        while True:
            run.check()

    monkeypatch.setattr(self_test_sheet, "run_json_command", ask)
    sheet = SelfTestSheet("cpu", below)
    sheet.open()
    job = sheet.job
    qtbot.waitUntil(begun.is_set)
    press(qtbot, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    qtbot.waitUntil(job.isFinished)


def test_the_help_menu_opens_the_sheet(qtbot, window, answers):
    window.actions_.run("help.self_test")
    assert isinstance(window.views.sheet, SelfTestSheet)
    qtbot.waitUntil(window.views.sheet.job.isFinished)
    press(qtbot, Qt.Key.Key_Escape)
    assert answers["asked"] == [("selftest", "--quiet", "--device", window.evaluator.device)]

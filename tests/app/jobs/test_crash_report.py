"""The program's own errors open a dialog with a report, and stop nothing."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from functools import partial

import pytest
from PySide6.QtCore import QMessageLogContext, QSize, QTimer, QtMsgType
from PySide6.QtGui import QGuiApplication, QStandardItemModel
from PySide6.QtWidgets import QApplication, QListView, QStyledItemDelegate, QWidget
from shiboken6 import Shiboken

from jurydesk.app.jobs import crash_report
from jurydesk.app.jobs.crash_report import Crashes, log_qt_message, report
from jurydesk.core.desk import DeskError


@pytest.fixture
def crashes(qtbot, monkeypatch):
    crashes = Crashes()
    yield crashes
    if crashes.dialog is not None and Shiboken.isValid(crashes.dialog):
        crashes.dialog.close()


def fault() -> Exception:
    try:
        raise ValueError("an inner fault")
    except ValueError as exception:
        return exception


def test_the_report_contains_versions_and_the_place_of_the_error(caplog):
    text = report(fault())
    assert text.startswith("Jurydesk ")
    assert "ValueError: an inner fault" in text
    assert "test_crash_report.py" in text


def test_the_dialog_is_not_modal_and_its_report_can_be_copied(crashes, caplog):
    crashes.show(fault())
    caplog.clear()
    assert crashes.dialog.isVisible()
    assert not crashes.dialog.isModal()
    crashes.dialog.copy_button.click()
    assert "an inner fault" in QGuiApplication.clipboard().text()
    assert crashes.dialog.copy_button.text() == "Copied"


def test_a_second_error_is_added_to_the_first_report(crashes, caplog):
    crashes.show(fault())
    first = crashes.dialog
    crashes.show(KeyError("another"))
    caplog.clear()
    assert crashes.dialog is first
    assert "KeyError" in first.text.toPlainText()
    assert "an inner fault" in first.text.toPlainText()


def test_errors_of_every_thread_are_caught(qtbot, crashes, caplog, monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    crashes.install()
    thread = threading.Thread(target=lambda: 1 / 0)
    with qtbot.waitSignal(crashes.caught):
        thread.start()
    thread.join()
    qtbot.waitUntil(lambda: crashes.dialog is not None)
    assert "ZeroDivisionError" in crashes.dialog.text.toPlainText()
    sys.excepthook(ValueError, fault(), None)
    assert "an inner fault" in crashes.dialog.text.toPlainText()
    caplog.clear()


class FaultyCells(QStyledItemDelegate):
    """A delegate that fails in every cell, in one of its two functions."""

    def __init__(self, view: QListView, faulty: str) -> None:
        super().__init__(view)
        self.faulty, self.calls = faulty, 0

    def _call(self, name: str) -> None:
        self.calls += 1
        if name == self.faulty:
            raise KeyError(f"a fault in {name}")

    def paint(self, painter, option, index) -> None:
        self._call("paint")

    def sizeHint(self, option, index) -> QSize:
        self._call("sizeHint")
        return QSize(40, 20)


@pytest.mark.parametrize("faulty", ["paint", "sizeHint"])
def test_a_fault_in_drawing_is_reported_once_however_often_it_is_drawn(
    qtbot, crashes, caplog, monkeypatch, faulty
):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    crashes.install()
    view, model = QListView(), QStandardItemModel(3, 1)
    qtbot.addWidget(view)
    view.setModel(model)
    cells = FaultyCells(view, faulty)
    view.setItemDelegate(cells)
    QTimer.singleShot(0, view.show)
    qtbot.waitUntil(lambda: crashes.dialog is not None and crashes.dialog.isVisible())
    crashes.dialog.close()
    before = cells.calls
    for height in (200, 220, 240):  # drawn again, as where the dialog was
        QTimer.singleShot(0, partial(view.resize, 200, height))
        view.scheduleDelayedItemsLayout()
        qtbot.wait(20)
    assert cells.calls > before
    assert not crashes.dialog.isVisible()
    assert [f"a fault in {faulty}" in one for one in caplog.messages] == [True]
    caplog.clear()


def test_a_fault_is_reported_after_the_window_of_an_earlier_report_is_gone(
    qtbot, crashes, caplog, monkeypatch
):
    window = QWidget()
    monkeypatch.setattr(QApplication, "activeWindow", lambda: window)
    crashes.show(fault())
    Shiboken.delete(window)
    monkeypatch.setattr(QApplication, "activeWindow", lambda: None)
    crashes.show(fault())
    assert crashes.dialog.isVisible()
    caplog.clear()


def test_a_fault_of_an_action_is_reported_whenever_it_happens(crashes, caplog):
    for _ in range(2):
        crashes.show(fault())
        assert crashes.dialog.isVisible()
        crashes.dialog.close()
    assert len(caplog.messages) == 2
    caplog.clear()


def test_messages_of_qt_are_written_to_the_log(caplog):
    caplog.set_level(logging.DEBUG, "jurydesk")
    log_qt_message(QtMsgType.QtInfoMsg, QMessageLogContext(), "a remark")
    log_qt_message(QtMsgType.QtWarningMsg, QMessageLogContext(), "a warning")
    levels = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert levels == [("INFO", "Qt: a remark"), ("WARNING", "Qt: a warning")]
    caplog.clear()


def test_qt_s_last_messages_before_an_abort_are_printed_on_the_console_too(caplog, capsys):
    log_qt_message(QtMsgType.QtFatalMsg, QMessageLogContext(), "no platform plugin")
    assert capsys.readouterr().err == "no platform plugin\n"
    assert caplog.messages == ["Qt: no platform plugin"]
    caplog.clear()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Qt minds the encoding there")
def test_qt_s_messages_about_the_desktop_before_the_first_window_are_only_in_the_log(tmp_path):
    program = (
        "from jurydesk.app.jobs.crash_report import start_log; start_log(); "
        "from PySide6.QtCore import QCoreApplication; QCoreApplication(['jurydesk'])"
    )
    odd = {"LC_ALL": "C", "JURYDESK_HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    odd["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
    done = subprocess.run(
        [sys.executable, "-c", program], env=odd, capture_output=True, text=True, check=True
    )
    assert done.stdout + done.stderr == ""
    assert "not UTF-8" in (tmp_path / "data" / "log" / "jurydesk.log").read_text("utf-8")


@pytest.mark.skipif(os.name != "posix", reason="a process ends itself by a signal")
def test_a_native_crash_leaves_the_stacks_of_all_threads(tmp_path):
    program = (
        "import os, signal; from jurydesk.app.jobs.crash_report import start_log; start_log()\n"
        "def in_native_code(): os.kill(os.getpid(), signal.SIGSEGV)\n"
        "in_native_code()"
    )
    home = {**os.environ, "JURYDESK_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=home, check=False)
    assert done.returncode == -signal.SIGSEGV
    assert "in in_native_code" in (tmp_path / "data" / "log" / "crash.log").read_text("utf-8")


def test_a_job_that_fails_by_a_program_error_opens_the_dialog(window, caplog):
    window.handle_error(ZeroDivisionError("division by zero"))
    caplog.clear()
    assert window.crashes.dialog.isVisible()
    assert not window.notice.isVisible()
    window.crashes.dialog.close()


@pytest.mark.parametrize(
    "exception", [DeskError("The disk is full."), OSError(28, "No space left on device")]
)
def test_an_error_of_the_environment_is_shown_in_the_bar(window, exception):
    window.handle_error(exception)
    assert window.notice.isVisible()
    assert window.crashes.dialog is None


def test_a_long_log_starts_a_new_file(monkeypatch, tmp_path):
    monkeypatch.setattr(crash_report, "log_folder", lambda: tmp_path)
    monkeypatch.setattr(crash_report.log, "handlers", [])
    monkeypatch.setattr(crash_report, "qInstallMessageHandler", lambda handler: None)
    monkeypatch.setattr(crash_report, "_record_native_crashes", lambda: None)
    path = tmp_path / "jurydesk.log"
    path.write_text("x" * (crash_report.LOG_BYTES + 1))
    crash_report.start_log()
    assert not path.exists()
    assert (tmp_path / "jurydesk.old.log").stat().st_size == crash_report.LOG_BYTES + 1

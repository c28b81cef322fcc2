"""Crash report: log file, and a dialog with a report that can be copied.

Mistakes of users are not reported here: they are `Defect`s, or messages in the window.
"""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType
from typing import TextIO

import PySide6
from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
    qVersion,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import Shiboken

from jurydesk.app.style.theme import font, px
from jurydesk.core.language import translate
from jurydesk.core.system.paths import data_folder
from jurydesk.core.version import __version__ as jurydesk_version

LOG_BYTES = 1_000_000
DRAWING = frozenset(
    ("paint", "paintEvent", "paintSection", "sizeHint", "minimumSizeHint", "data", "headerData")
)
"""Functions that Qt calls whenever it draws: a fault in one of them returns with each repaint."""
log = logging.getLogger("jurydesk")
_native_log: TextIO | None = None
"""Open as long as the process runs, so that a crash can be written when nothing else works."""


def log_folder() -> Path:
    """Return the folder of log files."""
    folder = data_folder() / "log"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def start_log() -> None:
    """Log to `jurydesk.log`, including Qt's messages, which would clutter the console.

    A long log file is rotated. Call this before the application is created: Qt logs from then on.
    """
    path = log_folder() / "jurydesk.log"
    if path.is_file() and path.stat().st_size > LOG_BYTES:
        path.replace(path.with_suffix(".old.log"))
    handler = logging.FileHandler(path, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    _record_native_crashes()
    qInstallMessageHandler(log_qt_message)


def _record_native_crashes() -> None:
    """Append the stacks of all threads to `crash.log` if native code ends the process."""
    global _native_log
    if _native_log is None:
        _native_log = (log_folder() / "crash.log").open("a", encoding="utf-8")
        faulthandler.enable(_native_log)


def version_lines() -> str:
    """Return the versions of the program, Python, Qt and the system, one on each line."""
    import platform

    return "\n".join(
        (
            f"Jurydesk {jurydesk_version}",
            f"Python {platform.python_version()}",
            f"Qt {qVersion()}, PySide6 {PySide6.__version__}",
            f"{platform.system()} {platform.release()}, {platform.machine()}",
        )
    )


def report(exception: BaseException) -> str:
    """Return versions and traceback, without any of the user's data."""
    return f"{version_lines()}\n\n{''.join(traceback.format_exception(exception))}"


class Crashes(QObject):
    """Handles uncaught exceptions of all threads; the dialog opens in the GUI thread.

    A fault in drawing is reported once: its dialog would return whenever it uncovers the window.
    """

    caught = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.dialog: CrashDialog | None = None
        self._drawing_faults: set[tuple[object, ...]] = set()
        self.caught.connect(self.show)

    def install(self) -> None:
        """Replace Python's hooks for uncaught exceptions."""
        sys.excepthook = self._report_uncaught
        threading.excepthook = self._uncaught_in_thread

    def show(self, exception: BaseException) -> None:
        """Log an exception and show its report; the program goes on."""
        place = drawing_place(exception)
        if place in self._drawing_faults:
            return
        if place:
            self._drawing_faults.add(place)
        text = report(exception)
        log.error("%s", text)
        # A dialog goes with the window above which it stood.
        if self.dialog is None or not Shiboken.isValid(self.dialog) or not self.dialog.isVisible():
            self.dialog = CrashDialog(QApplication.activeWindow())
            self.dialog.show()
        self.dialog.add(text)

    def _report_uncaught(
        self,
        kind: type[BaseException],
        exception: BaseException,
        trace: TracebackType | None,
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        self.caught.emit(exception.with_traceback(trace))

    def _uncaught_in_thread(self, hook: threading.ExceptHookArgs) -> None:
        if hook.exc_value is not None:
            self.caught.emit(hook.exc_value)


def drawing_place(exception: BaseException) -> tuple[object, ...]:
    """Return the kind of a fault in drawing and its lines from there on; empty if it is another.

    Qt hands a fault on to whatever called it last, so that the frames before differ.
    """
    frames = traceback.extract_tb(exception.__traceback__)
    drawn = [one.name in DRAWING for one in frames]
    if True not in drawn:
        return ()
    return (type(exception), *((one.filename, one.lineno) for one in frames[drawn.index(True) :]))


def log_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Log a message of Qt; a fatal one, after which Qt aborts, also goes to the console."""
    level = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
    }.get(kind, logging.ERROR)
    log.log(level, "Qt: %s", message)
    if kind is QtMsgType.QtFatalMsg and sys.stderr is not None:
        sys.stderr.write(f"{message}\n")


class CrashDialog(QDialog):
    """Non-modal dialog with the report of an exception."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(translate("Something went wrong"))
        self.setModal(False)
        title = QLabel(translate("Something went wrong in Jurydesk"), self)
        title.setProperty("kind", "title")
        advice = QLabel(
            translate(
                "This is an error in the program, not yours. Your desk is safe: all changes are "
                "saved. You can continue working. The report below contains no content of your "
                "files."
            ),
            self,
        )
        advice.setProperty("kind", "finding")
        advice.setWordWrap(True)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setFont(font(12, mono=True))
        self.text.setAccessibleName(translate("Report"))
        self.copy_button = QPushButton(translate("Copy report"), self)
        self.copy_button.setProperty("kind", "primary")
        self.copy_button.clicked.connect(self._copy)
        close = QPushButton(translate("Close"), self)
        close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        buttons.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(22), px(18), px(22), px(18))
        layout.setSpacing(px(10))
        for widget in (title, advice, self.text):
            layout.addWidget(widget)
        layout.addLayout(buttons)
        self.resize(px(720), px(480))

    def add(self, report: str) -> None:
        self.text.appendPlainText(report)

    def _copy(self) -> None:
        QApplication.clipboard().setText(self.text.toPlainText())
        self.copy_button.setText(translate("Copied"))


def is_user_error(exception: BaseException) -> bool:
    """Return whether the user can correct the error, so that its text is shown as a message."""
    from jurydesk.core.desk import DeskError
    from jurydesk.core.execution.device import DeviceError
    from jurydesk.core.execution.workers.worker import WorkersLost
    from jurydesk.core.model.evaluation import ResourceMissing, UsageError
    from jurydesk.core.model.stamp import StampError

    return isinstance(
        exception,
        OSError | DeskError | DeviceError | ResourceMissing | StampError | UsageError | WorkersLost,
    )

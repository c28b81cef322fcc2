"""Watch on a folder of submissions, scanned every second."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from jurydesk.core.intake.folder_scan import FolderScanner

EVERY_MS = 1000


class FolderWatch(QObject):
    """Watch on a folder of submissions.

    `news` carries the folder when files were added, changed or removed, and the files still being
    written; `changed` follows a change of `sentence`. A scan reads names and sizes only, and jobs
    read the files.
    """

    news = Signal(object, object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scanner: FolderScanner | None = None
        self._reported = ""
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.scan)

    @property
    def folder(self) -> Path | None:
        """The watched folder, or None."""
        return None if self._scanner is None else self._scanner.folder

    @property
    def sentence(self) -> str:
        """The state of the watch in a sentence; empty if no folder is watched."""
        scanner = self._scanner
        if scanner is None:
            return ""
        if not scanner.there:
            return f"The watched folder {scanner.folder.name} is missing."
        unwritten = len(scanner.unwritten)
        files = f"{unwritten} file{' is' if unwritten == 1 else 's are'} still being written"
        return f"Watching {scanner.folder.name}{f': {files}' if unwritten else ''}."

    def start(self, folder: Path) -> None:
        """Watch a folder instead of the previous one; its present files are reported, too."""
        self._scanner = FolderScanner(folder)
        self._timer.start()
        self.scan()

    def stop(self) -> None:
        if self._scanner is not None:
            self._scanner = None
            self._timer.stop()
            self._report()

    def scan(self) -> None:
        if self._scanner is None:
            return
        has_news = self._scanner.look(time.monotonic())
        self._report()
        if has_news:
            self.news.emit(self._scanner.folder, self._scanner.unwritten)

    def _report(self) -> None:
        if self.sentence != self._reported:
            self._reported = self.sentence
            self.changed.emit()

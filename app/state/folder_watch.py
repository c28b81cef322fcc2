"""Watch on a folder of submissions, scanned every second."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from jurydesk.core.intake.folder_scan import FolderScanner
from jurydesk.core.language import translate, translate_plural

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
            return translate("The watched folder {name} is missing.", name=scanner.folder.name)
        unwritten = len(scanner.unwritten)
        if not unwritten:
            return translate("Watching {name}.", name=scanner.folder.name)
        return translate_plural(
            "Watching {name}: {count} file is still being written.",
            "Watching {name}: {count} files are still being written.",
            unwritten,
            name=scanner.folder.name,
        )

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

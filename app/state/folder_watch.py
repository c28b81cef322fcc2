"""A watched folder in the window: looked at every second, told when something has settled."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from jurydesk.core.intake.folder_scan import FolderScanner

EVERY_MS = 1000


class FolderWatch(QObject):
    """Watch on a folder of submissions.

    `news` carries the folder when files came, changed or went, and those still being written;
    `changed` says that its state changed. Looking is a walk over names and sizes; what is new is
    read by jobs.
    """

    news = Signal(object, object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watch: FolderScanner | None = None
        self._told = ""
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.look)

    @property
    def folder(self) -> Path | None:
        """The folder that is watched, or None."""
        return None if self._watch is None else self._watch.folder

    @property
    def sentence(self) -> str:
        """What is watched, and how it stands; empty where nothing is."""
        watch = self._watch
        if watch is None:
            return ""
        if not watch.there:
            return f"The watched folder {watch.folder.name} is not there at present."
        waiting = len(watch.unwritten)
        files = f"{waiting} file{' is' if waiting == 1 else 's are'} still being written"
        return f"Watching {watch.folder.name}{f': {files}' if waiting else ''}."

    def start(self, folder: Path) -> None:
        """Watch a folder in the place of the one before; its present files are news, too."""
        self._watch = FolderScanner(folder)
        self._timer.start()
        self.look()

    def stop(self) -> None:
        if self._watch is not None:
            self._watch = None
            self._timer.stop()
            self._tell()

    def look(self) -> None:
        if self._watch is None:
            return
        settled = self._watch.look(time.monotonic())
        self._tell()
        if settled:
            self.news.emit(self._watch.folder, self._watch.unwritten)

    def _tell(self) -> None:
        if self.sentence != self._told:
            self._told = self.sentence
            self.changed.emit()

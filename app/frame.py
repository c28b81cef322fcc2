"""The frame of the main window: its first paint, and files that are dragged and dropped on it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPaintEvent
from PySide6.QtWidgets import QMainWindow


class Frame(QMainWindow):
    """A main window onto which files can be dropped, anywhere.

    `painted` fires once, after the first paint. `dragged` says whether files are being dragged
    over the window, and `dropped` carries the paths of those that were let go.
    """

    painted = Signal()
    dragged = Signal(bool)
    dropped = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._was_painted = False
        self.setAcceptDrops(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self, self.painted.emit)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            self.dragged.emit(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.dragged.emit(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.dragged.emit(False)
        urls = event.mimeData().urls()
        self.dropped.emit([Path(url.toLocalFile()) for url in urls if url.isLocalFile()])
        event.acceptProposedAction()

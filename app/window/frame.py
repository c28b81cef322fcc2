"""The frame of the main window: its size and first paint, and files that are dropped on it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPaintEvent
from PySide6.QtWidgets import QMainWindow

SIZE = QSize(1280, 828)
"""The first size of the window, where the screen has room for it."""
TITLE_BAR = 40
"""What the system's own title bar takes of a screen, at most, before it is known."""


def fitting(size: QSize, room: QSize) -> QSize:
    """The size, cut to the room that a screen leaves below a title bar."""
    return size.boundedTo(QSize(room.width(), room.height() - TITLE_BAR))


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

    def fit_screen(self, size: QSize) -> None:
        """Take this size, or what of it fits on the screen; a maximised window stays so."""
        if not self.windowState() & (
            Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen
        ):
            self.resize(fitting(size, self.screen().availableGeometry().size()))

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

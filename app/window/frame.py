"""Base class of the main window: size, first paint, and drag and drop."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QHoverEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QMainWindow, QSplitterHandle

SIZE = QSize(1280, 828)
"""Default size of the window, if it fits the screen."""
TITLE_BAR = 40
"""Maximum height of the system's title bar, as long as it is unknown."""


def fitting(size: QSize, room: QSize) -> QSize:
    """Return the size, limited to the area of a screen below a title bar."""
    return size.boundedTo(QSize(room.width(), room.height() - TITLE_BAR))


class Frame(QMainWindow):
    """A main window that accepts dropped files anywhere.

    `painted` is emitted once, after the first paint. `dragged` carries whether files are dragged
    over the window, and `dropped` the paths of dropped files.
    """

    painted = Signal()
    dragged = Signal(bool)
    dropped = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._was_painted = False
        self.setAcceptDrops(True)

    def reset_size(self) -> None:
        """Resize the window to its default size, limited to the screen."""
        self.fit_screen(SIZE)

    def fit_screen(self, size: QSize) -> None:
        """Resize the window, limited to the screen, unless it is maximized or full screen."""
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
        self._end_hover()

    def _end_hover(self) -> None:
        """Tell the handles of splitters that the mouse has left them, which a drag does not."""
        nowhere = QPointF(-1, -1)
        for handle in self.findChildren(QSplitterHandle):
            left = QHoverEvent(QEvent.Type.HoverLeave, nowhere, nowhere, nowhere)
            QCoreApplication.sendEvent(handle, left)

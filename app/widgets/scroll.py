"""Scroll areas: vertical for columns of cards, in both directions for pages."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget


class VerticalScrollArea(QScrollArea):
    """Scrolls vertically, is at least as wide as its content, and takes no focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._settled = QSize()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._adapt_size)

    def minimumSizeHint(self) -> QSize:
        """Return at least the content's minimum width, since it cannot scroll sideways."""
        smallest = super().minimumSizeHint()
        content = self.widget()
        if content is not None:
            bar = self.verticalScrollBar().sizeHint().width()
            needed = max(content.minimumSizeHint().width(), content.minimumWidth())
            smallest.setWidth(needed + bar)
        return smallest

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._timer.start()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._timer.start()

    def _adapt_size(self) -> None:
        """Adapt to a size that parts of the content needed only when they were placed."""
        content = self.widget()
        if content is None:
            return
        # Without the viewport: for its Python object, Qt's classes of widgets are all set up.
        bar = self.verticalScrollBar()
        width = self.contentsRect().width() - (bar.width() if bar.isVisible() else 0)
        needed = QSize(self.minimumSizeHint().width(), content.heightForWidth(width))
        if needed != self._settled:
            self._settled = needed
            self.updateGeometry()
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))


class ScrolledContent(QWidget):
    """Content of a `TwoWayScrollArea`, which can shrink to its minimum height."""

    def heightForWidth(self, width: int) -> int:
        """Return the minimum height at a width; Qt would scroll for the preferred one."""
        layout = self.layout()
        return -1 if layout is None else layout.totalMinimumHeightForWidth(width)


class TwoWayScrollArea(QScrollArea):
    """Fits its content, and scrolls in both directions below the content's minimum size.

    `narrowed` carries the visible width beside a scroll bar.
    """

    narrowed = Signal(int)

    def __init__(self, sheet: ScrolledContent) -> None:
        super().__init__()
        sheet.setObjectName("scrolled")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(sheet)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.narrowed.emit(self.width() - self.verticalScrollBar().sizeHint().width())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Page Up and Page Down, and leave other keys to the page."""
        if event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            super().keyPressEvent(event)
        else:
            event.ignore()


class CardScrollArea(VerticalScrollArea):
    """Vertical scroll area for cards, to which it leaves the arrow keys."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            super().keyPressEvent(event)
        else:
            event.ignore()

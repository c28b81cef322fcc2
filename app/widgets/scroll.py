"""Areas that scroll: a column of cards downwards, a page both ways where it must."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget


class VerticalScrollArea(QScrollArea):
    """Scrolls downwards only, is as wide as what it holds needs, and takes no focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        """As wide as what it holds needs to be: nothing can be scrolled into view sideways."""
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
        return super().eventFilter(watched, event)


class ScrolledContent(QWidget):
    """Content of a `TwoWayScrollArea`, which can shrink to its minimum height."""

    def heightForWidth(self, width: int) -> int:
        """The least height at this width, not the preferred one, which Qt would scroll for."""
        layout = self.layout()
        return -1 if layout is None else layout.totalMinimumHeightForWidth(width)


class TwoWayScrollArea(QScrollArea):
    """Gives a sheet all its room, and scrolls both ways where that is less than the least.

    `narrowed` carries the width that can be seen at once, beside a scroll bar.
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
        """Any: what does not fit is scrolled to."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.narrowed.emit(self.width() - self.verticalScrollBar().sizeHint().width())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave every key but those for whole pages to the page."""
        if event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            super().keyPressEvent(event)
        else:
            event.ignore()


class CardScrollArea(VerticalScrollArea):
    """The same for cards: the arrow keys are left to them."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            super().keyPressEvent(event)
        else:
            event.ignore()

"""Areas that scroll downwards, such as a column of cards."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QScrollArea


class Downwards(QScrollArea):
    """Scrolls downwards only, and takes no keys."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


class Scroll(Downwards):
    """The same for cards: as wide as they need, and the arrow keys are left to them."""

    def minimumSizeHint(self) -> QSize:
        """As wide as what it holds needs to be: nothing can be scrolled into view sideways."""
        smallest = super().minimumSizeHint()
        content = self.widget()
        if content is not None:
            bar = self.verticalScrollBar().sizeHint().width()
            needed = max(content.minimumSizeHint().width(), content.minimumWidth())
            smallest.setWidth(needed + bar)
        return smallest

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            super().keyPressEvent(event)
        else:
            event.ignore()

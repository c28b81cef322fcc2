"""The borders between the parts of the Items page: where they stand first, and were put since."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.theme import px, theme

LEFT, RIGHT = 420, 620
FIGURE, ITEM = 270, 360
PANEL, ROWS = 392, 240
GAP = 16


class Borders(QSplitter):
    """A list at the left, two parts one above the other at the right.

    With a panel they stand one below the other: the panel, the list, and what is right else.
    """

    layout_changed = Signal()
    """The user moved a border."""

    def __init__(
        self, left: QWidget, upper: QWidget, lower: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.right = QSplitter(Qt.Orientation.Vertical)
        self.right.addWidget(upper)
        self.right.addWidget(lower)
        self.addWidget(left)
        self.addWidget(self.right)
        for splitter in (self, self.right):
            splitter.setChildrenCollapsible(False)
            splitter.setStretchFactor(1, 1)
            splitter.splitterMoved.connect(self.layout_changed)
        self._scale()
        theme().changed.connect(self._scale)

    def _scale(self) -> None:
        self.setHandleWidth(px(GAP))
        self.right.setHandleWidth(px(GAP))

    def put_above(self, panel: QWidget | None) -> None:
        """Have a panel above the list, or none."""
        if panel is not None:
            self.insertWidget(0, panel)
            panel.show()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.setOrientation(across if panel is None else down)

    def reset_layout(self) -> None:
        """Give every part its first size again."""
        if self.orientation() == Qt.Orientation.Vertical:
            self.setSizes([px(PANEL), px(ROWS), 0])
            return
        self.setSizes([px(LEFT), px(RIGHT)])
        self.right.setSizes([px(FIGURE), px(ITEM)])

    def layout_state(self) -> tuple[QByteArray, QByteArray]:
        """Where the borders stand, for `restore_layout`."""
        return self.saveState(), self.right.saveState()

    def restore_layout(self, across: QByteArray, down: QByteArray) -> None:
        """Put the borders where they stood; what was never kept has its first size."""
        self.reset_layout()
        if not across.isEmpty():
            self.restoreState(across)
        if not down.isEmpty():
            self.right.restoreState(down)

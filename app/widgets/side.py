"""A column beside the content of a page, which stands below it where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

UNBOUND = 16_777_215
"""The largest width that Qt knows."""


class Side(QScrollArea):
    """Beside the content it scrolls by itself; below it, it is as high as what it holds."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._below = False
        inside.setObjectName("scrolled")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)
        inside.installEventFilter(self)

    def stand(self, *, below: bool, width: int) -> None:
        """Stand below the content, or beside it with this width."""
        self._below = below
        self.setMinimumWidth(0 if below else width)
        self.setMaximumWidth(UNBOUND if below else width)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        inside = self.widget()
        if self._below and inside is not None:
            wanted = inside.heightForWidth(self.width())
            hint.setHeight(max(wanted, inside.minimumSizeHint().height()))
        return hint

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

"""The bar at the top: which competition is open, and the two things one does with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.theme import HEADING, font, px, theme
from app.widgets.parts import Elided, chip

NARROWEST, SHORTEST_TITLE, LONGEST_TITLE = 480, 90, 420


class TopBar(QWidget):
    """Title and chips at the left; the page's own widgets, Export and Score at the right.

    Where the window is narrow the last chips go first, then the title is cut.
    """

    def __init__(self, export: QAction, score: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = Elided("Jurydesk", "competition")
        self.title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._chips: list[QLabel] = []
        self._guest: QWidget | None = None
        self.export = ActionButton(export, "Export")
        self.score = ActionButton(score, "Score", "primary")
        self._left = QHBoxLayout()
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self.title)
        self._layout.addLayout(self._left)
        self._layout.addStretch(1)
        self._layout.addWidget(self.export)
        self._layout.addWidget(self.score)
        self._scale()
        theme().changed.connect(self._scale)

    def describe(self, title: str, chips: Sequence[str]) -> None:
        """Name what is open, and say two or three facts of it."""
        self.title.setToolTip(title)
        self.title.setText(title)
        while len(self._chips) < len(chips):
            self._chips.append(chip())
            self._left.addWidget(self._chips[-1])
        for number, shown in enumerate(self._chips):
            shown.setText(chips[number] if number < len(chips) else "")
        self._fit()

    def host(self, guest: QWidget | None) -> None:
        """Show a page's own widgets before the buttons."""
        if guest is self._guest:
            return
        if self._guest is not None:
            self._layout.removeWidget(self._guest)
            self._guest.hide()
        self._guest = guest
        if guest is not None:
            self._layout.insertWidget(3, guest)
            guest.show()
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(px(NARROWEST), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Share the room that the buttons leave."""
        fixed = [part for part in (self._guest, self.export, self.score) if part is not None]
        taken = sum(part.sizeHint().width() for part in fixed)
        room = self.width() - taken - px(14) * (len(fixed) + 2) - 2 * px(18)
        width = QFontMetrics(font(HEADING, bold=True)).horizontalAdvance(self.title.text()) + px(4)
        title = min(width, px(LONGEST_TITLE), max(room, px(SHORTEST_TITLE)))
        self.title.setFixedWidth(title)
        room -= title
        for chip_ in self._chips:
            room -= chip_.sizeHint().width() + px(8)
            chip_.setVisible(bool(chip_.text()) and room >= 0)

    def _scale(self) -> None:
        self.setFixedHeight(px(48))
        self._layout.setContentsMargins(px(18), 0, px(18), 0)
        self._layout.setSpacing(px(14))
        self._left.setSpacing(px(8))
        self._fit()


class ActionButton(QPushButton):
    """A button that follows an action: its title with the key, and whether it is possible."""

    def __init__(self, action: QAction, title: str, kind: str = "") -> None:
        super().__init__()
        self._action = action
        self._title = title
        self.setProperty("kind", kind)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        key = self._action.shortcut().toString()
        primary = self.property("kind") == "primary"
        self.setText(f"{self._title}  {key}" if primary and key else self._title)
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(f"{self._action.text()}  {key}" if key else self._action.text())

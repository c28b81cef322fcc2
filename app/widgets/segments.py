"""A row of words of which one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QWidget

from app.theme import font, px

PADDING = 12


class Segment(QPushButton):
    """A word that is wide enough for its bold form, so that choosing moves nothing."""

    def sizeHint(self) -> QSize:
        bold = QFontMetrics(font(bold=True)).horizontalAdvance(self.text())
        return QSize(bold + 2 * px(PADDING) + 2, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Segments(QFrame):
    """A segmented control: the mouse or the arrow keys choose a word, by its index."""

    chosen = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("segments")
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.chosen)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)

    def show_words(self, words: Sequence[str], chosen: int = 0) -> None:
        """Offer other words; nothing is emitted."""
        for button in self._group.buttons():
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.deleteLater()
        for index, word in enumerate(words):
            button = Segment(word, self)
            button.setCheckable(True)
            button.setChecked(index == chosen)
            self._group.addButton(button, index)
            self._row.addWidget(button)
        self.setVisible(len(words) > 1)

    @property
    def index(self) -> int:
        """The chosen word."""
        return self._group.checkedId()

    def choose(self, index: int) -> None:
        """Choose a word as a click does."""
        button = self._group.button(index)
        if button is not None:
            button.click()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or self._group.button(self.index + step) is None:
            super().keyPressEvent(event)
            return
        self.choose(self.index + step)
        self._group.button(self.index).setFocus()

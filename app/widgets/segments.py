"""Segmented control, which is a combo box while it does not fit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QWidget

from jurydesk.app.style.theme import font, px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.name_box import ElidedBox

PADDING = 12
QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's maximum size of a widget, which the binding does not export."""
NARROWEST = 150


class Segments(QFrame):
    """Segmented control: the mouse or the arrow keys choose a word, by its index.

    Each segment is as wide as the word in bold, so that a choice moves nothing. Where the control
    is given less width than its words need, it is a combo box.
    """

    chosen = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName("segments")
        self.setAccessibleName(name)
        self._room = QWIDGETSIZE_MAX
        """Width in pixels that the owner allows."""
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._list = ElidedBox()
        self._list.setSizeAdjustPolicy(ElidedBox.SizeAdjustPolicy.AdjustToContents)
        self._list.setAccessibleName(name)
        self._list.hide()
        self._row.addWidget(self._list)
        self._group.idClicked.connect(self._choose_segment)
        self._list.activated.connect(self.choose)
        theme().changed.connect(self._scale)

    def show_words(self, words: Sequence[str], chosen: int = 0) -> None:
        """Replace the words, without a signal."""
        for button in self._group.buttons():
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        before: QWidget = self._list
        for index, word in enumerate(words):
            button = QPushButton(word, self)
            button.setCheckable(True)
            button.setAutoExclusive(True)  # screen readers announce one of several choices
            button.setChecked(index == chosen)
            self._group.addButton(button, index)
            self._row.addWidget(button)
            self.setTabOrder(before, button)  # a new widget is the window's last one
            before = button
        self._list.clear()
        self._list.addItems(list(words))
        self._select(chosen)
        # Without a parent it would be shown as a window, which takes the keyboard focus.
        if self.parentWidget() is not None or len(words) < 2:
            self.setVisible(len(words) > 1)
        for button in self._group.buttons():
            button.setVisible(not self.is_list)
        self._scale()

    def _scale(self) -> None:
        bold = QFontMetrics(font(bold=True))
        for button in self._group.buttons():
            button.setFixedWidth(bold.horizontalAdvance(button.text()) + 2 * px(PADDING) + 2)
        self.setFixedHeight(self._list.sizeHint().height() + 2)
        self.updateGeometry()
        self._fit_later()

    @property
    def index(self) -> int:
        return self._group.checkedId()

    @property
    def is_list(self) -> bool:
        """Whether the words are shown as a combo box."""
        return not self._list.isHidden()

    @property
    def list_width(self) -> int:
        """Width of the combo box with its longest word, in pixels."""
        return self._list.sizeHint().width() + 2

    def choose(self, index: int) -> None:
        """Choose a word as a click does."""
        button = self._group.button(index)
        if button is not None:
            button.setChecked(True)
            self._choose_segment(index)

    def _choose_segment(self, index: int) -> None:
        self._select(index)
        self.chosen.emit(index)

    def _select(self, index: int) -> None:
        self._list.setCurrentIndex(index)
        self._list.setToolTip(tip(self._list.currentText()))

    def set_room(self, width: int) -> None:
        """Show segments if they fit into `width` pixels, else the combo box."""
        if width != self._room:
            self._room = width
            self.updateGeometry()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_later()

    def _fit_later(self) -> None:
        """Choose the form after the events of a layout, in which Qt is showing the parts."""
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """Show segments if they fit into the width that the layout gives, else the combo box."""
        room = min(self.width(), self._room) if self.isVisible() else self._room
        self._choose_form(self._words_width() > room)

    def _choose_form(self, is_list: bool) -> None:
        if is_list == self.is_list:
            return
        buttons = self._group.buttons()
        focused = self.window().focusWidget()
        has_focus = focused is not None and self.isAncestorOf(focused)
        for part in [self._list] if is_list else buttons:
            part.show()
        if has_focus:  # else the focus goes on, and the page scrolls, when its part is hidden
            (self._list if is_list else self._group.button(max(self.index, 0))).setFocus()
        for part in buttons if is_list else [self._list]:
            part.hide()
        self.updateGeometry()

    def _words_width(self) -> int:
        return sum(button.minimumWidth() for button in self._group.buttons()) + 2

    def sizeHint(self) -> QSize:
        """Return the size of the words, also while the combo box is shown for want of width.

        The layout would otherwise never offer the width that the words need.
        """
        words, height = self._words_width(), self._list.sizeHint().height() + 2
        if words > self._room:
            return QSize(min(words, self._list.sizeHint().width() + 2), height)
        return QSize(words, height)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(px(NARROWEST), self.list_width, hint.width()), hint.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or self._group.button(self.index + step) is None:
            super().keyPressEvent(event)
            return
        self.choose(self.index + step)
        self._group.button(self.index).setFocus()

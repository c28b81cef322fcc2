"""The command palette, which finds a command by a few letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.theme import SMALL, colour, font, px
from jurydesk.app.widgets.command import WindowCommand, shortcut_text
from jurydesk.app.widgets.parts import label
from jurydesk.core.language import translate, translate_text

if TYPE_CHECKING:
    from jurydesk.app.commands.actions import Actions

SHOWN_ROWS = 11
ROW, MARGINS = 32, 160
"""Height of a command, and of everything else in the sheet and around it."""
COMMAND = Qt.ItemDataRole.UserRole + 1
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def matches(command: WindowCommand, words: Sequence[str]) -> bool:
    """Return whether each word occurs in the command's title, menu or keywords."""
    english = command.title, command.menu, command.keywords
    text = " ".join((*english, *map(translate_text, english))).casefold()
    return all(word in text for word in words)


class CommandDelegate(QStyledItemDelegate):
    """Paints a command: title and menu, with its key at the right."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(px(300), px(ROW))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        command: WindowCommand = index.data(COMMAND)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if selected:
            painter.setBrush(colour("accent_soft"))
            painter.drawRoundedRect(rect, px(6), px(6))
        inside = rect.adjusted(px(10), 0, -px(10), 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(font())
        painter.setPen(colour("text" if enabled else "faint"))
        title = translate(command.title)
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, title)
        menu = inside.adjusted(painter.fontMetrics().horizontalAdvance(title) + px(10), 0, 0, 0)
        painter.setFont(font(SMALL))
        painter.setPen(colour("muted" if enabled else "faint"))
        painter.drawText(menu, middle | Qt.AlignmentFlag.AlignLeft, translate(command.menu))
        keys = shortcut_text(command.keys)
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, keys)
        painter.restore()


class CommandPalette(Sheet):
    """A search field above the list of matching commands; Enter runs the selected one."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(translate("All commands"), parent, width=560)
        self._actions = actions
        self.search = QLineEdit()
        self.search.setPlaceholderText(translate("Type a command"))
        self.search.setAccessibleName(translate("Find a command"))
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.list = QListView()
        self.list.setAccessibleName(translate("Commands"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(CommandDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self._model = QStandardItemModel(self)
        self.list.setModel(self._model)
        self.list.clicked.connect(self._run)
        self.nothing = label(translate("Nothing found."), "muted")
        for part in (self.search, self.list, self.nothing):
            self.body.addWidget(part)

    def initial_focus(self) -> QWidget:
        return self.search

    def open(self) -> None:
        self.search.clear()
        self._filter("")
        super().open()

    def fit(self, width: int) -> None:
        """Fit the list to its commands, up to `SHOWN_ROWS` and the height of the window."""
        room = (self.window_height - px(MARGINS)) // px(ROW)
        rows = max(1, min(SHOWN_ROWS, room, self._model.rowCount()))
        self.list.setFixedHeight(px(ROW) * rows + px(2))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass arrow keys of the search field to the list."""
        pressed = watched is self.search and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in MOVES:
            QApplication.sendEvent(self.list, event)
            return True
        return super().eventFilter(watched, event)

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        self._model.clear()
        commands = [c for c in self._actions.commands.values() if matches(c, words)]
        enabled = {c.id: self._actions[c.id].isEnabled() for c in commands}
        for command in sorted(commands, key=lambda c: not enabled[c.id]):
            item = QStandardItem(translate(command.title))
            item.setData(command, COMMAND)
            item.setEnabled(enabled[command.id])
            item.setEditable(False)
            self._model.appendRow(item)
        self.list.setCurrentIndex(self._model.index(0, 0))
        self.list.setVisible(bool(commands))
        self.nothing.setVisible(not commands)
        self.fit(self.width())
        self.adjustSize()

    def accept(self) -> None:
        self._run()

    def _run(self) -> None:
        index = self.list.currentIndex()
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEnabled:
            command: WindowCommand = index.data(COMMAND)
            self.close()
            self._actions.run(command.id)

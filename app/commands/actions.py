"""Commands made into Qt actions: one object each for menu, key, button and palette."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from jurydesk.app.commands.catalogue import MENUS
from jurydesk.app.commands.command import WindowCommand


class Actions(QObject):
    """The actions of a list of commands. `asked` carries the command that was triggered."""

    triggered = Signal(object)

    def __init__(self, commands: Sequence[WindowCommand], owner: QWidget) -> None:
        super().__init__(owner)
        self.commands = {command.id: command for command in commands}
        self._owner = owner
        self._actions = {command.id: self._action(command) for command in commands}
        self._possible: dict[str, bool] = {}

    def _action(self, command: WindowCommand) -> QAction:
        action = QAction(command.title, self._owner)
        action.setObjectName(command.id)
        action.setData(command.id)
        action.setCheckable(command.checkable)
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.triggered.connect(self._triggered)
        self._owner.addAction(action)
        return action

    def extend(self, commands: Sequence[WindowCommand], condition: str) -> None:
        """Add a page's own commands, which are possible while `condition` holds."""
        for command in commands:
            own = replace(command, conditions=f"{command.conditions} {condition}".strip())
            self.commands[own.id] = own
            self._actions[own.id] = self._action(own)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def _triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.triggered.emit(self.commands[action.data()])

    def run(self, name: str) -> None:
        self._actions[name].trigger()

    def update_for(self, conditions: Collection[str]) -> None:
        """Enable exactly the commands that are possible under these conditions."""
        for command in self.commands.values():
            possible = command.is_possible(conditions)
            if self._possible.get(command.id) is not possible:
                self._possible[command.id] = possible
                self._actions[command.id].setEnabled(possible)

    def check(self, name: str) -> None:
        """Tick one of the commands that exclude each other, and no other one of its group."""
        chosen = self.commands[name]
        for command in self.commands.values():
            if command.checkable and command.callback == chosen.callback:
                self._actions[command.id].setChecked(command.id == name)

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Make the menus; groups are separated by a line."""
        menus = {title: bar.addMenu(f"&{title}") for title in MENUS}
        last: dict[str, int] = {}
        for command in self.commands.values():
            menu = menus[command.menu]
            if command.group != last.setdefault(command.menu, command.group):
                menu.addSeparator()
                last[command.menu] = command.group
            menu.addAction(self._actions[command.id])
        return menus


def shortcut_text(keys: Sequence[str]) -> str:
    """The first key of a command as this system writes it."""
    if not keys:
        return ""
    return QKeySequence(keys[0]).toString(QKeySequence.SequenceFormat.NativeText)

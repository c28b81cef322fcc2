"""Qt actions of the commands, shared by menus, shortcuts, buttons and the command palette."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from jurydesk.app.commands.catalogue import COMMANDS, MENU_COMMANDS, MENUS
from jurydesk.app.widgets.command import WindowCommand
from jurydesk.core.language import translate


class Actions(QObject):
    """One `QAction` for each command. `triggered` carries the command."""

    triggered = Signal(object)

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.commands = {command.id: command for command in COMMANDS}
        self._owner = owner
        self._actions = {command.id: self._make_action(command) for command in COMMANDS}
        self._enabled: dict[str, bool] = {}
        self._met: frozenset[str] | None = None

    def _make_action(self, command: WindowCommand) -> QAction:
        action = QAction(translate(command.title), self._owner)
        action.setObjectName(command.id)
        action.setData(command.id)
        action.setCheckable(command.checkable)
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.triggered.connect(self._emit_triggered)
        self._owner.addAction(action)
        return action

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def _emit_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.triggered.emit(self.commands[action.data()])

    def run(self, name: str) -> None:
        self._actions[name].trigger()

    def update_for(self, conditions: Collection[str]) -> None:
        """Enable exactly the commands whose conditions are met."""
        if self._met == (met := frozenset(conditions)):
            return
        self._met = met
        for command in self.commands.values():
            enabled = command.is_enabled(met)
            if self._enabled.get(command.id) is not enabled:
                self._enabled[command.id] = enabled
                self._actions[command.id].setEnabled(enabled)

    def check(self, name: str) -> None:
        """Check one of the mutually exclusive commands, and uncheck the others."""
        chosen = self.commands[name]
        for command in self.commands.values():
            if command.checkable and command.callback == chosen.callback:
                self._actions[command.id].setChecked(command.id == name)

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Create the menus, with a separator between groups."""
        menus = {title: bar.addMenu(f"&{translate(title)}") for title in MENUS}
        last: dict[str, int] = {}
        for command in MENU_COMMANDS:
            menu = menus[command.menu]
            if command.group != last.setdefault(command.menu, command.group):
                menu.addSeparator()
                last[command.menu] = command.group
            menu.addAction(self._actions[command.id])
        return menus

"""A command of the window as data, and its shortcut as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence


@dataclass(frozen=True, slots=True)
class WindowCommand:
    """A command of the window.

    Attributes:
        callback: Owner and method (`"files.open"`), or just a method of the page in front. The
            method gets `argument` if that is not empty.
        conditions: Names of conditions that must all hold, separated by spaces.
        group: Menus have a separator between commands of different groups.
        checkable: Whether the menu shows a check mark.
        keywords: Other words under which the command palette finds the command.
    """

    id: str
    title: str
    menu: str
    callback: str
    keys: tuple[str, ...] = ()
    conditions: str = ""
    argument: str = ""
    group: int = 0
    checkable: bool = False
    keywords: str = ""

    def is_enabled(self, conditions: Collection[str]) -> bool:
        """Return whether the command can run while `conditions` hold."""
        return all(condition in conditions for condition in self.conditions.split())


def shortcut_text(keys: Sequence[str]) -> str:
    """Return the first key of a command in the system's notation."""
    if not keys:
        return ""
    return QKeySequence(keys[0]).toString(QKeySequence.SequenceFormat.NativeText)

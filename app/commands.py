"""The program's commands as data; menus, keys, palette, buttons and shortcut sheet come from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """Something the user can ask for.

    `callback` names a method of the window (or of the page that lists the command), which gets
    `argument` where there is one. `when` names the conditions that must hold, separated by
    spaces. `group` separates a menu's parts; `button` shows it in the top bar.
    """

    id: str
    title: str
    menu: str
    callback: str
    keys: tuple[str, ...] = ()
    when: str = ""
    argument: str = ""
    group: int = 0
    checkable: bool = False
    button: str = ""
    hint: str = ""

    def possible(self, conditions: Collection[str]) -> bool:
        """Whether the command can run where these conditions hold."""
        return all(condition in conditions for condition in self.when.split())


MENUS = ("File", "Edit", "Run", "View", "Help")

"""What a command is: something the user can ask for, as data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowCommand:
    """Something the user can ask for.

    `callback` names who does it and the method (`"files.open"`; just the method where the page at
    the front does it), which gets `argument` where there is one. `when` names the conditions that
    must hold, separated by spaces. `group` separates a menu's parts; `checkable` commands show a
    tick; `keywords` says in other words what the command does, for the palette's search.
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

    def is_possible(self, conditions: Collection[str]) -> bool:
        """Whether the command can run where these conditions hold."""
        return all(condition in conditions for condition in self.conditions.split())

"""Finding the competitions: the folders beside this file, and installed packages."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import core.tasks
from core.model import Sniff, Task

ENTRY_POINTS = "jurydesk.tasks"
AnyTask = Task[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class BrokenTask:
    """A plug-in that could not be loaded: its name, and the error that says why."""

    name: str
    error: str


@dataclass(frozen=True, slots=True)
class Registry:
    """All competitions by their id, and the plug-ins that are broken."""

    tasks: dict[str, AnyTask]
    broken: tuple[BrokenTask, ...]

    def sniff(self, head: bytes) -> list[tuple[AnyTask, Sniff]]:
        """What a file that begins with `head` may be, the likeliest first."""
        guesses = [(task, guess) for task in self.tasks.values() if (guess := task.sniff(head))]
        return sorted(guesses, key=lambda pair: -pair[1].confidence)


@cache
def registry() -> Registry:
    """The competitions of this installation; loaded once."""
    tasks: dict[str, AnyTask] = {}
    broken: list[BrokenTask] = []
    for folder in sorted(pkgutil.iter_modules(core.tasks.__path__), key=lambda module: module.name):
        # A folder is a competition as soon as it has a `task.py`.
        name = f"core.tasks.{folder.name}.task"
        if folder.ispkg and importlib.util.find_spec(name) is not None:
            task = importlib.import_module(name).TASK
            tasks[task.id] = task
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        # A plug-in is foreign code: whatever it raises is its own fault, and is told, not thrown.
        try:
            plugin = entry.load()
            if not isinstance(plugin, Task):
                raise TypeError(f"{entry.value} is a {type(plugin).__name__}, not a Task")
            if plugin.id in tasks:
                raise ValueError(f"a task with the id {plugin.id!r} is there already")
            tasks[plugin.id] = plugin
        except Exception as error:
            broken.append(BrokenTask(entry.name, f"{type(error).__name__}: {error}"))
    return Registry(tasks, tuple(broken))

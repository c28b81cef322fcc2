"""Finding the competitions: the folders beside this file, and installed packages."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import Any

import core.tasks
from core.task import Sniff, Task

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
        guesses = [
            (task, guess) for task in self.tasks.values() if (guess := task.readers.sniff(head))
        ]
        return sorted(guesses, key=lambda pair: -pair[1].confidence)


def competition(id: str) -> AnyTask | None:
    """The competition of that id, or None; loads no other one where a folder has its name.

    Loading all of them takes longer than scoring a small file.
    """
    folder = id.replace("-", "_")
    if folder.isidentifier() and _is_competition(folder):
        task: AnyTask = importlib.import_module(f"core.tasks.{folder}.task").TASK
        if task.id == id:
            return task
    return registry().tasks.get(id)


def _is_competition(folder: str) -> bool:
    """A folder is a competition as soon as it has a `task.py`."""
    package = importlib.util.find_spec(f"core.tasks.{folder}")
    if package is None or package.submodule_search_locations is None:
        return False
    return importlib.util.find_spec(f"core.tasks.{folder}.task") is not None


@cache
def registry() -> Registry:
    """The competitions of this installation; loaded once."""
    from importlib.metadata import entry_points  # slow to import, and not needed for one task

    tasks: dict[str, AnyTask] = {}
    broken: list[BrokenTask] = []
    for folder in sorted(pkgutil.iter_modules(core.tasks.__path__), key=lambda module: module.name):
        if _is_competition(folder.name):
            task = importlib.import_module(f"core.tasks.{folder.name}.task").TASK
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

"""Registry of competitions: the folders of `jurydesk.core.tasks`, and installed packages."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jurydesk.core.competition.plug_ins import AT_WORK, contained, entry_points_of, load_plug_in
from jurydesk.core.competition.task import AnyTask, Sniff, Task, option_name_conflicts
from jurydesk.core.language import translatable
from jurydesk.core.model.chunk import ChunkKind

ENTRY_POINTS = "jurydesk.tasks"


NEW_NAMES = {
    "core.task": "jurydesk.core.competition.task",
    "core.model": "jurydesk.core.model.evaluation",
    "core.defects": "jurydesk.core.model.defects",
    "core.options": "jurydesk.core.model.options",
    "core.work": "jurydesk.core.model.chunk",
    "core.run.run": "jurydesk.core.execution.run",
    "core.conformance": "jurydesk.core.verification.conformance",
    "core.participant_kit.conformance": "jurydesk.core.verification.conformance",
    "app.inspectors.inspector": "jurydesk.app.inspectors.inspector",
}
"""Names of modules since version 0.2, by those of version 0.1 that plug-ins imported."""


@dataclass(frozen=True, slots=True)
class BrokenTask:
    """Plug-in, or folder of `core/tasks`, that could not be loaded, with the error."""

    name: str
    error: str


@dataclass(frozen=True, slots=True)
class Registry:
    """Competitions by id, and those that could not be loaded."""

    tasks: dict[str, AnyTask]
    broken: tuple[BrokenTask, ...]

    @property
    def chunks(self) -> dict[str, ChunkKind[Any, Any, Any]]:
        """Kinds of chunk of all competitions by id."""
        return {one.id: one for task in self.tasks.values() for one in task.scoring.chunks}

    def sniff(self, head: bytes) -> list[tuple[AnyTask, Sniff]]:
        """Return the guesses for a file that begins with `head`, the likeliest first."""
        guesses = [
            (task, guess) for task in self.tasks.values() if (guess := _sniff_safely(task, head))
        ]
        return sorted(guesses, key=lambda pair: -pair[1].confidence)


def describe_unknown(id: str) -> str:
    """Return that there is no competition with an id, or why it could not be loaded."""
    for broken in registry().broken:
        if broken.name.replace("_", "-") == id.replace("_", "-"):
            unusable = translatable('The competition "{name}" could not be loaded: {error}.')
            return unusable.format(name=id, error=broken.error.rstrip("."))
    return translatable('There is no competition "{name}".').format(name=id)


def _sniff_safely(task: AnyTask, head: bytes) -> Sniff | None:
    """Return a competition's guess; the failure of a plug-in counts as no guess."""
    try:
        with contained(AT_WORK):
            return task.readers.sniff(head)
    except Exception:
        if task.readers.sniff.__module__.startswith("jurydesk.core."):
            raise
        return None


def find_competition(id: str) -> AnyTask | None:
    """Return the competition with an id, or None.

    A built-in competition is loaded alone: loading all takes longer than scoring a small file.
    """
    folder = id.replace("-", "_")
    if folder.isidentifier() and _is_competition(folder):
        task = _import_built_in(folder)
        if task.id == id:
            return task
    return registry().tasks.get(id)


def _module(folder: str) -> str:
    """Return the module that declares the competition of a folder: `vist/vist_task.py`."""
    return f"jurydesk.core.tasks.{folder}.{folder}_task"


def _import_built_in(folder: str) -> AnyTask:
    task: AnyTask = importlib.import_module(_module(folder)).TASK
    return task


def _is_competition(folder: str) -> bool:
    """Return whether a folder has an `__init__.py` and declares a competition."""
    package = importlib.util.find_spec(f"jurydesk.core.tasks.{folder}")
    if package is None or package.origin is None or package.submodule_search_locations is None:
        return False
    return importlib.util.find_spec(_module(folder)) is not None


def load_error(error: Exception) -> str:
    """Return why a plug-in cannot be loaded, with the new names for one of version 0.1."""
    reason = f"{type(error).__name__}: {error}"
    package = isinstance(error, ImportError) and (error.name or "").partition(".")[0]
    if package not in ("core", "app"):
        return reason
    names = "; ".join(f"{old} is {new}" for old, new in NEW_NAMES.items())
    return f"{reason}. Since version 0.2 every module of Jurydesk is below `jurydesk`: {names}"


def _folders() -> list[str]:
    places = importlib.import_module("jurydesk.core.tasks").__path__
    return sorted(found.name for found in pkgutil.iter_modules(places) if found.ispkg)


def _without_init() -> list[str]:
    """Return the folders that hold a declaration, but are no packages."""
    places = map(Path, importlib.import_module("jurydesk.core.tasks").__path__)
    declared = (path.parent for place in places for path in place.glob("*/*_task.py"))
    return sorted(one.name for one in declared if not (one / "__init__.py").exists())


def _incomplete(folder: str, lacking: str) -> BrokenTask:
    return BrokenTask(folder, f"core/tasks/{folder} has no {lacking}")


def competition_commands() -> dict[str, str]:
    """Return the modules of the competitions' commands by name, without loading a competition.

    `captions/commands/coco_caption.py` is the command `coco-caption`.
    """
    commands = {}
    places = importlib.import_module("jurydesk.core.tasks").__path__
    for folder in _folders():
        paths = [str(Path(place) / folder / "commands") for place in places]
        for module in pkgutil.iter_modules(paths):
            name = module.name.replace("_", "-")
            commands[name] = f"jurydesk.core.tasks.{folder}.commands.{module.name}"
    return commands


def _refuse_duplicates(plugin: AnyTask, known: Iterable[AnyTask]) -> None:
    """Raise ValueError if a plug-in has the id of a known competition, or of its chunks."""
    for task in known:
        if plugin.id == task.id:
            raise ValueError(f'"{task.title}" has the id "{plugin.id}" already')
        chunks = {chunk.id: chunk for chunk in task.scoring.chunks}
        for chunk in plugin.scoring.chunks:
            if chunks.get(chunk.id, chunk) is not chunk:
                names = f'"{plugin.title}" and "{task.title}"'
                raise ValueError(f'{names} have different chunks with the same id "{chunk.id}"')


@cache
def registry() -> Registry:
    """Return the competitions of this installation, loaded once."""
    tasks: dict[str, AnyTask] = {}
    broken: list[BrokenTask] = []
    for folder in _folders():
        if _is_competition(folder):
            task = _import_built_in(folder)
            tasks[task.id] = task
        else:
            broken.append(_incomplete(folder, f"{folder}_task.py that declares TASK"))
    broken += [_incomplete(folder, "__init__.py") for folder in _without_init()]
    entries, damaged = entry_points_of(ENTRY_POINTS)
    broken += [BrokenTask(name, f"damaged entry_points.txt: {error}") for name, error in damaged]
    for entry in entries:
        # Plug-ins are foreign code: any exception is reported, and must not stop the program.
        try:
            plugin = load_plug_in(entry)
            if not isinstance(plugin, Task):
                raise TypeError(f"{entry.value} is a {type(plugin).__name__}, not a Task")
            _refuse_duplicates(plugin, tasks.values())
            for sentence in option_name_conflicts(plugin):
                raise ValueError(sentence)
            tasks[plugin.id] = plugin
        except Exception as error:
            broken.append(BrokenTask(entry.name, load_error(error)))
    return Registry(tasks, tuple(broken))

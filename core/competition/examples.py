"""Example competitions: folders, roles of files, and options."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jurydesk.core.competition.task import HEAD_BYTES, AnyTask, Inputs
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import resources_folder

MANIFEST = "example.json"


def example_folder(task: AnyTask) -> Path | None:
    """Return the folder of the task's example competition, or None if it has none."""
    if not task.presentation.example:
        return None
    # Joining an absolute path returns that path.
    folder = resources_folder() / "examples" / task.presentation.example
    return folder if is_example(folder) and _manifest(folder)["task"] == task.id else None


def copied_folder(task: AnyTask, folder: Path) -> Path:
    """Return the folder of the example's copy below a folder of copies."""
    return folder / task.id.replace("-", "_")


def copy_example(task: AnyTask, target: Path) -> Path:
    """Copy the example into the folder `target`, replacing an earlier copy, and return `target`.

    Raises OSError if it cannot be written, and KeyError if the task has no example.
    """
    folder = example_folder(task)
    if folder is None:
        raise KeyError(task.id)
    # Not shutil.copytree: it copies permissions, and an installation may be read-only.
    target.mkdir(parents=True, exist_ok=True)
    for source in sorted(folder.rglob("*")):
        copy = target / source.relative_to(folder)
        if source.is_dir():
            copy.mkdir(exist_ok=True)
        else:
            shutil.copyfile(source, copy)
    return target


def example_inputs(task: AnyTask, folder: Path) -> Inputs:
    """Return the files of an example by role, from their content or else from the manifest.

    Picture folders have the name of their role.
    """
    inputs: dict[str, Sequence[Path]] = {}
    roles = example_roles(folder)
    known = {entry.role for entry in task.inputs if entry.kind != "folder"}
    for path in sorted(folder.iterdir()):
        role = None if path.name == MANIFEST else detect_role(task, path)
        if role is None and path.is_file() and roles.get(path.name) in known:
            role = roles[path.name]
        if role is not None:
            inputs[role] = (*inputs.get(role, ()), path)
    return inputs


def example_roles(folder: Path) -> dict[str, str]:
    """Return the role of each file in the manifest."""
    inputs = _manifest(folder).get("inputs", {})
    return {name: role for role, names in inputs.items() for name in names}


def is_example(folder: Path) -> bool:
    """Return whether a folder has a valid manifest of an example."""
    try:
        return {"title", "task"} <= _manifest(folder).keys()
    except (OSError, ValueError, TypeError):
        return False


def example_title(folder: Path) -> str:
    """Return the title in the example's manifest, or an empty text."""
    return str(_manifest(folder).get("title", ""))


def example_options(task: AnyTask, folder: Path) -> Any:
    """Return the options of the example: the defaults with the manifest's changes.

    A value that begins with `./` is a file of the example.
    """
    changes = _manifest(folder).get("options", {})
    return replace(
        task.scoring.options(), **{name: _option(value, folder) for name, value in changes.items()}
    )


def _option(value: Json, folder: Path) -> Any:
    if isinstance(value, list):
        return tuple(_option(part, folder) for part in value)
    if isinstance(value, str) and value.startswith("./"):
        return str(folder / value.removeprefix("./"))
    return value


def _manifest(folder: Path) -> dict[str, Json]:
    path = folder / MANIFEST
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def detect_role(task: AnyTask, path: Path) -> str | None:
    """Return the role of a file or folder in a competition, or None if it has none."""
    if path.is_dir():
        folders = (entry.role for entry in task.inputs if entry.kind == "folder")
        return next((role for role in folders if role == path.name), None)
    if not path.is_file():
        return None
    with path.open("rb") as file:
        guess = task.readers.sniff(file.read(HEAD_BYTES))
    return guess.role if guess else None

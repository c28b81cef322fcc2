"""The files that a result of a desk was made of, to score them once more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.desk.errors import DeskError
from core.stamp import Stamp
from core.task import Task

if TYPE_CHECKING:
    from core.desk import Desk, Summary


def stamp_of(desk: Desk, summary: Summary) -> Stamp:
    """What the system was scored from; DeskError where the desk keeps no stamp."""
    stamp = desk.load(summary.id).stamp
    if not stamp:
        raise DeskError(f"{summary.system} has no stamp: score it again.")
    return Stamp.from_json(stamp)


def inputs_of(desk: Desk, task: Task[Any, Any, Any], stamp: Stamp) -> dict[str, list[Path]]:
    """The files of one system, where they are now; DeskError where one is gone or has changed."""
    role = task.submission_input().role
    mine = [
        entry
        for entry in desk.inputs()
        if entry.source.role != role or entry.source.sha256 == stamp.submission.sha256
    ]
    lost = [entry for entry in mine if entry.state != "current"]
    if lost:
        names = ", ".join(f"{entry.path.name} ({entry.state})" for entry in lost)
        raise DeskError(f"The inputs are not what was scored: {names}.")
    inputs: dict[str, list[Path]] = {}
    for entry in mine:
        inputs.setdefault(entry.source.role, []).append(entry.path)
    if role not in inputs:
        raise DeskError(f"The file of {stamp.system} is not among the desk's inputs.")
    inputs[role] = inputs[role][:1]
    return inputs

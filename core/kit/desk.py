"""The reference files and the options of a desk, from which its kit is made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.kit.kit import AnyTask, KitError
from core.options import options_from_json

if TYPE_CHECKING:
    from core.desk import Desk


def inputs_of_desk(desk: Desk, task: AnyTask) -> dict[str, list[Path]]:
    """The files but the submissions, by role; KitError where a required one is missing."""
    own = task.submission_input().role
    found: dict[str, list[Path]] = {}
    for entry in desk.inputs():
        if entry.source.role != own and entry.state != "missing":
            found.setdefault(entry.source.role, []).append(entry.path)
    for wanted in task.inputs:
        if wanted.required and wanted.role != own and wanted.role not in found:
            raise KitError(f"The desk has no file as {wanted.label}, or it is missing now.")
    return found


def options_of_desk(desk: Desk, task: AnyTask) -> Any:
    """The options that the desk keeps; those that it does not know have their defaults."""
    competition = desk.competition
    return options_from_json(task.scoring.options, competition.options if competition else {})

"""Input files of a competition: role, status on the disk, and place on the leaderboard."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.intake.archive import MemberTime
    from jurydesk.core.intake.collect import Resolution


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that the user gave, with its role in the competition and its status.

    `role` is empty where the user has to choose one; `reason` says why. `state` is
    `"new"` (not read yet), `"current"`, `"changed"` (since it was read) or `"missing"`. A folder
    has the number of its pictures. `parts` is the path of a submission in what was given with it
    (its folder is the team), `stamped` its time where an archive records it, `mark` a remark on
    it: late, a copy, older than another of its team; and `system` its name on the leaderboard,
    empty where the file itself may give that.
    """

    path: Path
    role: str
    size: int
    state: str = "new"
    modified: int = 0
    reason: str = ""
    pictures: int = 0
    parts: tuple[str, ...] = ()
    stamped: MemberTime | None = None
    mark: str = ""
    system: str = ""


def absolute_path(path: Path) -> Path:
    """Return the absolute, normalized path; a link keeps its own name."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the link


def update_status(file: InputFile) -> InputFile:
    """Return a current file with its present size and time; a file that is gone is missing."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    if file.state != "current" or file.pictures:
        return file
    return replace(file, size=status.st_size, modified=status.st_mtime_ns)


def detect_change(file: InputFile) -> InputFile:
    """Return the file with the state that the disk shows: current, changed or missing."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    same = file.pictures or (status.st_size, status.st_mtime_ns) == (file.size, file.modified)
    if same or file.state == "new":
        return file if file.state != "missing" else replace(file, state="current")
    return replace(file, state="changed")


def with_resolution(file: InputFile, settled: Resolution) -> InputFile:
    """Return the file with its system's name and the remark on it."""
    marks, names = settled.marks, settled.names
    return replace(file, mark=marks.get(file.path, ""), system=names.get(file.path, ""))


def paths_by_role(files: Sequence[InputFile]) -> dict[str, list[Path]]:
    """Return the paths of files that have a role, as tasks take them."""
    found: dict[str, list[Path]] = {}
    for file in files:
        if file.role:
            found.setdefault(file.role, []).append(file.path)
    return found


def sort_by_role(files: Sequence[InputFile], task: AnyTask | None) -> tuple[InputFile, ...]:
    """Sort files: those without a role first, then the references, then the submissions."""
    inputs = task.inputs if task else ()
    order = ["", *(entry.role for entry in inputs if entry.kind != "submission")]
    rank = {role: i for i, role in enumerate(order)}
    return tuple(sorted(files, key=lambda file: rank.get(file.role, len(rank))))

"""The files that a user gave, as the window knows them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.intake.archive import Stamped
    from core.intake.files import Settled
    from core.tasks.registry import AnyTask


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that the user gave: its role in the competition, and how it stands.

    `role` is empty where the user has to choose one; `reason` says why. `state` is
    `"new"` (not read yet), `"current"`, `"changed"` (since it was read) or `"missing"`. A folder
    has the number of its pictures. `parts` is the path of a submission in what was given with it
    (its folder is the team), `stamped` its time where an archive tells it,
    `mark` what is odd of it: late, a copy, older than another of its team; and `system` its name
    on the board, empty where the file itself may give that.
    """

    path: Path
    role: str
    size: int
    state: str = "new"
    modified: int = 0
    reason: str = ""
    pictures: int = 0
    parts: tuple[str, ...] = ()
    stamped: Stamped | None = None
    mark: str = ""
    system: str = ""


def plain(path: Path) -> Path:
    """The path from the root, without detours; a link keeps its own name."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the link


def as_read(file: InputFile) -> InputFile:
    """The file with its present size and time, as far as it is current."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    if file.state != "current" or file.pictures:
        return file
    return replace(file, size=status.st_size, modified=status.st_mtime_ns)


def as_settled(file: InputFile, settled: Settled) -> InputFile:
    """The file with its name on the board and what is odd of it."""
    marks, names = settled.marks, settled.names
    return replace(file, mark=marks.get(file.path, ""), system=names.get(file.path, ""))


def by_role(files: Sequence[InputFile]) -> dict[str, list[Path]]:
    """The files that have a role, as tasks take them."""
    found: dict[str, list[Path]] = {}
    for file in files:
        if file.role:
            found.setdefault(file.role, []).append(file.path)
    return found


def ordered(files: Sequence[InputFile], task: AnyTask | None) -> tuple[InputFile, ...]:
    """Those without a role first, then the references, then the submissions."""
    inputs = task.inputs if task else ()
    order = ["", *(entry.role for entry in inputs if entry.kind != "submission")]
    rank = {role: i for i, role in enumerate(order)}
    return tuple(sorted(files, key=lambda file: rank.get(file.role, len(rank))))


def as_found(file: InputFile) -> InputFile:
    """The file with its state as the disk shows it now."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    same = file.pictures or (status.st_size, status.st_mtime_ns) == (file.size, file.modified)
    if same or file.state == "new":
        return file if file.state != "missing" else replace(file, state="current")
    return replace(file, state="changed")

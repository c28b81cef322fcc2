"""The files that a user gave, as the window knows them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.intake.archive import Stamped


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that the user gave: its role in the competition, and how it stands.

    `role` is empty where the user has to choose one; `reason` says why. `state` is
    `"new"` (not read yet), `"current"`, `"changed"` (since it was read) or `"missing"`. A folder
    has the number of its pictures. `parts` is the path of a submission in what was given with it
    (its folder is the team), `stamped` its time where an archive tells it,
    and `mark` what is odd of it: late, a copy, older than another of its team.
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

"""Input files of a competition: role, status on disk, and system name."""

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
    from jurydesk.core.intake.submission import ReceivedSubmission


@dataclass(frozen=True, slots=True)
class InputFile:
    """File given by the user, with its role in the competition and its status.

    `role` is empty if the user has to choose one, for the `reason` given. `state` is `"new"` (not
    read yet), `"current"`, `"changed"` (since it was read) or `"missing"`. `pictures` is the number
    of pictures in a folder. `parts` is the path of a submission below the given folder (the first
    folder is the team), `stamped` its time in an archive, `submission` what the rules for
    submissions say of it (late, a copy, not the team's newest), and `system` its name on the
    leaderboard, empty if the file may give one.
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
    submission: ReceivedSubmission | None = None
    system: str = ""

    @property
    def mark(self) -> str:
        """Remarks on a submission in a few words; empty without any."""
        return self.submission.marks() if self.submission is not None else ""


def absolute_path(path: Path) -> Path:
    """Return the absolute, normalized path; a link keeps its own name."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the link


def update_status(file: InputFile) -> InputFile:
    """Return a current file with its size and time on disk; a file that is gone is missing."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    if file.state != "current" or file.pictures:
        return file
    return replace(file, size=status.st_size, modified=status.st_mtime_ns)


def detect_change(file: InputFile) -> InputFile:
    """Return the file with its state on disk: current, changed or missing."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    same = file.pictures or (status.st_size, status.st_mtime_ns) == (file.size, file.modified)
    if same or file.state == "new":
        return file if file.state != "missing" else replace(file, state="current")
    return replace(file, state="changed")


def with_resolution(files: Sequence[InputFile], resolution: Resolution) -> tuple[InputFile, ...]:
    """Return the files with their submissions and system names."""
    found = {one.path: one for one in resolution.submissions}
    return tuple(
        replace(file, submission=found.get(file.path), system=resolution.names.get(file.path, ""))
        for file in files
    )


def paths_by_role(files: Sequence[InputFile]) -> dict[str, list[Path]]:
    """Return the paths of the files with a role, by role."""
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

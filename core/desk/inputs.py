"""The inputs of a desk: where they are now, whether they are still what was scored."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.desk.codec import read_json
from core.model import Source
from core.paths import fingerprint

InputState = Literal["current", "changed", "missing"]


@dataclass(frozen=True, slots=True)
class DeskInput:
    """One input of the competition: what was recorded of it, where it is now, and its state.

    `path` is the place beside or around the desk where it has one there, else the place where it
    was when it was recorded. `"missing"` hinders nothing but scoring again.
    """

    source: Source
    path: Path
    state: InputState


@dataclass(frozen=True, slots=True)
class Recorded:
    """One row of the table: the input, its path from the desk's folder, and its time stamp."""

    source: Source
    relative: str | None
    modified: int


def read(connection: sqlite3.Connection) -> list[Recorded]:
    """The inputs as they were recorded, in their order."""
    rows = connection.execute("SELECT role, paths, size, modified, sha256 FROM input ORDER BY id")
    recorded = []
    for role, paths, size, modified, sha256 in rows.fetchall():
        relative, absolute = read_json(paths)
        recorded.append(Recorded(Source(role, absolute, size, sha256), relative, modified))
    return recorded


def write(connection: sqlite3.Connection, recorded: Iterable[Recorded]) -> None:
    """Put these inputs in the place of all others; within the caller's transaction."""
    connection.execute("DELETE FROM input")
    connection.executemany(
        "INSERT INTO input (role, paths, size, modified, sha256) VALUES (?, ?, ?, ?, ?)",
        [
            (
                entry.source.role,
                json.dumps([entry.relative, entry.source.path]),
                entry.source.size,
                entry.modified,
                entry.source.sha256,
            )
            for entry in recorded
        ],
    )


def record(sources: Sequence[Source], folder: Path) -> list[Recorded]:
    """What a desk in `folder` keeps of these inputs."""
    return [Recorded(one, relative_path(one.path, folder), _modified(one)) for one in sources]


def merge(
    before: Sequence[Recorded],
    sources: Sequence[Source],
    submission: str,
    on_board: Collection[str],
    folder: Path,
) -> list[Recorded]:
    """Merge inputs that were read now with those recorded `before`.

    A submission that was not read now stays as long as it is behind a result (`on_board` are the
    paths): without it, nobody could tell that the result is out of date or score it again. A folder
    stays until another is given in its role. References are those read now alone: results of
    others are out of date.
    """
    new = {(one.role, one.path) for one in sources}
    roles = {one.role for one in sources}
    kept = [
        entry
        for entry in before
        if (
            (entry.source.role, entry.source.path) not in new and entry.source.path in on_board
            if entry.source.role == submission
            else entry.source.role not in roles and not entry.source.sha256
        )
    ]
    return [*kept, *record(sources, folder)]


def relative_path(path: str, folder: Path) -> str | None:
    """The path from the desk's folder, with slashes; None on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return None


def _modified(source: Source) -> int:
    try:
        status = Path(source.path).stat()
    except OSError:
        return 0
    return status.st_mtime_ns if status.st_size == source.size else 0


def find(entry: Recorded, folder: Path) -> Path:
    """Where the input is now: at its path from the desk, else where it was."""
    if entry.relative is not None and (folder / entry.relative).exists():
        return folder / entry.relative
    return Path(entry.source.path)


class InputWatch:
    """Tells the state of inputs; hashes a file only where its size and time stamp leave a doubt."""

    def __init__(self) -> None:
        self._hashed: dict[tuple[Path, int, int], str] = {}

    def state(
        self, entry: Recorded, path: Path, check: Callable[[], None] = lambda: None
    ) -> InputState:
        """Whether the file is still what was recorded; `check` may raise to stop a long hash."""
        try:
            status = path.stat()
            if not entry.source.sha256:
                return "current"
            if not path.is_file() or status.st_size != entry.source.size:
                return "changed"
            if status.st_mtime_ns == entry.modified:
                return "current"
            key = (path, status.st_size, status.st_mtime_ns)
            if key not in self._hashed:
                self._hashed[key] = fingerprint(path, check).sha256
        except OSError:
            return "missing"
        return "current" if self._hashed[key] == entry.source.sha256 else "changed"

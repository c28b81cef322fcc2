"""Inputs of a desk: their current paths, and whether they are still what was scored."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PureWindowsPath
from typing import Literal

from jurydesk.core.desk.codec import DamagedContentError, damage_at, parse_stored
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Evaluation, Json, Source
from jurydesk.core.model.system_names import free_name
from jurydesk.core.system.network_shares import is_strange_share
from jurydesk.core.system.paths import absolute_path

MAX_PATH_LENGTH = 1 << 15
"""Limit on the characters of a path; Windows allows 32,767."""

InputState = Literal["current", "changed", "missing"]


@dataclass(frozen=True, slots=True)
class DeskInput:
    """Input of the competition: its record, its current path, and its state.

    `path` is relative to the desk if the file exists there, else the recorded path. A `"missing"`
    input prevents only scoring again.
    """

    source: Source
    path: Path
    state: InputState


@dataclass(frozen=True, slots=True)
class InputRow:
    """Row of the table: the input, its path relative to the desk's folder, and its time stamp."""

    source: Source
    relative: str | None
    modified: int


def read_inputs(connection: sqlite3.Connection) -> list[InputRow]:
    """Read the recorded inputs in their order."""
    rows = connection.execute(
        "SELECT id, role, paths, size, modified, sha256 FROM input ORDER BY id"
    )
    recorded = []
    for key, role, paths, size, modified, sha256 in rows.fetchall():
        with damage_at("input", key):
            relative, absolute = parse_stored(paths)
            if relative is not None:
                _require_path(relative)
            _require_path(absolute)
        recorded.append(InputRow(Source(role, absolute, size, sha256), relative, modified))
    return recorded


def _require_path(path: Json) -> None:
    if not isinstance(path, str) or not path or "\0" in path or len(path) > MAX_PATH_LENGTH:
        raise DamagedContentError(translatable("an input has an invalid path"))


def write_inputs(connection: sqlite3.Connection, recorded: Iterable[InputRow]) -> None:
    """Replace all recorded inputs, within the caller's transaction."""
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


def make_input_rows(sources: Sequence[Source], folder: Path) -> list[InputRow]:
    """Return the rows of these inputs for a desk in `folder`."""
    return [
        InputRow(one, relative_path(one.path, folder), _modification_time(one)) for one in sources
    ]


def merge_inputs(
    before: Sequence[InputRow],
    sources: Sequence[Source],
    submission: str,
    on_board: Collection[str],
    folder: Path,
) -> list[InputRow]:
    """Merge inputs that were just read with those recorded `before`.

    A submission that was not read now stays while it is behind a result (`on_board` are the paths):
    it is needed to detect outdated results and to score again. A folder stays until another is
    given in its role. References are those read now only: results of others are out of date.
    """
    new = {(one.role, one.path) for one in sources}
    roles = {one.role for one in sources}
    retained = [
        entry
        for entry in before
        if (
            (entry.source.role, entry.source.path) not in new and entry.source.path in on_board
            if entry.source.role == submission
            else entry.source.role not in roles and not entry.source.sha256
        )
    ]
    return [*retained, *make_input_rows(sources, folder)]


def relative_path(path: str, folder: Path) -> str | None:
    """Return the path relative to the desk's folder, with slashes; None on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return None


def _modification_time(source: Source) -> int:
    try:
        status = Path(source.path).stat()
    except OSError:
        return 0
    return status.st_mtime_ns if status.st_size == source.size else 0


def locate_desk_input(entry: InputRow, folder: Path) -> Path:
    """Return the current path of an input: relative to the desk if it exists, else as recorded."""
    relative = entry.relative
    if relative and not is_strange_share(relative, (folder,)) and (folder / relative).exists():
        return absolute_path(folder / relative)
    return recorded_path(entry.source.path, folder)


def recorded_path(recorded: str, folder: Path) -> Path:
    """Return a path that a desk in this folder records.

    In place of one on a strange network share it is that of a file of its name beside the desk.
    """
    if is_strange_share(recorded, (folder,)):
        return folder / PureWindowsPath(recorded).name
    return Path(recorded)


@dataclass(frozen=True, slots=True)
class StoredResult:
    """Row, system, profile and submission of a stored result.

    `submission` is the file's path and SHA-256; None for a result without a stamp. `part` is the
    name of the system in a file of several.
    """

    id: int
    system: str
    profile: str
    submission: tuple[str, str] | None
    part: str = ""


def resolve_name(
    evaluation: Evaluation, retained: Sequence[StoredResult]
) -> tuple[Evaluation, list[int]]:
    """Return the evaluation under a free name, and the rows that it replaces.

    It replaces results of the same file in the same profile. A result of another file with the same
    name stays: the new one becomes `name (file stem)`.
    """
    same = [one for one in retained if _same_file(evaluation, one)]
    used = {one.system for one in retained if one not in same}
    replaced = [one.id for one in same if one.profile == evaluation.profile]
    submission = stamped_submission(evaluation.stamp)
    if evaluation.system not in used or submission is None:
        return evaluation, replaced
    name = free_name(evaluation.system, Path(submission[0]), used)
    stamp = {**evaluation.stamp, "system": name}
    return replace(evaluation, system=name, stamp=stamp), replaced


def stamped_submission(stamp: Json) -> tuple[str, str] | None:
    """Return path and SHA-256 of the file of a stamp."""
    return (stamp["submission"]["path"], stamp["submission"]["sha256"]) if stamp else None


def stamped_part(stamp: Json) -> str:
    """Return the name of the system of a stamp in a file of several; empty for a file of one."""
    return stamp.get("part", "") if stamp else ""


def _same_file(evaluation: Evaluation, retained: StoredResult) -> bool:
    """Return whether the path is the same, or the name with the same content or without a stamp."""
    submission = stamped_submission(evaluation.stamp)
    if stamped_part(evaluation.stamp) != retained.part:
        return False
    if submission is not None and retained.submission is not None:
        (path, sha256), (stored_path, stored_sha256) = submission, retained.submission
        if path == stored_path:
            return True
        return retained.system == evaluation.system and sha256 == stored_sha256
    return retained.system == evaluation.system

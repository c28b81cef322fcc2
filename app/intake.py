"""What arrives when files are dropped: which competition and role each one belongs to.

Only the first bytes of a file are looked at, never its name. Nothing here knows Qt.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.inputs import InputFile

if TYPE_CHECKING:
    from core.defects import Defect
    from core.run.run import Run
    from core.tasks.registry import AnyTask

HEAD_BYTES = 1 << 16
MOST_FILES = 5000
SURE = 0.5
DESK = ".jurydesk"
PICTURES = frozenset((".jpg", ".jpeg", ".png", ".tif", ".tiff", ".bmp", ".gif", ".webp"))


@dataclass(frozen=True, slots=True)
class Guess:
    """What a file may be: the role of a task, with a confidence from 0 to 1."""

    task: str
    role: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file (or a folder of pictures) that was given, and what it looks like, likeliest first.

    `problem` says why nothing can be known of it. `parts` is its path in the folder or archive
    that was given, and `received` its time (seconds since 1970) where an archive tells it.
    """

    path: Path
    size: int = 0
    modified: int = 0
    guesses: tuple[Guess, ...] = ()
    problem: str = ""
    pictures: int = 0
    parts: tuple[str, ...] = ()
    received: float | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """The arrivals in their roles. `strangers` belong to another competition than `task`."""

    task: AnyTask | None
    files: tuple[InputFile, ...]
    strangers: tuple[InputFile, ...] = ()


def arrivals(
    paths: Iterable[Path], run: Run, told: list[Defect] | None = None
) -> tuple[Arrival, ...]:
    """Look at files, into folders, and into archives, which are unpacked. Raises Cancelled.

    What archives hold that is not taken is added to `told`.
    """
    found: list[Arrival] = []
    given = list(paths)
    for path in given:
        head = () if len(given) == 1 else (path.stem,)
        for arrival in _looked_at(path, head, run, [] if told is None else told):
            run.report(len(found), 0, "Looking at the files")
            found.append(arrival)
            if len(found) >= MOST_FILES:
                return tuple(found)
    return tuple(found)


def example_among(paths: Sequence[Path]) -> Path | None:
    """The folder that was given, where it is an example competition."""
    from core.tasks.example import is_example

    return paths[0] if len(paths) == 1 and paths[0].is_dir() and is_example(paths[0]) else None


def count_pictures(path: Path) -> int:
    """How many pictures a folder holds; 0 for a file."""
    if not path.is_dir():
        return 0
    names = (name for _, _, names in os.walk(path) for name in names)
    return sum(Path(name).suffix.lower() in PICTURES for name in names)


def _looked_at(
    path: Path, head: tuple[str, ...], run: Run, told: list[Defect]
) -> Iterator[Arrival]:
    """What a path brings; in folders of archives each archive is a team's folder."""
    from core.intake.archive import is_archive

    if path.is_dir():
        for arrival in _inside(path):
            if is_archive(arrival.path):
                yield from _unpacked(
                    arrival.path, (*arrival.parts[:-1], arrival.path.stem), run, told
                )
            else:
                yield replace(arrival, parts=(*head, *arrival.parts))
    elif is_archive(path):
        yield from _unpacked(path, head, run, told)
    else:
        yield _file(path)


def _unpacked(path: Path, head: tuple[str, ...], run: Run, told: list[Defect]) -> Iterator[Arrival]:
    """The files of an archive, unpacked into the user's own data; OSError where it cannot be."""
    from core.intake.archive import unpack
    from core.intake.times import local_zone
    from core.paths import data_folder

    unpacked = unpack(path, data_folder() / "submissions", run)
    told.extend(unpacked.defects)
    for arrival in _inside(unpacked.folder):
        stamped = unpacked.times.get(arrival.parts)
        when = stamped.moment(local_zone()) if stamped else None
        received = when.timestamp() if when else None
        yield replace(arrival, parts=(*head, *arrival.parts), received=received)


def _inside(folder: Path) -> Iterator[Arrival]:
    """The files of a folder that are no pictures; its pictures count as one arrival."""
    from core.tasks.example import MANIFEST, is_example

    pictures: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if Path(name).suffix.lower() in PICTURES:
                pictures.append(place)
            elif not name.startswith(".") and not (name == MANIFEST and is_example(Path(place))):
                file = Path(place) / name
                yield replace(_file(file), parts=file.relative_to(folder).parts)
    if pictures:
        yield Arrival(Path(os.path.commonpath(pictures)), pictures=len(pictures))


def _file(path: Path) -> Arrival:
    from core.tasks.registry import registry

    try:
        status = path.stat()
        if not path.is_file():
            return Arrival(path, problem="This is no regular file.")
        head = _head(path)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return Arrival(path, problem=f"The file cannot be read ({reason}).")
    size, modified = status.st_size, status.st_mtime_ns
    if not size:
        return Arrival(path, 0, modified, problem="The file is empty (0 bytes).")
    guesses = (
        Guess(task.id, sniff.role, sniff.confidence) for task, sniff in registry().sniff(head)
    )
    return Arrival(path, size, modified, tuple(guesses))


def _head(path: Path) -> bytes:
    """The first bytes of a file; of a gzip file, the first bytes of what it holds."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head.startswith(b"\x1f\x8b"):
        return head
    try:
        return zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
    except zlib.error:
        return head


def place(
    found: Sequence[Arrival],
    files: Sequence[InputFile],
    task: AnyTask | None,
    *,
    watched: bool = False,
) -> Placement:
    """Give every arrival a role in `task`, or in the likeliest competition where none is open.

    `files` are those that the desk has already; one that arrives again is taken anew. In a
    `watched` folder every folder is a team's.
    """
    task = task or likeliest(found)
    again = {arrival.path for arrival in found}
    placed = [file for file in files if file.path not in again]
    strangers: list[InputFile] = []
    new: list[InputFile] = []
    for arrival in found:
        file = _placed(arrival, [*placed, *new], task)
        if not file.role and arrival.guesses and task is not None:
            strangers.append(file)
        new.append(file)
    teams = new if watched or task is None else _teams(new, task)
    return Placement(task, (*placed, *teams), tuple(strangers))


def _teams(files: Sequence[InputFile], task: AnyTask) -> list[InputFile]:
    """The files without a folder that merely holds all submissions."""
    from core.intake.folder import Found, without_wrapper

    own = {file.path for file in files if file.role == task.submission_input().role}
    found = without_wrapper(
        [Found(file.path, file.parts or (file.path.name,), None) for file in files], own
    )
    return [replace(file, parts=one.parts) for file, one in zip(files, found, strict=True)]


def likeliest(found: Sequence[Arrival]) -> AnyTask | None:
    """The competition that most of the files look like."""
    from core.tasks.registry import registry

    totals: dict[str, float] = {}
    for arrival in found:
        for guess in arrival.guesses:
            totals[guess.task] = totals.get(guess.task, 0.0) + guess.confidence
    best = max(totals, key=lambda name: totals[name], default=None)
    return registry().tasks[best] if best is not None else None


def _placed(arrival: Arrival, files: Sequence[InputFile], task: AnyTask | None) -> InputFile:
    role, reason = _role(arrival, files, task)
    return InputFile(
        arrival.path,
        role,
        arrival.size,
        modified=arrival.modified,
        reason=reason,
        pictures=arrival.pictures,
        parts=arrival.parts,
        received=arrival.received,
    )


def _role(arrival: Arrival, files: Sequence[InputFile], task: AnyTask | None) -> tuple[str, str]:
    """The role of an arrival, or none and the reason."""
    if arrival.problem or task is None:
        return "", arrival.problem or "No competition knows this kind of file."
    if arrival.pictures:
        wanted = [entry for entry in task.inputs if entry.kind == "folder"]
        named = [entry for entry in wanted if entry.role == arrival.path.name]
        folder = next(iter((*named, *wanted)), None)
        return (folder.role, "") if folder else ("", f"{task.title} has no use for pictures.")
    guess = next((guess for guess in arrival.guesses if guess.task == task.id), None)
    if guess is None:
        return "", _stranger(arrival, task)
    wanted = next(entry for entry in task.inputs if entry.role == guess.role)
    if guess.confidence < SURE:
        return "", f"This may be: {wanted.label}. Please choose."
    taken = [file for file in files if file.role == wanted.role]
    if taken and not wanted.many and wanted.kind == "reference":
        return "", f"{wanted.label} is there already: {taken[0].path.name}."
    return wanted.role, ""


def _stranger(arrival: Arrival, task: AnyTask) -> str:
    from core.tasks.registry import registry

    if not arrival.guesses:
        return f"This looks like no file of {task.title}."
    other = registry().tasks[arrival.guesses[0].task].title
    return f"This looks like a file of {other}; the open desk is one of {task.title}."

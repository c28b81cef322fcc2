"""Files of a stamp: where they are now, and how they differ from it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Literal

from jurydesk.core.language import failure_reason, fill, translatable
from jurydesk.core.model.evaluation import Source
from jurydesk.core.system.network_shares import is_strange_share
from jurydesk.core.system.paths import fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

Kind = Literal["stamp", "input", "resource", "score", "interval", "version", "device", "code"]

NOT_CHOSEN = translatable(
    "{path} is on a network share that you did not choose: give its folder with --inputs FOLDER."
)
MAX_FOLDERS, MAX_DEPTH = 2000, 4
"""Most subfolders in which a name is looked for, and how deep they lie."""


@dataclass(frozen=True, slots=True)
class StampDifference:
    """Difference from the stamp: its kind, its name, and a sentence."""

    kind: Kind
    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class LocatedInput:
    """Input with its current path (None if missing), and how it differs from the stamp."""

    source: Source
    path: Path | None
    difference: StampDifference | None


def locate_input(source: Source, folders: Sequence[Path], run: Run) -> LocatedInput:
    """Find the file with the right content, else the first of its name.

    A published stamp has no more than names: these are also looked for below `folders`.
    """
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    if not source.sha256:
        sentence = fill(
            "{name} was not a regular file when it was scored: it cannot be verified.", name
        )
        return LocatedInput(source, None, StampDifference("input", name, sentence))
    changed: tuple[Path, str] | None = None
    refusal = ""
    for path in _candidates(source.path, name, folders):
        run.check()
        # A stamp is untrusted: only regular files are hashed.
        try:
            sha256 = fingerprint(path, run.check).sha256 if path.is_file() else ""
        except OSError as error:
            refusal = refusal or fill(
                "{path} cannot be read: {value}.", path, failure_reason(error)
            )
            continue
        if sha256 == source.sha256:
            return LocatedInput(source, path, None)
        if sha256 and changed is None:
            changed = (path, sha256)
    if changed is None and refusal:
        return LocatedInput(source, None, StampDifference("input", name, refusal))
    if changed is None:
        sentence = _missing_sentence(source, name, folders)
        return LocatedInput(source, None, StampDifference("input", name, sentence))
    path, sha256 = changed
    sentence = fill(
        "{name} changed: its SHA-256 is {sha256}, the stamp has {sha2562}.",
        name,
        sha256[:12],
        source.sha256[:12],
    )
    return LocatedInput(source, path, StampDifference("input", name, sentence))


def _missing_sentence(source: Source, name: str, folders: Sequence[Path]) -> str:
    """Name the places where a file was searched for, or the share that was not opened."""
    if is_strange_share(source.path, folders):
        return fill(NOT_CHOSEN, source.path)
    places = dict.fromkeys([source.path.removesuffix(name), *map(str, folders)])
    return fill(
        "{name} is missing from {searched}: give its folder with --inputs FOLDER.",
        name,
        ", ".join(filter(None, places)),
    )


def locate_folder(source: Source, folders: Sequence[Path]) -> LocatedInput:
    """Find a folder of pictures at its path, or by its name elsewhere."""
    name = source.path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    places = [Path(source.path), *(folder / name for folder in folders)]
    found = next(filter(Path.is_dir, _candidates(source.path, name, folders)), None)
    if found is not None:
        return LocatedInput(source, found, None)
    where = ", ".join(dict.fromkeys(map(str, places)))
    is_strange = is_strange_share(source.path, folders)
    sentence = (
        fill(NOT_CHOSEN, source.path)
        if is_strange
        else fill(
            "The folder {name} is missing: searched for {where}. Give its parent folder with "
            "--inputs FOLDER.",
            name,
            where,
        )
    )
    return LocatedInput(source, None, StampDifference("input", name, sentence))


def _candidates(recorded: str, name: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield where a file or folder may be: the recorded path, then its name in the folders.

    A name without a path is looked for below the folders as well.
    """
    if not is_strange_share(recorded, folders):
        yield Path(recorded)
    yield from (folder / name for folder in folders)
    if not any(kind(recorded).is_absolute() for kind in (PurePosixPath, PureWindowsPath)):
        found = [one for folder in folders for one in _below(folder, name)]
        end = "/" + recorded.replace("\\", "/")
        yield from sorted(found, key=lambda one: not one.as_posix().endswith(end))


def _below(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files and folders of a name in the subfolders of a folder, sorted."""
    for number, (place, subfolders, files) in enumerate(os.walk(folder)):
        if number == MAX_FOLDERS:
            return
        is_deep = len(Path(place).relative_to(folder).parts) >= MAX_DEPTH
        subfolders[:] = [] if is_deep else sorted(subfolders)
        if number and name in (*files, *subfolders):
            yield Path(place) / name

"""Files of a stamp: where they are now, and how they differ from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jurydesk.core.language import failure_reason, fill
from jurydesk.core.model.evaluation import Source
from jurydesk.core.system.paths import fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

Kind = Literal["stamp", "input", "resource", "score", "interval", "version", "device", "code"]


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
    """Find the file with the right content, else the first of its name."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    if not source.sha256:
        sentence = fill(
            "{name} was not a regular file when it was scored: it cannot be verified.", name
        )
        return LocatedInput(source, None, StampDifference("input", name, sentence))
    changed: tuple[Path, str] | None = None
    refusal = ""
    for path in (Path(source.path), *(folder / name for folder in folders)):
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
        places = dict.fromkeys([source.path.removesuffix(name), *map(str, folders)])
        searched = ", ".join(places)
        sentence = fill(
            "{name} is missing from {searched}: give its folder with --inputs FOLDER.",
            name,
            searched,
        )
        return LocatedInput(source, None, StampDifference("input", name, sentence))
    path, sha256 = changed
    sentence = fill(
        "{name} changed: its SHA-256 is {sha256}, the stamp has {sha2562}.",
        name,
        sha256[:12],
        source.sha256[:12],
    )
    return LocatedInput(source, path, StampDifference("input", name, sentence))


def locate_folder(source: Source, folders: Sequence[Path]) -> LocatedInput:
    """Find a folder of pictures at its path, or by its name elsewhere."""
    name = source.path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    places = [Path(source.path), *(folder / name for folder in folders)]
    found = next((place for place in places if place.is_dir()), None)
    if found is not None:
        return LocatedInput(source, found, None)
    where = ", ".join(dict.fromkeys(map(str, places)))
    sentence = fill(
        "The folder {name} is missing: searched for {where}. Give its parent folder with "
        "--inputs FOLDER.",
        name,
        where,
    )
    return LocatedInput(source, None, StampDifference("input", name, sentence))

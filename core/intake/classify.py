"""Classification of given files by their first bytes, never by their names."""

from __future__ import annotations

import os
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import HEAD_BYTES
from jurydesk.core.model.defects import Place, counted, name_list, note

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.intake.archive import MemberTime
    from jurydesk.core.intake.folder import FoundFile
    from jurydesk.core.model.defects import Defect

PICTURES = frozenset((".jpg", ".jpeg", ".png", ".tif", ".tiff", ".bmp", ".gif", ".webp"))


@dataclass(frozen=True, slots=True)
class RoleGuess:
    """What a file may be: the role of a task, with a confidence from 0 to 1."""

    task: str
    role: str
    confidence: float


@dataclass(frozen=True, slots=True)
class ClassifiedFile:
    """A file (or a folder of pictures) that was given, and what it looks like, likeliest first.

    `problem` says why nothing can be known of it. `parts` is its path in the folder or archive
    that was given, and `stamped` its time where an archive tells it.
    """

    path: Path
    size: int = 0
    modified: int = 0
    guesses: tuple[RoleGuess, ...] = ()
    problem: str = ""
    pictures: int = 0
    parts: tuple[str, ...] = ()
    stamped: MemberTime | None = None


def classify_files(
    paths: Iterable[Path],
    run: Run,
    told: list[Defect] | None = None,
    unwritten: Collection[Path] = (),
) -> tuple[ClassifiedFile, ...]:
    """Look at files, into folders, and into archives, which are unpacked. Raises Cancelled.

    What is left out, and why, is added to `told`; files that are `unwritten` yet are passed over.
    OSError where an archive cannot be unpacked.
    """
    from jurydesk.core.intake.folder import list_files
    from jurydesk.core.system.paths import data_folder

    given, store = list(paths), data_folder() / "submissions"
    walked = list_files(given, store, run, unwritten)
    direct = set(given)
    inside = [one for one in walked.files if one.path not in direct]
    pictures = [one for one in inside if one.path.suffix.lower() in PICTURES]
    aside = {*(one.path for one in pictures), *(one.path for one in inside if _is_manifest(one))}
    found: list[ClassifiedFile] = []
    documents: list[FoundFile] = []
    for number, one in enumerate(walked.files):
        if one.path not in aside:
            run.report(number, len(walked.files), "Looking at the files")
            classified = _file(one, store)
            if one.path in direct or classified.guesses or not _is_document(one):
                found.append(classified)
            else:
                documents.append(one)
    if told is not None:
        told += [*walked.defects, *_left_out(documents)]
    return (*found, *_folders(pictures, given, store))


def _is_manifest(one: FoundFile) -> bool:
    from jurydesk.core.competition.examples import MANIFEST, is_example

    return one.path.name == MANIFEST and is_example(one.path.parent)


def _is_document(one: FoundFile) -> bool:
    from jurydesk.core.intake.file_signatures import is_document

    return is_document(one.path)


def _left_out(documents: Sequence[FoundFile]) -> Iterator[Defect]:
    if documents:
        names = name_list(["/".join(one.parts) for one in documents])
        text = f"{counted(len(documents), 'file')} for people to read: {names}."
        place = Place(str(documents[0].path))
        yield note(place, text, "Nothing was taken from them.", count=len(documents))


def _folders(
    pictures: Sequence[FoundFile], given: Sequence[Path], store: Path
) -> Iterator[ClassifiedFile]:
    """Of each folder or archive that was given one classified for all its pictures."""
    places: dict[Path, list[str]] = {}
    for one in pictures:
        root = next((path for path in given if one.path.is_relative_to(path)), None)
        root = root or store / one.path.relative_to(store).parts[0]
        places.setdefault(root, []).append(str(one.path.parent))
    for folders in places.values():
        yield ClassifiedFile(Path(os.path.commonpath(folders)), pictures=len(folders))


def find_example(paths: Sequence[Path]) -> Path | None:
    """The folder that was given, where it is an example competition."""
    from jurydesk.core.competition.examples import is_example

    return paths[0] if len(paths) == 1 and paths[0].is_dir() and is_example(paths[0]) else None


def count_pictures(path: Path) -> int:
    """How many pictures a folder holds; 0 for a file."""
    if not path.is_dir():
        return 0
    names = (name for _, _, names in os.walk(path) for name in names)
    return sum(Path(name).suffix.lower() in PICTURES for name in names)


def _file(one: FoundFile, store: Path) -> ClassifiedFile:
    from jurydesk.core.competition.task_registry import registry
    from jurydesk.core.intake.file_signatures import own_file_type

    path = one.path
    stamped = one.stamped if path.is_relative_to(store) else None
    try:
        status = path.stat()
        head = _head(path)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return ClassifiedFile(path, problem=f"The file cannot be read ({reason}).")
    seen = ClassifiedFile(
        path, status.st_size, status.st_mtime_ns, parts=one.parts, stamped=stamped
    )
    if not head:
        return replace(seen, problem="The file is empty (0 bytes).")
    if what := own_file_type(head):
        return replace(seen, problem=f"This is {what}, not a file of a competition.")
    guesses = (
        RoleGuess(task.id, sniff.role, sniff.confidence) for task, sniff in registry().sniff(head)
    )
    return replace(seen, guesses=tuple(guesses))


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

"""Classification of files by their first bytes, independent of their names."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import (
    Message,
    counted,
    failure_reason,
    fill,
    join_messages,
    name_list,
    translatable,
)
from jurydesk.core.model.defects import Place, note
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.readers.text_file import open_head, text_head

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.defects import Defect

PICTURES = frozenset((".jpg", ".jpeg", ".png", ".tif", ".tiff", ".bmp", ".gif", ".webp"))


def classify_files(
    paths: Iterable[Path],
    run: Run,
    defects: list[Defect] | None = None,
    unwritten: Collection[Path] = (),
    records: Sequence[Path] = (),
) -> tuple[InputFile, ...]:
    """Classify files, and the content of folders and archives (absolute paths). Raises Cancelled.

    `records` are tables of the platform from which they were downloaded. A folder stands for the
    pictures in it. A file of no competition has a reason. Defects of ignored files are added to
    `defects`; `unwritten` files are skipped. Raises OSError if an archive cannot be unpacked.
    """
    from jurydesk.core.intake.folder import list_files
    from jurydesk.core.system.paths import submissions_store

    given, store = list(paths), submissions_store()
    walked = list_files(given, store, run, unwritten, records)
    direct = set(given)
    inside = [one for one in walked.files if one.path not in direct]
    pictures = [one for one in inside if one.path.suffix.lower() in PICTURES]
    skipped = {*(one.path for one in pictures), *(one.path for one in inside if _is_manifest(one))}
    found: list[InputFile] = []
    documents: list[InputFile] = []
    for number, one in enumerate(walked.files):
        if one.path not in skipped:
            run.report(number, len(walked.files), translatable("Classifying files"))
            classified = _classify(one)
            if one.path in direct or classified.guesses or not _is_document(one):
                found.append(classified)
            else:
                documents.append(one)
    if defects is not None:
        defects += [*walked.defects, *_left_out_defects(documents)]
    return (*found, *_folders(pictures, given, store))


def classify_known(
    known: Sequence[InputFile], records: Sequence[Path], run: Run, defects: list[Defect]
) -> tuple[InputFile, ...]:
    """Classify files that were taken in before, of which a platform's tables say something now."""
    from jurydesk.core.intake.folder import join_known
    from jurydesk.core.system.paths import submissions_store

    plain = [InputFile(one.path, parts=one.parts, archived=one.archived) for one in known]
    joined = join_known(plain, records, submissions_store(), run)
    if joined.downloads:
        defects += joined.defects
    return tuple(_classify(one) for one in joined.files if one.entry is not None)


def _is_manifest(one: InputFile) -> bool:
    from jurydesk.core.competition.examples import MANIFEST, is_example

    return one.path.name == MANIFEST and is_example(one.path.parent)


def _is_document(one: InputFile) -> bool:
    from jurydesk.core.intake.file_signatures import is_document

    return is_document(one.path)


def _left_out_defects(documents: Sequence[InputFile]) -> Iterator[Defect]:
    if documents:
        names = name_list(["/".join(one.parts) for one in documents])
        text = fill("{documents}: {names}.", counted(len(documents), "document"), names)
        place = Place(str(documents[0].path))
        yield note(place, text, "Documents are ignored.", count=len(documents))


def _folders(
    pictures: Sequence[InputFile], given: Sequence[Path], store: Path
) -> Iterator[InputFile]:
    """Yield one classified folder for all pictures of each given folder or archive."""
    places: dict[Path, list[str]] = {}
    for one in pictures:
        root = next((path for path in given if one.path.is_relative_to(path)), None)
        root = root or store / one.path.relative_to(store).parts[0]
        places.setdefault(root, []).append(str(one.path.parent))
    for folders in places.values():
        yield InputFile(Path(os.path.commonpath(folders)), pictures=len(folders))


def find_example(paths: Sequence[Path]) -> Path | None:
    """Return the given folder if it is an example competition."""
    from jurydesk.core.competition.examples import is_example

    return paths[0] if len(paths) == 1 and paths[0].is_dir() and is_example(paths[0]) else None


def count_pictures(path: Path) -> int:
    """Return the number of pictures in a folder; 0 for a file."""
    if not path.is_dir():
        return 0
    names = (name for _, _, names in os.walk(path) for name in names)
    return sum(Path(name).suffix.lower() in PICTURES for name in names)


def _classify(one: InputFile) -> InputFile:
    from jurydesk.core.competition.task_registry import registry
    from jurydesk.core.intake.file_signatures import (
        ITEMS,
        ITEMS_TASK,
        foreign_file_type,
        own_file_type,
        unread_advice,
    )
    from jurydesk.core.readers.foreign_tables.model_outputs import outputs_of_json

    try:
        status = one.path.stat()
        head = open_head(one.path)
        head = text_head(head) or head
    except OSError as error:
        found = fill("The file cannot be read ({reason:lower}).", failure_reason(error))
        return InputFile(one.path, reason=found)
    seen = replace(one, size=status.st_size, modified=status.st_mtime_ns)
    if not head:
        return replace(seen, reason="The file is empty (0 bytes).")
    kind = own_file_type(head)
    guesses = {task.id: guess for task, guess in registry().sniff(head)}
    if kind == ITEMS and ITEMS_TASK in guesses:
        return replace(seen, guesses={ITEMS_TASK: guesses[ITEMS_TASK]})
    if kind:
        return replace(
            seen, reason=fill("This is {kind}, not a file of a competition.", Message(kind))
        )
    kind = foreign_file_type(head)
    if (advice := unread_advice(kind)) and not guesses:
        found = fill("This is {kind}, not a file of a competition.", Message(kind))
        return replace(seen, reason=join_messages([found, advice]))
    outputs = outputs_of_json(head.decode("utf-8", "replace")) if not guesses else None
    if outputs is not None:
        return replace(seen, reason=join_messages([outputs.found, outputs.hint]))
    return replace(seen, guesses=guesses)

"""Listing of all files in given folders and archives, with path and time."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.intake.archive import OTHER_ARCHIVES, MemberTime, is_archive, unpack_archive
from jurydesk.core.intake.safe_names import MAX_DEPTH, Parts, is_system_file
from jurydesk.core.language import counted, failure_reason, fill, translatable
from jurydesk.core.model.defects import Defect, Place, error, note, warning
from jurydesk.core.system.paths import is_pipe_or_device

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_FILES = 500_000
"""Limit on files; Visual Genome has 108,077 pictures."""
WRAPPER_NAMES = frozenset(
    ("submissions", "submission", "entries", "results", "runs", "predictions", "systems", "all")
)
"""Names of folders that contain all submissions rather than one team's."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """File with its path, its path in what was given, and its modification time."""

    path: Path
    parts: Parts
    stamped: MemberTime | None = None


@dataclass(slots=True)
class FolderListing:
    """Files found, and defects of those that were ignored."""

    files: list[FoundFile] = field(default_factory=list)
    defects: list[Defect] = field(default_factory=list)


def list_files(
    given: Sequence[Path], store: Path, run: Run, unwritten: Collection[Path] = ()
) -> FolderListing:
    """List the files of folders and archives, sorted by name.

    Paths are relative to a single folder or archive, and start with its name if there are several.
    Archives are unpacked into `store`; `unwritten` files of folders are skipped. Raises Cancelled,
    and OSError if nothing can be unpacked.
    """
    found = FolderListing()
    alone = len(given) == 1
    for path in given:
        head = () if alone else (strip_archive_suffix(path),)
        if path.is_dir():
            _folder(found, path, head, store, run, unwritten)
        else:
            _file(found, path, (path.name,), head, store, run)
    return found


def strip_archive_suffix(path: Path) -> str:
    """Return the name without the suffix of an archive."""
    return path.stem if is_archive(path) else path.name


def _folder(
    found: FolderListing,
    folder: Path,
    head: Parts,
    store: Path,
    run: Run,
    unwritten: Collection[Path],
) -> None:
    left: list[str] = []
    for path, inside in _files_below(folder, found):
        run.report(len(found.files), 0, translatable("Listing files"))
        if len(found.files) >= MAX_FILES:
            text = fill(
                "The folder has more than {max_files:,} files; the others were left out.", MAX_FILES
            )
            found.defects.append(error(Place(str(folder)), text, "", "Give a smaller folder."))
            return
        if path in unwritten:
            continue
        if is_system_file(inside):
            left.append("/".join(inside))
        else:
            parts = (*head, *inside)
            archive_head = (*parts[:-1], strip_archive_suffix(path))
            _file(found, path, parts, archive_head, store, run)
    if left:
        text = fill(
            "{hidden_files} created by operating systems.", counted(len(left), "hidden file")
        )
        place = Place(str(folder), json_path=left[0])
        found.defects.append(note(place, text, "They were ignored.", count=len(left)))


def _files_below(folder: Path, found: FolderListing) -> Iterator[tuple[Path, Parts]]:
    """Yield every file below a folder, with its relative path; links are reported, not followed."""
    for place, folders, names in os.walk(
        folder, onerror=lambda error_: _unreadable_defect(error_, found)
    ):
        inside = Path(place).relative_to(folder).parts
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = sorted(set(folders) - set(links)) if len(inside) < MAX_DEPTH else []
        for name in sorted([*names, *links]):
            path = Path(place) / name
            if path.is_symlink():
                text, hint = "It is a link, which is not followed.", "Replace it by the file."
                found.defects.append(warning(Place(str(path)), text, "It was left out.", hint))
            else:
                yield path, (*inside, name)


def _unreadable_defect(fault: OSError, found: FolderListing) -> None:
    text = fill("The folder cannot be read: {value}.", failure_reason(fault))
    place = Place(str(fault.filename))
    found.defects.append(error(place, text, "", "Check its permissions."))


def _file(
    found: FolderListing, path: Path, parts: Parts, head: Parts, store: Path, run: Run
) -> None:
    """Add a file, or all files of an archive below `head`."""
    place = Place(str(path))
    if is_pipe_or_device(path):
        text = "This is a pipe or a device, not a file."
        found.defects.append(error(place, text, "It was left out.", "Save the data to a file."))
    elif is_archive(path):
        unpacked = unpack_archive(path, store, run)
        found.defects.extend(unpacked.defects)
        for inside, stamped in sorted(unpacked.times.items()):
            found.files.append(
                FoundFile(unpacked.folder.joinpath(*inside), (*head, *inside), stamped)
            )
    elif path.name.lower().endswith(OTHER_ARCHIVES):
        text = "This archive format is not supported."
        hint = "Unpack it, or pack it as zip."
        found.defects.append(error(place, text, "It was left out.", hint))
    else:
        found.files.append(FoundFile(path, parts, _file_time(path)))


def _file_time(path: Path) -> MemberTime | None:
    try:
        return MemberTime(utc=path.stat().st_mtime)
    except OSError:
        return None


def strip_wrapper_folder(
    files: Sequence[FoundFile], submissions: Collection[Path]
) -> list[FoundFile]:
    """Remove a leading folder that contains all submissions from the paths.

    A folder with one submission is a team's, unless its name is a wrapper's; one with several, or
    with folders only, is a wrapper.
    """
    result = list(files)
    while True:
        chosen = [one.parts for one in result if one.path in submissions]
        tops = {parts[0] for parts in chosen}
        if len(tops) != 1 or any(len(parts) == 1 for parts in chosen):
            return result
        (top,) = tops
        direct = sum(len(parts) == 2 for parts in chosen)
        if direct == 1 and top.casefold() not in WRAPPER_NAMES:
            return result
        result = [
            replace(one, parts=one.parts[1:]) if one.parts[0] == top and len(one.parts) > 1 else one
            for one in result
        ]

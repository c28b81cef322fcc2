"""Listing of all files in given folders and archives, with their path in them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from jurydesk.core.intake.archive import (
    MAX_DEPTH,
    UNSUPPORTED,
    archive_stem,
    archive_suffix,
    is_archive,
    is_other_archive,
    is_system_file,
    unpack_archive,
)
from jurydesk.core.language import counted, failure_reason, fill, translatable
from jurydesk.core.model.defects import Defect, Place, error, note, warning
from jurydesk.core.model.input_file import InputFile, Parts
from jurydesk.core.system.paths import is_pipe_or_device

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.intake.platforms.records import Download

MAX_FILES = 500_000
"""Limit on files; Visual Genome has 108,077 pictures."""
TOP = "top"
"""Name of the top folder of a file system."""
WRAPPER_NAMES = frozenset(
    ("submissions", "submission", "entries", "results", "runs", "predictions", "systems", "all")
)
"""Names of folders that contain all submissions rather than one team's."""


def list_files(
    given: Sequence[Path],
    store: Path,
    run: Run,
    unwritten: Collection[Path] = (),
    records: Sequence[Path] = (),
) -> FileListing:
    """List the files of folders and archives (absolute paths), sorted by name.

    Files of a platform's download have its entry; its tables, those in `records` too, are left out.

    Parts are relative to a single folder or archive, and start with its name if there are several.
    Archives are unpacked into `store`; `unwritten` files of folders are skipped. Raises Cancelled,
    and OSError if nothing can be unpacked.
    """
    found = FileListing(store, run, unwritten)
    alone = len(given) == 1
    for path in given:
        head = () if alone else (strip_archive_suffix(path) or given_name(path),)
        if path.is_dir():
            found.add_folder(path, head)
        else:
            found.add_file(path, (path.name,), head, path.parts)
    found.places_given |= {path.parts for path in given}
    found.join_records(records)
    return found


def join_known(
    known: Sequence[InputFile], records: Sequence[Path], store: Path, run: Run
) -> FileListing:
    """Join a platform's tables with files that were taken in before.

    No table among these files is believed: a participant may have written it.
    """
    found = FileListing(store, run, ())
    for one in known:
        if not one.path.is_file():
            continue
        found.files.append(one)
        folder = one.path.parent
        place: Parts = ("", str(folder.parent), folder.name, one.path.name)  # of this file alone
        if one.path.is_relative_to(store):
            place = one.path.relative_to(store).parts
            ends = range(2, len(place))
            found.archives += [place[:end] for end in ends if archive_suffix(place[end - 1])]
        found.places[one.path] = place
    found.join_records(records)
    return found


def given_name(path: PurePath) -> str:
    """Return the name of a given folder; that of the share for the top of a network share."""
    return path.name or re.split(r"[\\/:]", path.drive.rstrip(":"))[-1] or TOP


def strip_archive_suffix(path: Path) -> str:
    """Return the name without the suffix of an archive."""
    return archive_stem(path.name) if is_archive(path) else path.name


@dataclass(slots=True)
class FileListing:
    """Files found, and defects of those that were ignored."""

    store: Path
    run: Run
    unwritten: Collection[Path]
    files: list[InputFile] = field(default_factory=list)
    defects: list[Defect] = field(default_factory=list)
    places: dict[Path, Parts] = field(default_factory=dict)
    archives: list[Parts] = field(default_factory=list)
    places_given: set[Parts] = field(default_factory=set)
    downloads: tuple[Download, ...] = ()

    def join_records(self, records: Sequence[Path]) -> None:
        """Join the files of a platform's download with its tables."""
        from jurydesk.core.intake.platforms.download import join_downloads

        beside = FileListing(self.store, self.run, self.unwritten)
        for path in records:
            if path.is_dir():
                beside.add_folder(path, ())
            else:
                beside.add_file(path, (path.name,), (), path.parts)
        joined = join_downloads(
            [*self.files, *beside.files],
            {**self.places, **beside.places},
            (*self.archives, *beside.archives),
            (*self.places_given, *(path.parts for path in records)),
        )
        others = {one.path for one in beside.files}
        known = {path for one in joined.downloads for path in one.records}
        for path in sorted(others - known):
            text = translatable("No platform's table was recognized in this file.")
            hint = translatable("Give the table as the platform wrote it.")
            self.defects.append(warning(Place(str(path)), text, "It was not used.", hint))
        self.files = [one for one in joined.files if one.path not in others]
        self.defects += (*beside.defects, *joined.defects)
        self.downloads = joined.downloads

    def add_folder(self, folder: Path, head: Parts) -> None:
        """Add all files below a folder, whose parts begin with `head`."""
        left: list[str] = []
        for path, inside in self._files_below(folder):
            self.run.report(len(self.files), 0, translatable("Listing files"))
            if len(self.files) >= MAX_FILES:
                text = fill(
                    "The folder has more than {max_files:,} files; the others were left out.",
                    MAX_FILES,
                )
                self.defects.append(error(Place(str(folder)), text, "", "Give a smaller folder."))
                return
            if path in self.unwritten:
                continue
            if is_system_file(inside):
                left.append("/".join(inside))
            else:
                parts = (*head, *inside)
                stem = (*parts[:-1], strip_archive_suffix(path))
                self.add_file(path, parts, stem, (*folder.parts, *inside))
        if left:
            text = fill(
                "{hidden_files} created by operating systems.", counted(len(left), "hidden file")
            )
            place = Place(str(folder), json_path=left[0])
            self.defects.append(note(place, text, "They were ignored.", count=len(left)))

    def add_file(self, path: Path, parts: Parts, head: Parts, names: Parts) -> None:
        """Add a file, or all files of an archive, whose parts begin with `head`.

        `names` is its place, from the top folder on.
        """
        place = Place(str(path))
        if is_pipe_or_device(path):
            text = "This is a pipe or a device, not a file."
            self.defects.append(error(place, text, "It was left out.", "Save the data to a file."))
        elif is_archive(path):
            unpacked = unpack_archive(path, self.store, self.run, parts)
            self.defects.extend(unpacked.defects)
            inner = set(unpacked.inner)
            self.archives += [names, *((*names, *one) for one in unpacked.inner)]
            self.places |= {
                unpacked.folder.joinpath(*inside): (*names, *inside) for inside in unpacked.times
            }
            self.files += [
                InputFile(
                    unpacked.folder.joinpath(*inside),
                    parts=(*head, *_without_suffixes(inside, inner)),
                    archived=time,
                )
                for inside, time in sorted(unpacked.times.items(), key=lambda pair: pair[0])
            ]
        elif is_other_archive(path):
            text, hint = UNSUPPORTED
            self.defects.append(error(place, text, "It was left out.", hint))
        else:
            self.files.append(InputFile(path, parts=parts))
            self.places[path] = names

    def _files_below(self, folder: Path) -> Iterator[tuple[Path, Parts]]:
        """Yield each file below a folder with its relative path; links are only reported."""
        for place, folders, names in os.walk(folder, onerror=self._report_unreadable):
            inside = Path(place).relative_to(folder).parts
            links = [name for name in folders if (Path(place) / name).is_symlink()]
            folders[:] = sorted(set(folders) - set(links)) if len(inside) < MAX_DEPTH else []
            for name in sorted([*names, *links]):
                path = Path(place) / name
                if path.is_symlink():
                    text, hint = "It is a link, which is not followed.", "Replace it by the file."
                    self.defects.append(warning(Place(str(path)), text, "It was left out.", hint))
                else:
                    yield path, (*inside, name)

    def _report_unreadable(self, fault: OSError) -> None:
        text = fill("The folder cannot be read: {value}.", failure_reason(fault))
        place = Place(str(fault.filename))
        self.defects.append(error(place, text, "", "Check its permissions."))


def _without_suffixes(parts: Parts, archives: Collection[Parts]) -> Parts:
    """Return a path with the names of archives inside the archive as those of folders."""
    return tuple(
        archive_stem(part) if parts[: end + 1] in archives else part
        for end, part in enumerate(parts)
    )


def strip_wrapper_folder(
    files: Sequence[InputFile], submissions: Collection[Path]
) -> list[InputFile]:
    """Remove a leading folder that contains all submissions from the parts.

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

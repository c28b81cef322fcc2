"""Pictures of a folder, found by the names that data give them.

A name from a stranger's file is looked up in the folder's own listing and never joined to a path:
absolute names, `..`, drives, network shares and device names are names that the folder lacks.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")
NUMBERED = re.compile(r"_0*[1-9][0-9]*$")
"""End of the names of COCO's pictures, such as `COCO_val2014_000000486531`."""


class PictureFolder:
    """Pictures of a folder by name, with or without suffix; `by_number` also by COCO's number.

    A missing folder has no pictures.
    """

    def __init__(self, folder: Path | None, *, by_number: bool = False) -> None:
        self._files: Mapping[str, Path] = {} if folder is None else _pictures(folder)
        self._numbers = {
            stem.rpartition("_")[2].lstrip("0"): path
            for stem, path in (self._files.items() if by_number else ())
            if NUMBERED.search(stem)
        }

    def find(self, name: str) -> Path | None:
        """Return the picture that data call `name`; None if the folder does not list it."""
        if leaves_folder(name):
            return None
        stem, suffix = os.path.splitext(name.rpartition("/")[2])  # noqa: PTH122 - text, no path
        names = (name, stem) if suffix.lower() in SUFFIXES else (name,)
        known = (table.get(one) for one in names for table in (self._files, self._numbers))
        return next(filter(None, known), None)

    def __len__(self) -> int:
        return len(self._files)


def _pictures(folder: Path) -> dict[str, Path]:
    try:
        with os.scandir(folder) as entries:
            files = sorted((entry.name, Path(entry.path)) for entry in entries if entry.is_file())
    except OSError:
        return {}
    return {path.stem: path for name, path in files if name.lower().endswith(SUFFIXES)}


class FolderListing:
    """Names in folders and their subfolders, each folder listed once."""

    def __init__(self) -> None:
        self._names: dict[Path, frozenset[str]] = {}

    def find(self, folder: Path, name: str) -> Path | None:
        """Return the file at a path below the folder; None if a listing lacks a part of it."""
        parts = [part for part in name.split("/") if part not in ("", ".")]
        place = folder
        for part in parts:
            if part not in self._listed(place):
                return None
            place /= part
        return place if parts and place.is_file() else None

    def find_alike(self, folder: Path, name: str) -> str | None:
        """Return the path below the folder that differs in Unicode form, case or slashes alone.

        None unless there is exactly one.
        """
        found, place = list[str](), folder
        for part in name.replace("\\", "/").split("/"):
            if part in ("", "."):
                continue
            alike = [one for one in self._listed(place) if _folded(one) == _folded(part)]
            if part in alike:
                alike = [part]
            if len(alike) != 1:
                return None
            found += alike
            place /= alike[0]
        return "/".join(found) if found and place.is_file() else None

    def find_absolute(self, folders: Iterable[Path], path: str) -> Path | None:
        """Return the file at an absolute path, if it is in one of these folders."""
        wanted = PureWindowsPath(path) if os.name == "nt" else PurePosixPath(path)
        for folder in folders:
            if wanted.is_absolute() and wanted.is_relative_to(folder.absolute()):
                inside = wanted.relative_to(folder.absolute()).as_posix()
                found = self.find(folder, inside)
                if found is not None:
                    return found
        return None

    def _listed(self, folder: Path) -> frozenset[str]:
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(folder))  # noqa: PTH208 - names alone
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def leaves_folder(name: str) -> bool:
    """Return whether a path would leave a folder that it is appended to, on any system."""
    windows, posix = PureWindowsPath(name), PurePosixPath(name)
    return bool(windows.anchor or posix.anchor) or ".." in (*windows.parts, *posix.parts)

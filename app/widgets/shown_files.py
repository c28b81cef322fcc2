"""Files of others in the system's own programs: documents are opened, nothing else is started.

A desk or a packet names its inputs, so a stranger chooses the path: a program is never opened by
it. What is no known kind of data is shown in its folder.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

DATA = frozenset(
    (
        *(".json", ".jsonl", ".txt", ".csv", ".tsv", ".xml", ".log"),
        *(".qrels", ".run", ".res", ".results", ".trec", ".npz", ".npy"),
        *(".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"),
    )
)
"""Endings that systems show or edit, and never run."""

BUNDLES = frozenset((".app", ".bundle", ".pkg", ".mpkg", ".prefpane", ".workflow", ".action"))
"""Folders that macOS takes for programs."""


def show_file(path: Path | str) -> None:
    """Open a file of data in the system's viewer; show the folder of any other."""
    path = Path(path)
    target = path.resolve()
    if target.is_file() and {path.suffix.lower(), target.suffix.lower()} <= DATA:
        _open(path)
    else:
        show_folder(path.parent)


def show_folder(folder: Path | str) -> None:
    """Open a folder in the system's file manager; one that is a program, from outside."""
    target = Path(folder).resolve()
    inside = [place for place in (target, *target.parents) if place.suffix.lower() in BUNDLES]
    if inside:
        target = inside[-1].parent
    if target.is_dir():
        _open(target)


def open_written(path: Path) -> None:
    """Open a file that this program has just written where the user asked for it."""
    _open(path)


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

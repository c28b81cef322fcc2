"""Opening of files in the system's programs: data files are opened, programs never started.

A desk or a packet names its inputs, so the path is untrusted. A file of an unknown type is not
opened: its folder is shown. Nothing on a network share that the user did not choose is opened.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from jurydesk.core.system.network_shares import is_strange_share

DATA = frozenset(
    (
        *(".json", ".jsonl", ".txt", ".csv", ".tsv", ".xml", ".log"),
        *(".qrels", ".run", ".res", ".results", ".trec", ".npz", ".npy"),
        *(".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"),
    )
)
"""Suffixes of files that systems show or edit, but never run."""

BUNDLES = frozenset((".app", ".bundle", ".pkg", ".mpkg", ".prefpane", ".workflow", ".action"))
"""Suffixes of folders that macOS treats as programs."""


def show_file(path: Path | str) -> None:
    """Open a data file in the system's viewer; show the folder of any other file."""
    path = Path(path)
    if is_strange_share(path):
        return
    target = path.resolve()
    if target.is_file() and {path.suffix.lower(), target.suffix.lower()} <= DATA:
        _open(path)
    else:
        show_folder(path.parent)


def show_folder(folder: Path | str) -> None:
    """Open a folder in the system's file manager; of a program, the folder that contains it."""
    if is_strange_share(folder):
        return
    target = Path(folder).resolve()
    inside = [place for place in (target, *target.parents) if place.suffix.lower() in BUNDLES]
    if inside:
        target = inside[-1].parent
    if target.is_dir():
        _open(target)


def open_written(path: Path) -> None:
    """Open a file that this program has just written for the user."""
    _open(path)


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

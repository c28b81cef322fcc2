"""Add-ons: folders of packages beside the program, found at its start.

Each is a folder of `data/add-ons/SYSTEM`, where SYSTEM names the Python and the processor that its
compiled modules were made for; another Python, as on a cluster with one home, never sees it.
`core/intake/add_ons.py` installs and removes them.
This module is imported at every start, and imports nothing slow.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES

from jurydesk.core.system.paths import data_folder

TYPE_CHECKING = False  # type checkers know it; importing `typing` would dominate the start
if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "add-ons"


def add_ons_folder() -> Path:
    """Return the folder of the add-ons for this Python, which may not exist."""
    # Such as "cpython-311-x86_64-linux-gnu"; Apple's, "cpython-311-darwin", lacks the processor.
    system = EXTENSION_SUFFIXES[0].split(".")[1]
    if sys.platform == "darwin":
        system = f"{system}-{os.uname().machine}"
    return data_folder() / FOLDER / system


def add_on_folders() -> list[Path]:
    """Return the folder of each add-on, by name; hidden ones are unfinished or removed."""
    found = []
    with suppress(OSError):
        found = [one for one in add_ons_folder().iterdir() if one.is_dir() and not one.is_symlink()]
    return sorted(one for one in found if not one.name.startswith("."))


def activate_add_ons() -> None:
    """Let modules of the add-ons be found after all others; a broken add-on changes nothing."""
    for folder in add_on_folders():
        if str(folder) not in sys.path:
            sys.path.append(str(folder))

"""Replacement of files and folders, by the rules of both kinds of systems.

On POSIX a file is replaced even while programs have it open. On Windows this fails while a program
has either file open without sharing it, as virus scanners do for a moment with a new file.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False  # type checkers know it; the program's start imports this
if TYPE_CHECKING:
    from pathlib import Path

HELD = (5, 32, 33)
"""Errors of Windows for a file in use: access denied, sharing violation, lock violation."""
PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds to wait before each further attempt, as long as a scanner takes."""


def replace_path(source: Path, target: Path) -> None:
    """Give a file or folder the name `target`, whose old file goes.

    A folder replaces at most an empty one. Raises OSError; on Windows after some 1.6 s if a program
    keeps one of them open.
    """
    for pause in PAUSES:
        try:
            source.replace(target)
        except PermissionError as error:
            if getattr(error, "winerror", None) not in HELD:
                raise
            time.sleep(pause)
        else:
            return
    source.replace(target)

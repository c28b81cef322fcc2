"""Network shares of Windows, of which only those of the user's choice are opened.

Windows logs in on a share with the user's name and hashed password, so that a path which a stranger
recorded could send them anywhere. Other systems have no such paths. Processes that the program
starts inherit the choice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import PureWindowsPath

from jurydesk.core.system.paths import absolute_path

IS_WINDOWS = os.name == "nt"
SHARES = "JURYDESK_SHARES"
"""Environment variable of the chosen shares; the user can set it, too."""
BETWEEN = ";"

AnyPath = str | os.PathLike[str]


def choose_share(path: AnyPath) -> None:
    """Let files be opened on the share of a path that the user chose."""
    share = _share(os.fspath(absolute_path(path))) if IS_WINDOWS else ""
    if share and share not in _chosen():
        os.environ[SHARES] = BETWEEN.join(sorted({*_chosen(), share}))


def is_strange_share(path: AnyPath, near: Iterable[AnyPath] = ()) -> bool:
    """Return whether a path of a stranger's file is on a share that the user did not choose.

    Shares and devices count only if `near`, or another path that the user chose, is there too.
    """
    text = os.fspath(path).replace("/", "\\")
    if not IS_WINDOWS or not text.startswith(("\\\\", "\\??\\")):
        return False
    chosen = _chosen() | {_share(os.fspath(absolute_path(one))) for one in near}
    return _share(text) not in chosen - {""}


def _chosen() -> set[str]:
    return {_share(one) for one in os.environ.get(SHARES, "").split(BETWEEN)} - {""}


def _share(path: str) -> str:
    """Return the share or device of a path, in one spelling; empty for drives and other paths."""
    drive = PureWindowsPath(path).drive.casefold()
    return drive if drive.startswith("\\\\") else ""

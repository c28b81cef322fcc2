"""Interprocess file lock, and whether a file system has locks."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

POLL_SECONDS = 0.05
PROBED_BYTE = 1 << 40
"""Byte that SQLite never locks."""


@contextlib.contextmanager
def interprocess_lock(path: Path, check: Callable[[], None]) -> Iterator[None]:
    """Hold an exclusive lock on `path` within the block; other processes and threads wait.

    `check` is called while waiting, and may raise to stop. A process that dies releases its lock.
    On a file system without locks, nothing is locked.
    """
    with path.open("ab") as file:
        while not _try_lock(file):
            check()
            time.sleep(POLL_SECONDS)
        yield


def _try_lock(file: BinaryIO) -> bool:
    """Lock a file until it is closed; return False if another holds the lock."""
    if sys.platform == "win32":
        import msvcrt

        return try_windows_lock(file, msvcrt)
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def try_windows_lock(file: BinaryIO, system: Any) -> bool:
    """Lock the first byte of a file by `system`, the module `msvcrt`; False if another holds it.

    Windows locks ranges, from the file's position on, also past its end.
    """
    try:
        file.seek(0)
        system.locking(file.fileno(), system.LK_NBLCK, 1)
    except PermissionError:
        return False
    except OSError:
        return True
    return True


_PROBES: dict[tuple[int, int], int] = {}
"""Files that tested locks: closing one would release the process's other locks on the file."""


def has_locks(path: Path) -> bool:
    """Return whether the file system of a file, or of one that its folder will hold, has locks.

    So it is assumed of one that cannot be opened.
    """
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        probe = _probe(path if path.exists() else path.absolute().parent)
    except OSError:
        return True
    try:
        fcntl.lockf(probe, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, PROBED_BYTE)
    except OSError as error:
        return error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)
    return True


def _probe(path: Path) -> int:
    """Return the open file that tests locks, one for each file however often it is busy."""
    status = path.stat()
    key = status.st_dev, status.st_ino
    if key not in _PROBES:
        _PROBES[key] = os.open(path, os.O_RDONLY)
    return _PROBES[key]

"""Interprocess file lock."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

POLL_SECONDS = 0.05


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


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: BinaryIO) -> bool:
        """Lock a file until it is closed; return False if another process holds the lock."""
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        except OSError:
            return True
        return True

else:
    import fcntl

    def _try_lock(file: BinaryIO) -> bool:
        """Lock a file until it is closed; return False if another process holds the lock."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

"""Work that several processes of a machine want done, and one of them does."""

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
    """Let one process (and one thread) at a time into the block; the others wait at `path`.

    `check` is called while waiting, and may raise to stop. Whoever dies leaves no lock behind.
    Where the file system has no locks, nobody waits.
    """
    with path.open("ab") as file:
        while not _taken(file):
            check()
            time.sleep(POLL_SECONDS)
        yield


if sys.platform == "win32":
    import msvcrt

    def _taken(file: BinaryIO) -> bool:
        """Return whether the lock is ours now, until the file is closed."""
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

    def _taken(file: BinaryIO) -> bool:
        """Return whether the lock is ours now, until the file is closed."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

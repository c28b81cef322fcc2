"""Store of file versions: each is hashed once, and what was read of it is kept for a while."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from jurydesk.core.system.paths import Fingerprint, fingerprint

T = TypeVar("T")

SETTLED_NANOSECONDS = 2_000_000_000
"""The coarsest clock of a file system (FAT): a file that changed since may change unnoticed."""

MOST_HASHES = 10_000
MOST_READING_BYTES = 64 << 20
"""How large the files may be together whose parsed content is kept."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """One version of a file or folder: what a change of its content changes too."""

    path: str
    device: int
    inode: int
    size: int
    modified: int
    changed: int


def stat_file_version(path: Path) -> FileVersion | None:
    """Return the version of a file or folder; None where it cannot be told from the next one.

    That is so for pipes and devices, shortly after a change, and on Windows, whose files have no
    time of change that a program could not set.
    """
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    if os.name != "posix" or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        return None
    newest = max(status.st_mtime_ns, status.st_ctime_ns)
    if time.time_ns() - newest < SETTLED_NANOSECONDS:
        return None
    identity = status.st_dev, status.st_ino, status.st_size
    place = os.path.abspath(path)  # noqa: PTH100 - a link keeps its own name
    return FileVersion(place, *identity, status.st_mtime_ns, status.st_ctime_ns)


class FileStore:
    """Hashes and parsed contents of file versions; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hashes: dict[FileVersion, Fingerprint] = {}
        self._readings: dict[Hashable, tuple[int, Any]] = {}

    def fingerprint(self, path: Path, check: Callable[[], None] = lambda: None) -> Fingerprint:
        """Return size and SHA-256 of a file as `jurydesk.core.system.paths.fingerprint` does."""
        before = stat_file_version(path)
        with self._lock:
            if before in self._hashes:
                return self._hashes[before]
        found = fingerprint(path, check)
        if before is not None and stat_file_version(path) == before:
            with self._lock:
                while len(self._hashes) >= MOST_HASHES:
                    self._hashes.pop(next(iter(self._hashes)))
                self._hashes[before] = found
        return found

    def read(self, what: Hashable, paths: Sequence[Path], reader: Callable[[], T]) -> T:
        """Return what `reader` makes of these files, or made of the same versions before.

        `what` names everything else that the content depends on.
        """
        before = tuple(stat_file_version(path) for path in paths)
        key = what, before
        with self._lock:
            if key in self._readings:
                return self._readings[key][1]  # type: ignore[no-any-return]
        found = reader()
        cost = sum(one.size for one in before if one is not None)
        if None in before or cost > MOST_READING_BYTES:
            return found
        if tuple(stat_file_version(path) for path in paths) == before:
            with self._lock:
                self._readings[key] = cost, found
                while sum(size for size, _ in self._readings.values()) > MOST_READING_BYTES:
                    self._readings.pop(next(iter(self._readings)))
        return found

    def forget_readings(self) -> None:
        """Forget the parsed contents; hashes stay."""
        with self._lock:
            self._readings.clear()


SHARED = FileStore()
"""The store of this process: what a check has hashed and parsed, scoring does not do again."""

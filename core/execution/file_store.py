"""Store of hashes and parsed contents by file version."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from jurydesk.core.system.paths import Fingerprint, absolute_path, fingerprint

T = TypeVar("T")

SETTLED_NANOSECONDS = 2_000_000_000
"""Coarsest resolution of file times (FAT): within it, a second change may go unnoticed."""

MOST_HASHES = 10_000
MOST_READING_BYTES = 64 << 20
"""Maximum total size of the files whose parsed content is stored."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """Version of a file or folder: attributes that change with its content."""

    path: str
    device: int
    inode: int
    size: int
    modified: int
    changed: int


def stat_file_version(path: Path) -> FileVersion | None:
    """Return the version of a file or folder, or None if later changes could go unnoticed.

    This is the case for pipes and devices, shortly after a change, and on Windows, where programs
    can set all file times.
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
    return FileVersion(str(absolute_path(path)), *identity, status.st_mtime_ns, status.st_ctime_ns)


class FileStore:
    """Hashes and parsed contents of file versions; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hashes: dict[FileVersion, Fingerprint] = {}
        self._readings: dict[Hashable, tuple[int, Any]] = {}
        self._reading_bytes = 0

    def fingerprint(self, path: Path, check: Callable[[], None] = lambda: None) -> Fingerprint:
        """Return size and SHA-256 of a file, as `jurydesk.core.system.paths.fingerprint`."""
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

    def read(self, key: Hashable, paths: Sequence[Path], reader: Callable[[], T]) -> T:
        """Return the result of `reader`, or the stored one for the same versions of the files.

        `key` identifies everything else that the result depends on.
        """
        before = tuple(stat_file_version(path) for path in paths)
        key = key, before
        with self._lock:
            if key in self._readings:
                return self._readings[key][1]  # type: ignore[no-any-return]
        found = reader()
        cost = sum(one.size for one in before if one is not None)
        if None in before or cost > MOST_READING_BYTES:
            return found
        if tuple(stat_file_version(path) for path in paths) == before:
            with self._lock:
                self._remove_reading(key)
                self._readings[key] = cost, found
                self._reading_bytes += cost
                while self._reading_bytes > MOST_READING_BYTES:
                    self._remove_reading(next(iter(self._readings)))
        return found

    def _remove_reading(self, key: Hashable) -> None:
        cost, _ = self._readings.pop(key, (0, None))
        self._reading_bytes -= cost

    def clear_readings(self) -> None:
        """Remove the parsed contents, but not the hashes."""
        with self._lock:
            self._readings.clear()
            self._reading_bytes = 0


SHARED = FileStore()
"""Store of this process, so that scoring need not repeat the work of a check."""

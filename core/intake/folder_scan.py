"""Repeated scan of a folder for files that are new and completely written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

SETTLE_SECONDS = 3.0
"""Time without a change after which a file counts as completely written."""
MAX_WAIT_SECONDS = 10.0
"""Longest wait of complete files for others, so that files copied together arrive together."""
MAX_FILES = 100_000

FileStates = Mapping[Path, tuple[int, int]]
"""Size and modification time (ns) of every file."""


class FolderScanner:
    """Scanner of a folder, without threads or Qt.

    A change is reported once, when it has settled; `unwritten` files are still being written, and
    delay the others by `MAX_WAIT_SECONDS`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.there = True
        self._seen: dict[Path, tuple[int, int]] = {}
        self._changed_at: dict[Path, float] = {}
        self._reported: dict[Path, tuple[int, int]] = {}
        self._changes_since: float | None = None

    @property
    def unwritten(self) -> frozenset[Path]:
        """Files that changed or disappeared a moment ago."""
        return frozenset(self._changed_at)

    def look(self, now: float) -> bool:
        """Scan the folder; return whether settled changes are to be taken in now.

        `now` is the time of a monotonic clock in seconds.
        """
        found = list_states(self.folder)
        self.there = self.folder.is_dir()
        for path in found.keys() | self._seen.keys():
            if found.get(path) != self._seen.get(path):
                self._changed_at[path] = now
        self._seen = dict(found)
        self._changed_at = {
            path: at for path, at in self._changed_at.items() if now - at < SETTLE_SECONDS
        }
        changes = self._changes()
        if not changes:
            self._changes_since = None
            return False
        if self._changes_since is None:
            self._changes_since = now
        if self._changed_at and now - self._changes_since < MAX_WAIT_SECONDS:
            return False
        self._report(changes)
        return True

    def _changes(self) -> list[Path]:
        if self._seen == self._reported:
            return []
        return [
            path
            for path in self._seen.keys() | self._reported.keys()
            if path not in self._changed_at and self._seen.get(path) != self._reported.get(path)
        ]

    def _report(self, changes: Sequence[Path]) -> None:
        self._changes_since = None
        for path in changes:
            if path in self._seen:
                self._reported[path] = self._seen[path]
            else:
                del self._reported[path]


def list_states(folder: Path) -> FileStates:
    """Return the state of every file below a folder, without hidden files and links."""
    found: dict[Path, tuple[int, int]] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            path = Path(place) / name
            try:
                if not name.startswith(".") and not path.is_symlink():
                    status = path.stat()
                    found[path] = (status.st_size, status.st_mtime_ns)
            except OSError:
                continue
            if len(found) >= MAX_FILES:
                return found
    return found

"""Looking at a folder again and again: what is new there, as soon as it was written to its end."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

SETTLE_SECONDS = 3.0
"""A file that has not changed for so long is taken for whole."""
MOST_FILES = 100_000

Stand = Mapping[Path, tuple[int, int]]
"""Size and time (ns) of every file."""


class Watch:
    """A folder that is looked at by whoever has a clock; it knows no threads and no Qt.

    Every file stands as `look` saw it last. A change is told once, when it has settled; so many
    are `waiting`, since they are still being written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.there = True
        self.waiting = 0
        self._seen: dict[Path, tuple[int, int]] = {}
        self._changed_at: dict[Path, float] = {}
        self._told: dict[Path, tuple[int, int]] = {}

    def look(self, now: float) -> bool:
        """Whether files came, changed or went and have settled since that was told last.

        `now` is the time in seconds of a clock that never goes back.
        """
        found = stand(self.folder)
        self.there = self.folder.is_dir()
        for path in found.keys() | self._seen.keys():
            if found.get(path) != self._seen.get(path):
                self._changed_at[path] = now
        self._seen = dict(found)
        self.waiting = sum(now - at < SETTLE_SECONDS for at in self._changed_at.values())
        if self.waiting:
            return False
        self._changed_at.clear()
        news, self._told = self._seen != self._told, dict(self._seen)
        return news


def stand(folder: Path) -> Stand:
    """Every file below a folder as it is now; hidden ones and links are not looked at."""
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
            if len(found) >= MOST_FILES:
                return found
    return found

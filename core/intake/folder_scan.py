"""Looking at a folder again and again: what is new there, as soon as it was written to its end."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

SETTLE_SECONDS = 3.0
"""A file that has not changed for so long is taken for whole."""
PATIENCE_SECONDS = 10.0
"""Whole files wait so long at most for others, so that what is copied in one go comes as one."""
MOST_FILES = 100_000

Stand = Mapping[Path, tuple[int, int]]
"""Size and time (ns) of every file."""


class FolderScanner:
    """A folder that is looked at by whoever has a clock; it knows no threads and no Qt.

    Every file stands as `look` saw it last. A change is told once, when it has settled; the
    `unwritten` files are still being written, and hold the others up for `PATIENCE_SECONDS`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.there = True
        self._seen: dict[Path, tuple[int, int]] = {}
        self._changed_at: dict[Path, float] = {}
        self._told: dict[Path, tuple[int, int]] = {}
        self._news_since: float | None = None

    @property
    def unwritten(self) -> frozenset[Path]:
        """The files that changed or went a moment ago."""
        return frozenset(self._changed_at)

    def look(self, now: float) -> bool:
        """Whether files that came, changed or went have settled and are to be taken in now.

        `now` is the time in seconds of a clock that never goes back.
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
        news = self._news()
        if not news:
            self._news_since = None
            return False
        if self._news_since is None:
            self._news_since = now
        if self._changed_at and now - self._news_since < PATIENCE_SECONDS:
            return False
        self._tell(news)
        return True

    def _news(self) -> list[Path]:
        """The files that are whole and not as they were told last."""
        if self._seen == self._told:
            return []
        return [
            path
            for path in self._seen.keys() | self._told.keys()
            if path not in self._changed_at and self._seen.get(path) != self._told.get(path)
        ]

    def _tell(self, news: Sequence[Path]) -> None:
        self._news_since = None
        for path in news:
            if path in self._seen:
                self._told[path] = self._seen[path]
            else:
                del self._told[path]


def list_states(folder: Path) -> Stand:
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

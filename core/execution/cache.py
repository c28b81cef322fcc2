"""Where finished chunks are kept, so that a run can resume after it was stopped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from jurydesk.core.system.paths import atomic_replacement


class Cache(Protocol):
    """Where a run keeps finished chunks under a name, so that a second run can resume."""

    @property
    def is_empty(self) -> bool:
        """Whether it surely keeps nothing: then no key need be made to ask it."""

    def get(self, key: str) -> bytes | None:
        """Return the bytes kept under `key`, or None."""

    def put(self, key: str, value: bytes) -> None:
        """Keep `value` under `key`, at once and whole."""

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Keep several values, each whole."""


class NoCache:
    """A cache that keeps nothing."""

    is_empty = True

    def get(self, key: str) -> bytes | None:
        """Nothing."""
        return None

    def put(self, key: str, value: bytes) -> None:
        """Forget it."""
        return

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Forget them."""
        return


class FolderCache:
    """A cache of one file for each chunk; a damaged file counts as not there.

    Several processes may share the folder: every file appears whole. A value that cannot be
    written (full disk, folder without permission) is not kept, since it can be computed again.
    """

    is_empty = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        """Return the bytes kept under `key`, or None."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        digest, value = content[:32], content[32:]
        return value if _digest(value) == digest else None

    def put(self, key: str, value: bytes) -> None:
        """Keep `value` under `key`."""
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_replacement(path) as temporary:
                temporary.write_bytes(_digest(value) + value)
        except OSError:
            return

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Keep several values."""
        for key, value in values.items():
            self.put(key, value)

    def _path(self, key: str) -> Path:
        name = _digest(key.encode()).hex()
        return self.folder / name[:2] / name


def _digest(content: bytes) -> bytes:
    import hashlib  # with OpenSSL, which no first window waits for

    return hashlib.sha256(content).digest()

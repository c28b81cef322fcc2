"""Caches of finished chunks, from which an interrupted run resumes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from jurydesk.core.system.paths import atomic_replacement


class Cache(Protocol):
    """Storage of finished chunks by key."""

    @property
    def is_empty(self) -> bool:
        """True if the cache is certainly empty, so that no key need be computed."""

    def get(self, key: str) -> bytes | None:
        """Return the bytes stored under `key`, or None."""

    def put(self, key: str, value: bytes) -> None:
        """Store `value` under `key` atomically."""

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Store several values, each atomically."""


class NoCache:
    """Cache that stores nothing."""

    is_empty = True

    def get(self, key: str) -> bytes | None:
        """Return None."""
        return None

    def put(self, key: str, value: bytes) -> None:
        """Discard the value."""

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Discard the values."""


class FolderCache:
    """Cache with one file per chunk; a damaged file counts as missing.

    Several processes may share the folder, since files are written atomically. A value that cannot
    be written (full disk, no permission) is not stored, since it can be computed again.
    """

    is_empty = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        """Return the bytes stored under `key`, or None."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        digest, value = content[:32], content[32:]
        return value if _digest(value) == digest else None

    def put(self, key: str, value: bytes) -> None:
        """Store `value` under `key`."""
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_replacement(path) as temporary:
                temporary.write_bytes(_digest(value) + value)
        except OSError:
            return

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Store several values."""
        for key, value in values.items():
            self.put(key, value)

    def _path(self, key: str) -> Path:
        name = _digest(key.encode()).hex()
        return self.folder / name[:2] / name


def _digest(content: bytes) -> bytes:
    import hashlib  # with OpenSSL, which no first window waits for

    return hashlib.sha256(content).digest()

"""The SHA-256 of every input, computed beside the reading of the same file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from core.model import Source
from core.paths import UNKNOWN, Fingerprint
from core.run.file_store import SHARED
from core.run.run import Cancelled


class Fingerprints:
    """Hashes files on its own thread; `check` may raise, which stops the hashing at once.

    So does leaving the block: what is not hashed by then is wanted no more.
    """

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self._closed = False
        self._pool = ThreadPoolExecutor(1, "jurydesk-hash")
        self._begun: dict[tuple[str, Path], Future[Fingerprint]] = {}

    def __enter__(self) -> Fingerprints:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def begin(self, role: str, paths: Sequence[Path]) -> None:
        """Start hashing these files of a role."""
        for path in paths:
            self._begun[role, path] = self._pool.submit(_of_file, path, self._go_on)

    def _go_on(self) -> None:
        if self._closed:
            raise Cancelled
        self._check()

    def source(self, role: str, path: Path) -> Source:
        """The input with its hash, waited for."""
        found = self._begun[role, path].result()
        return Source(role, os.path.abspath(path), found.size, found.sha256)  # noqa: PTH100 - keeps links

    def sources(self, role: str | None = None) -> tuple[Source, ...]:
        """The inputs of one role, or all of them, in the order in which they were begun."""
        return tuple(self.source(*key) for key in self._begun if role in (None, key[0]))


def _of_file(path: Path, check: Callable[[], None]) -> Fingerprint:
    # A file that went away after it was read has no hash any more; what was read is still scored.
    try:
        return SHARED.fingerprint(path, check)
    except OSError:
        return UNKNOWN

"""SHA-256 of input files and pictures, computed in the background."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.execution.file_store import SHARED
from jurydesk.core.execution.run import Cancelled
from jurydesk.core.model.evaluation import Source
from jurydesk.core.system.paths import UNKNOWN, Fingerprint, absolute_path, fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


class InputHasher:
    """Context manager that hashes files on its own thread, until the block is left.

    `check` is called regularly, and may raise to stop.
    """

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self._closed = False
        self._pool = ThreadPoolExecutor(1, "jurydesk-hash")
        self._futures: dict[tuple[str, Path], Future[Fingerprint]] = {}

    def __enter__(self) -> InputHasher:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def begin(self, role: str, paths: Sequence[Path]) -> None:
        """Start hashing these files of a role."""
        for path in paths:
            self._futures[role, path] = self._pool.submit(_fingerprint, path, self._check_open)

    def _check_open(self) -> None:
        if self._closed:
            raise Cancelled
        self._check()

    def source(self, role: str, path: Path) -> Source:
        """Wait for the hash of an input and return both."""
        file = self._futures[role, path].result()
        return Source(role, str(absolute_path(path)), file.size, file.sha256)

    def sources(self, role: str | None = None) -> tuple[Source, ...]:
        """Return the inputs of one role, or all, in the order of `begin`."""
        keys = tuple(self._futures)  # a copy, since another thread may begin the next file
        return tuple(self.source(*key) for key in keys if role in (None, key[0]))


def _fingerprint(path: Path, check: Callable[[], None]) -> Fingerprint:
    # A file may disappear after it was read; its content is scored without a hash.
    try:
        return SHARED.fingerprint(path, check)
    except OSError:
        return UNKNOWN


MOST_NAMED = 2000
"""Maximum number of pictures in a stamp; beyond it there is one hash per group of pictures."""


class PictureHasher:
    """Hashing of pictures that several systems share, each once."""

    def __init__(self) -> None:
        self._known: dict[Path, str] = {}

    def hashes(self, pictures: Mapping[str, Path], run: Run) -> dict[str, str]:
        """Return the hash of every picture by name; empty for one that cannot be read."""
        new = list(dict.fromkeys(path for path in pictures.values() if path not in self._known))
        hashes = run.map(_sha256, new, total=len(new), text="Hashing pictures", unit="images")
        self._known.update(zip(new, hashes, strict=True))
        by_name = {name: self._known[path] for name, path in sorted(pictures.items())}
        return by_name if len(by_name) <= MOST_NAMED else _group_hashes(by_name)


def _group_hashes(hashes: Mapping[str, str]) -> dict[str, str]:
    """Return one hash per top-level folder of the names, with the number of pictures."""
    groups: dict[str, list[str]] = {}
    for name, digest in hashes.items():
        groups.setdefault(name.partition("/")[0], []).append(f"{name} {digest}\n")
    return {
        f"{group}/ ({len(lines):,} pictures)": hashlib.sha256("".join(lines).encode()).hexdigest()
        for group, lines in groups.items()
    }


def _sha256(path: Path) -> str:
    try:
        return fingerprint(path).sha256
    except OSError:
        return ""

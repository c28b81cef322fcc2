"""The SHA-256 of every input, computed beside the reading of the same file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.execution.file_store import SHARED
from jurydesk.core.execution.run import Cancelled
from jurydesk.core.model.evaluation import Source
from jurydesk.core.system.paths import UNKNOWN, Fingerprint, fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


class InputHasher:
    """Hashes files on its own thread; `check` may raise, which stops the hashing at once.

    So does leaving the block: what is not hashed by then is wanted no more.
    """

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self._closed = False
        self._pool = ThreadPoolExecutor(1, "jurydesk-hash")
        self._begun: dict[tuple[str, Path], Future[Fingerprint]] = {}

    def __enter__(self) -> InputHasher:
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
        """Return the input with its hash, waited for."""
        found = self._begun[role, path].result()
        return Source(role, os.path.abspath(path), found.size, found.sha256)  # noqa: PTH100 - keeps links

    def sources(self, role: str | None = None) -> tuple[Source, ...]:
        """Return the inputs of one role, or all of them, in the order in which they were begun."""
        begun = tuple(self._begun)  # another thread may begin the next file meanwhile
        return tuple(self.source(*key) for key in begun if role in (None, key[0]))


def _of_file(path: Path, check: Callable[[], None]) -> Fingerprint:
    # A file that went away after it was read has no hash any more; what was read is still scored.
    try:
        return SHARED.fingerprint(path, check)
    except OSError:
        return UNKNOWN


MOST_NAMED = 2000
"""Of more pictures than this a stamp has one hash for each group, and not each by its name."""


class PictureHasher:
    """Hashes every picture once, though several systems share it."""

    def __init__(self) -> None:
        self._known: dict[Path, str] = {}

    def hashes(self, pictures: Mapping[str, Path], run: Run) -> dict[str, str]:
        """Return the hash of every picture by its name; empty for one that cannot be read."""
        new = list(dict.fromkeys(path for path in pictures.values() if path not in self._known))
        found = run.map(_sha256, new, total=len(new), text="Hashing pictures", unit="images")
        self._known.update(zip(new, found, strict=True))
        named = {name: self._known[path] for name, path in sorted(pictures.items())}
        return named if len(named) <= MOST_NAMED else _by_group(named)


def _by_group(named: Mapping[str, str]) -> dict[str, str]:
    """One hash for all pictures whose names begin alike, under a name that says how many."""
    groups: dict[str, list[str]] = {}
    for name, digest in named.items():
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

"""The SHA-256 of the pictures that decide a system's numbers, for its stamp."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.paths import fingerprint

if TYPE_CHECKING:
    from core.run.run import Run

MOST_NAMED = 2000
"""Of more pictures than this a stamp has one hash for each group, and not each by its name."""


class UsedPictures:
    """Hashes every picture once, though several systems share it."""

    def __init__(self) -> None:
        self._known: dict[Path, str] = {}

    def hashes(self, pictures: Mapping[str, Path], run: Run) -> dict[str, str]:
        """The hash of every picture by its name; empty for one that cannot be read."""
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

"""The SHA-256 of weight files, remembered by size and time: a model of gigabytes is read once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.system.paths import cache_folder, fingerprint, write_atomically

if TYPE_CHECKING:
    from jurydesk.core.neural.weights.weight_roles import WeightFiles

FILE = "weights.json"


def sha256_of(path: Path, check: Callable[[], None] = lambda: None) -> str:
    """Return the SHA-256 of a file; computed anew where its size or time of change is another.

    `check` is called often while a file is read, and may raise to stop. A folder has the empty
    hash. Raises OSError where the file cannot be read.
    """
    if path.is_dir():
        return ""
    key, state = os.path.abspath(path), _state(path)  # noqa: PTH100 - keeps links
    known = _remembered().get(key)
    if isinstance(known, dict) and known.get("state") == state:
        return str(known.get("sha256"))
    found = fingerprint(path, check).sha256
    _remember(key, {"state": state, "sha256": found})
    return found


def known_sha256(path: Path) -> str:
    """Return the remembered SHA-256 of a file, without reading it; empty where there is none."""
    known = _remembered().get(os.path.abspath(path))  # noqa: PTH100 - keeps links
    if not isinstance(known, dict) or not path.is_file() or known.get("state") != _state(path):
        return ""
    return str(known.get("sha256"))


def recorded_sha256(path: Path) -> str:
    """The SHA-256 that a file had when it was last hashed, whatever it is now; empty if never."""
    known = _remembered().get(os.path.abspath(path))  # noqa: PTH100 - keeps links
    return str(known.get("sha256")) if isinstance(known, dict) else ""


def fingerprints(
    weights: WeightFiles, check: Callable[[], None] = lambda: None
) -> Mapping[str, str]:
    """Return the SHA-256 of every file of these weights, by `role/name`, for a stamp."""
    return {f"{weights.role.id}/{path.name}": sha256_of(path, check) for path in weights.files}


def _state(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def _remembered() -> dict[str, Any]:
    try:
        found = json.loads((cache_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(key: str, entry: dict[str, Any]) -> None:
    there = {path: known for path, known in _remembered().items() if os.path.exists(path)}  # noqa: PTH110 - keys are texts
    # A memory that cannot be written is done without.
    try:
        write_atomically(cache_folder() / FILE, json.dumps({**there, key: entry}).encode("utf-8"))
    except OSError:
        return

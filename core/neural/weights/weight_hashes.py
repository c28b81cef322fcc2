"""SHA-256 of weight files, cached by size and modification time."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jurydesk.core.model.json_text import parse_json
from jurydesk.core.system.paths import cache_folder, fingerprint, write_atomically

FILE = "weights.json"


def sha256_of(path: Path, check: Callable[[], None] = lambda: None) -> str:
    """Return the SHA-256 of a file, cached while its size and modification time do not change.

    `check` is called regularly while a file is read, and may raise to stop. The hash of a folder
    is empty. Raises OSError if the file cannot be read.
    """
    if path.is_dir():
        return ""
    key, state = os.path.abspath(path), _state(path)  # noqa: PTH100 - keeps links
    known = _read_hashes().get(key)
    if isinstance(known, dict) and known.get("state") == state:
        return str(known.get("sha256"))
    digest = fingerprint(path, check).sha256
    _record(key, {"state": state, "sha256": digest})
    return digest


def known_sha256(path: Path) -> str:
    """Return the cached SHA-256 of a file without reading it; empty if there is none."""
    known = _read_hashes().get(os.path.abspath(path))  # noqa: PTH100 - keeps links
    if not isinstance(known, dict) or not path.is_file() or known.get("state") != _state(path):
        return ""
    return str(known.get("sha256"))


def recorded_sha256(path: Path) -> str:
    """Return the SHA-256 of a file when it was last hashed, whether or not it changed since."""
    known = _read_hashes().get(os.path.abspath(path))  # noqa: PTH100 - keeps links
    return str(known.get("sha256")) if isinstance(known, dict) else ""


def _state(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def _read_hashes() -> dict[str, Any]:
    try:
        content = parse_json((cache_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _record(key: str, entry: dict[str, Any]) -> None:
    entries = {path: known for path, known in _read_hashes().items() if os.path.exists(path)}  # noqa: PTH110 - keys are texts
    with contextlib.suppress(OSError):  # hashes are computed again if they cannot be stored
        write_atomically(cache_folder() / FILE, json.dumps({**entries, key: entry}).encode("utf-8"))

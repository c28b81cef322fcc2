"""The places of weights that the user chose for good, by role; every program of his reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from core.paths import config_folder, write_atomically

FILE = "weights.json"


def chosen_paths() -> dict[str, Path]:
    """The chosen file or folder by role; a damaged list counts as none."""
    try:
        content = json.loads((config_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {role: Path(path) for role, path in content.items() if isinstance(path, str)}


def choose(role: str, path: Path) -> None:
    """Take the weights of a role from here, whether or not anything is there. Raises OSError."""
    _keep({**chosen_paths(), role: path.absolute()})


def forget(role: str) -> None:
    """Look for the weights of a role in its folders again. Raises OSError."""
    _keep({id: path for id, path in chosen_paths().items() if id != role})


def _keep(paths: Mapping[str, Path]) -> None:
    content = {role: str(path) for role, path in sorted(paths.items())}
    text = json.dumps(content, ensure_ascii=False, indent=1)
    write_atomically(config_folder() / FILE, f"{text}\n".encode())

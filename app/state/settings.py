"""Settings of the window, in an INI file in the user's configuration folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from jurydesk.core.system.network_shares import choose_share
from jurydesk.core.system.paths import config_folder

RECENT_DESKS = 8
INPUTS = "open"
"""The purpose whose folder is that of the inputs."""


class Settings:
    """Typed access to the INI file; missing or damaged values get their default."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = path or config_folder() / "window.ini"
        self._settings = QSettings(str(self._file), QSettings.Format.IniFormat)
        keys = (one for one in self._settings.allKeys() if one.startswith("folders/"))
        for chosen in filter(None, (*self.texts("recent"), *map(self.text, keys))):
            choose_share(chosen)

    def save(self) -> None:
        """Write to the disk now."""
        self._settings.sync()

    def text(self, key: str, default: str = "") -> str:
        value = self._settings.value(key, default)
        return value if isinstance(value, str) else default

    def number(self, key: str, default: float) -> float:
        try:
            return float(self.text(key, str(default)))
        except ValueError:
            return default

    def texts(self, key: str) -> list[str]:
        try:
            value = json.loads(self.text(key, "[]"))
        except ValueError:
            return []
        return (
            [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []
        )

    def blob(self, key: str) -> QByteArray:
        """Return the bytes stored under `key`, such as a window's geometry."""
        value = self._settings.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def keep(self, key: str, value: str | float | list[str] | QByteArray) -> None:
        kept: Any = value
        if isinstance(value, list):
            kept = json.dumps(value, ensure_ascii=False)
        elif isinstance(value, int | float):
            kept = str(value)
        self._settings.setValue(key, kept)

    # Desks and folders

    def recent(self) -> list[Path]:
        """Return the existing desks among those opened last, the latest first."""
        return [path for text in self.texts("recent") if (path := Path(text)).is_file()]

    def add_recent(self, path: Path) -> None:
        """Put a desk at the top of the list."""
        texts = [str(path.resolve()), *self.texts("recent")]
        self.keep("recent", list(dict.fromkeys(texts))[:RECENT_DESKS])

    def folder(self, purpose: str) -> Path:
        """Return the folder of the last file chosen for `purpose`, else the inputs', else home."""
        texts = (self.text(f"folders/{key}") for key in (purpose, INPUTS))
        there = (Path(text) for text in texts if text)
        return next((folder for folder in there if folder.is_dir()), Path.home())

    def keep_folder(self, purpose: str, path: Path) -> None:
        choose_share(path)
        self.keep(f"folders/{purpose}", str(path if path.is_dir() else path.parent))

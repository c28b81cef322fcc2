"""What the window remembers between starts, in one INI file of the user's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from jurydesk.core.system.paths import config_folder

RECENT_DESKS = 8


class Settings:
    """Typed access to the INI file; what is missing or damaged has its default."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = path or config_folder() / "window.ini"
        self._settings = QSettings(str(self._file), QSettings.Format.IniFormat)

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
        """Bytes kept under `key`, as windows save their geometry."""
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
        """The desks opened last, the latest first, as far as they are still there."""
        return [path for text in self.texts("recent") if (path := Path(text)).is_file()]

    def add_recent(self, path: Path) -> None:
        """Put a desk at the top of the list."""
        texts = [str(path.resolve()), *self.texts("recent")]
        self.keep("recent", list(dict.fromkeys(texts))[:RECENT_DESKS])

    def forget_recent(self, path: Path) -> None:
        self.keep("recent", [text for text in self.texts("recent") if text != str(path)])

    def folder(self, purpose: str) -> Path:
        """The folder in which the last file for `purpose` was chosen, else the home folder."""
        folder = Path(self.text(f"folders/{purpose}"))
        return folder if folder.is_dir() and str(folder) != "." else Path.home()

    def keep_folder(self, purpose: str, path: Path) -> None:
        self.keep(f"folders/{purpose}", str(path if path.is_dir() else path.parent))

"""Files that the system hands to the running program, as macOS does after a double click."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent

from app.itself import program

if TYPE_CHECKING:
    from app.window import Window

PACKET = ".jurypacket"


class Opened(QObject):
    """Takes such a file as if it had been dropped; a packet goes to a program of its own."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent):
            return False
        path = Path(event.file())
        if path.suffix == PACKET:
            subprocess.Popen([*program(), str(path)])  # noqa: S603 - this very program
        else:
            self._window.files.take([path])
        return True

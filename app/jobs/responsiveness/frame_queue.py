"""Queue of work in the window's thread that lets the window paint after each entry."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QObject, QTimer, Signal

from jurydesk.app.jobs.responsiveness.gui_priority import gui_priority

FRAME_MS = 16
"""Time between two entries, in which the window paints."""


class FrameQueue(QObject):
    """Runs its entries in the order they were added, each in a frame of its own.

    An entry replaces a waiting one of the same name. `emptied` is emitted after the last entry. No
    two entries run within one frame, even of different queues.
    """

    emptied = Signal()
    _last: ClassVar[float] = 0.0
    """Time of the last entry of any queue, in seconds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[str, Callable[[], object]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._run_next)

    @property
    def is_empty(self) -> bool:
        return not self._waiting

    def add(self, name: str, do: Callable[[], object]) -> None:
        """Add an entry."""
        self._waiting[name] = do
        gui_priority().reserve()
        if not self._timer.isActive():
            self._timer.start()

    def do_now(self, name: str) -> None:
        """Run a waiting entry at once, for a user who is quicker than a frame."""
        do = self._waiting.pop(name, None)
        if do is not None:
            do()

    def clear(self) -> None:
        self._waiting.clear()
        self._timer.stop()

    def _run_next(self) -> None:
        if 1000 * (time.monotonic() - FrameQueue._last) < FRAME_MS:
            self._timer.start()
            return
        gui_priority().reserve()
        try:
            if self._waiting:
                self._waiting.pop(next(iter(self._waiting)))()
        finally:
            FrameQueue._last = time.monotonic()
            gui_priority().reserve()
            if self._waiting:
                self._timer.start()
            else:
                self.emptied.emit()

"""Queue of work in the window's thread that lets the window paint after each entry."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QObject, QTimer, Signal

from jurydesk.app.jobs.responsiveness.gui_priority import gui_priority

FRAME_MS = 16
"""Time from the beginning of an entry to the next one, which the window needs to paint."""
REST_MS = 4
"""Least time after an entry, however long it took, for keys and painting."""
MOMENT_MS = 1
"""Duration up to which an entry needs no frame of its own."""


class FrameQueue(QObject):
    """Runs its entries in the order they were added, each in a frame of its own.

    An entry replaces a waiting one of the same name. `emptied` is emitted after the last entry. No
    two entries run within one frame, even of different queues, unless one is over in a moment.
    """

    emptied = Signal()
    _next: ClassVar[float] = 0.0
    """Time from which an entry of any queue may run, in seconds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[str, Callable[[], object]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._run_next)

    @property
    def is_empty(self) -> bool:
        return not self._waiting

    def add(self, name: str, do: Callable[[], object]) -> None:
        """Add an entry."""
        self._waiting[name] = do
        gui_priority().reserve()
        if not self._timer.isActive():
            self._timer.start(FRAME_MS)

    def do_now(self, name: str) -> None:
        """Run a waiting entry at once, for a user who is quicker than a frame."""
        do = self._waiting.pop(name, None)
        if do is not None:
            do()

    @staticmethod
    def rest() -> None:
        """Let no entry of any queue run within this turn, which has done other work."""
        FrameQueue._next = max(FrameQueue._next, time.monotonic() + REST_MS / 1000)

    def clear(self) -> None:
        self._waiting.clear()
        self._timer.stop()

    def _run_next(self) -> None:
        began = time.monotonic()
        if began < FrameQueue._next:
            self._wait(began)
            return
        gui_priority().reserve()
        try:
            if self._waiting:
                self._waiting.pop(next(iter(self._waiting)))()
        finally:
            ended = time.monotonic()
            if ended - began > MOMENT_MS / 1000:
                FrameQueue._next = max(began + FRAME_MS / 1000, ended + REST_MS / 1000)
            gui_priority().reserve()
            if self._waiting:
                self._wait(ended)
            else:
                self.emptied.emit()

    def _wait(self, now: float) -> None:
        self._timer.start(max(0, math.ceil(1000 * (FrameQueue._next - now))))

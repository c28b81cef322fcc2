"""What a page shows bit by bit: the window is painted, and answers, after every one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QObject, QTimer, Signal

from app.right_of_way import right_of_way

FRAME_MS = 16
"""From one thing to the next: what the last one changed is painted meanwhile."""


class Turns(QObject):
    """Does things one at a time, in the order they were asked for, each a frame after the last.

    A thing that is asked for again under its name takes the place of the one that waits. `ended`
    says that nothing waits any more. Several of these never do two things within a frame.
    """

    ended = Signal()
    _last: ClassVar[float] = 0.0
    """When any of these did something last, in seconds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[str, Callable[[], object]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._next)

    @property
    def idle(self) -> bool:
        """Whether nothing waits."""
        return not self._waiting

    def ask(self, name: str, do: Callable[[], object]) -> None:
        """Do this when its turn comes."""
        self._waiting[name] = do
        right_of_way().take()
        if not self._timer.isActive():
            self._timer.start()

    def hurry(self, name: str) -> None:
        """Do at once what waits under that name, for a user who is quicker than a frame."""
        do = self._waiting.pop(name, None)
        if do is not None:
            do()

    def forget(self) -> None:
        """Do nothing of what waits."""
        self._waiting.clear()
        self._timer.stop()

    def _next(self) -> None:
        if 1000 * (time.monotonic() - Turns._last) < FRAME_MS:
            self._timer.start()
            return
        right_of_way().take()
        try:
            if self._waiting:
                self._waiting.pop(next(iter(self._waiting)))()
        finally:
            Turns._last = time.monotonic()
            right_of_way().take()
            if self._waiting:
                self._timer.start()
            else:
                self.ended.emit()

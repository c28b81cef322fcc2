"""Work of the window's thread in one turn of its event loop, counted and not timed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from PySide6.QtCore import QObject, Qt, QTimer

TICK_CALLS = 2
"""Of the timer itself: its slot, and `max`."""


class TurnWork(QObject):
    """Counter of function calls on this thread between two ticks of a timer.

    Unlike seconds, the count is the same on a busy machine. It does not see how long one call into
    a library takes: `tests/bench/responsiveness.py` measures that.
    """

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self, interval=1)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._calls = 0
        self.most = 0
        """Calls in the longest turn so far."""
        self.total = 0
        """Calls in all turns so far, without those of the timer."""

    def start(self) -> None:
        """Start counting."""
        self._calls = self.most = self.total = 0
        self._timer.start()
        sys.setprofile(self._count)

    def stop(self) -> None:
        """Stop counting."""
        sys.setprofile(None)
        self._timer.stop()
        self._tick()

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            self._calls += 1

    def _tick(self) -> None:
        self.most = max(self.most, self._calls)
        self.total += self._calls - TICK_CALLS
        self._calls = 0


@contextmanager
def counted_turns() -> Iterator[TurnWork]:
    """Count the calls of every turn while a block runs."""
    work = TurnWork()
    work.start()
    try:
        yield work
    finally:
        work.stop()

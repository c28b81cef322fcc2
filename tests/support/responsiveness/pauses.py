"""Times in which the window's thread could not respond, corrected for other load."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer

SCHEDULE = Path("/proc/thread-self/schedstat")
CONTROL_SECONDS = 0.008
"""Processor time that `_control` takes on a machine where nothing else runs."""


class Pauses(QObject):
    """The longest time between two ticks of a timer in which the window could not respond.

    What the machine takes is taken off: the time that the thread waited for a free processor (where
    the system tells it), and all time in which this process did nothing. What is left is the work
    of the thread itself, and what it waited for other threads that held the interpreter.
    """

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self, interval=2)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start()
        self.forget()

    def forget(self) -> None:
        """Start measuring."""
        self.longest = 0.0
        self.waits: list[float] = []
        """Of every tick, what was spent on waiting for other threads."""
        self._last = _read_clocks()

    def stop(self) -> None:
        """Stop measuring."""
        self._timer.stop()

    def _tick(self) -> None:
        now = _read_clocks()
        wall, queued, process, own = (b - a for a, b in zip(self._last, now, strict=True))
        self._last = now
        self.longest = max(self.longest, min(wall - queued, process))
        self.waits.append(max(0.0, min(wall - queued, process) - own))

    @property
    def seconds(self) -> float:
        """Return the longest pause, as it would be on an otherwise idle machine."""
        return self.longest / max(1.0, slowness())


class Stopwatch:
    """Seconds in which this process worked or waited, without waiting for a processor.

    `look` has to be called now and then: a thread that has ended tells nothing any more.
    """

    def __init__(self) -> None:
        self._wall, self._process = time.perf_counter(), time.process_time()
        self._before = _waiting_times()
        self._after = dict(self._before)

    def look(self) -> None:
        """Record how long each thread has waited for a processor so far."""
        self._after |= _waiting_times()

    @property
    def seconds(self) -> float:
        """Return at least the CPU time, at most the wall time."""
        queued = sum(after - self._before.get(name, 0.0) for name, after in self._after.items())
        worked = time.process_time() - self._process
        return max(worked, time.perf_counter() - self._wall - queued)


def _waiting_times() -> dict[str, float]:
    """Return how long each thread of this process has waited for a processor since its start."""
    found = {}
    for task in Path("/proc/self/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):
            found[task.parent.name] = int(task.read_text().split()[1]) / 1e9
    return found


def slowness() -> float:
    """Return the factor by which a busy machine stretches processor time: 1 if it is idle."""
    return min(_control() for _ in range(5)) / CONTROL_SECONDS


def _control() -> float:
    began = time.thread_time()
    sum(i * i for i in range(200_000))
    return time.thread_time() - began


def _read_clocks() -> tuple[float, float, float, float]:
    """Return wall time, waiting time of this thread, and CPU time of process and thread."""
    queued = int(SCHEDULE.read_text().split()[1]) / 1e9 if SCHEDULE.exists() else 0.0
    return time.perf_counter(), queued, time.process_time(), time.thread_time()

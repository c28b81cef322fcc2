"""What keeps the window answering while other threads work."""

from __future__ import annotations

import gc
import sys
import time

from PySide6.QtCore import QObject, QTimer

from app.jobs import Jobs

TURN_SECONDS = 0.0001
"""How long a thread may keep the interpreter for itself: the window waits for many turns."""

LOOK_MS = 1000
WORTH_A_LOOK, FEW = 500, 20_000
"""New objects: fewer are not worth a look, and so many take a few milliseconds."""

MANY = 50_000
"""So many new objects are modules, or what a job has read: looking through them takes too long."""

LOOKS = 10
LONG_SECONDS = 0.015


class Steady(QObject):
    """Gives threads short turns, and collects reference cycles on the window's thread alone.

    Python would collect them on whichever thread makes the next object: a job's thread would hold
    the interpreter for a tenth of a second, and destroy Qt objects of the window.
    """

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._before = sys.getswitchinterval()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.collect)

    @property
    def running(self) -> bool:
        """Whether it has begun."""
        return self._timer.isActive()

    def start(self) -> None:
        """Begin; the whole process is concerned."""
        sys.setswitchinterval(TURN_SECONDS)
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Leave everything to Python again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
        sys.setswitchinterval(self._before)

    def set_aside(self) -> None:
        """Never look again through what there is now: modules, and pages that stay."""
        gc.freeze()

    def collect(self) -> None:
        """Look through the newest objects; through all of them now and then, between jobs."""
        young, looks, _ = gc.get_count()
        if young < WORTH_A_LOOK or (young > FEW and not self._jobs.idle):
            return
        if young > MANY:
            self.set_aside()
        elif young < FEW and looks < LOOKS:
            gc.collect(0)
        elif self._jobs.idle:
            self._collect_all()
        else:
            gc.collect(1)

    def _collect_all(self) -> None:
        """Where this takes long, most of what was found are modules again."""
        began = time.perf_counter()
        gc.collect()
        if time.perf_counter() - began > LONG_SECONDS:
            self.set_aside()

"""Garbage collection in the window's thread alone, in short steps."""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

from jurydesk.app.jobs.job import Jobs

INTERVAL_MS = 1000
MIN_OBJECTS, QUICK_OBJECTS = 500, 20_000
"""Numbers of new objects that are worth a collection, and that take a few milliseconds."""

FREEZE_OBJECTS = 50_000
"""Above this count, freeze instead of collecting: these are modules, or what a job has read."""

YOUNG_COLLECTIONS = 10
LONG_SECONDS = 0.015


class GarbageCollection(QObject):
    """Collects reference cycles at times when the window can afford it.

    Python collects in whichever thread allocates next: a job would stop all threads for a tenth of
    a second, and destroy Qt objects of the window in its own thread.
    """

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)

    def start(self) -> None:
        """Replace Python's automatic collection, for the whole process."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Restore Python's automatic collection."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def freeze(self) -> None:
        """Exclude the existing objects, such as modules and pages, from later collections."""
        gc.freeze()

    def collect(self) -> None:
        """Collect the youngest objects, and from time to time, between jobs, all."""
        young, collections, _ = gc.get_count()
        if young < MIN_OBJECTS or (young > QUICK_OBJECTS and not self._jobs.idle):
            return
        if young > FREEZE_OBJECTS:
            self.freeze()
        elif young < QUICK_OBJECTS and collections < YOUNG_COLLECTIONS:
            gc.collect(0)
        elif self._jobs.idle:
            self._collect_all()
        else:
            gc.collect(1)

    def _collect_all(self) -> None:
        """Collect all objects; if that takes long, most are modules, so freeze them."""
        began = time.perf_counter()
        gc.collect()
        if time.perf_counter() - began > LONG_SECONDS:
            self.freeze()

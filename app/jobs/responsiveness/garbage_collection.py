"""Garbage collection on the window's thread alone, a moment at a time."""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

from jurydesk.app.jobs.job import Jobs

INTERVAL_MS = 1000
MIN_OBJECTS, QUICK_OBJECTS = 500, 20_000
"""New objects: fewer are not worth a collection; so many take a few milliseconds."""

FREEZE_OBJECTS = 50_000
"""Above this count, freeze instead of collecting: these are modules, or what a job has read."""

YOUNG_COLLECTIONS = 10
LONG_SECONDS = 0.015


class GarbageCollection(QObject):
    """Collects reference cycles at moments when the window can afford it.

    Python collects on whichever thread makes the next object: a job would stop all threads for a
    tenth of a second, and destroy Qt objects of the window on its own thread.
    """

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)

    def start(self) -> None:
        """Take over from Python, for the whole process."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Leave collecting to Python again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def freeze(self) -> None:
        """Exclude what exists now from every later collection: modules, and pages that stay."""
        gc.freeze()

    def collect(self) -> None:
        """Collect the newest objects; all of them now and then, between jobs."""
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
        """Collect everything; where that takes long, most of it are modules again."""
        began = time.perf_counter()
        gc.collect()
        if time.perf_counter() - began > LONG_SECONDS:
            self.freeze()

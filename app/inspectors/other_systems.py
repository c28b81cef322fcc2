"""Data of other systems for comparison, read in a job."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from jurydesk.app.inspectors.panel import Systems
from jurydesk.app.jobs.job import Job, Notify, view_jobs
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.execution.run import Cancelled, Run
from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import Evaluation

Extract = Callable[[Evaluation], Any]
"""Function that extracts the needed part of an evaluation, on the worker's thread."""


class OtherSystemParts(QObject):
    """Caches a part of other systems' evaluations; `arrived` is emitted when all are read."""

    arrived = Signal()

    def __init__(self, extract: Extract, parent: QObject) -> None:
        super().__init__(parent)
        self._extract = extract
        self._wanted: Systems = {}
        self._read: Systems = {}
        self._parts: dict[str, Any] = {}

    @property
    def parts(self) -> dict[str, Any]:
        """Parts of the requested systems that were read, in order."""
        return {name: self._parts[name] for name in self._wanted if name in self._parts}

    def read(self, systems: Systems) -> None:
        """Read these systems; known ones are not read again."""
        self._wanted = systems
        self._read = {name: load for name, load in self._read.items() if systems.get(name) == load}
        self._parts = {name: self._parts[name] for name in self._read}
        missing = {name: load for name, load in systems.items() if name not in self._read}
        if missing:
            job = Job(
                translate("Reading systems"), partial(_read, missing, self._extract), quiet=True
            )
            job.succeeded.connect(self._take_read)
            view_jobs().start(job)

    def _take_read(self, found: dict[str, tuple[Callable[[], Evaluation], Any]]) -> None:
        for name, (load, part) in found.items():
            if self._wanted.get(name) == load:
                self._read = {**self._read, name: load}
                self._parts[name] = part
        self.arrived.emit()


def _read(
    systems: Systems, extract: Extract, run: Run, notify: Notify
) -> dict[str, tuple[Callable[[], Evaluation], Any]]:
    found = {}
    for name, load in systems.items():
        run.check()
        try:
            found[name] = load, extract(load())
        except DeskError as gone:  # the desk was closed or the system scored again
            raise Cancelled from gone
    return found

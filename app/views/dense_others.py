"""The other systems that one is compared with, read beside the window's thread."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Tell, view_jobs
from app.models.dense import DenseItems
from app.views.panels import Systems
from core.desk.errors import DeskError
from core.metrics.dense_cuts import Claims
from core.run.run import Cancelled, Run


class Others(QObject):
    """Keeps the records of other systems; `arrived` tells that all that were wanted are there."""

    arrived = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.items: dict[str, DenseItems] = {}
        self._read: Systems = {}
        self._wanted: Systems = {}

    @property
    def claims(self) -> dict[str, Claims]:
        """The claims of the systems that are there."""
        return {name: items.claims for name, items in self.items.items()}

    def read(self, systems: Systems) -> None:
        """Read these systems; those that are there already are not read again."""
        self._wanted = systems
        kept = {name: load for name, load in systems.items() if self._read.get(name) == load}
        self.items = {name: items for name, items in self.items.items() if name in kept}
        missing = {name: load for name, load in systems.items() if name not in self.items}
        if missing:
            job = Job("Reading systems", partial(_read, missing), quiet=True)
            job.succeeded.connect(self._succeeded)
            job.failed.connect(self._failed)
            view_jobs().start(job)

    def _succeeded(self, found: dict[str, DenseItems]) -> None:
        self.items |= {name: items for name, items in found.items() if name in self._wanted}
        self._read = self._wanted
        self.arrived.emit()

    def _failed(self, exception: Exception) -> None:
        raise exception


def _read(systems: Systems, run: Run, tell: Tell) -> dict[str, DenseItems]:
    found = {}
    for name, load in systems.items():
        run.check()
        try:
            items = DenseItems(load())
        except DeskError as gone:  # closed, or scored again: nobody asks for it any more
            raise Cancelled from gone
        items.claims, items.records  # noqa: B018 - worked out here, on the worker's thread
        found[name] = items
    return found

"""All other systems' values beside those of the two that are compared, read in the background."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs
from app.models.compare import of_items
from app.pages.compare_work import read_field

if TYPE_CHECKING:
    from app.session import Session
    from core.comparison import PerItem
    from core.entries import Entries
    from core.model import FloatArray, MetricInfo

Asked = tuple[str, ...]
"""The two systems and the metric."""


class Field(QObject):
    """Knows the values (items,) of the other systems by their names; `changed` says when."""

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs: Jobs | None = None
        self._job: Job | None = None
        self._asked: tuple[Asked, PerItem] | None = None
        self.values: dict[str, FloatArray] = {}

    def join(self, jobs: Jobs) -> None:
        """Let the reading run among these jobs."""
        self._jobs = jobs

    def forget(self) -> None:
        """Know nothing, since two others are compared now."""
        self.values, self._asked = {}, None
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def read(self, items: PerItem, systems: tuple[str, str], metric: MetricInfo) -> None:
        """Read what the other systems have of these items, unless that is being done."""
        task, desk = self._session.task, self._session.desk
        others = [one for one in self._session.shown() if one.system not in systems]
        asked = (*systems, metric.name)
        if task is None or desk is None or not others or self._jobs is None:
            return
        if self._asked is not None and self._asked[0] == asked:
            return
        self._asked = (asked, items)
        work = partial(read_field, desk, task, metric, others, asked)
        self._job = Job("Reading the other systems", work, quiet=True)
        self._job.succeeded.connect(self._take)
        self._jobs.start(self._job)

    def _take(self, found: tuple[Asked, Mapping[str, Entries]]) -> None:
        asked, field = found
        if self._asked is None or self._asked[0] != asked:
            return
        items, metric = self._asked[1], asked[-1]
        self.values = {name: of_items(items, one, metric) for name, one in field.items()}
        self.changed.emit()

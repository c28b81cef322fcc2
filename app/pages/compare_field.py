"""All other systems' values beside those of the two that are compared, read in the background."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job
from app.models.compare import of_items
from app.newest import Asking
from app.pages.compare_work import read_field

if TYPE_CHECKING:
    from app.session import Session
    from core.comparison import PerItem
    from core.entries import Entries
    from core.model import FloatArray, MetricInfo

Asked = tuple[str, ...]
"""The two systems and the metric."""


class Field(Asking):
    """Knows the values (items,) of the other systems by their names; `changed` says when."""

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(session, parent)
        self._newest.found.connect(self._take)
        self._asked: tuple[Asked, PerItem] | None = None
        self.values: dict[str, FloatArray] = {}

    def forget(self) -> None:
        """Know nothing, since two others are compared now."""
        self.values, self._asked = {}, None
        self._newest.stop()

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
        work = partial(read_field, desk, task, metric, others)
        self._newest.begin(Job("Reading the other systems", work, quiet=True), self._jobs)

    def _take(self, field: Mapping[str, Entries]) -> None:
        if self._asked is not None:
            (*_, metric), items = self._asked
            self.values = {name: of_items(items, one, metric) for name, one in field.items()}
            self.changed.emit()

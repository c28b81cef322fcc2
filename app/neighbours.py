"""Reads by how much neighbours of the board differ, item by item, beside the window's thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs, Tell
from app.newest import Newest

if TYPE_CHECKING:
    from app.models.gains import Gains
    from app.session import Session
    from core.desk import Desk, Summary
    from core.model import MetricInfo
    from core.run.run import Run
    from core.tasks.registry import AnyTask

Key = tuple[str, int, int, str]
"""The desk, its results of both systems, and the metric."""

KEPT_PAIRS = 64


class Neighbours(QObject):
    """Knows the gains of the pairs looked at last; `changed` says that one more is known."""

    changed = Signal()

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._newest = Newest(self)
        self._newest.found.connect(self._take)
        self._known: dict[Key, Gains | None] = {}

    @property
    def reading(self) -> bool:
        """Whether a pair is being read."""
        return self._newest.asked is not None

    def gains(self, first: str, second: str, metric: MetricInfo) -> Gains | None:
        """The gains of the first system over the second, where they are known.

        Otherwise they are read, and what was asked before is given up.
        """
        session = self._session
        desk, task = session.desk, session.task
        pair = session.summary(first), session.summary(second)
        if desk is None or task is None or pair[0] is None or pair[1] is None:
            return None
        key = (str(desk.path), pair[0].id, pair[1].id, metric.name)
        if key not in self._known and key != self._newest.asked:
            work = partial(read_gains, desk, task, metric, (pair[0], pair[1]), key)
            self._newest.begin(Job("Reading the differences", work, quiet=True), self._jobs, key)
        return self._known.get(key)

    def _take(self, found: tuple[Key, Gains | None]) -> None:
        key, gains = found
        self._known[key] = gains
        while len(self._known) > KEPT_PAIRS:
            self._known.pop(next(iter(self._known)))
        self.changed.emit()


def read_gains(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    pair: tuple[Summary, Summary],
    key: Key,
    run: Run,
    tell: Tell,
) -> tuple[Key, Gains | None]:
    """What was asked, and the gains; None where there is no number for each item or unit."""
    from app.models.gains import gains_of
    from core.comparison import per_item
    from core.desk.columns import item_columns
    from core.desk.errors import GoneError
    from core.entries import entries

    wanted = (metric.name,) if task.units is None else None
    found = []
    for done, one in enumerate(pair):
        run.report(done, len(pair), f"reading {one.system}")
        try:
            items = item_columns(desk, one.id, wanted)
        except GoneError:
            return key, None
        found.append(entries(task, items, one.profile))
    compared = per_item(metric, *found)
    return key, None if compared is None or not compared.ids else gains_of(compared)

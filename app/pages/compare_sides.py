"""The systems that the Compare page was asked for last; large ones are read beside its thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs
from app.newest import Asking
from app.pages.compare_work import Side
from core.model import Evaluation
from core.workflow.evaluation_cache import QUICK_ITEMS, load_rated

if TYPE_CHECKING:
    from app.jobs import Tell
    from app.session import Session
    from core.desk import Summary
    from core.rating.findings import Findings
    from core.run.run import Run
    from core.tasks.registry import AnyTask

KEPT_SIDES = 4
QUICK_ITEMS_IN_UNITS = 500
"""So many items are read before anybody notices where units are scored anew."""

Loads = Mapping[int, Callable[[], Evaluation]]
"""How evaluations are loaded, by their numbers in the desk."""


class Sides(Asking):
    """Turning back to one of the last few costs nothing; `arrived` tells that others are there.

    `failed` tells that they could not be read.
    """

    arrived = Signal()
    failed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(session, parent)
        self._newest.found.connect(self._take)
        self._newest.failed.connect(self.failed)
        self._kept: dict[int, Side] = {}

    @property
    def reading(self) -> bool:
        """Whether systems are on their way."""
        return self._newest.asked is not None

    def clear(self) -> None:
        """Let go of all, also of what is on its way."""
        self._kept.clear()
        self._newest.stop()

    def of(self, systems: Sequence[str]) -> tuple[Side, ...]:
        """The sides of these systems; none where one is not there, or is being read."""
        self._newest.stop()
        task = self._session.task
        wanted = [found for name in systems if (found := self._session.summary(name)) is not None]
        if task is None or len(wanted) < len(systems):
            return ()
        missing = [summary for summary in wanted if summary.id not in self._kept]
        soon = QUICK_ITEMS if task.units is None else QUICK_ITEMS_IN_UNITS
        if self._jobs is not None and sum(one.n_items for one in missing) > soon:
            self._read(task, missing, self._jobs)
            return ()
        for summary in missing:
            evaluation = self._session.evaluation(summary.system)
            if evaluation is None:
                return ()
            self._kept[summary.id] = Side.of(task, evaluation)
        sides = {summary.id: self._kept.pop(summary.id) for summary in wanted}
        self._kept = {**dict([*self._kept.items()][len(sides) - KEPT_SIDES :]), **sides}
        return tuple(sides[summary.id] for summary in wanted)

    def _read(self, task: AnyTask, missing: Sequence[Summary], jobs: Jobs) -> None:
        stored = self._session.stored()
        loads = {summary.id: stored[summary.system] for summary in missing}
        work = partial(read_sides, task, loads, self._session.people)
        self._newest.begin(Job("Reading systems", work, quiet=True), jobs, tuple(loads))

    def _take(self, found: Mapping[int, Side]) -> None:
        self._kept.update(found)
        self.arrived.emit()


def read_sides(
    task: AnyTask, loads: Loads, people: Findings | None, run: Run, tell: Tell
) -> dict[int, Side]:
    """The sides of evaluations, with what people said of them."""
    found = {}
    for key, load in loads.items():
        run.check()
        found[key] = Side.of(task, load_rated(load, people))
    return found

"""The evaluation that the Items page shows; a large one is read beside the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job
from app.newest import Asking
from core.model import Evaluation
from core.workflow.evaluation_cache import QUICK_ITEMS, load_rated

if TYPE_CHECKING:
    from app.jobs import Tell
    from app.session import Session
    from core.rating.findings import Findings
    from core.run.run import Run


class Reading(Asking):
    """`arrived` tells that what was asked for last is there, so that it can be asked for again.

    Without jobs everything is read at once. `failed` tells that it could not be read.
    """

    arrived = Signal()
    failed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(session, parent)
        self._newest.found.connect(self._take)
        self._newest.failed.connect(self.failed)

    def of(self, system: str) -> Evaluation | None:
        """The evaluation of a system; None where there is none, or it is being read."""
        session = self._session
        summary = session.summary(system)
        at_once = summary is None or summary.n_items <= QUICK_ITEMS or summary.id in session.loaded
        if at_once or self._jobs is None:
            self._newest.stop()
            return session.evaluation(system)
        asked = (summary.id, session.stored()[system], session.people)
        if asked != self._newest.asked:
            work = partial(keyed, *asked)
            self._newest.begin(Job("Reading the items", work, quiet=True), self._jobs, asked)
        return None

    def _take(self, found: tuple[int, Evaluation]) -> None:
        self._session.loaded.put(*found)
        self.arrived.emit()


def keyed(
    key: int, load: Callable[[], Evaluation], people: Findings | None, run: Run, tell: Tell
) -> tuple[int, Evaluation]:
    """The number of an evaluation in the desk, and the evaluation with what people said of it."""
    return key, load_rated(load, people)

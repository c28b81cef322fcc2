"""The evaluation that the Items page shows; a large one is read beside the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs
from app.loaded import SOON
from app.newest import Newest
from core.model import Evaluation

if TYPE_CHECKING:
    from app.jobs import Tell
    from app.session import Session
    from core.rating.findings import Findings
    from core.run.run import Run


class Reading(QObject):
    """`arrived` tells that what was asked for last is there, so that it can be asked for again."""

    arrived = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs: Jobs | None = None
        self._newest = Newest(self)
        self._newest.found.connect(self._take)

    def join(self, jobs: Jobs) -> None:
        """Let the reading run among these jobs; without them everything is read at once."""
        self._jobs = jobs

    def of(self, system: str) -> Evaluation | None:
        """The evaluation of a system; None where there is none, or it is being read."""
        session = self._session
        summary = session.summary(system)
        at_once = summary is None or summary.n_items <= SOON or summary.id in session.loaded
        if at_once or self._jobs is None:
            self._newest.stop()
            return session.evaluation(system)
        asked = (summary.id, session.stored()[system], session.people)
        if asked != self._newest.asked:
            work = partial(read, *asked)
            self._newest.begin(Job("Reading the items", work, quiet=True), self._jobs, asked)
        return None

    def _take(self, found: tuple[int, Evaluation]) -> None:
        self._session.loaded.put(*found)
        self.arrived.emit()


def read(
    key: int, load: Callable[[], Evaluation], people: Findings | None, run: Run, tell: Tell
) -> tuple[int, Evaluation]:
    """The number of an evaluation in the desk, and the evaluation with what people said of it."""
    from core.desk.errors import DeskError
    from core.run.run import Cancelled

    try:
        found = load()
    except DeskError as gone:  # closed, or scored again: nobody asks for it any more
        raise Cancelled from gone
    return key, found if people is None else people.beside(found)

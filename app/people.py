"""Finds out in the background what the raters of a desk said, whenever its answers change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs, Tell
from app.session import Session

if TYPE_CHECKING:
    from core.desk import Desk
    from core.rating.findings import Findings
    from core.run.run import Run


class People(QObject):
    """Keeps the session's findings those of its desk; `settled` says that they are up to date."""

    settled = Signal()

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._job: Job | None = None
        self._again = False
        session.desk_changed.connect(self.listen)
        session.evaluations_changed.connect(self.listen)

    @property
    def listening(self) -> bool:
        """Whether something is being found out."""
        return self._job is not None

    def listen(self) -> None:
        """Find out what the answers in the desk tell; what is known already comes at once."""
        if self._job is not None:
            self._again = True
            self._job.cancel()
            return
        desk = self._session.desk
        if desk is None:
            return
        self._job = Job("Reading the ratings", partial(told_by_people, desk), quiet=True)
        self._job.succeeded.connect(self._take)
        self._job.over.connect(self._over)
        self._jobs.start(self._job)

    def _take(self, result: tuple[Desk, Findings | None]) -> None:
        desk, found = result
        if desk is self._session.desk:
            self._session.set_people(found)

    def _over(self) -> None:
        self._job = None
        if self._again:
            self._again = False
            self.listen()
        else:
            self.settled.emit()


def told_by_people(desk: Desk, run: Run, tell: Tell) -> tuple[Desk, Findings | None]:
    """The desk and its findings; None where it holds no answers, or was closed meanwhile."""
    from core.desk import DeskError
    from core.rating.store import RatingStore

    try:
        if not RatingStore(desk).fingerprint():
            return desk, None
        from core.rating.findings_kept import findings_in

        return desk, findings_in(desk, run)
    except DeskError:
        return desk, None

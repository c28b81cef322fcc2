"""Background job for the findings of a desk's ratings, started when its answers change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from jurydesk.app.jobs.job import Jobs, Notify
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.core.language import translate

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.human_evaluation.results.findings import StudyFindings


class RatingFindings(DeskJob[None, "StudyFindings | None"]):
    """Updates the session's findings when the results of its desk change."""

    def __init__(self, parent: QObject, session: Session, jobs: Jobs) -> None:
        super().__init__(parent, session, jobs)
        self.arrived.connect(session.set_study_findings)
        session.changed.connect(self._session_changed)

    def _session_changed(self, parts: SessionPart) -> None:
        if SessionPart.RESULTS in parts:
            self.update(keep=SessionPart.DESK not in parts)

    def update(self, *, keep: bool = True) -> None:
        """Compute the findings; with `keep=False` the desk is not written to."""
        if self._session.has_desk:
            task = self._session.task if self._session.has_task else None
            work = partial(load_study_findings, self._session.desk, task, keep)
            self.start(None, translate("Reading the ratings"), work)
        else:
            self.cancel()


def load_study_findings(
    desk: Desk, task: AnyTask | None, keep: bool, run: Run, notify: Notify
) -> StudyFindings | None:
    """Return the findings of a desk, or None if it has no answers."""
    from jurydesk.core.human_evaluation.design.study_store import RatingStore

    if not RatingStore(desk).fingerprint():
        return None
    from jurydesk.core.human_evaluation.results.findings import load_findings

    return load_findings(desk, run, keep=keep, task=task)

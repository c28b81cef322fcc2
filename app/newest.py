"""What is asked while somebody looks: only the newest question counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs

if TYPE_CHECKING:
    from app.session import Session


class Newest(QObject):
    """The newest job of a kind: one that begins stops the one before, whose result is let go.

    `found` carries the result, `failed` the exception; `over` follows when the newest has ended,
    however it did.
    """

    found = Signal(object)
    failed = Signal(object)
    over = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._asked: object = None

    @property
    def busy(self) -> bool:
        """Whether the newest job runs."""
        return self._job is not None

    @property
    def asked(self) -> object:
        """What the newest job is to find, as `begin` was told; None where no result is awaited."""
        return self._asked

    def begin(self, job: Job, jobs: Jobs, asked: object = None) -> None:
        """Run a job among others."""
        self.stop()
        self._job, self._asked = job, asked
        job.succeeded.connect(self._succeeded)
        job.failed.connect(self._failed)
        job.over.connect(self._over)
        jobs.start(job)

    def stop(self) -> None:
        """Stop the newest job; neither its result nor its end is told."""
        if self._job is not None:
            self._job.cancel()
            self._job = self._asked = None

    def _succeeded(self, result: object) -> None:
        if self.sender() is self._job:
            self._asked = None
            self.found.emit(result)

    def _failed(self, exception: object) -> None:
        if self.sender() is self._job:
            self._asked = None
            self.failed.emit(exception)

    def _over(self, job: Job) -> None:
        if job is self._job:
            self._job = self._asked = None
            self.over.emit()


class Asking(QObject):
    """Asks for something of a session beside the window's thread, as soon as it has joined jobs."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs: Jobs | None = None
        self._newest = Newest(self)

    def join(self, jobs: Jobs) -> None:
        """Let the reading run among these jobs."""
        self._jobs = jobs

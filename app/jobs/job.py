"""Long work off the window's thread: a core function runs in a `QThread` and reports by signals.

Connect only bound methods of objects that live in the GUI thread: Qt then queues the call there,
while a lambda or a partial would run in the worker.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QThread, Signal

from jurydesk.app.jobs.responsiveness.gui_priority import gui_priority
from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.execution.workers import Opener

PATIENCE_MS = 3000
LONG_SECONDS = 10.0
"""A job that has run for so long is not cancelled by a stray key."""

Tell = Callable[[object], None]
Work = Callable[[Run, Tell], Any]


class Job(QThread):
    """One piece of work. `partial_result` carries what the work hands out before its end.

    Exactly one of `succeeded`, `failed` (with the exception) and `stopped` follows, then `over`
    with the job itself, when the thread has ended. A `quiet` job is not shown in the strip.
    `workers` makes those who do its chunks, where it is not this machine.
    """

    progressed = Signal(object)
    partial_result = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    over = Signal(object)

    def __init__(
        self,
        title: str,
        work: Work,
        *,
        quiet: bool = False,
        device: str = "auto",
        jobs: int = 0,
        workers: Opener | None = None,
    ) -> None:
        super().__init__()
        self.setObjectName(title)
        self.title = title
        self.quiet = quiet
        self.began = time.monotonic()
        self.progress = Progress(0, 0, title)
        self._work = work
        self._cancel = CancelToken()
        self._run = Run(
            progress=self.progressed.emit,
            cancel=self._cancel,
            device=device,
            jobs=jobs or None,
            workers=workers,
            rest=gui_priority().pause,
        )
        self.progressed.connect(self._remember)
        self.finished.connect(self._end)

    def run(self) -> None:
        try:
            with self._run:
                self._run.check()  # what began it is shown first
                result = self._work(self._run, self.partial_result.emit)
        except Cancelled:
            self.stopped.emit()
        except Exception as exception:  # noqa: BLE001 - our fault, handed to the crash dialog
            if self._cancel.cancelled:
                self.stopped.emit()
            else:
                self.failed.emit(exception)
        else:
            if self._cancel.cancelled:
                self.stopped.emit()
            else:
                self.succeeded.emit(result)

    @property
    def is_long(self) -> bool:
        """Whether so much was done that nobody should throw it away by a stray key."""
        return time.monotonic() - self.began >= LONG_SECONDS

    def cancel(self) -> None:
        """Ask the work to stop; `stopped` follows within a moment."""
        self._cancel.cancel()

    @property
    def cancelling(self) -> bool:
        return self._cancel.cancelled

    def _remember(self, progress: Progress) -> None:
        self.progress = progress

    def _end(self) -> None:
        self.wait()
        self.over.emit(self)


class Jobs(QObject):
    """All running jobs; a reference is kept until the thread has ended."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: list[Job] = []

    def start(self, job: Job) -> Job:
        """Run a job, and keep it alive until it is over."""
        self._running.append(job)
        job.over.connect(self._drop)
        job.failed.connect(self.failed)
        job.start()
        self.changed.emit()
        return job

    @property
    def idle(self) -> bool:
        return not self._running

    def visible(self) -> Job | None:
        """The job that the strip shows: the oldest that is not quiet."""
        return next((job for job in self._running if not job.quiet), None)

    def waiting_for(self) -> str:
        """What a quiet job does, for those who see no other; empty where nothing runs."""
        return next((job.title for job in self._running), "")

    def cancel_all(self) -> None:
        for job in self._running:
            job.cancel()
        self.changed.emit()

    def shut_down(self) -> bool:
        """Stop every job and wait for it; False where one is still inside a native call."""
        self.cancel_all()
        ended = [job.wait(PATIENCE_MS) for job in self._running]
        return all(ended)

    def _drop(self, job: Job) -> None:
        self._running.remove(job)
        self.changed.emit()


@cache
def view_jobs() -> Jobs:
    """The jobs of views, which nobody sees in the strip; they live as long as the application.

    What fails in one is our fault, and raised on the window's thread.
    """
    application = QCoreApplication.instance()
    jobs = Jobs(application)
    jobs.failed.connect(_raise)
    if application is not None:
        application.aboutToQuit.connect(jobs.shut_down)
    return jobs


def _raise(exception: Exception) -> None:
    raise exception

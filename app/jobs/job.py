"""Jobs: core functions that run in a `QThread` and report by signals.

Connect only bound methods of objects that live in the GUI thread: Qt queues these calls there, but
runs a lambda or a partial in the worker.
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
from jurydesk.core.execution.workers.worker import Opener

PATIENCE_MS = 3000
LONG_SECONDS = 10.0
"""Jobs that have run for longer are cancelled only after a question."""

Notify = Callable[[object], None]
Work = Callable[[Run, Notify], Any]


class Job(QThread):
    """A function that runs in a thread. `partial_result` carries results before its end.

    Exactly one of `succeeded`, `failed` (with the exception) and `stopped` follows, then `ended`
    with the job itself, when the thread has ended. A `quiet` job is not shown in the strip.
    `workers` opens remote workers for its chunks; the default is this machine. `continues` says
    that a later run goes on where a cancelled one stopped.
    """

    progressed = Signal(object)
    partial_result = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    ended = Signal(object)

    def __init__(
        self,
        title: str,
        work: Work,
        *,
        quiet: bool = False,
        device: str = "auto",
        jobs: int = 0,
        workers: Opener | None = None,
        continues: bool = False,
    ) -> None:
        super().__init__()
        self.setObjectName(title)
        self.continues = continues
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
                self._run.check()  # waits until the window has shown what started the job
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
        """Whether cancelling the job would lose much work."""
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
        self.ended.emit(self)


class Jobs(QObject):
    """All running jobs, which stay referenced until their threads have ended."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: list[Job] = []

    def start(self, job: Job) -> Job:
        """Start a job, and keep a reference until it is over."""
        from jurydesk.core.system.memory import limit_arenas  # no job starts before the first paint

        limit_arenas()
        self._running.append(job)
        job.ended.connect(self._remove_job)
        job.failed.connect(self.failed)
        job.start()
        self.changed.emit()
        return job

    @property
    def idle(self) -> bool:
        return not self._running

    def visible(self) -> Job | None:
        """Return the job that the strip shows: the oldest that is not quiet."""
        return next((job for job in self._running if not job.quiet), None)

    def waiting_for(self) -> str:
        """Return the title of the oldest job; empty if none runs."""
        return next((job.title for job in self._running), "")

    def cancel_all(self) -> None:
        for job in self._running:
            job.cancel()
        self.changed.emit()

    def shut_down(self) -> bool:
        """Cancel all jobs and wait; return False if one is still inside a native call."""
        self.cancel_all()
        ended = [job.wait(PATIENCE_MS) for job in self._running]
        return all(ended)

    def _remove_job(self, job: Job) -> None:
        self._running.remove(job)
        self.changed.emit()


@cache
def view_jobs() -> Jobs:
    """Return the jobs of views, which live as long as the application.

    Their failures are bugs and are raised in the window's thread.
    """
    application = QCoreApplication.instance()
    jobs = Jobs(application)
    jobs.failed.connect(_raise)
    if application is not None:
        application.aboutToQuit.connect(jobs.shut_down)
    return jobs


def _raise(exception: Exception) -> None:
    raise exception

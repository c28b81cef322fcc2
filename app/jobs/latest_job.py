"""Job for the latest of several requests, with a cache of the last few results."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from jurydesk.app.jobs.crash_report import is_user_error
from jurydesk.app.jobs.job import Job, Jobs, Notify, Work
from jurydesk.core.execution.run import Cancelled, Run
from jurydesk.core.language import translatable, translate

if TYPE_CHECKING:
    from jurydesk.app.state.session import Session

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")

FAULT = translatable(
    "This could not be computed because of an error in the program: see its report."
)


class LatestJob(QObject, Generic[Key, Result]):
    """Starting a job cancels the previous one and discards its result.

    `arrived` carries a result, `refused` the reason why there is none; `ended` follows either, and
    also the end of a job whose desk was closed. A cancelled job emits nothing. The last `limit`
    results stay in memory.
    """

    arrived = Signal(object)
    refused = Signal(object)
    ended = Signal()

    def __init__(self, parent: QObject, jobs: Jobs, *, limit: int = 1) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._limit = limit
        self._job: Job | None = None
        self._pending: tuple[int, Key] | None = None
        self._results: dict[tuple[int, Key], Result] = {}

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    @property
    def is_pending(self) -> bool:
        """Whether a requested result has not arrived yet."""
        return self._pending is not None

    def is_pending_for(self, key: Key) -> bool:
        """Return whether the result of a key was requested and has not arrived yet."""
        return self._pending == self._desk_key(key)

    def cached_result(self, key: Key) -> Result | None:
        """Return the result of a key if it is in memory."""
        return self._results.get(self._desk_key(key))

    def put(self, key: Key, result: Result) -> None:
        """Store a result."""
        while len(self._results) >= self._limit:
            self._results.pop(next(iter(self._results)))
        self._results[self._desk_key(key)] = result

    def results(self) -> list[Result]:
        """Return all results of the open desk that are in memory, the oldest first."""
        desk = self._desk
        return [result for (of, _), result in self._results.items() if of == desk]

    def request(self, key: Key, title: str, work: Work) -> Result | None:
        """Return the result of a key; if it is unknown, start its job unless it is running."""
        if self._desk_key(key) in self._results:
            self.cancel()
        elif self._pending != self._desk_key(key):
            self.start(key, title, work)
        return self.cached_result(key)

    def start(
        self,
        key: Key,
        title: str,
        work: Work,
        *,
        quiet: bool = True,
        device: str = "auto",
        processes: int = 0,
    ) -> None:
        """Start the job of a key, even if its result is known."""
        self.cancel()
        self._pending = self._desk_key(key)
        work = refuse_user_errors(work)
        self._job = Job(title, work, quiet=quiet, device=device, jobs=processes)
        self._job.succeeded.connect(self._deliver_result)
        self._job.failed.connect(self._report_fault)
        self._job.ended.connect(self._forget_job)
        self._jobs.start(self._job)

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = self._pending = None

    def clear(self) -> None:
        """Cancel the latest job, and discard all results."""
        self.cancel()
        self._results.clear()

    def _desk_key(self, key: Key) -> tuple[int, Key]:
        return self._desk, key

    @property
    def _desk(self) -> int:
        """The number of the desk that results belong to; 0 if to none."""
        return 0

    def _deliver_result(self, result: Result | Refusal) -> None:
        pending = self._pending
        if self.sender() is not self._job or pending is None:
            return
        self._pending = None
        if pending != self._desk_key(pending[1]):
            return
        if isinstance(result, Refusal):
            self.refused.emit(str(result))
            return
        self.put(pending[1], result)
        self.arrived.emit(result)

    def _report_fault(self) -> None:
        if self.sender() is self._job:
            self._pending = None
            self.refused.emit(translate(FAULT))

    def _forget_job(self, job: Job) -> None:
        if job is self._job:
            self._job = self._pending = None
            self.ended.emit()


class DeskJob(LatestJob[Key, Result]):
    """Latest job on the open desk: results for a desk that was closed meanwhile are ignored."""

    def __init__(self, parent: QObject, session: Session, jobs: Jobs, *, limit: int = 1) -> None:
        super().__init__(parent, jobs, limit=limit)
        self._session = session

    @property
    def _desk(self) -> int:
        return self._session.desk_number


class Refusal(str):
    """The reason why there is no result, as a sentence for the user."""

    __slots__ = ()


def refuse_user_errors(work: Work) -> Work:
    """Wrap `work` so that it returns a `Refusal` for an error that the user can correct."""
    return partial(_call_guarded, work)


def _call_guarded(work: Work, run: Run, notify: Notify) -> object:
    """Call `work`; return a `Refusal` for an error that the user can correct.

    Raises:
        Cancelled: The desk was closed or the evaluation removed, so no result is expected.
    """
    try:
        return work(run, notify)
    except Exception as error:
        from jurydesk.core.desk.errors import EvaluationGoneError

        if isinstance(error, EvaluationGoneError):
            raise Cancelled from error
        if is_user_error(error):
            return Refusal(error)
        raise

"""Context of long work: progress, cancellation, device, workers and cache."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from jurydesk.core.execution.cache import Cache, NoCache
from jurydesk.core.execution.progress import Progress, ProgressReporter
from jurydesk.core.execution.workers.worker import LOCAL, Opener, Worker, Workers, is_chunk_error

if TYPE_CHECKING:
    from concurrent.futures import Future

    from jurydesk.core.model.chunk import ChunkRequest

P = ParamSpec("P")
T = TypeVar("T")
U = TypeVar("U")
C = TypeVar("C", bound=Sized)
R = TypeVar("R", bound=Sized)

CANCEL_POLL_SECONDS = 0.05


class Cancelled(Exception):  # noqa: N818 - not an error
    """Cancellation of a run by the user."""


class ChunksPostponed(Exception):  # noqa: N818 - not an error
    """Postponement of chunks, without whose statistics the work cannot continue."""


class CancelToken:
    """Flag that one thread sets to stop the working threads."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the run to stop at its next check."""
        self._event.set()

    def sleep(self, seconds: float) -> None:
        """Sleep for `seconds`, or until cancelled."""
        self._event.wait(seconds)

    @property
    def cancelled(self) -> bool:
        """True if the run was asked to stop."""
        return self._event.is_set()


def default_jobs() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Run:
    """Progress, cancellation, device, workers and cache of one piece of long work.

    A run is a context manager, and is closed to release its workers.

    Args:
        progress: Function called on the working thread, at most every 40 ms.
        cancel: Token that stops the run.
        device: Device of neural metrics, such as `auto` or `cuda:0`.
        workers: Function that opens the workers; local threads and processes by default.
        jobs: Number of local workers; all processors by default.
        cache: Cache of finished chunks.
        postpone: Function that receives the chunks missing in the cache, instead of workers.
        rest: Function that returns, at every check, for how many seconds to yield to others.
    """

    def __init__(
        self,
        *,
        progress: Callable[[Progress], None] | None = None,
        cancel: CancelToken | None = None,
        device: str = "auto",
        workers: Opener | None = None,
        jobs: int | None = None,
        cache: Cache | None = None,
        postpone: Callable[[ChunkRequest[Any, Any, Any]], None] | None = None,
        rest: Callable[[], float] | None = None,
    ) -> None:
        self.cancel = cancel or CancelToken()
        self.device = device
        self.jobs = jobs or default_jobs()
        self.cache: Cache = cache or NoCache()
        self._reporter = ProgressReporter(progress)
        self._open_workers: Opener = workers or self._local_workers
        self._workers: Workers | None = None
        self.postpone = postpone
        self._rest = rest

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def background_run(self, is_reporting: Callable[[], bool]) -> Run:
        """Return a run for concurrent work of another thread, cancelled together with this one.

        Its progress is reported only while `is_reporting` returns True; its workers are local.
        """
        report = self._reporter.progress

        def progress(value: Progress) -> None:
            if report is not None and is_reporting():
                report(value)

        return Run(
            progress=progress if report else None,
            cancel=self.cancel,
            device=self.device,
            jobs=self.jobs,
            rest=self._rest,
        )

    def close(self) -> None:
        """Release the workers; their current chunks may still finish."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def merge_from(
        self, cache: Cache, workers: Opener, postpone: Callable[[ChunkRequest[Any, Any, Any]], None]
    ) -> None:
        """Read statistics only from `cache`; `postpone` receives the missing chunks."""
        self.cache, self._open_workers, self.postpone = cache, workers, postpone

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Score chunks locally within the block, even while merging shards."""
        before = self.postpone, self._workers, self._open_workers
        if self.postpone is None:
            yield
            return
        self.postpone, self._workers, self._open_workers = None, None, self._local_workers
        try:
            yield
        finally:
            self.close()
            self.postpone, self._workers, self._open_workers = before

    def _local_workers(self) -> Workers:
        # Imported late: it needs thread pools, which the first window does not wait for.
        from jurydesk.core.execution.workers.local_workers import LocalWorkers

        return LocalWorkers(self.jobs)

    @property
    def workers(self) -> Workers:
        """Workers of the run, opened on first use."""
        if self._workers is None:
            self._workers = self._open_workers()
        return self._workers

    @property
    def place(self) -> str:
        """Place where chunks have been scored so far."""
        return LOCAL if self._workers is None else self._workers.place

    @property
    def is_caching(self) -> bool:
        """True if finished chunks are cached, so that a stopped run can resume."""
        return not isinstance(self.cache, NoCache)

    def check(self) -> None:
        """Raise `Cancelled` if the user cancelled the run; cheap enough for any loop."""
        if self._rest is not None and (seconds := self._rest()) > 0:
            self.cancel.sleep(seconds)
        if self.cancel.cancelled:
            raise Cancelled

    def report(
        self,
        done: int,
        total: int,
        text: str,
        unit: str = "",
        workers: tuple[Worker, ...] = (),
    ) -> None:
        """Report the progress of the stage `text`, counted in `unit`, and check."""
        self.check()
        self._reporter.report(done, total, text, unit, workers)

    def report_workers(self, workers: tuple[Worker, ...]) -> None:
        """Repeat the last report with the new state of the workers."""
        self._reporter.report_workers(workers)

    def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a long native call on a helper thread, so that cancelling need not wait for it.

        After cancellation the call continues in the background, and its result is discarded.
        """
        from concurrent.futures import Future

        self.check()
        outcome: Future[T] = Future()

        def work() -> None:
            try:
                outcome.set_result(function(*args, **kwargs))
            except BaseException as exception:  # noqa: BLE001 - handed to the caller
                outcome.set_exception(exception)

        threading.Thread(target=work, name="jurydesk-call", daemon=True).start()
        return self.wait(outcome)

    def each(self, request: ChunkRequest[Any, C, R]) -> Iterator[R]:
        """Yield the statistics of every chunk of a request, in order.

        Cached chunks are not scored again, and only a few are in flight at a time.

        Raises:
            Cancelled: If the user cancelled the run.
            WorkersLost: If the workers are gone.
            ChunksPostponed: If chunks are postponed instead of being scored.
        """
        # Imported late: it needs NumPy, which the first window does not wait for.
        from jurydesk.core.execution.chunk_flow import ChunkFlow, cached_statistics

        if self.postpone is not None:
            absent = [
                chunk
                for chunk in request.chunks
                if cached_statistics(self.cache, request, chunk, request.key(chunk)) is None
            ]
            if absent:
                self.postpone(replace(request, chunks=absent))
                raise ChunksPostponed
        return ChunkFlow(self, request, self.workers).results()

    def gather(self, *functions: Callable[[], Any]) -> list[Any]:
        """Return the results of independent functions.

        If chunks are postponed, those of all functions are before ChunksPostponed is raised.
        """
        results = []
        for function in functions:
            try:
                results.append(function())
            except ChunksPostponed:
                continue
        if len(results) < len(functions):
            raise ChunksPostponed
        return results

    def map(
        self,
        function: Callable[[U], T],
        chunks: Iterable[U],
        *,
        total: int = 0,
        text: str = "",
        unit: str = "",
        size: Callable[[U], int] = lambda chunk: 1,
    ) -> Iterator[T]:
        """Yield the results of `function` for every chunk, in order, computed by local threads.

        For local work such as reading files; `each` yields statistics. `size` returns the number
        of items of a chunk for the progress (of `total`, in `unit`).
        """
        from concurrent.futures import ThreadPoolExecutor

        executor = ThreadPoolExecutor(self.jobs, "jurydesk-chunk")
        in_flight: deque[tuple[Future[T], int]] = deque()
        done = 0

        def next_result() -> T:
            nonlocal done
            future, items = in_flight.popleft()
            result = self.wait(future)
            done += items
            self.report(done, total, text, unit)
            return result

        try:
            for chunk in chunks:
                self.check()
                in_flight.append((executor.submit(function, chunk), size(chunk)))
                if len(in_flight) > 2 * self.jobs:
                    yield next_result()
            while in_flight:
                yield next_result()
        finally:
            for future, _ in in_flight:
                future.cancel()
            executor.shutdown(wait=False, cancel_futures=True)

    def wait(self, future: Future[T]) -> T:
        """Wait for the result of a future, or for cancellation."""
        while True:
            self.check()
            try:
                return future.result(timeout=CANCEL_POLL_SECONDS)
            except TimeoutError as error:
                if is_chunk_error(error, future):
                    raise

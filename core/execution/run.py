"""`Run`: the one argument that long work takes, for progress, cancelling, device and workers."""

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
from jurydesk.core.execution.workers import HERE, Opener, Worker, Workers, is_chunk_error

if TYPE_CHECKING:
    from concurrent.futures import Future

    from jurydesk.core.model.chunk import ChunkRequest

P = ParamSpec("P")
T = TypeVar("T")
U = TypeVar("U")
C = TypeVar("C", bound=Sized)
R = TypeVar("R", bound=Sized)

CANCEL_POLL_SECONDS = 0.05


class Cancelled(Exception):  # noqa: N818 - a wish, not an error
    """The user asked for the run to stop; nothing is wrong."""


class ChunksPostponed(Exception):  # noqa: N818 - a state, not an error
    """Chunks were written down instead of being scored: what follows from them has to wait."""


class CancelToken:
    """A flag that one thread sets and the working threads look at."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the run to stop at its next check."""
        self._event.set()

    def rest(self, seconds: float) -> None:
        """Do nothing for so long, or until somebody asks to stop."""
        self._event.wait(seconds)

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked for the run to stop."""
        return self._event.is_set()


def default_jobs() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Run:
    """Progress, cancelling, device, workers and cache of one piece of long work.

    `progress` is called on the working thread, at most every 40 ms. `workers` makes those who do
    the chunks of `each`; without it threads and processes of this machine do (`jobs` of them).
    With `postpone`, it gets the chunks whose statistics are not in the cache, and nobody scores
    them. `rest` is asked at every check for how many seconds others go first. A run may be closed,
    or left as a block, to let its workers go.
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
        self._teller = ProgressReporter(progress)
        self._open_workers: Opener = workers or self._here
        self._workers: Workers | None = None
        self.postpone = postpone
        self._rest = rest

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def beside(self, is_heard: Callable[[], bool]) -> Run:
        """A run for work of another thread at the same time, which ends when this one is cancelled.

        Its progress is told only while `is_heard` says so, and its chunks are done here.
        """
        tell = self._teller.progress

        def progress(told: Progress) -> None:
            if tell is not None and is_heard():
                tell(told)

        return Run(
            progress=progress if tell else None,
            cancel=self.cancel,
            device=self.device,
            jobs=self.jobs,
            rest=self._rest,
        )

    def close(self) -> None:
        """Let the workers go; a chunk that one of them is at may still be finished."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def merge_from(
        self, cache: Cache, workers: Opener, postpone: Callable[[ChunkRequest[Any, Any, Any]], None]
    ) -> None:
        """Take statistics from `cache` alone; `postpone` gets the chunks that it lacks."""
        self.cache, self._open_workers, self.postpone = cache, workers, postpone

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Score the chunks of this block here, also where a merge takes those of others."""
        before = self.postpone, self._workers, self._open_workers
        if self.postpone is None:
            yield
            return
        self.postpone, self._workers, self._open_workers = None, None, self._here
        try:
            yield
        finally:
            self.close()
            self.postpone, self._workers, self._open_workers = before

    def _here(self) -> Workers:
        from jurydesk.core.execution.local_workers import (
            LocalWorkers,  # with thread pools, which no first window waits for
        )

        return LocalWorkers(self.jobs)

    @property
    def workers(self) -> Workers:
        """Those who do the chunks; they are called when first asked for."""
        if self._workers is None:
            self._workers = self._open_workers()
        return self._workers

    @property
    def place(self) -> str:
        """Where chunks have been scored so far."""
        return HERE if self._workers is None else self._workers.place

    @property
    def keeps(self) -> bool:
        """Whether finished chunks are kept, so that a stopped run resumes."""
        return not isinstance(self.cache, NoCache)

    def check(self) -> None:
        """Raise `Cancelled` where the user asked to stop; cheap enough for any loop."""
        if self._rest is not None and (seconds := self._rest()) > 0:
            self.cancel.rest(seconds)
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
        """Tell how far the stage `text` is, counted in `unit`, and check for a cancel."""
        self.check()
        self._teller.tell(done, total, text, unit, workers)

    def tell_workers(self, workers: tuple[Worker, ...]) -> None:
        """Tell once more how far the run is, since its workers are at something else now."""
        self._teller.tell_workers(workers)

    def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run one long native call on a helper thread, so that a cancel need not wait for it.

        After a cancel the call itself ends in its own time and its result is thrown away.
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
        """The statistics of every chunk of a request, in order; a few chunks are out at a time.

        What the cache has is not scored again. Raises Cancelled, WorkersLost, and Postponed where
        chunks are only written down.
        """
        from jurydesk.core.execution.chunk_flow import (  # NumPy: no first window waits
            ChunkFlow,
            cached_statistics,
        )

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

    def together(self, *pieces: Callable[[], Any]) -> list[Any]:
        """What each of several pieces of work gives that do not wait for each other.

        Where chunks are only written down, those of every piece are before Postponed is raised.
        """
        found = []
        for piece in pieces:
            try:
                found.append(piece())
            except ChunksPostponed:
                continue
        if len(found) < len(pieces):
            raise ChunksPostponed
        return found

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
        """Yield the results of `function` for every chunk, in order, by threads of this process.

        This is for what has to be done here, such as reading files; statistics come from `each`.
        `size` says how many items a chunk counts for in the progress (`total` of them, in `unit`).
        """
        from concurrent.futures import ThreadPoolExecutor

        executor = ThreadPoolExecutor(self.jobs, "jurydesk-chunk")
        flying: deque[tuple[Future[T], int]] = deque()
        done = 0

        def landed() -> T:
            nonlocal done
            future, items = flying.popleft()
            result = self.wait(future)
            done += items
            self.report(done, total, text, unit)
            return result

        try:
            for chunk in chunks:
                self.check()
                flying.append((executor.submit(function, chunk), size(chunk)))
                if len(flying) > 2 * self.jobs:
                    yield landed()
            while flying:
                yield landed()
        finally:
            for future, _ in flying:
                future.cancel()
            executor.shutdown(wait=False, cancel_futures=True)

    def wait(self, future: Future[T]) -> T:
        """Return the result of a future; a cancel need not wait for it."""
        while True:
            self.check()
            try:
                return future.result(timeout=CANCEL_POLL_SECONDS)
            except TimeoutError as error:
                if is_chunk_error(error, future):
                    raise

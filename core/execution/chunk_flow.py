"""The flow of chunks: a few are out at a time, what comes back is kept, and order is kept."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from typing import Any, Protocol

from jurydesk.core.execution.cache import Cache
from jurydesk.core.execution.workers import Worker, Workers, WorkersLost, is_chunk_error
from jurydesk.core.model.chunk import ChunkRequest, ChunkResult
from jurydesk.core.model.chunk_codec import DamagedBundleError, pack_dataclass, unpack_dataclass

POLL_SECONDS = 0.05
WATCH_SECONDS = 1.0
KEEP_SECONDS = 1.0
"""Finished chunks are kept in the cache that often: a kill loses no more than what came since."""

AHEAD = 2
"""Chunks that wait beside each worker, so that it never does."""

TRIES = 5
"""A chunk that ended so many workers is not given to another."""


@dataclass(slots=True, eq=False)
class _PendingChunk:
    """A chunk that is out, or whose statistics were kept before (`known`)."""

    chunk: Any
    key: str
    future: Future[ChunkResult[Any]] | None = None
    known: Any = None
    tries: int = 1


class Host(Protocol):
    """What a flow asks of the run that it belongs to."""

    cache: Cache

    @property
    def keeps(self) -> bool:
        """Whether finished chunks are kept."""

    def check(self) -> None:
        """Raise where the user asked to stop."""

    def report(
        self, done: int, total: int, text: str, unit: str, workers: tuple[Worker, ...], /
    ) -> None:
        """Tell how far the request is, and check."""

    def tell_workers(self, workers: tuple[Worker, ...], /) -> None:
        """Tell what the workers are at now."""


class ChunkFlow:
    """The chunks of one request on their way through a run's workers.

    Only `AHEAD + 1` chunks for each worker are out at a time, and what is ready before its turn
    is among them: memory does not grow with the number of chunks.
    """

    def __init__(self, run: Host, request: ChunkRequest[Any, Any, Any], workers: Workers) -> None:
        self._run = run
        self._request = request
        self._workers = workers
        self._asks = run.keeps and not run.cache.is_empty
        self._unkept: list[_PendingChunk] = []
        self._kept_at = self._watched_at = time.monotonic()

    def results(self) -> Iterator[Any]:
        """Yield the statistics of every chunk, in order."""
        request, run = self._request, self._run
        total, done = sum(map(len, request.chunks)), 0
        out: deque[_PendingChunk] = deque()
        try:
            for chunk in request.chunks:
                run.check()
                out.append(self._send(chunk))
                # Asked every time: workers come and go.
                while len(out) >= (AHEAD + 1) * self._workers.width(request):
                    done += len(out[0].chunk)
                    yield self._land(out, done, total)
            while out:
                done += len(out[0].chunk)
                yield self._land(out, done, total)
        except BaseException:
            self._keep()
            raise
        finally:
            for one in out:
                if one.future is not None:
                    one.future.cancel()

    def _send(self, chunk: Any) -> _PendingChunk:
        """Give a chunk out, unless its statistics are kept."""
        request = self._request
        key = request.key(chunk) if self._asks else ""
        known = cached_statistics(self._run.cache, request, chunk, key) if key else None
        one = _PendingChunk(chunk, key, known=known)
        if known is None:
            self._submit(one)
        return one

    def _submit(self, one: _PendingChunk) -> None:
        one.future = self._workers.submit(self._request, one.chunk, self._run.check)

    def _land(self, out: deque[_PendingChunk], done: int, total: int) -> Any:
        """Return the statistics of the first chunk that is out."""
        one = out[0]
        while one.future is not None:
            one.known = self._wait(one, one.future)
            one.future = None if one.known is not None else one.future
        out.popleft()
        run, request = self._run, self._request
        run.report(done, total, request.text, request.unit, self._workers.at_work())
        return one.known

    def _wait(self, one: _PendingChunk, future: Future[ChunkResult[Any]]) -> Any:
        """Return the statistics of a chunk where they come within a moment, else None."""
        try:
            done = future.result(timeout=POLL_SECONDS)
        except FutureTimeout as error:
            if is_chunk_error(error, future):
                raise
            self._while_waiting()
        except Exception as error:
            self._run.check()
            if not self._workers.lost(future, error):
                raise
            self._once_more(one, error)
        else:
            if self._run.keeps and self._request.is_cached:
                self._remember(replace(one, future=None, known=done.statistics))
            self._workers.finished(done)
            return done.statistics
        return None

    def _while_waiting(self) -> None:
        self._run.check()
        now = time.monotonic()
        if now - self._watched_at >= WATCH_SECONDS:
            self._watched_at = now
            self._workers.watch()
            self._run.tell_workers(self._workers.at_work())

    def _once_more(self, one: _PendingChunk, error: Exception) -> None:
        if one.tries == TRIES:
            raise WorkersLost(
                f"A chunk of {self._request.kind.id} ended its worker {TRIES} times: it may need "
                "more memory than a worker has. What was finished is kept."
            ) from error
        one.tries += 1
        self._submit(one)

    def _remember(self, one: _PendingChunk) -> None:
        self._unkept.append(one)
        if time.monotonic() - self._kept_at >= KEEP_SECONDS:
            self._keep()

    def _keep(self) -> None:
        """Keep what was finished; keys and bytes are made now, since most runs need none."""
        key, finished = self._request.key, self._unkept
        self._unkept = []
        if finished:
            self._run.cache.put_all(
                {one.key or key(one.chunk): pack_dataclass(one.known) for one in finished}
            )
        self._kept_at = time.monotonic()


def cached_statistics(
    cache: Cache, request: ChunkRequest[Any, Any, Any], chunk: Any, key: str
) -> Any:
    """Return the statistics of a chunk that were kept under its key, or None."""
    content = cache.get(key)
    if content is None:
        return None
    try:
        found = unpack_dataclass(request.kind.statistics, content)
    except DamagedBundleError:
        return None
    return found if len(found) == len(chunk) else None

"""Scheduling of a request's chunks: a few in flight, ordered results, caching, retries."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from typing import Any, Protocol

from jurydesk.core.execution.cache import Cache
from jurydesk.core.execution.workers.worker import Worker, Workers, WorkersLost, is_chunk_error
from jurydesk.core.language import fill
from jurydesk.core.model.chunk import ChunkRequest, ChunkResult
from jurydesk.core.model.chunk_codec import DamagedBundleError, pack_dataclass, unpack_dataclass

POLL_SECONDS = 0.05
WATCH_SECONDS = 1.0
CACHE_SECONDS = 1.0
"""Interval of writing finished chunks to the cache: a kill loses at most this much work."""

AHEAD = 2
"""Chunks queued per worker, so that no worker is idle."""

TRIES = 5
"""Maximum number of workers that a chunk may bring down."""


@dataclass(slots=True, eq=False)
class _PendingChunk:
    """Chunk in flight, or with cached `statistics`."""

    chunk: Any
    key: str
    future: Future[ChunkResult[Any]] | None = None
    statistics: Any = None
    tries: int = 1


class Host(Protocol):
    """Interface of the run that a flow belongs to."""

    cache: Cache

    @property
    def is_caching(self) -> bool:
        """True if finished chunks are cached."""

    def check(self) -> None:
        """Raise if the user cancelled the run."""

    def report(
        self, done: int, total: int, text: str, unit: str, workers: tuple[Worker, ...], /
    ) -> None:
        """Report the progress of the request, and check."""

    def report_workers(self, workers: tuple[Worker, ...], /) -> None:
        """Report the current state of the workers."""


class ChunkFlow:
    """Flow of a request's chunks through the workers of a run.

    At most `AHEAD + 1` chunks per worker are in flight, including those finished out of order, so
    that memory does not grow with the number of chunks.
    """

    def __init__(self, run: Host, request: ChunkRequest[Any, Any, Any], workers: Workers) -> None:
        self._run = run
        self._request = request
        self._workers = workers
        self._reads_cache = run.is_caching and not run.cache.is_empty
        self._uncached: list[_PendingChunk] = []
        self._cached_at = self._watched_at = time.monotonic()

    def results(self) -> Iterator[Any]:
        """Yield the statistics of every chunk, in order."""
        request, run = self._request, self._run
        total, done = sum(map(len, request.chunks)), 0
        in_flight: deque[_PendingChunk] = deque()
        try:
            for chunk in request.chunks:
                run.check()
                in_flight.append(self._send(chunk))
                # Evaluated every time: workers come and go.
                while len(in_flight) >= (AHEAD + 1) * self._workers.capacity(request):
                    done += len(in_flight[0].chunk)
                    yield self._next_result(in_flight, done, total)
            while in_flight:
                done += len(in_flight[0].chunk)
                yield self._next_result(in_flight, done, total)
        except BaseException:
            self._flush_cache()
            raise
        finally:
            # The last ones first: a worker that is released of a chunk takes the next that waits.
            for one in reversed(in_flight):
                if one.future is not None:
                    one.future.cancel()

    def _send(self, chunk: Any) -> _PendingChunk:
        request = self._request
        key = request.key(chunk) if self._reads_cache else ""
        statistics = cached_statistics(self._run.cache, request, chunk, key) if key else None
        one = _PendingChunk(chunk, key, statistics=statistics)
        if statistics is None:
            self._submit(one)
        return one

    def _submit(self, one: _PendingChunk) -> None:
        one.future = self._workers.submit(self._request, one.chunk, self._run.check)

    def _next_result(self, in_flight: deque[_PendingChunk], done: int, total: int) -> Any:
        one = in_flight[0]
        while one.future is not None:
            one.statistics = self._wait(one, one.future)
            one.future = None if one.statistics is not None else one.future
        in_flight.popleft()
        run, request = self._run, self._request
        run.report(done, total, request.text, request.unit, self._workers.status())
        return one.statistics

    def _wait(self, one: _PendingChunk, future: Future[ChunkResult[Any]]) -> Any:
        """Return the statistics of a chunk if they arrive within `POLL_SECONDS`, else None."""
        try:
            done = future.result(timeout=POLL_SECONDS)
        except FutureTimeout as error:
            if is_chunk_error(error, future):
                raise
            self._watch_workers()
        except Exception as error:
            self._run.check()
            if not self._workers.is_worker_lost(future, error):
                raise
            self._resubmit(one, error)
        else:
            if self._run.is_caching and self._request.is_cached:
                self._add_to_cache(replace(one, future=None, statistics=done.statistics))
            self._workers.record(done)
            return done.statistics
        return None

    def _watch_workers(self) -> None:
        self._run.check()
        now = time.monotonic()
        if now - self._watched_at >= WATCH_SECONDS:
            self._watched_at = now
            self._workers.watch()
            self._run.report_workers(self._workers.status())

    def _resubmit(self, one: _PendingChunk, error: Exception) -> None:
        if one.tries == TRIES:
            raise WorkersLost(
                fill(
                    "A chunk of {id} crashed its worker {tries} times: it may need more "
                    "memory than a worker has. Finished chunks are saved.",
                    self._request.kind.id,
                    TRIES,
                )
            ) from error
        one.tries += 1
        self._submit(one)

    def _add_to_cache(self, one: _PendingChunk) -> None:
        self._uncached.append(one)
        if time.monotonic() - self._cached_at >= CACHE_SECONDS:
            self._flush_cache()

    def _flush_cache(self) -> None:
        """Write finished chunks to the cache; only now are keys and bytes needed."""
        key, finished = self._request.key, self._uncached
        self._uncached = []
        if finished:
            self._run.cache.put_all(
                {one.key or key(one.chunk): pack_dataclass(one.statistics) for one in finished}
            )
        self._cached_at = time.monotonic()


def cached_statistics(
    cache: Cache, request: ChunkRequest[Any, Any, Any], chunk: Any, key: str
) -> Any:
    """Return the cached statistics of a chunk, or None."""
    content = cache.get(key)
    if content is None:
        return None
    try:
        statistics = unpack_dataclass(request.kind.statistics, content)
    except DamagedBundleError:
        return None
    return statistics if len(statistics) == len(chunk) else None

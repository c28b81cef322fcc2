"""Local workers: threads, and processes for chunks that hold the interpreter lock."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from concurrent.futures import ThreadPoolExecutor as Threads
from dataclasses import replace
from typing import Any

from jurydesk.core.execution.workers.worker import LOCAL, Worker
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest, ChunkResult, run_chunk

WORTH_SECONDS = 20.0
"""Estimated duration of a request above which processes, with their start-up, pay off."""


class LocalWorkers:
    """Threads of this process, and processes for long work that holds the interpreter lock.

    The duration is estimated from the first chunks, which run on the caller's thread.
    """

    place = LOCAL

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._threads: Executor | None = None
        self._pace: dict[str, float] = {}
        self._pool: Executor | None = None
        self._owners: dict[Future[ChunkResult[Any]], Executor] = {}
        self._lock = threading.Lock()

    def capacity(self, request: ChunkRequest[Any, Any, Any]) -> int:
        """Return the number of jobs; 1 if only processes would help but do not pay off."""
        return self._jobs if request.kind.releases_gil or self._is_for_processes(request) else 1

    def submit(
        self, request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
    ) -> Future[ChunkResult[Any]]:
        """Submit a chunk to a thread or a process."""
        if not self._is_for_processes(request):
            if not request.kind.releases_gil or request.runs_inline:
                return _finished_future(request, chunk, check)
            with self._lock:
                self._threads = self._threads or Threads(self._jobs, "jurydesk-chunk")
            return self._threads.submit(run_chunk, request.kind, request.settings, chunk, check)
        with self._lock:
            self._pool = self._pool or _processes(self._jobs)
            pool = self._pool
        try:
            with _children_ignore_interrupt():
                future = pool.submit(_run_in_process, request.kind, request.settings, chunk)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        self._owners[future] = pool
        return future

    def _is_for_processes(self, request: ChunkRequest[Any, Any, Any]) -> bool:
        if request.kind.releases_gil or self._jobs == 1:
            return False
        return self._pace.get(request.kind.id, 0.0) * len(request.chunks) > WORTH_SECONDS

    def watch(self) -> None:
        """Do nothing: local workers are only lost together with a chunk."""

    def is_worker_lost(self, future: Future[ChunkResult[Any]], error: BaseException) -> bool:
        """Return whether a process was killed, which breaks its pool; the next chunk starts one."""
        pool = self._owners.pop(future, None)
        if not isinstance(error, BrokenExecutor):
            return False
        with self._lock:
            if pool is self._pool:
                self._pool = None
        return True

    def record(self, done: ChunkResult[Any]) -> None:
        """Record the duration of a chunk of its kind."""
        self._pace[done.kind] = done.seconds

    def status(self) -> tuple[Worker, ...]:
        """Return no workers: threads and processes are not shown."""
        return ()

    def close(self) -> None:
        """Let threads and processes end after their current chunk."""
        for pool in (self._threads, self._pool):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        self._threads = self._pool = None
        self._owners.clear()


def _finished_future(
    request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
) -> Future[ChunkResult[Any]]:
    """Score a chunk on the caller's thread, which would only wait for another one."""
    future: Future[ChunkResult[Any]] = Future()
    try:
        future.set_result(run_chunk(request.kind, request.settings, chunk, check))
    except Exception as error:  # noqa: BLE001 - raised by the future's result
        future.set_exception(error)
    return future


def _processes(jobs: int) -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned on every platform: a fork would copy locks held by other threads.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_ignore_interrupt)


def _ignore_interrupt() -> None:
    """Ignore Ctrl+C in a process, which the main program ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _children_ignore_interrupt() -> Iterator[None]:
    """Block Ctrl+C in processes started in this block until `_ignore_interrupt` runs in them.

    Otherwise Ctrl+C during their start prints a traceback for each of them.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start unblocks SIGINT
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_in_process(kind: ChunkKind[Any, Any, Any], settings: Any, chunk: Any) -> ChunkResult[Any]:
    return replace(run_chunk(kind, settings, chunk), worker=f"process {os.getpid()}")

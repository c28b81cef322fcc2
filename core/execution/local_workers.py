"""Workers of this machine: threads, and processes for what holds the interpreter lock."""

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

from jurydesk.core.execution.workers import HERE, Worker
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest, ChunkResult, run_chunk

WORTH_SECONDS = 20.0
"""Work of so many seconds is worth the start of processes, and what each of them has to open."""


class LocalWorkers:
    """Threads of this process; processes for long work that holds the interpreter lock.

    How long it is shows by its first chunks, which the caller's own thread does.
    """

    place = HERE

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._threads: Executor | None = None
        self._pace: dict[str, float] = {}
        self._pool: Executor | None = None
        self._owners: dict[Future[ChunkResult[Any]], Executor] = {}
        self._lock = threading.Lock()

    def width(self, request: ChunkRequest[Any, Any, Any]) -> int:
        """All processors; one where only processes would help, and are not worth their start."""
        return self._jobs if request.kind.releases_gil or self._by_process(request) else 1

    def submit(
        self, request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
    ) -> Future[ChunkResult[Any]]:
        """Have a chunk done by a thread or a process."""
        if not self._by_process(request):
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
                future = pool.submit(_in_process, request.kind, request.settings, chunk)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        self._owners[future] = pool
        return future

    def _by_process(self, request: ChunkRequest[Any, Any, Any]) -> bool:
        if request.kind.releases_gil or self._jobs == 1:
            return False
        return self._pace.get(request.kind.id, 0.0) * len(request.chunks) > WORTH_SECONDS

    def watch(self) -> None:
        """Nothing can be lost without a chunk that tells it."""

    def lost(self, future: Future[ChunkResult[Any]], error: BaseException) -> bool:
        """Return a process that was killed takes its pool along; the next chunk starts another."""
        pool = self._owners.pop(future, None)
        if not isinstance(error, BrokenExecutor):
            return False
        with self._lock:
            if pool is self._pool:
                self._pool = None
        return True

    def finished(self, done: ChunkResult[Any]) -> None:
        """Remember what a chunk of its kind takes."""
        self._pace[done.kind] = done.seconds

    def at_work(self) -> tuple[Worker, ...]:
        """Nobody asks which thread does what."""
        return ()

    def close(self) -> None:
        """Let threads and processes end after the chunk that they are at."""
        for pool in (self._threads, self._pool):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        self._threads = self._pool = None
        self._owners.clear()


def _finished_future(
    request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
) -> Future[ChunkResult[Any]]:
    """Return a chunk that the caller's thread does: another would only wait for it."""
    future: Future[ChunkResult[Any]] = Future()
    try:
        future.set_result(run_chunk(request.kind, request.settings, chunk, check))
    except Exception as error:  # noqa: BLE001 - handed to whoever asks for the result
        future.set_exception(error)
    return future


def _processes(jobs: int) -> Executor:
    # Imported only where there are to be processes.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned on every system: a fork would copy the locks of this process's threads.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_ignore_interrupt)


def _ignore_interrupt() -> None:
    """Ctrl-C is for the program, which then ends its processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _children_ignore_interrupt() -> Iterator[None]:
    """Let processes started in this block ignore Ctrl+C until `_ignore_interrupt` runs in them.

    Else Ctrl-C in their first moments prints a traceback for each of them.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it lets SIGINT through again when it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_process(work: ChunkKind[Any, Any, Any], settings: Any, chunk: Any) -> ChunkResult[Any]:
    return replace(run_chunk(work, settings, chunk), worker=f"process {os.getpid()}")

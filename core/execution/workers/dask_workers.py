"""Workers of an existing Dask cluster.

Dask sends pickles between its machines, so that anyone who reaches the scheduler can run code on
them: a cluster belongs in a trusted network. Scheduler and workers need the same version of
Jurydesk; language data and weights are read on every machine, and must have the same hashes.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import re
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from jurydesk.core.execution.workers.worker import Data, Opener, Worker, WorkersLost
from jurydesk.core.language import Message, fill
from jurydesk.core.model.chunk import Check, ChunkRequest, ChunkResult, run_chunk
from jurydesk.core.version import __version__


def local_future(remote: Any) -> Future[Any]:
    """Return a future with the result of `remote`, a future of `distributed`.

    Cancelling it cancels the task. It raises CancelledError if the scheduler dropped the task or
    the connection broke while the result was fetched.
    """
    future: Future[Any] = Future()
    future.add_done_callback(lambda _: remote.release())
    remote.client.loop.add_callback(_deliver, remote, future)
    return future


async def _deliver(remote: Any, future: Future[Any]) -> None:
    """Pass on the result within the client's loop, which fetches many results at once."""
    result, error = None, None
    try:
        result = await remote
    except Exception as raised:  # noqa: BLE001 - passed on to the caller
        error = raised
        if isinstance(raised, OSError) and remote.status != "error":  # not raised by the work
            error = CancelledError(str(raised))
    if not future.set_running_or_notify_cancel():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


CONNECT_SECONDS = 10
PATIENCE_SECONDS = 60
"""Time that a run waits for a worker if there is none."""
POLL_SECONDS = 1.0
ANSWER_SECONDS = 10
LARGE = "64 MiB"
"""Threshold of Dask's warning on large tasks; chunks with pictures exceed its default."""

MOST_REPEATED_BYTES = 1 << 16
"""Size of a request's settings up to which every chunk carries them."""

RESUME_HINT = "Finished chunks are saved: start the run again to resume."


class Cluster:
    """Workers of a Dask scheduler (`tcp://host:8786`); raises WorkersLost if it does not answer."""

    place = "a Dask cluster"

    def __init__(
        self, address: str, data: Data = "chunks", patience: float = PATIENCE_SECONDS
    ) -> None:
        self.address = address
        self._data = data
        self._client = _connect(address)
        self._watcher = ClusterWatcher(self._client, patience)
        self._text = ""
        self._request: ChunkRequest[Any, Any, Any] | None = None
        self._shared: Any = None
        self._done: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def capacity(self, request: ChunkRequest[Any, Any, Any]) -> int:
        """Return the number of threads of all current workers."""
        return max(1, sum(self._watcher.snapshot.threads.values()))

    def submit(
        self, request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
    ) -> Future[ChunkResult[Any]]:
        """Send a chunk to the scheduler."""
        kind, self._text = request.kind, request.text
        if kind.embed_files is not None:
            chunk = kind.embed_files(chunk, self._data == "paths")
        # A single bytes object, which the scheduler does not inspect.
        parcel = pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)
        # Not pure: equal chunks of two systems are distinct tasks.
        return local_future(
            self._client.submit(
                run_remote_chunk, self._shared_parcel(request), parcel, __version__, pure=False
            )
        )

    def _shared_parcel(self, request: ChunkRequest[Any, Any, Any]) -> Any:
        """Return kind and settings of a request, which large ones send to each worker once."""
        if request is not self._request:
            shared = pickle.dumps((request.kind, request.settings), pickle.HIGHEST_PROTOCOL)
            large = len(shared) > MOST_REPEATED_BYTES
            # A task and not scattered data, so that the scheduler can replace a lost worker's copy.
            self._shared = self._client.submit(bytes, shared, pure=False) if large else shared
            self._request = request
        return self._shared

    def watch(self) -> None:
        """Raise WorkersLost if the scheduler is gone, or has had no worker for too long."""
        if self._client.status != "running" or self._watcher.snapshot.is_unreachable:
            raise WorkersLost(
                fill(
                    "The scheduler at {address} went away. {hint}",
                    self.address,
                    Message(RESUME_HINT),
                )
            )
        if self._watcher.is_abandoned:
            raise WorkersLost(
                fill(
                    "The scheduler at {address} has no worker. Start one with `dask worker "
                    "{address}`. {hint}",
                    self.address,
                    Message(RESUME_HINT),
                )
            )

    def is_worker_lost(self, future: Future[ChunkResult[Any]], error: BaseException) -> bool:
        """Return whether the worker of the chunk was lost; raises WorkersLost if all are."""
        from distributed import KilledWorker

        if isinstance(error, CancelledError):
            self.watch()
            return True
        if isinstance(error, ImportError):
            raise WorkersLost(
                fill(
                    "A worker of {address} cannot score these chunks ({error}): install "
                    "Jurydesk {version} on all of its machines.",
                    self.address,
                    Message(str(error)),
                    __version__,
                )
            ) from error
        return isinstance(error, KilledWorker)

    def record(self, done: ChunkResult[Any]) -> None:
        """Count a finished chunk for its worker."""
        self._done[done.worker] += 1
        self._seconds[done.worker] += done.seconds

    def status(self) -> tuple[Worker, ...]:
        """Return all current and former workers with their activity."""
        snapshot = self._watcher.snapshot
        names = dict.fromkeys((*sorted(snapshot.threads), *sorted(self._done)))
        return tuple(
            Worker(
                name,
                snapshot.activity(name, self._text) if name in snapshot.threads else "gone",
                self._done[name],
                self._seconds[name],
            )
            for name in names
        )

    def close(self) -> None:
        """Disconnect from the cluster."""
        self._watcher.close()
        self._request = self._shared = None
        with contextlib.suppress(OSError, TimeoutError):
            self._client.close(timeout=2)


def run_remote_chunk(shared: bytes, parcel: bytes, version: str) -> ChunkResult[Any]:
    """Score a chunk on a worker."""
    from distributed import get_worker

    worker = get_worker().address
    if version != __version__:
        raise WorkersLost(
            fill(
                "The worker {worker} has Jurydesk {version}, and this is {version2}: install "
                "the same version on all machines.",
                worker,
                __version__,
                version,
            )
        )
    kind, settings = pickle.loads(shared)  # noqa: S301 - from the user of this worker
    chunk = pickle.loads(parcel)  # noqa: S301 - as above
    return replace(run_chunk(kind, settings, chunk), worker=worker)


@dataclass(frozen=True, slots=True)
class ClusterSnapshot:
    """State of a cluster: the threads and the chunks of each worker."""

    threads: dict[str, int]
    chunks: dict[str, int]
    is_unreachable: bool = False

    def activity(self, worker: str, text: str) -> str:
        """Return `text` for a worker that has chunks, else `waiting`."""
        return text if self.chunks.get(worker) else "waiting"


class ClusterWatcher:
    """Polling of a cluster's state on a separate thread, since an answer may take long."""

    def __init__(self, client: Any, patience: float) -> None:
        self._client = client
        self._patience = patience
        self._closed = threading.Event()
        self._had_workers = time.monotonic()
        self.snapshot = self._poll()
        self._thread = threading.Thread(target=self._run, name="jurydesk-cluster", daemon=True)
        self._thread.start()

    @property
    def is_abandoned(self) -> bool:
        """True if there has been no worker for longer than `patience` seconds."""
        return time.monotonic() - self._had_workers > self._patience

    def close(self) -> None:
        """Stop polling."""
        self._closed.set()
        self._thread.join(POLL_SECONDS)

    def _run(self) -> None:
        while not self._closed.wait(POLL_SECONDS):
            self.snapshot = self._poll()

    def _poll(self) -> ClusterSnapshot:
        scheduler = self._client.scheduler
        try:
            threads, chunks = (
                self._client.sync(query, callback_timeout=ANSWER_SECONDS)
                for query in (scheduler.ncores, scheduler.processing)
            )
        except Exception:  # noqa: BLE001 - a broken connection raises many types
            return ClusterSnapshot({}, {}, is_unreachable=not self._closed.is_set())
        if threads:
            self._had_workers = time.monotonic()
        return ClusterSnapshot(
            dict(threads), {worker: len(keys) for worker, keys in chunks.items()}
        )


def _connect(address: str) -> Any:
    """Return a client of the scheduler that logs nothing."""
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise WorkersLost(
            "A Dask cluster needs the package distributed: install jurydesk with its extra "
            "`cluster`."
        ) from error
    # The run reports the same problems in sentences.
    for name in ("distributed", "distributed.client", "tornado", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGE})
    try:
        connect: Any = Client
        return connect(address, timeout=CONNECT_SECONDS, set_as_default=False, name="jurydesk")
    except (OSError, ValueError, TypeError) as error:
        advice = CERTIFICATES if address.startswith(TLS) else "Use an address like tcp://host:8786."
        raise WorkersLost(
            fill("No Dask scheduler answers at {address}. {advice}", address, Message(advice))
        ) from error


TLS = "tls://"
CERTIFICATES = (
    "For tls:// Dask's own configuration names the certificates: distributed.comm.tls.ca-file and "
    "distributed.comm.tls.client, or the environment's DASK_DISTRIBUTED__COMM__TLS__CA_FILE."
)
ADDRESS = re.compile(r"([a-z]+://)?[^\s/]+:[0-9]{1,5}")
"""Address of a scheduler (`tcp://host:8786`)."""


def dask_opener(address: str, data: Data) -> Opener | None:
    """Return a function that connects to a Dask scheduler; None without an address."""
    return partial(Cluster, address, data) if address else None

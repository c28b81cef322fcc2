"""Workers of a Dask cluster that is there already: its scheduler hands the chunks out.

`distributed` is imported here, and only when a cluster is asked for. Between the machines of a
cluster it sends pickles, so whoever reaches its scheduler runs programs on it: a cluster belongs
into a network of people who trust each other. Scheduler and workers need the same version of
Jurydesk; language data and weights are opened on every machine, and must have the same hashes.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import re
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from typing import Any

from jurydesk.core.execution.workers import Data, Opener, Worker, Workers, WorkersLost
from jurydesk.core.model.chunk import Check, ChunkRequest, ChunkResult, run_chunk
from jurydesk.core.version import __version__


def local_future(remote: Any) -> Future[Any]:
    """Return a future with what comes of `remote`, a future of `distributed`.

    It is cancelled together with the task, and raises CancelledError where the scheduler dropped
    the task, or the connection broke while the result was fetched.
    """
    future: Future[Any] = Future()
    future.add_done_callback(lambda _: remote.release())
    remote.client.loop.add_callback(_deliver, remote, future)
    return future


async def _deliver(remote: Any, future: Future[Any]) -> None:
    """Pass on, in the client's loop, what comes; the client fetches many results at once."""
    result, error = None, None
    try:
        result = await remote
    except Exception as raised:  # noqa: BLE001 - whoever waits for it decides
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
"""So long a run waits for a worker where there is none."""
LOOK_SECONDS = 1.0
ANSWER_SECONDS = 10
LARGE = "64 MiB"
"""A chunk with the pictures in it is larger than Dask thinks wise."""

KEPT = "What was finished is kept: start the run again to go on."


class Cluster:
    """The workers of a scheduler (`tcp://host:8786`).

    Raises WorkersLost where nobody answers there.
    """

    place = "a Dask cluster"

    def __init__(
        self, address: str, data: Data = "chunks", patience: float = PATIENCE_SECONDS
    ) -> None:
        self.address = address
        self._data = data
        self._client = _connect(address)
        self._watcher = ClusterWatcher(self._client, patience)
        self._text = ""
        self._done: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def width(self, request: ChunkRequest[Any, Any, Any]) -> int:
        """Return the threads of all workers that are there now."""
        return max(1, sum(self._watcher.seen.threads.values()))

    def submit(
        self, request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
    ) -> Future[ChunkResult[Any]]:
        """Send a chunk to the scheduler."""
        work, self._text = request.kind, request.text
        if work.embed_files is not None:
            chunk = work.embed_files(chunk, self._data == "paths")
        # One pickle, which the scheduler passes on without looking into it.
        parcel = pickle.dumps((work, request.settings, chunk), pickle.HIGHEST_PROTOCOL)
        # Not pure: equal chunks of two systems are two chunks.
        return local_future(self._client.submit(run_remote_chunk, parcel, __version__, pure=False))

    def watch(self) -> None:
        """WorkersLost where the scheduler has gone, or had no worker for long."""
        if self._client.status != "running" or self._watcher.seen.gone:
            raise WorkersLost(f"The scheduler at {self.address} went away. {KEPT}")
        if self._watcher.abandoned:
            raise WorkersLost(
                f"The scheduler at {self.address} has no worker. Start one with `dask worker "
                f"{self.address}`. {KEPT}"
            )

    def lost(self, future: Future[ChunkResult[Any]], error: BaseException) -> bool:
        """Return whether a worker went away with the chunk."""
        from distributed import KilledWorker

        if isinstance(error, CancelledError):
            self.watch()
            return True
        if isinstance(error, ImportError):
            raise WorkersLost(
                f"A worker of {self.address} cannot do this work ({error}): install Jurydesk "
                f"{__version__} on all of its machines."
            ) from error
        return isinstance(error, KilledWorker)

    def finished(self, done: ChunkResult[Any]) -> None:
        """Count a chunk for its worker."""
        self._done[done.worker] += 1
        self._seconds[done.worker] += done.seconds

    def at_work(self) -> tuple[Worker, ...]:
        """Return every worker that is there or was, with what it is at."""
        seen = self._watcher.seen
        names = dict.fromkeys((*sorted(seen.threads), *sorted(self._done)))
        return tuple(
            Worker(
                name,
                seen.doing(name, self._text) if name in seen.threads else "gone",
                self._done[name],
                self._seconds[name],
            )
            for name in names
        )

    def close(self) -> None:
        """Leave the cluster; its workers stay."""
        self._watcher.close()
        with contextlib.suppress(OSError, TimeoutError):
            self._client.close(timeout=2)


def run_remote_chunk(parcel: bytes, version: str) -> ChunkResult[Any]:
    """Score a chunk on a worker."""
    from distributed import get_worker

    worker = get_worker().address
    if version != __version__:
        raise WorkersLost(
            f"The worker {worker} has Jurydesk {__version__}, and this is {version}: install the "
            "same version on all machines."
        )
    work, settings, chunk = pickle.loads(parcel)  # noqa: S301 - from the one who runs this worker
    return replace(run_chunk(work, settings, chunk), worker=worker)


@dataclass(frozen=True, slots=True)
class ClusterSnapshot:
    """A look at a cluster: the threads of each worker, its chunks, whether nobody answered."""

    threads: dict[str, int]
    chunks: dict[str, int]
    gone: bool = False

    def doing(self, worker: str, work: str) -> str:
        """What a worker is at: this work, or nothing."""
        return work if self.chunks.get(worker) else "waiting"


class ClusterWatcher:
    """Looks at a cluster once a second on a thread of its own: a look may take long."""

    def __init__(self, client: Any, patience: float) -> None:
        self._client = client
        self._patience = patience
        self._closed = threading.Event()
        self._had_workers = time.monotonic()
        self.seen = self._look()
        self._thread = threading.Thread(target=self._run, name="jurydesk-cluster", daemon=True)
        self._thread.start()

    @property
    def abandoned(self) -> bool:
        """Whether there has been no worker for longer than patience lasts."""
        return time.monotonic() - self._had_workers > self._patience

    def close(self) -> None:
        """Look no more."""
        self._closed.set()
        self._thread.join(LOOK_SECONDS)

    def _run(self) -> None:
        while not self._closed.wait(LOOK_SECONDS):
            self.seen = self._look()

    def _look(self) -> ClusterSnapshot:
        try:
            threads, chunks = (
                self._client.sync(ask, callback_timeout=ANSWER_SECONDS) for ask in self._questions()
            )
        except Exception:  # noqa: BLE001 - of a connection that breaks, in one of a dozen ways
            return ClusterSnapshot({}, {}, gone=not self._closed.is_set())
        if threads:
            self._had_workers = time.monotonic()
        return ClusterSnapshot(
            dict(threads), {worker: len(keys) for worker, keys in chunks.items()}
        )

    def _questions(self) -> Iterator[Any]:
        scheduler = self._client.scheduler
        yield scheduler.ncores
        yield scheduler.processing


def _connect(address: str) -> Any:
    """Return a client of the scheduler that says nothing on its own."""
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise WorkersLost(
            "A Dask cluster needs the package distributed: install jurydesk with its extra "
            "`cluster`."
        ) from error
    # What it would log, the run says in a sentence.
    for name in ("distributed", "distributed.client", "tornado", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGE})
    try:
        connect: Any = Client
        return connect(address, timeout=CONNECT_SECONDS, set_as_default=False, name="jurydesk")
    except (OSError, ValueError, TypeError) as error:
        advice = CERTIFICATES if address.startswith(TLS) else "An address is like tcp://host:8786."
        raise WorkersLost(f"No Dask scheduler answers at {address}. {advice}") from error


TLS = "tls://"
CERTIFICATES = (
    "For tls:// Dask's own configuration names the certificates: distributed.comm.tls.ca-file and "
    "distributed.comm.tls.client, or the environment's DASK_DISTRIBUTED__COMM__TLS__CA_FILE."
)
ADDRESS = re.compile(r"([a-z]+://)?[^\s/]+:[0-9]{1,5}")
"""What the address of a scheduler looks like (`tcp://host:8786`)."""


def dask_opener(address: str, data: Data) -> Opener | None:
    """What calls the workers of a Dask scheduler; None without an address."""
    if not address:
        return None

    def opened() -> Workers:
        return Cluster(address, data)

    return opened

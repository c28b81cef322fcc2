"""Interface of workers, which score chunks asynchronously.

`local_workers` and `dask_workers` implement it; `chunk_flow` submits the chunks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from concurrent.futures import Future

    from jurydesk.core.model.chunk import Check, ChunkRequest, ChunkResult

LOCAL = "this machine"
"""Place of workers that are threads and processes of this machine."""


class WorkersLost(Exception):  # noqa: N818 - a public name
    """Loss of all workers, or workers that cannot score; the text is a sentence for the user.

    Finished chunks are saved if the run has a cache.
    """


@dataclass(frozen=True, slots=True)
class Worker:
    """State of one worker for display: name, activity, number of chunks and their seconds."""

    name: str
    doing: str = ""
    chunks: int = 0
    seconds: float = 0.0


class Workers(Protocol):
    """Pool of workers that score chunks."""

    place: str
    """Name of the place, for display and stamps."""

    def capacity(self, request: ChunkRequest[Any, Any, Any]) -> int:
        """Return the number of chunks of a request that can be scored at the same time."""

    def submit(
        self, request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
    ) -> Future[ChunkResult[Any]]:
        """Submit a chunk; `check` is called if that is possible, and may raise to stop."""

    def watch(self) -> None:
        """Raise WorkersLost if the workers are gone; called regularly while waiting."""

    def is_worker_lost(self, future: Future[ChunkResult[Any]], error: BaseException) -> bool:
        """Return whether a chunk failed because its worker was lost, so that it can be retried.

        Raises WorkersLost if there is no other worker.
        """

    def record(self, done: ChunkResult[Any]) -> None:
        """Record a finished chunk."""

    def status(self) -> tuple[Worker, ...]:
        """Return the current state of the workers that are worth showing."""

    def close(self) -> None:
        """Release the workers."""


Opener = Callable[[], Workers]
"""Function that opens the workers when the first chunk needs them."""

Data = Literal["chunks", "paths"]
"""Transfer of pictures to other machines: within the chunks, or by a path that all can read."""


def is_chunk_error(error: TimeoutError, future: Future[Any]) -> bool:
    """Return whether the chunk itself raised the error, and not the wait for its future.

    `future.done()` alone does not notify: the future may have finished just after the wait.
    """
    return future.done() and not future.cancelled() and future.exception() is error

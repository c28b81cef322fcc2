"""Workers: whoever takes a chunk and promises its statistics.

Those of this machine are in `local_workers`, those of others in `dask_workers`;
`chunk_flow` hands out the chunks to either kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from concurrent.futures import Future

    from jurydesk.core.model.chunk import Check, ChunkRequest, ChunkResult

HERE = "this machine"
"""The place of workers that are threads and processes of this one."""


class WorkersLost(Exception):  # noqa: N818 - says what happened
    """Those who did the chunks are gone, or cannot do them; the text is a sentence for the user.

    What was finished before is kept where the run has a cache.
    """


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker as the user sees it: its name, the chunk kind it is at, and what it has done."""

    name: str
    doing: str = ""
    chunks: int = 0
    seconds: float = 0.0


class Workers(Protocol):
    """Those who do chunks."""

    place: str
    """Where the work is done, for people and stamps."""

    def width(self, request: ChunkRequest[Any, Any, Any]) -> int:
        """How many chunks of a request are done at the same time."""

    def submit(
        self, request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
    ) -> Future[ChunkResult[Any]]:
        """Have a chunk done; `check` is called where that is possible, and may raise to stop."""

    def watch(self) -> None:
        """Called now and then while a chunk is waited for; raises WorkersLost."""

    def lost(self, future: Future[ChunkResult[Any]], error: BaseException) -> bool:
        """Return whether a chunk failed because its worker went away, so that another may do it.

        Raises WorkersLost where there is no other.
        """

    def finished(self, done: ChunkResult[Any]) -> None:
        """Called for every chunk that came back."""

    def at_work(self) -> tuple[Worker, ...]:
        """Return the workers as they are now; none where there is nothing to tell."""

    def close(self) -> None:
        """Let them go."""


Opener = Callable[[], Workers]
"""Makes workers when the first chunk needs them."""

Data = Literal["chunks", "paths"]
"""How pictures get to other machines: within the chunks, or by a path that all of them have."""


def is_chunk_error(error: TimeoutError, future: Future[Any]) -> bool:
    """Whether the work itself raised this, rather than a turn of waiting for it that is over.

    That the future is done does not tell: it may have been done a moment after the turn was over.
    """
    return future.done() and not future.cancelled() and future.exception() is error

"""Chunks: units of scoring that return statistics, independent of the worker that runs them.

The function of a `ChunkKind` maps settings and a chunk to statistics. All three are flat
dataclasses of arrays and texts, so that the same chunk can be scored by a thread, a process, a
machine of a cluster, or from a shard file on another computer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from jurydesk.core.version import __version__

S = TypeVar("S")
C = TypeVar("C", bound=Sized)
T = TypeVar("T", bound=Sized)

Check = Callable[[], None]
"""Cancellation check, called regularly by long work; it raises to stop the work."""


@dataclass(frozen=True, slots=True, eq=False)
class ChunkKind(Generic[S, C, T]):
    """Kind of chunk: its scoring function and data types, with hints for the scheduler.

    Attributes:
        id: Identifier, the same on every machine.
        score: Module-level function; it loads its resources once per process.
        settings: Type of the settings that all chunks of a request share.
        chunk: Type of the chunk; its length is the number of items.
        statistics: Type of the result; it has the length of the chunk.
        releases_gil: False where scoring holds the interpreter lock, so that only processes help.
        inline_limit: A single chunk of at most this many items runs on the caller's thread.
        on_device: Whether a network is used; then at most one chunk per device runs at a time.
        embed_files: Function that returns a chunk with the content of the files that it names;
            with True (shared paths), only of files that other machines cannot reach.
    """

    id: str
    score: Callable[[S, C, Check], T]
    settings: type[S]
    chunk: type[C]
    statistics: type[T]
    releases_gil: bool = True
    inline_limit: int = 0
    on_device: bool = False
    embed_files: Callable[[C, bool], C] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ChunkRequest(Generic[S, C, T]):
    """Request to score chunks of one kind; `text` and `unit` name them in the progress.

    `is_cached` is False where the caller stores the statistics itself.
    """

    kind: ChunkKind[S, C, T]
    settings: S
    chunks: Sequence[C]
    text: str
    unit: str = ""
    is_cached: bool = True

    @property
    def runs_inline(self) -> bool:
        """True if the request takes less time than starting a thread."""
        return len(self.chunks) == 1 and len(self.chunks[0]) <= self.kind.inline_limit

    def key(self, chunk: C) -> str:
        """Return the cache key of a chunk: a digest of its content, settings and the version."""
        # Imported late: it needs NumPy, which the first window does not wait for.
        from jurydesk.core.model.chunk_codec import content_digest

        return f"{self.kind.id} {content_digest(__version__, self.kind.id, self.settings, chunk)}"


@dataclass(frozen=True, slots=True, eq=False)
class ChunkResult(Generic[T]):
    """Statistics of a chunk, with the elapsed seconds, the id of its kind and the worker's name."""

    statistics: T
    seconds: float
    kind: str
    worker: str = ""


def run_chunk(
    kind: ChunkKind[S, C, T], settings: S, chunk: C, check: Check = lambda: None
) -> ChunkResult[T]:
    """Score a chunk in the calling thread."""
    start = time.perf_counter()
    statistics = kind.score(settings, chunk, check)
    return ChunkResult(statistics, time.perf_counter() - start, kind.id)


def split_items(items: Sequence[Any], size: int) -> list[Any]:
    """Split items into slices of length `size`; the last one may be shorter."""
    return [items[start : start + size] for start in range(0, len(items), size)]

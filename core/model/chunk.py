"""What every task is made of: chunks that return statistics, wherever they are scored.

A `ChunkKind` is a kind of chunk. Its function gets settings and a chunk and returns statistics, all
three flat dataclasses of numbers and texts, so that the same work is done by a thread, another
process, a machine of a cluster, or from a file on somebody else's desk.
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
"""Called now and then by long work; it may raise to stop."""


@dataclass(frozen=True, slots=True, eq=False)
class ChunkKind(Generic[S, C, T]):
    """A kind of chunk, known by its `id` on every machine.

    `score` is a function of a module, which opens what it needs once a process; a chunk's length
    is the number of its items, and its statistics have the same. Where `threads` is False it
    holds the interpreter lock, so that other processes help and other threads do not. A chunk of
    at most `brief` items that is alone takes less time than a thread takes to begin. Work of a
    network (`on_device`) is done by as many at once as there are devices. `carried` gives a chunk
    with the content of the files that it names; where it is told that all machines have their
    paths, only if they cannot.
    """

    id: str
    score: Callable[[S, C, Check], T]
    settings: type[S]
    chunk: type[C]
    statistics: type[T]
    threads: bool = True
    brief: int = 0
    on_device: bool = False
    carried: Callable[[C, bool], C] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ChunkRequest(Generic[S, C, T]):
    """Chunks of one kind that are to be scored; `text` and `unit` name them in the progress.

    Where their statistics are kept by whoever asks, `keep` is False: the run need not.
    """

    work: ChunkKind[S, C, T]
    settings: S
    chunks: Sequence[C]
    text: str
    unit: str = ""
    keep: bool = True

    @property
    def is_brief(self) -> bool:
        """Whether all of it is done sooner than a thread begins."""
        return len(self.chunks) == 1 and len(self.chunks[0]) <= self.work.brief

    def key(self, chunk: C) -> str:
        """What tells this chunk from any other: its content, its settings and the version."""
        from jurydesk.core.model.chunk_codec import (
            content_digest,  # with NumPy, which no first window waits for
        )

        return f"{self.work.id} {content_digest(__version__, self.work.id, self.settings, chunk)}"


@dataclass(frozen=True, slots=True, eq=False)
class ChunkResult(Generic[T]):
    """The statistics of a chunk, the seconds that they took, its kind of work, and who did it."""

    statistics: T
    seconds: float
    work: str
    worker: str = ""


def run_chunk(
    work: ChunkKind[S, C, T], settings: S, chunk: C, check: Check = lambda: None
) -> ChunkResult[T]:
    """Score a chunk here and now."""
    began = time.perf_counter()
    statistics = work.score(settings, chunk, check)
    return ChunkResult(statistics, time.perf_counter() - began, work.id)


def split_items(items: Sequence[Any], size: int) -> list[Any]:
    """Return the items cut into pieces of `size`, the last one shorter."""
    return [items[start : start + size] for start in range(0, len(items), size)]

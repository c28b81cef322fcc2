"""Feature cache: rows of features, kept by shards of the items that they were computed for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from jurydesk.core.execution.cache import Cache

USUAL, LONGEST = 32, 64
"""Items in a shard: on average, and at most."""

Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FeatureShard:
    """Items whose rows are kept together: their places in the list, and their hashes."""

    places: tuple[int, ...]
    hashes: tuple[str, ...]


def split_into_shards(hashes: Sequence[str]) -> list[FeatureShard]:
    """Items in shards, by their hashes (hexadecimal)."""
    order = sorted(range(len(hashes)), key=lambda place: (hashes[place], place))
    cut: list[FeatureShard] = []
    begun: list[int] = []
    for place in order:
        begun.append(place)
        ends = int(hashes[place][:8], 16) % USUAL == 0
        if ends or len(begun) == LONGEST or place == order[-1]:
            cut.append(FeatureShard(tuple(begun), tuple(hashes[one] for one in begun)))
            begun = []
    return cut


@dataclass(frozen=True, slots=True)
class RowCache:
    """Rows of shards in a cache, under what made them: a network's hash, a way to prepare items."""

    cache: Cache
    maker: tuple[str, ...]

    def get(self, shard: FeatureShard) -> Rows | None:
        """Return the rows (items, width) of a shard, or None."""
        content = self.cache.get(self._key(shard))
        if not content or len(content) % (4 * len(shard.places)):
            return None
        return np.frombuffer(content, dtype="<f4").reshape(len(shard.places), -1)

    def put(self, shard: FeatureShard, rows: Rows) -> None:
        """Keep the rows of a shard."""
        self.cache.put(self._key(shard), rows.astype("<f4").tobytes())

    def _key(self, shard: FeatureShard) -> str:
        parts = "\n".join((*self.maker, *shard.hashes))
        return f"rows {hashlib.sha256(parts.encode()).hexdigest()}"

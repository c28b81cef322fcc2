"""Cache of feature rows in content-defined shards of items."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jurydesk.core.language.message import decode_message, encode_message
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.json_text import parse_json

if TYPE_CHECKING:
    from jurydesk.core.execution.cache import Cache

USUAL, LONGEST = 32, 64
"""Average and maximum number of items in a shard."""

Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FeatureShard:
    """Items whose rows are stored together: their indices in the list and their hashes."""

    places: tuple[int, ...]
    hashes: tuple[str, ...]


def split_into_shards(hashes: Sequence[str]) -> list[FeatureShard]:
    """Split items into shards by their hashes (hexadecimal), which alone decide the boundaries."""
    order = sorted(range(len(hashes)), key=lambda place: (hashes[place], place))
    shards: list[FeatureShard] = []
    current: list[int] = []
    for place in order:
        current.append(place)
        is_boundary = int(hashes[place][:8], 16) % USUAL == 0
        if is_boundary or len(current) == LONGEST or place == order[-1]:
            shards.append(FeatureShard(tuple(current), tuple(hashes[one] for one in current)))
            current = []
    return shards


Remarks = Sequence[Sequence[str]]
"""Remarks on each item of a shard, found when it was read."""


@dataclass(frozen=True, slots=True)
class RowCache:
    """Cache of shards' rows, under the network's hash and its preprocessing (`maker`).

    The remarks on the items are kept with the rows, so that every run tells the same.
    """

    cache: Cache
    maker: tuple[str, ...]

    def get(self, shard: FeatureShard) -> tuple[Rows, Remarks] | None:
        """Return the rows (items, width) of a shard and the remarks on its items, or None."""
        head, _, content = (self.cache.get(self._key(shard)) or b"").partition(b"\n")
        count = len(shard.places)
        try:
            remarks = [[decode_message(one) for one in of_item] for of_item in parse_json(head)]
        except DAMAGE:
            return None
        if len(remarks) != count or not content or len(content) % (4 * count):
            return None
        return np.frombuffer(content, dtype="<f4").reshape(count, -1), remarks

    def put(self, shard: FeatureShard, rows: Rows, remarks: Remarks | None = None) -> None:
        """Store the rows of a shard, and the remarks on its items."""
        known = [[]] * len(shard.places) if remarks is None else remarks
        head = json.dumps([[encode_message(one) for one in of_item] for of_item in known])
        self.cache.put(self._key(shard), head.encode() + b"\n" + rows.astype("<f4").tobytes())

    def _key(self, shard: FeatureShard) -> str:
        parts = "\n".join((*self.maker, *shard.hashes))
        return f"features {hashlib.sha256(parts.encode()).hexdigest()}"

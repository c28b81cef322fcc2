"""Evidence of items as JSON in compressed blocks, as desks store it and workers return it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from jurydesk.core.model.evaluation import Evidence, Json
from jurydesk.core.model.evidence_columns import LEVEL

EVIDENCE_BLOCK = 64
"""Number of items whose evidence is packed together; reading one takes a few kilobytes."""


class PackedJsonEvidence:
    """Evidence that another process has packed into `blocks` of `EVIDENCE_BLOCK` items."""

    def __init__(self, blocks: Sequence[bytes], load: Callable[[Json], Evidence]) -> None:
        self.blocks = blocks
        self._load = load
        self._unpack = lru_cache(1)(self._unpack_block)

    def __call__(self, number: int) -> Evidence:
        """Return the evidence of that number."""
        block, place = divmod(number, EVIDENCE_BLOCK)
        return self._load(self._unpack(block)[place])

    def _unpack_block(self, block: int) -> list[Json]:
        values: list[Json] = json.loads(zlib.decompress(self.blocks[block]))
        return values


def json_blocks(load: Callable[[int], Evidence], count: int) -> Iterator[bytes]:
    """Yield the evidence numbered 0 to `count`, packed in blocks."""
    if isinstance(load, PackedJsonEvidence):
        yield from load.blocks
        return
    for start in range(0, count, EVIDENCE_BLOCK):
        block = range(start, min(start + EVIDENCE_BLOCK, count))
        yield compress_list(compact_json(load(number).to_json()) for number in block)


def compress_list(entries: Iterable[str]) -> bytes:
    """Compress a JSON list of values that are JSON texts already."""
    text = f"[{','.join(entries)}]"
    return zlib.compress(text.encode("utf-8", "surrogatepass"), LEVEL)


def compact_json(value: Json) -> str:
    """Return a value as JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

"""Packed blocks of evidence columns, as desks store them and workers return them."""

from __future__ import annotations

import hashlib
import zlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jurydesk.core.model.evaluation import Evidence
from jurydesk.core.model.evidence_columns import (
    LEVEL,
    ColumnEvidence,
    EvidenceColumns,
    EvidenceRow,
    pack_columns,
    unpack_columns,
)

BLOCKS_IN_MEMORY = 2
"""Unpacked blocks of one system that are kept."""


@dataclass(frozen=True, slots=True)
class EvidenceBlock:
    """Block of a part, starting at item `first`; `packed` is None if the desk has it.

    `content` may be empty if `packed` is there.
    """

    part: int
    first: int
    sha256: str
    content: bytes
    fractions: bytes
    packed: bytes | None

    @property
    def compressed(self) -> bytes:
        """Content as it is stored."""
        return self.packed or zlib.compress(self.content, LEVEL)


class PackedEvidence(ColumnEvidence):
    """Evidence columns that another process has packed into `blocks`, by part and first item."""

    def __init__(
        self, blocks: Sequence[EvidenceBlock], load: Callable[[EvidenceRow], Evidence]
    ) -> None:
        super().__init__(self._whole_parts, load)
        self.blocks = blocks
        self._parts_blocks = {
            part: [block for block in blocks if block.part == part]
            for part in dict.fromkeys(block.part for block in blocks)
        }
        self._unpack = lru_cache(BLOCKS_IN_MEMORY)(_unpack)

    def _whole_parts(self) -> Sequence[EvidenceColumns]:
        raise TypeError("packed evidence is stored as its blocks")

    def __call__(self, number: int) -> Evidence:
        """Return the evidence at an index."""
        row = EvidenceRow()
        for blocks in self._parts_blocks.values():
            place = bisect_right(blocks, number, key=lambda block: block.first) - 1
            row.update(self._unpack(blocks[place]).row(number - blocks[place].first))
        return self._load(row)


def _unpack(block: EvidenceBlock) -> EvidenceColumns:
    return unpack_columns(zlib.decompress(block.compressed), block.fractions)


def pack_blocks(evidence: ColumnEvidence, known: Collection[str]) -> Sequence[EvidenceBlock]:
    """Return the blocks of all parts, compressed if their SHA-256 is not known."""
    if isinstance(evidence, PackedEvidence):
        return evidence.blocks
    packed: list[EvidenceBlock] = []
    for part, whole in enumerate(evidence.build()):
        shrinks: dict[str, bool] = {}
        packed += [
            _pack_block(part, first, *pack_columns(columns, shrinks), known)
            for first, columns in whole.blocks()
        ]
    return packed


def _pack_block(
    part: int, first: int, content: bytes, fractions: bytes, known: Collection[str]
) -> EvidenceBlock:
    digest = hashlib.sha256(content)
    digest.update(fractions)
    sha256 = digest.hexdigest()
    packed = None if sha256 in known else zlib.compress(content, LEVEL)
    return EvidenceBlock(part, first, sha256, b"" if packed else content, fractions, packed)

"""Blocks of evidence columns in a desk: written once per content, read one block at a time."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from jurydesk.core.desk.codec import LEVEL, DamagedContentError, damage_at, inflate
from jurydesk.core.model.evaluation import Evidence, Json
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumns,
    EvidenceRow,
    pack_columns,
    unpack_columns,
)

MOST_BLOCK_BYTES = 1 << 26
"""No block unpacks to more bytes; a crafted file cannot fill the memory."""


@dataclass(frozen=True, slots=True)
class EvidenceBlock:
    """A block of a part that begins at item `first`; `packed` is None where the desk has it."""

    part: int
    first: int
    sha256: str
    content: bytes
    fractions: bytes
    packed: bytes | None


def pack_blocks(evidence: ColumnEvidence, known: Collection[str]) -> list[EvidenceBlock]:
    """The blocks of all parts; those whose SHA-256 is not known are compressed."""
    return [
        _pack_block(part, first, *pack_columns(columns), known)
        for part, whole in enumerate(evidence.build())
        for first, columns in whole.blocks()
    ]


def _pack_block(
    part: int, first: int, content: bytes, fractions: bytes, known: Collection[str]
) -> EvidenceBlock:
    digest = hashlib.sha256(content)
    digest.update(fractions)
    sha256 = digest.hexdigest()
    packed = None if sha256 in known else zlib.compress(content, LEVEL)
    return EvidenceBlock(part, first, sha256, content, fractions, packed)


def known_blocks(connection: sqlite3.Connection) -> set[str]:
    """The SHA-256 of every block in the desk."""
    return {name for (name,) in connection.execute("SELECT sha256 FROM evidence_block")}


def insert_blocks(
    connection: sqlite3.Connection, key: int, blocks: Sequence[EvidenceBlock]
) -> None:
    """Write the blocks of an evaluation; one that others have written is only named."""
    known = known_blocks(connection) if blocks else set()
    for block in blocks:
        if block.sha256 not in known:
            packed = block.packed or zlib.compress(block.content, LEVEL)
            connection.execute(
                "INSERT INTO evidence_block VALUES (?, ?, ?)",
                (block.sha256, packed, block.fractions),
            )
            known.add(block.sha256)
    connection.executemany(
        "INSERT INTO evidence_part VALUES (?, ?, ?, ?)",
        ((key, block.part, block.first, block.sha256) for block in blocks),
    )


def delete_unused_blocks(connection: sqlite3.Connection) -> None:
    """Delete the blocks that no evaluation has any more."""
    connection.execute(
        "DELETE FROM evidence_block WHERE sha256 NOT IN (SELECT sha256 FROM evidence_part)"
    )


def count_parts(connection: sqlite3.Connection, key: int) -> int:
    """How many parts the evidence of an evaluation has; 0 where it has no columns."""
    (last,) = connection.execute(
        "SELECT max(part) FROM evidence_part WHERE evaluation = ?", (key,)
    ).fetchone()
    return 0 if last is None else int(last) + 1


def read_columns(
    connection: sqlite3.Connection, key: int, part: int, item: int
) -> tuple[int, EvidenceColumns] | None:
    """The block of a part that holds an item, and its first item; None without one."""
    row = connection.execute(
        "SELECT first, content, fractions FROM evidence_part JOIN evidence_block USING (sha256) "
        "WHERE evaluation = ? AND part = ? AND first <= ? ORDER BY first DESC LIMIT 1",
        (key, part, item),
    ).fetchone()
    if row is None:
        return None
    first, packed, fractions = row
    with damage_at("evidence_part", f"{key}, {part}, {first}"):
        return first, unpack_columns(inflate(packed, MOST_BLOCK_BYTES), fractions)


class ColumnReader:
    """Loads one piece of evidence at a time; a part's last block stays for its neighbours."""

    def __init__(
        self,
        key: int,
        parts: int,
        read: Callable[[int, int], tuple[int, EvidenceColumns]],
        load: Callable[[Json], Evidence],
    ) -> None:
        self._key = key
        self._parts = parts
        self._read = read
        self._load = load
        self._last: dict[int, tuple[int, EvidenceColumns]] = {}

    def __call__(self, number: int) -> Evidence:
        """The evidence of that number: the item's own, or what `evidence_of` says."""
        row = EvidenceRow()
        for part in range(self._parts):
            first, columns = self._block(part, number)
            with damage_at("evidence_part", f"{self._key}, {part}, {first}"):
                if number - first >= columns.items_count:
                    raise DamagedContentError(f"the evidence of item {number} is missing")
                row.update(columns.row(number - first))
        with damage_at("evaluation", self._key):
            return self._load(row)

    def _block(self, part: int, number: int) -> tuple[int, EvidenceColumns]:
        found = self._last.get(part)
        if found is None or not found[0] <= number < found[0] + found[1].items_count:
            found = self._last[part] = self._read(part, number)
        return found

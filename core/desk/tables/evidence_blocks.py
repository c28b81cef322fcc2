"""Blocks of evidence columns in a desk, stored once per content and read one at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from jurydesk.core.desk.codec import DamagedContentError, damage_at, inflate
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Evidence, Json
from jurydesk.core.model.evidence_blocks import EvidenceBlock
from jurydesk.core.model.evidence_columns import EvidenceColumns, EvidenceRow, unpack_columns

MAX_BLOCK_BYTES = 1 << 26
"""Limit on the bytes of an unpacked block, against crafted files."""


def known_blocks(connection: sqlite3.Connection) -> set[str]:
    """Return the SHA-256 of every block in the desk."""
    return {name for (name,) in connection.execute("SELECT sha256 FROM evidence_block")}


def insert_blocks(
    connection: sqlite3.Connection, key: int, blocks: Sequence[EvidenceBlock]
) -> None:
    """Insert the blocks of an evaluation; a block that exists is only referenced."""
    known = known_blocks(connection) if blocks else set()
    for block in blocks:
        if block.sha256 not in known:
            connection.execute(
                "INSERT INTO evidence_block VALUES (?, ?, ?)",
                (block.sha256, block.compressed, block.fractions),
            )
            known.add(block.sha256)
    connection.executemany(
        "INSERT INTO evidence_part VALUES (?, ?, ?, ?)",
        ((key, block.part, block.first, block.sha256) for block in blocks),
    )


def delete_unused_blocks(connection: sqlite3.Connection) -> None:
    """Delete the blocks that no evaluation references."""
    connection.execute(
        "DELETE FROM evidence_block WHERE sha256 NOT IN (SELECT sha256 FROM evidence_part)"
    )


def count_parts(connection: sqlite3.Connection, key: int) -> int:
    """Return the number of evidence parts of an evaluation; 0 without evidence columns."""
    (last,) = connection.execute(
        "SELECT max(part) FROM evidence_part WHERE evaluation = ?", (key,)
    ).fetchone()
    return 0 if last is None else int(last) + 1


def read_columns(
    connection: sqlite3.Connection, key: int, part: int, item: int
) -> tuple[int, EvidenceColumns] | None:
    """Return the first item and the columns of the block with an item; None without one."""
    row = connection.execute(
        "SELECT first, content, fractions FROM evidence_part JOIN evidence_block USING (sha256) "
        "WHERE evaluation = ? AND part = ? AND first <= ? ORDER BY first DESC LIMIT 1",
        (key, part, item),
    ).fetchone()
    if row is None:
        return None
    first, packed, fractions = row
    with damage_at("evidence_part", f"{key}, {part}, {first}"):
        return first, unpack_columns(inflate(packed, MAX_BLOCK_BYTES), fractions)


class ColumnReader:
    """Reader of single pieces of columnar evidence, which caches the last block of each part."""

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
        """Return the evidence of that number."""
        row = EvidenceRow()
        for part in range(self._parts):
            first, columns = self._block(part, number)
            with damage_at("evidence_part", f"{self._key}, {part}, {first}"):
                if number - first >= columns.items_count:
                    raise DamagedContentError(
                        fill("the evidence of item {number} is missing", number)
                    )
                row.update(columns.row(number - first))
        with damage_at("evaluation", self._key):
            return self._load(row)

    def _block(self, part: int, number: int) -> tuple[int, EvidenceColumns]:
        found = self._last.get(part)
        if found is None or not found[0] <= number < found[0] + found[1].items_count:
            found = self._last[part] = self._read(part, number)
        return found

"""The tables of a rating study: the plan, the packets given out and the answers merged."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.desk.codec import decoding, inflate, read_json
from core.desk.desk import Desk
from core.model import Json

T = TypeVar("T")
LARGEST = 64 << 20
"""Bytes of an unpacked study, or of one rater's answers; a crafted file cannot fill the memory."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One rater's answers to a packet: `lines` are JSON, `sha256` is theirs."""

    sha256: str
    packet: str
    events: int
    lines: bytes


class RatingTables:
    """What a desk keeps of its rating study. Damaged content is a DeskError."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def study(self, decode: Callable[[Json], T]) -> T | None:
        """Return the study as `decode` makes it of JSON values; None where nothing is planned."""
        with self.desk.reading() as connection, decoding():
            row = connection.execute("SELECT content FROM rating_study").fetchone()
            if row is None:
                return None
            return decode(read_json(inflate(row[0], LARGEST).decode("utf-8", "replace")))

    def set_study(self, study: Json) -> bool:
        """Keep a study in the place of the one before; False where that has answers."""
        content = zlib.compress(json.dumps(study).encode("utf-8", "replace"))
        with self.desk.writing() as connection:
            if connection.execute("SELECT 1 FROM rating_history LIMIT 1").fetchone():
                return False
            connection.execute("DELETE FROM rating_packet")
            connection.execute("INSERT OR REPLACE INTO rating_study VALUES (1, ?)", (content,))
        return True

    def packed_study(self) -> bytes | None:
        """Return the bytes of the study as they are kept."""
        with self.desk.reading() as connection:
            row = connection.execute("SELECT content FROM rating_study").fetchone()
        return None if row is None else bytes(row[0])

    def packets(self) -> dict[str, str]:
        """Return the raters by the SHA-256 of the packets that were written for them."""
        with self.desk.reading() as connection:
            return dict(connection.execute("SELECT sha256, rater FROM rating_packet").fetchall())

    def add_packet(self, sha256: str, rater: str) -> None:
        """Remember a packet that was written."""
        with self.desk.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO rating_packet VALUES (?, ?)", (sha256, rater))

    def answers(self) -> dict[str, str]:
        """Return the packets of all answers, by the SHA-256 of the answers in their order."""
        with self.desk.reading() as connection:
            rows = connection.execute("SELECT sha256, packet FROM rating_history ORDER BY sha256")
            return dict(rows.fetchall())

    def histories(self, decode: Callable[[HistoryRow], T]) -> tuple[T, ...]:
        """Return all answers as `decode` makes them, by packet."""
        with self.desk.reading() as connection, decoding():
            rows = connection.execute(
                "SELECT sha256, packet, events, content FROM rating_history ORDER BY packet, sha256"
            )
            return tuple(
                decode(HistoryRow(sha256, packet, events, inflate(content, LARGEST)))
                for sha256, packet, events, content in rows.fetchall()
            )

    def change_answers(self, added: Sequence[HistoryRow], removed: Sequence[str]) -> None:
        """Keep new answers and delete those of these hashes, in one transaction."""
        packed = [
            (one.sha256, one.packet, one.events, zlib.compress(one.lines, 1)) for one in added
        ]
        with self.desk.writing() as connection:
            connection.executemany(
                "DELETE FROM rating_history WHERE sha256 = ?", [(one,) for one in removed]
            )
            connection.executemany(
                "INSERT OR IGNORE INTO rating_history VALUES (?, ?, ?, ?)", packed
            )

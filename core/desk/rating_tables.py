"""The tables of a rating study: the plan, the packets given out and the answers merged."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from jurydesk.core.desk.codec import damage_at, inflate, parse_json
from jurydesk.core.desk.desk import Desk
from jurydesk.core.model.evaluation import Json

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
        with self.desk.reading() as connection, damage_at("rating_study", 1):
            row = connection.execute("SELECT content FROM rating_study").fetchone()
            if row is None:
                return None
            return decode(parse_json(inflate(row[0], LARGEST).decode("utf-8", "replace")))

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

    def add_packet(self, sha256: str, rater: str, *, signed: bool) -> None:
        """Remember a packet that was written, and whether answers to it have to be signed."""
        with self.desk.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO rating_packet VALUES (?, ?)", (sha256, rater))
            if signed:
                known = sorted({*_signed(connection), sha256})
                connection.execute(
                    "INSERT OR REPLACE INTO setting VALUES (?, ?)", (SIGNED, json.dumps(known))
                )

    def signed_packets(self) -> frozenset[str]:
        """Return the packets whose answers have to be signed, by SHA-256."""
        with self.desk.reading() as connection:
            return frozenset(_signed(connection))

    def answers(self) -> dict[str, str]:
        """Return the packets of all answers, by the SHA-256 of the answers in their order."""
        with self.desk.reading() as connection:
            rows = connection.execute("SELECT sha256, packet FROM rating_history ORDER BY sha256")
            return dict(rows.fetchall())

    def histories(self, decode: Callable[[HistoryRow], T]) -> tuple[T, ...]:
        """Return all answers as `decode` makes them, by packet."""
        found = []
        with self.desk.reading() as connection:
            rows = connection.execute(
                "SELECT sha256, packet, events, content FROM rating_history ORDER BY packet, sha256"
            )
            for sha256, packet, events, content in rows.fetchall():
                with damage_at("rating_history", repr(sha256)):
                    lines = inflate(content, LARGEST)
                    found.append(decode(HistoryRow(sha256, packet, events, lines)))
        return tuple(found)

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


SIGNED = "signed packets"
"""The setting with the packets that have a key; those of before have none."""


def _signed(connection: sqlite3.Connection) -> list[str]:
    with damage_at("setting", repr(SIGNED)):
        row = connection.execute("SELECT content FROM setting WHERE name = ?", (SIGNED,)).fetchone()
        listed = [] if row is None else parse_json(row[0])
        return [str(one) for one in listed]


APPLICATION_ID = 0x4A555241
"""The four letters JURA: the answers of a jury."""


class AnswersError(Exception):
    """The answers cannot be kept or read; the message is a sentence for the rater."""


EventRow = tuple[int, str, str, str, str, float, str]
"""Number, act, item, question, value as JSON, seconds, and time."""


class EventLog:
    """The events of one rater in one packet; one program at a time may have it open."""

    def __init__(self, path: Path, packet: str) -> None:
        self.path = path
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=1.0)
        except sqlite3.Error as error:
            raise AnswersError(_in_words(error, path)) from error
        try:
            self._prepare(packet)
        except sqlite3.Error as error:
            self.close()
            raise AnswersError(_in_words(error, path)) from error
        except AnswersError:
            self.close()
            raise

    def _prepare(self, packet: str) -> None:
        run = self._connection.execute
        run("PRAGMA locking_mode = EXCLUSIVE")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("BEGIN IMMEDIATE")
        (application,) = run("PRAGMA application_id").fetchone()
        if application not in (0, APPLICATION_ID):
            raise AnswersError(f"{self.path.name} belongs to another program.")
        run("CREATE TABLE IF NOT EXISTS packet (sha256 TEXT NOT NULL) STRICT")
        run(
            "CREATE TABLE IF NOT EXISTS event (number INTEGER PRIMARY KEY, act TEXT NOT NULL, "
            "item TEXT NOT NULL, question TEXT NOT NULL, value TEXT NOT NULL, "
            "seconds REAL NOT NULL, at TEXT NOT NULL) STRICT"
        )
        row = run("SELECT sha256 FROM packet").fetchone()
        if row is None:
            run("INSERT INTO packet VALUES (?)", (packet,))
        elif row[0] != packet:
            raise AnswersError(f"{self.path.name} holds the answers to another packet.")
        run(f"PRAGMA application_id = {APPLICATION_ID}")
        run("COMMIT")

    def rows(self) -> list[EventRow]:
        """Return all events in their order."""
        try:
            return self._connection.execute(
                "SELECT number, act, item, question, value, seconds, at FROM event ORDER BY number"
            ).fetchall()
        except sqlite3.Error as error:
            raise AnswersError(_in_words(error, self.path)) from error

    def append_rows(self, rows: Sequence[EventRow]) -> None:
        """Keep events, all or none; when this returns they are on the disk."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise AnswersError(_in_words(error, self.path)) from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _in_words(error: sqlite3.Error, path: Path) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    for code, sentence in _SENTENCES.items():
        if name.startswith(code):
            return sentence.format(name=path.name)
    return f"{path.name} cannot be used: {error}."


_SENTENCES = {
    "SQLITE_BUSY": "This packet is open in another window. Go on there, or close it first.",
    "SQLITE_FULL": "The answer was not saved: the disk is full.",
    "SQLITE_READONLY": "The answer was not saved: {name} is write-protected.",
    "SQLITE_NOTADB": "{name} is damaged: it is no SQLite file.",
    "SQLITE_CORRUPT": "{name} is damaged and cannot be read.",
    "SQLITE_CANTOPEN": "{name} cannot be opened: check that its folder can be written.",
}

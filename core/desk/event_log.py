"""A rater's events on the disk: one SQLite file for each packet, to which events are added.

The journal is a write-ahead log and every commit is forced to the disk, so that an answer that
was called saved survives a killed program and a power cut.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

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

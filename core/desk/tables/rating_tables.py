"""Tables of a rating study: plan, packets and answers; and the event log of a rater."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from jurydesk.core.desk.codec import damage_at, inflate, is_parsable, parse_stored
from jurydesk.core.desk.desk import Desk
from jurydesk.core.desk.errors import DeskError, is_busy, is_too_long
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.file_lock import has_locks

T = TypeVar("T")
MAX_BYTES = 64 << 20
"""Limit on the bytes of an unpacked study or a rater's answers, against crafted files."""


class RatingTables:
    """Rating study in a desk; damaged content raises DeskError."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def read_study(self, decode: Callable[[Json], T]) -> T | None:
        """Return the decoded study; None if there is none."""
        with self.desk.reading() as connection, damage_at("rating_study", 1):
            row = connection.execute("SELECT content FROM rating_study").fetchone()
            if row is None:
                return None
            return decode(parse_stored(inflate(row[0], MAX_BYTES).decode("utf-8", "replace")))

    def write_study(self, study: Json) -> bool:
        """Replace the study; return False if the present one has answers."""
        text = json.dumps(study)
        if len(text) > MAX_BYTES or not is_parsable(text):
            raise DeskError(translatable("The raters have too many items for a desk."))
        content = zlib.compress(text.encode("utf-8", "replace"))
        with self.desk.writing() as connection:
            if connection.execute("SELECT 1 FROM rating_history LIMIT 1").fetchone():
                return False
            connection.execute("DELETE FROM rating_packet")
            connection.execute("INSERT OR REPLACE INTO rating_study VALUES (1, ?)", (content,))
        return True

    def packed_study(self) -> bytes | None:
        """Return the stored bytes of the study."""
        with self.desk.reading() as connection:
            row = connection.execute("SELECT content FROM rating_study").fetchone()
        return None if row is None else bytes(row[0])

    def packets(self) -> dict[str, str]:
        """Return the raters by the SHA-256 of their packets."""
        with self.desk.reading() as connection:
            return dict(connection.execute("SELECT sha256, rater FROM rating_packet").fetchall())

    def add_packet(self, sha256: str, rater: str) -> None:
        """Record a packet."""
        with self.desk.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO rating_packet VALUES (?, ?)", (sha256, rater))

    def answers(self) -> dict[str, str]:
        """Return the packets of all answers, by the SHA-256 of the answers, sorted."""
        with self.desk.reading() as connection:
            rows = connection.execute("SELECT sha256, packet FROM rating_history ORDER BY sha256")
            return dict(rows.fetchall())

    def read_histories(self, decode: Callable[[str, str, str, bytes], T]) -> tuple[T, ...]:
        """Return all answers, by packet, decoded from packet, rater, SHA-256, and JSON lines."""
        found = []
        with self.desk.reading() as connection:
            rows = connection.execute(
                "SELECT packet, rater, rating_history.sha256, content FROM rating_history "
                "JOIN rating_packet ON packet = rating_packet.sha256 "
                "ORDER BY packet, rating_history.sha256"
            )
            for packet, rater, sha256, content in rows.fetchall():
                with damage_at("rating_history", repr(sha256)):
                    found.append(decode(packet, rater, sha256, inflate(content, MAX_BYTES)))
        return tuple(found)

    def change_answers(
        self, added: Iterable[tuple[str, str, int, bytes]], removed: Sequence[str]
    ) -> None:
        """Add answers (SHA-256, packet, number of events, JSON lines) and delete others.

        Those of the hashes in `removed` are deleted, in the same transaction. Raises DeskError if
        a rater's answers are too many to be read again.
        """
        packed = [(*row, zlib.compress(_required_lines(lines), 1)) for *row, lines in added]
        with self.desk.writing() as connection:
            connection.executemany(
                "DELETE FROM rating_history WHERE sha256 = ?", [(one,) for one in removed]
            )
            connection.executemany(
                "INSERT OR IGNORE INTO rating_history VALUES (?, ?, ?, ?)", packed
            )


def _required_lines(lines: bytes) -> bytes:
    """Return the JSON lines of a rater; raise DeskError if they are too many to be read again."""
    if len(lines) > MAX_BYTES:
        found = "A rater has too many answers for a desk: {size:,} bytes, and at most {most:,} fit."
        raise DeskError(fill(found, len(lines), MAX_BYTES))
    return lines


APPLICATION_ID = 0x4A555241
"""ASCII "JURA"."""


class AnswersError(Exception):
    """Answers that cannot be written or read; the message is for the rater."""


EventRow = tuple[int, str, str, str, str, float, str]
"""Number, act, item, question, value as JSON, seconds, time."""


class EventLog:
    """Events of one rater in one packet, with exclusive access for one program."""

    def __init__(self, path: Path, packet: str) -> None:
        self.path = path
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=1.0)
        except sqlite3.Error as error:
            raise AnswersError(_error_sentence(error, path)) from error
        try:
            self._prepare(packet)
        except sqlite3.Error as error:
            self.close()
            raise AnswersError(_error_sentence(error, path)) from error
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
            raise AnswersError(fill("{name} belongs to another program.", self.path.name))
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
            raise AnswersError(fill("{name} contains answers to another packet.", self.path.name))
        run(f"PRAGMA application_id = {APPLICATION_ID}")
        run("COMMIT")

    def rows(self) -> list[EventRow]:
        """Return all events in their order."""
        try:
            return self._connection.execute(
                "SELECT number, act, item, question, value, seconds, at FROM event ORDER BY number"
            ).fetchall()
        except sqlite3.Error as error:
            raise AnswersError(_error_sentence(error, self.path)) from error

    def append_rows(self, rows: Sequence[EventRow]) -> None:
        """Append events, all or none, and wait until they are on the disk."""
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
            raise AnswersError(_error_sentence(error, self.path)) from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _error_sentence(error: sqlite3.Error, path: Path) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    if is_busy(error) and not has_locks(path):
        return NO_LOCKS.format(folder=path.parent)
    if name.startswith("SQLITE_CANTOPEN") and is_too_long(path):
        return TOO_LONG.format(folder=path.parent)
    for code, sentence in _SENTENCES.items():
        if name.startswith(code):
            return translatable(sentence).format(name=path.name)
    return fill("{name} cannot be used: {error}.", path.name, Message(str(error)))


NO_LOCKS = translatable(
    "No answer can be kept: the file system of {folder} has no locks. Set JURYDESK_HOME to a "
    "folder on another disk."
)
TOO_LONG = translatable(
    "No answer can be kept: the path of {folder} is too long. Set JURYDESK_HOME to a shorter one."
)
_SENTENCES = {
    "SQLITE_BUSY": "This packet is open in another window. Continue there, or close it first.",
    "SQLITE_FULL": "The answer was not saved: the disk is full.",
    "SQLITE_READONLY": "The answer was not saved: {name} is write-protected.",
    "SQLITE_NOTADB": "{name} is damaged: it is not an SQLite file.",
    "SQLITE_CORRUPT": "{name} is damaged and cannot be read.",
    "SQLITE_CANTOPEN": "{name} cannot be opened: check that its folder can be written.",
}

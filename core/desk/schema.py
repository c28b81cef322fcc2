"""Schema of a desk."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

APPLICATION_ID = 0x4A555259
"""ASCII "JURY", which `file` and SQLite show."""

MINIMUM_SQLITE = (3, 37, 0)
"""First SQLite version with STRICT tables."""

SCHEMA = 1
"""Number of the schema, which the file has as its `user_version`."""

LEDGER = (
    "CREATE TABLE IF NOT EXISTS entry_ledger (number INTEGER PRIMARY KEY, content TEXT NOT NULL, "
    "hash TEXT NOT NULL, message TEXT NOT NULL, result TEXT NOT NULL) STRICT"
)
"""Statement that creates the ledger of sealed entries."""
OPTIONAL = frozenset({"entry_ledger"})
"""Tables that desks of earlier days lack; the first write creates them."""
STATEMENTS = (
    """CREATE TABLE competition (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        task TEXT NOT NULL,
        title TEXT NOT NULL,
        options TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE input (
        id INTEGER PRIMARY KEY,
        role TEXT NOT NULL,
        paths TEXT NOT NULL,
        size INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        sha256 TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE evaluation (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task TEXT NOT NULL,
        system TEXT NOT NULL,
        profile TEXT NOT NULL,
        about TEXT NOT NULL,
        noun TEXT NOT NULL,
        created TEXT NOT NULL,
        items INTEGER NOT NULL,
        ids BLOB NOT NULL,
        evidence_of BLOB,
        scores TEXT NOT NULL,
        defects TEXT NOT NULL,
        stamp TEXT NOT NULL,
        UNIQUE (system, profile)
    ) STRICT""",
    """CREATE TABLE item_column (
        evaluation INTEGER NOT NULL REFERENCES evaluation (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        packed INTEGER NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (evaluation, position)
    ) STRICT""",
    """CREATE TABLE figure (
        evaluation INTEGER NOT NULL REFERENCES evaluation (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        content TEXT NOT NULL,
        members_packed INTEGER,
        members BLOB,
        PRIMARY KEY (evaluation, position)
    ) STRICT""",
    "CREATE TABLE chunk (key TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE rating_study (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL) "
    "STRICT",
    "CREATE TABLE rating_packet (sha256 TEXT PRIMARY KEY, rater TEXT NOT NULL) "
    "STRICT, WITHOUT ROWID",
    """CREATE TABLE rating_history (
        sha256 TEXT PRIMARY KEY,
        packet TEXT NOT NULL REFERENCES rating_packet (sha256) ON DELETE CASCADE,
        events INTEGER NOT NULL,
        content BLOB NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE submission (
        id INTEGER PRIMARY KEY,
        team TEXT NOT NULL,
        name TEXT NOT NULL,
        system TEXT NOT NULL,
        path TEXT NOT NULL,
        size INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        files INTEGER NOT NULL,
        received TEXT NOT NULL,
        seen TEXT NOT NULL,
        UNIQUE (path, sha256)
    ) STRICT""",
    "CREATE TABLE setting (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE event (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, "
    "what TEXT NOT NULL) STRICT",
    "CREATE TABLE erratum (id INTEGER PRIMARY KEY AUTOINCREMENT, created TEXT NOT NULL, "
    "content BLOB NOT NULL) STRICT",
    "CREATE TABLE check_record (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL) STRICT",
    """CREATE TABLE check_file (
        record INTEGER NOT NULL REFERENCES check_record (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        path TEXT NOT NULL,
        role TEXT NOT NULL,
        outcome TEXT NOT NULL CHECK (outcome IN ('passed', 'failed', 'unknown')),
        reason TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (record, position)
    ) STRICT""",
    """CREATE TABLE check_defect (
        record INTEGER NOT NULL REFERENCES check_record (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        phase TEXT NOT NULL CHECK (phase IN ('intake', 'resolution', 'reading')),
        severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
        path TEXT NOT NULL,
        line INTEGER,
        character INTEGER,
        json_path TEXT,
        found TEXT NOT NULL,
        expected TEXT NOT NULL,
        hint TEXT NOT NULL,
        count INTEGER NOT NULL,
        repair TEXT,
        PRIMARY KEY (record, position)
    ) STRICT""",
    LEDGER,
    "CREATE TABLE evidence_block (sha256 TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL, "
    "fractions BLOB NOT NULL) STRICT",
    """CREATE TABLE evidence_part (
        evaluation INTEGER NOT NULL REFERENCES evaluation (id) ON DELETE CASCADE,
        part INTEGER NOT NULL,
        first INTEGER NOT NULL,
        sha256 TEXT NOT NULL REFERENCES evidence_block (sha256),
        PRIMARY KEY (evaluation, part, first)
    ) STRICT, WITHOUT ROWID""",
)
"""Statements that create the tables of an empty desk.

A block of evidence is identified by the SHA-256 of its unpacked content and fractions (the latter
are not packed), so that systems share blocks of the reference data.
"""


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run a block as one transaction; one inside another is part of it."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the schema version of the file; 0 if it is empty."""
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    return int(found)


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of an empty desk, in one transaction."""
    with transaction(connection):
        for statement in STATEMENTS:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")

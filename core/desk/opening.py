"""Opening of desk files: file type, permissions and schema.

The journal is a rollback journal, not a write-ahead log: between two writes the desk is one file
that can be copied, and it opens in a folder without write permission.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from jurydesk.core.desk.errors import DeskError, translate_sqlite_errors
from jurydesk.core.desk.schema import MINIMUM_SQLITE, create_tables
from jurydesk.core.desk.trust import Check, GuardedConnection, raise_interruption, require_desk
from jurydesk.core.language import failure_reason, fill
from jurydesk.core.system.paths import atomic_replacement

MAGIC = b"SQLite format 3\0"
"""First bytes of every SQLite file (https://www.sqlite.org/fileformat.html)."""

BUSY_SECONDS = 5.0
"""Time that a write waits for another program's write."""


def create_file(path: Path) -> None:
    """Create an empty desk at `path`, atomically; raise DeskError if the path exists."""
    require_sqlite()
    if os.path.lexists(path):
        raise DeskError(fill("{name} already exists. Open it, or choose another name.", path.name))
    with create_in_place(path) as connection:
        create_tables(connection)


@contextlib.contextmanager
def create_in_place(path: Path) -> Iterator[sqlite3.Connection]:
    """Provide a connection to an empty file that is moved to `path` when the block succeeds."""
    try:
        with translate_sqlite_errors(path), atomic_replacement(path) as temporary:
            connection = open_connection(temporary, "rwc")
            # Chunks of a run are deleted later. This must be set before the first table exists.
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            try:
                yield connection
            finally:
                connection.close()
            # SQLite would apply the journal of an earlier desk at this path.
            _journal(path).unlink(missing_ok=True)
    except OSError as error:
        raise DeskError(
            fill("{name} cannot be written: {value}.", path.name, failure_reason(error))
        ) from error


def open_file(
    path: Path, *, read_only: bool, check: Check = lambda: None
) -> tuple[GuardedConnection, bool]:
    """Open a desk and return the connection, and whether it is read-only.

    It is read-only if requested, or if the file or its folder is write-protected. Raises DeskError
    unless the file is a desk that this version can read. `check` may raise to cancel this and every
    later statement.
    """
    require_sqlite()
    _require_file(path)
    writable = os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)
    with translate_sqlite_errors(path):
        if writable and read_only:
            _roll_back(path)
        read_only = read_only or not writable
        connection = open_connection(path, "ro" if read_only else "rw")
        try:
            connection.watch(check)
            with raise_interruption(connection):
                require_desk(connection, path)
            return connection, read_only
        except BaseException:
            connection.close()
            raise


def open_connection(path: Path, mode: str) -> GuardedConnection:
    """Open a connection with explicit transactions, usable from any thread."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=GuardedConnection,
    )
    try:
        connection.guard()
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        # A long write keeps its pages in memory, so that others can read meanwhile.
        connection.execute("PRAGMA cache_spill = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def require_sqlite() -> None:
    """Raise DeskError if this Python's SQLite has no strict tables."""
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        needed = ".".join(map(str, MINIMUM_SQLITE))
        raise DeskError(
            fill(
                "Desks need SQLite {needed} or newer; this Python has {sqlite_version}. Use "
                "a newer Python.",
                needed,
                sqlite3.sqlite_version,
            )
        )


def _require_file(path: Path) -> None:
    if path.is_dir():
        raise DeskError(fill("{name} is a folder, not a desk.", path.name))
    if not path.exists():
        raise DeskError(fill("{name} does not exist.", path.name))
    if not path.is_file():
        raise DeskError(fill("{name} is not a desk: it is not a regular file.", path.name))
    if not os.access(path, os.R_OK):
        raise DeskError(fill("{name} cannot be opened: permission denied.", path.name))
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if not head:
        raise DeskError(fill("{name} is not a desk: it is empty.", path.name))
    if head != MAGIC:
        raise DeskError(fill("{name} is not a desk: it is not an SQLite file.", path.name))


def _journal(path: Path) -> Path:
    target = path.resolve()
    return target.with_name(f"{target.name}-journal")


def _roll_back(path: Path) -> None:
    """Undo an interrupted write, which a read-only connection cannot do."""
    if not _journal(path).exists():
        return
    connection = open_connection(path, "rw")
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    finally:
        connection.close()

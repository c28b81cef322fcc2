"""Validation of a desk file from an untrusted source, before anything else is read.

SQLite runs what a schema contains: triggers, views, virtual tables and generated columns. A desk is
opened only if its schema is, word for word, the one that this program writes.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from jurydesk.core.desk.errors import DeskError, damage_error
from jurydesk.core.desk.schema import (
    APPLICATION_ID,
    OPTIONAL,
    SCHEMA,
    create_tables,
    schema_version,
)
from jurydesk.core.language import Message, fill

LIMITS = {
    "SQLITE_LIMIT_ATTACHED": 0,
    "SQLITE_LIMIT_COLUMN": 64,
    "SQLITE_LIMIT_COMPOUND_SELECT": 8,
    "SQLITE_LIMIT_EXPR_DEPTH": 64,
    "SQLITE_LIMIT_FUNCTION_ARG": 8,
    "SQLITE_LIMIT_LIKE_PATTERN_LENGTH": 256,
    "SQLITE_LIMIT_SQL_LENGTH": 100_000,
    "SQLITE_LIMIT_TRIGGER_DEPTH": 1,
}
"""SQLite limits, above what our statements need (https://www.sqlite.org/limits.html)."""

CHECK_INTERVAL = 50_000
"""SQLite instructions between two checks for a cancellation: a few milliseconds."""

MAX_OBJECTS = 100
"""Limit on tables and indices, above the number in any schema of ours."""

Check = Callable[[], None]
SchemaRow = tuple[str, str, str, str | None]


class GuardedConnection(sqlite3.Connection):
    """Connection with limits, whose statements end when `check` raises."""

    check: Check = staticmethod(lambda: None)
    raised: BaseException | None = None

    def watch(self, check: Check) -> None:
        """Poll `check` during statements; an exception ends them (see `raise_interruption`)."""
        self.check = check
        self.set_progress_handler(self._progress, CHECK_INTERVAL)

    def guard(self) -> None:
        """Set the limits and modes for untrusted files."""
        for name, limit in LIMITS.items():
            self.setlimit(getattr(sqlite3, name), limit)
        self.execute("PRAGMA trusted_schema = OFF")
        self.execute("PRAGMA cell_size_check = ON")
        if sys.version_info >= (3, 12):
            self.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
            self.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
            self.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_VIEW, False)

    def _progress(self) -> int:
        try:
            self.check()
        except BaseException as error:  # noqa: BLE001 - SQLite would swallow it
            self.raised = error
            return 1
        return 0


@contextlib.contextmanager
def raise_interruption(connection: sqlite3.Connection) -> Iterator[None]:
    """Raise the exception that stopped a statement, which SQLite reports as an interruption."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "") != "SQLITE_INTERRUPT":
            raise
        raised = getattr(connection, "raised", None)
        # Ctrl+C between the handler's call and its first line leaves no exception.
        raise (raised or KeyboardInterrupt()) from error
    finally:
        if isinstance(connection, GuardedConnection):
            connection.raised = None


def require_desk(connection: sqlite3.Connection, path: Path) -> None:
    """Raise DeskError unless the file is a valid desk of the schema of this version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise DeskError(
            fill("{name} is not a desk: it is an SQLite file of another program.", path.name)
        )
    found = schema_version(connection)
    if found < 1:
        raise damage_error(path, fill("there is no schema {found}", found))
    if found != SCHEMA:
        raise DeskError(
            fill(
                "{name} was written by another version of Jurydesk (schema {found}; this one reads "
                "{schema}). Install the newest version, or convert a desk of an early version with "
                "packaging/convert_desk.py.",
                path.name,
                found,
                SCHEMA,
            )
        )
    _require_schema(connection, path)
    _require_integrity(connection, path)


def _require_schema(connection: sqlite3.Connection, path: Path) -> None:
    rows = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT ?", (MAX_OBJECTS,)
    ).fetchall()
    expected = _expected_schema()
    found: dict[str, SchemaRow] = {}
    for kind, name, table, sql in rows:
        if name in found or name not in expected:
            raise damage_error(
                path, fill("schema {number} has no {kind} {name}", SCHEMA, Message(kind), name)
            )
        found[name] = (kind, name, table, _normalize_sql(sql))
    for name, row in expected.items():
        if name not in found and name in OPTIONAL:
            continue
        if name not in found:
            raise damage_error(path, fill("the {row} {name} is missing", row[0], name))
        if found[name] != row:
            raise damage_error(
                path,
                fill("the {row} {name} is not as schema {number} has it", row[0], name, SCHEMA),
            )


@functools.cache
def _expected_schema() -> dict[str, SchemaRow]:
    """Return every table and index of a desk, by name."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with contextlib.closing(connection):
        create_tables(connection)
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")
        return {row[1]: (row[0], row[1], row[2], _normalize_sql(row[3])) for row in rows}


def _normalize_sql(sql: str | None) -> str | None:
    return None if sql is None else " ".join(sql.split())


def _require_integrity(connection: sqlite3.Connection, path: Path) -> None:
    """Check every page, type, constraint and reference with SQLite's own checks."""
    (report,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if report != "ok":
        problem = " ".join(report.removeprefix("*** in database main ***").split())
        raise damage_error(path, fill("SQLite reports {problem}", Message(problem)))
    orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    if orphan is not None:
        table, row, parent, _ = orphan
        where = table if row is None else fill("{table}, row {row}", table, row)
        raise damage_error(
            path, fill("table {where} refers to a missing row of the table {parent}", where, parent)
        )


def find_undecodable_text(connection: sqlite3.Connection) -> str:
    """Return table and row of the first text that is not UTF-8; empty if there is none."""
    tables = connection.execute(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    for table, has_no_rowid in tables:
        found = connection.execute(f"PRAGMA table_info({table})").fetchall()
        texts = [f"CAST({column[1]} AS BLOB)" for column in found if column[2] == "TEXT"]
        key = f"CAST({found[0][1]} AS BLOB)" if has_no_rowid else "rowid"
        if not texts:
            continue
        for row, *values in connection.execute(f"SELECT {key}, {', '.join(texts)} FROM {table}"):  # noqa: S608 - own names
            if any(_is_broken(value) for value in values):
                shown = ascii(row.decode(errors="replace")) if isinstance(row, bytes) else row
                return fill("table {table}, row {row}", table, shown)
    return ""


def _is_broken(value: bytes | None) -> bool:
    try:
        (value or b"").decode()
    except UnicodeDecodeError:
        return True
    return False

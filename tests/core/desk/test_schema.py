from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.desk import DeskError, opening, schema
from core.desk.schema import FIRST, MIGRATIONS, TABLES

SECOND = (
    "ALTER TABLE competition ADD COLUMN remark TEXT",
    "CREATE TABLE extra (id INTEGER) STRICT",
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A desk of the first schema that holds a competition."""
    connection = sqlite3.connect(tmp_path / "old.jurydesk", isolation_level=None)
    schema.migrate(connection, (FIRST,))
    connection.execute("INSERT INTO competition VALUES (1, 'toy', 'Toy', '{}')")
    connection.close()
    return tmp_path / "old.jurydesk"


def opened(path: Path, mode: str, *migrations: schema.Migration) -> sqlite3.Connection:
    newest = (*MIGRATIONS, *migrations)
    return opening._at_newest_schema(
        opening.connect(path, mode), path, read_only=mode == "ro", migrations=newest
    )


def test_the_newest_schema_has_all_tables() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrate(connection)
    found = {
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    assert found - {"sqlite_sequence"} == TABLES
    assert schema.version(connection) == len(MIGRATIONS)
    connection.close()


def test_every_table_is_strict() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrate(connection)
    rows = connection.execute("SELECT name, strict FROM pragma_table_list").fetchall()
    assert {name for name, strict in rows if strict} == TABLES
    connection.close()


def test_an_older_desk_is_brought_up_to_date_and_keeps_its_content(old: Path) -> None:
    connection = opened(old, "rw", SECOND)
    assert schema.version(connection) == len(MIGRATIONS) + 1
    assert connection.execute("SELECT * FROM competition").fetchone() == (
        1,
        "toy",
        "Toy",
        "{}",
        None,
    )
    connection.close()


def test_for_reading_only_that_happens_in_memory(old: Path) -> None:
    before = old.read_bytes()
    connection = opened(old, "ro", SECOND)
    assert connection.execute("SELECT remark FROM competition").fetchone() == (None,)
    connection.close()
    assert old.read_bytes() == before


def test_a_migration_that_fails_changes_nothing(old: Path) -> None:
    before = old.read_bytes()
    connection = sqlite3.connect(old, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(connection, (FIRST, (SECOND[0], "CREATE NONSENSE")))
    assert schema.version(connection) == 1
    connection.close()
    assert old.read_bytes() == before


def test_a_newer_desk_is_refused_with_what_to_do(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    sentence = (
        r"^old\.jurydesk was written by a newer Jurydesk \(schema 9; this version reads up to "
        rf"{len(MIGRATIONS)}\)"
        r"\. Install the newest version to open it\.$"
    )
    for read_only in (True, False):
        with pytest.raises(DeskError, match=sentence):
            opening.open_file(old, read_only=read_only)


def test_a_transaction_that_fails_is_undone() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE t (x INTEGER)")

    def write_half() -> None:
        with schema.transaction(connection):
            connection.execute("INSERT INTO t VALUES (1)")
            raise KeyError

    with pytest.raises(KeyError):
        write_half()
    assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
    connection.close()

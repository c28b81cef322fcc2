from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk, DeskError, opening, schema
from jurydesk.core.desk.schema import FIRST, MIGRATIONS, TABLES
from jurydesk.core.model.checks import CheckRecord

SECOND = ("CREATE TABLE extra (id INTEGER) STRICT",)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a desk of the first schema with a competition."""
    connection = sqlite3.connect(tmp_path / "old.jurydesk", isolation_level=None)
    schema.migrate(connection, (FIRST,))
    connection.execute("INSERT INTO competition VALUES (1, 'toy', 'Toy', '{}')")
    connection.close()
    return tmp_path / "old.jurydesk"


def open_desk(path: Path, mode: str, *migrations: schema.Migration) -> sqlite3.Connection:
    connection = opening.open_connection(path, mode)
    opening._require_tables(connection, path, (*MIGRATIONS, *migrations))
    return connection


def test_the_newest_schema_has_all_tables() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrate(connection)
    found = {
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    assert found - {"sqlite_sequence"} == TABLES
    assert schema.schema_version(connection) == len(MIGRATIONS)
    connection.close()


def test_every_table_is_strict() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrate(connection)
    rows = connection.execute("SELECT name, strict FROM pragma_table_list").fetchall()
    assert {name for name, strict in rows if strict} == TABLES
    connection.close()


@pytest.mark.parametrize("mode", ["ro", "rw"])
def test_opening_an_older_desk_does_not_write_to_it(old: Path, mode: str) -> None:
    before = old.read_bytes()
    connection = open_desk(old, mode, SECOND)
    assert connection.execute("SELECT * FROM extra").fetchall() == []
    assert connection.execute("SELECT task FROM competition").fetchone() == ("toy",)
    connection.close()
    assert old.read_bytes() == before
    assert list(old.parent.iterdir()) == [old]


def test_an_older_desk_is_migrated_by_the_first_write(old: Path) -> None:
    with Desk.open(old) as desk, Desk.open(old) as other:
        assert schema_of(old) == 1
        desk.cache.put("chunk", b"first")
        assert schema_of(old) == len(MIGRATIONS)
        other.add_check(CheckRecord("2026-11-22T00:00:00+00:00"))
        assert len(desk.check_records()) == 1
        assert desk.competition is not None


def test_a_migration_by_another_program_is_noticed_in_an_open_desk(old: Path) -> None:
    with Desk.open(old, read_only=True) as desk, Desk.open(old) as other:
        assert desk.check_records() == []
        other.add_check(CheckRecord("2026-11-22T00:00:00+00:00"))
        assert len(desk.check_records()) == 1


def test_a_desk_with_newer_tables_than_its_schema_is_damaged(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("CREATE TABLE check_file (id INTEGER)")
    connection.close()
    with pytest.raises(DeskError, match="damaged: schema 1 has no table check_file"):
        Desk.open(old)


def schema_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    found = schema.schema_version(connection)
    connection.close()
    return found


def test_a_failed_migration_changes_nothing(old: Path) -> None:
    before = old.read_bytes()
    connection = sqlite3.connect(old, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(connection, (FIRST, (SECOND[0], "CREATE NONSENSE")))
    assert schema.schema_version(connection) == 1
    connection.close()
    assert old.read_bytes() == before


def test_a_newer_desk_is_refused_with_advice(old: Path) -> None:
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


def test_a_failed_transaction_is_undone() -> None:
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

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk, DeskError, schema
from jurydesk.core.desk.opening import open_file


def test_a_new_desk_has_the_schema_with_strict_tables(tmp_path: Path) -> None:
    Desk.create(tmp_path / "new.jurydesk").close()
    connection = sqlite3.connect(tmp_path / "new.jurydesk")
    rows = connection.execute(
        "SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%'"
    ).fetchall()
    assert len(rows) == len(schema.STATEMENTS)
    assert all(strict for _, strict in rows)
    assert schema.schema_version(connection) == schema.SCHEMA
    connection.close()


@pytest.mark.parametrize("read_only", [True, False])
def test_a_desk_of_another_schema_is_refused_with_advice(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "old.jurydesk"
    Desk.create(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 6")
    connection.close()
    before = path.read_bytes()
    sentence = (
        r"^old\.jurydesk was written by another version of Jurydesk \(schema 6; this one reads 1\)"
        r"\. Install the newest version, or convert a desk of an early version with "
        r"packaging/convert_desk\.py\.$"
    )
    with pytest.raises(DeskError, match=sentence):
        open_file(path, read_only=read_only)
    assert path.read_bytes() == before


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

"""Taking an evaluation out of a desk so that it can be put back as it was."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

TABLES = (
    ("evaluation", "id"),
    ("item_column", "evaluation"),
    ("figure", "evaluation"),
    ("evidence", "evaluation"),
)
"""Every table that holds parts of an evaluation, and its column with the evaluation's id."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Removed:
    """The rows of a removed evaluation, table by table, still packed."""

    system: str
    profile: str
    rows: tuple[tuple[Row, ...], ...]


def take_out(connection: sqlite3.Connection, key: int) -> Removed | None:
    """Delete the evaluation of that id, and return what it was; None where there is none."""
    names = connection.execute(
        "SELECT system, profile FROM evaluation WHERE id = ?", (key,)
    ).fetchone()
    if names is None:
        return None
    rows = tuple(
        tuple(connection.execute(f"SELECT * FROM {table} WHERE {column} = ?", (key,)))  # noqa: S608 - own names
        for table, column in TABLES
    )
    connection.execute("DELETE FROM evaluation WHERE id = ?", (key,))
    system, profile = names
    return Removed(system, profile, rows)


def put_back(connection: sqlite3.Connection, removed: Removed) -> bool:
    """Write the rows again; False, and nothing is written, where the system has a result."""
    found = connection.execute(
        "SELECT 1 FROM evaluation WHERE system = ? AND profile = ?",
        (removed.system, removed.profile),
    ).fetchone()
    if found is not None:
        return False
    for (table, _), rows in zip(TABLES, removed.rows, strict=True):
        if rows:
            places = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608
    return True

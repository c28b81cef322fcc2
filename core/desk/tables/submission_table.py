"""Tables of submissions and settings in a desk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from jurydesk.core.desk.codec import damage_at, parse_json, replace_surrogates
from jurydesk.core.model.stamp import utc_now

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk

COLUMNS = "team, name, system, path, size, sha256, files, received"


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """Received file; `name` is its path in what was given, `received` is ISO 8601."""

    team: str
    name: str
    system: str
    path: str
    size: int
    sha256: str
    files: int
    received: str


def add_submissions(desk: Desk, rows: Sequence[SubmissionRow]) -> None:
    """Add submissions with the current time; existing ones get the new names and times."""
    seen = utc_now()
    texts = [
        [replace_surrogates(v) if isinstance(v, str) else v for v in astuple(one)] for one in rows
    ]
    with desk.writing() as connection:
        connection.executemany(
            f"INSERT INTO submission ({COLUMNS}, seen)"  # noqa: S608 - own names
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path, sha256) DO UPDATE SET"
            " team = excluded.team, name = excluded.name, system = excluded.system,"
            " received = CASE excluded.received WHEN '' THEN received ELSE excluded.received END",
            [(*one, seen) for one in texts],
        )


def read_submissions(desk: Desk) -> list[SubmissionRow]:
    """Read all submissions ever received, in order of receipt."""
    with desk.reading() as connection, damage_at("submission"):
        rows = connection.execute(f"SELECT {COLUMNS} FROM submission ORDER BY id")  # noqa: S608
        return [SubmissionRow(*row) for row in rows]


def read_setting(desk: Desk, name: str) -> Any:
    """Return the JSON value of a setting, or None."""
    with desk.reading() as connection, damage_at("setting", repr(name)):
        row = connection.execute("SELECT content FROM setting WHERE name = ?", (name,)).fetchone()
        return parse_json(row[0]) if row else None


def set_setting(desk: Desk, name: str, content: Any) -> None:
    """Set the JSON value of a setting."""
    with desk.writing() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, json.dumps(content))
        )

"""Tables of submissions and settings in a desk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.desk.codec import damage_at, parse_stored, replace_surrogates
from jurydesk.core.desk.tables.platform_entries import add_platform_entries, read_platform_entries
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.stamp import utc_now

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk

COLUMNS = "team, name, system, path, size, sha256, files, received"


def add_submissions(desk: Desk, submissions: Sequence[InputFile]) -> None:
    """Add submissions with the current time; existing ones get the new names and times.

    The recorded time of receipt is that of the file, because the organiser's list may change.
    """
    seen = utc_now()
    rows = [
        (
            *map(replace_surrogates, (one.team, "/".join(one.parts), one.system, str(one.path))),
            *(one.size, one.sha256, one.files),
            one.changed.isoformat() if one.changed else "",
            seen,
        )
        for one in submissions
    ]
    if not rows:
        return
    news = {str(one.path): one.entry for one in submissions if one.entry}
    with desk.writing() as connection:
        if news:
            add_platform_entries(connection, news)
        connection.executemany(
            f"INSERT INTO submission ({COLUMNS}, seen)"  # noqa: S608 - own names
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path, sha256) DO UPDATE SET"
            " team = excluded.team, name = excluded.name, system = excluded.system,"
            " received = CASE excluded.received WHEN '' THEN received ELSE excluded.received END",
            rows,
        )


def read_submissions(desk: Desk) -> list[InputFile]:
    """Read all submissions ever received, in order of receipt."""
    with desk.reading() as connection, damage_at("submission"):
        entries = read_platform_entries(connection)
        rows = connection.execute(f"SELECT {COLUMNS} FROM submission ORDER BY id")  # noqa: S608
        return [
            InputFile(
                Path(path),
                size=size,
                parts=tuple(name.split("/")),
                team=team,
                sha256=sha256,
                files=files,
                changed=datetime.fromisoformat(received).astimezone(UTC) if received else None,
                system=system,
                entry=entries.get(path),
            )
            for team, name, system, path, size, sha256, files, received in rows.fetchall()
        ]


def read_setting(desk: Desk, name: str) -> Any:
    """Return the JSON value of a setting, or None."""
    with desk.reading() as connection, damage_at("setting", repr(name)):
        row = connection.execute("SELECT content FROM setting WHERE name = ?", (name,)).fetchone()
        return parse_stored(row[0]) if row else None


def set_setting(desk: Desk, name: str, content: Any) -> None:
    """Set the JSON value of a setting."""
    with desk.writing() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, json.dumps(content))
        )

"""Tables of submissions and settings in a desk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.desk.codec import damage_at, parse_stored, replace_surrogates
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.model.platform_entry import PlatformEntry
from jurydesk.core.model.stamp import utc_now

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk

ENTRIES = "platform entries"
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
    news = {str(one.path): to_json(one.entry) for one in submissions if one.entry}
    entries = {**(read_setting(desk, ENTRIES) or {}), **news}
    with desk.writing() as connection:
        if news:
            content = json.dumps(entries, default=_time_text)
            connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (ENTRIES, content))
        connection.executemany(
            f"INSERT INTO submission ({COLUMNS}, seen)"  # noqa: S608 - own names
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path, sha256) DO UPDATE SET"
            " team = excluded.team, name = excluded.name, system = excluded.system,"
            " received = CASE excluded.received WHEN '' THEN received ELSE excluded.received END",
            rows,
        )


def read_submissions(desk: Desk) -> list[InputFile]:
    """Read all submissions ever received, in order of receipt."""
    entries = platform_entries(desk)
    with desk.reading() as connection, damage_at("submission"):
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
            for team, name, system, path, size, sha256, files, received in rows
        ]


def platform_entries(desk: Desk) -> dict[str, PlatformEntry]:
    """Return what platforms recorded of submissions, by path; damaged records are left out."""
    with desk.reading() as connection, damage_at("setting", repr(ENTRIES)):
        row = connection.execute("SELECT content FROM setting WHERE name = ?", (ENTRIES,))
        found = row.fetchone()
        return _decode_entries(found[0]) if found else {}


@lru_cache(maxsize=4)
def _decode_entries(content: str) -> dict[str, PlatformEntry]:
    """Decode the entries once for each content: a board reads them after every system."""
    stored, found = parse_stored(content), {}
    for path, one in stored.items() if isinstance(stored, dict) else ():
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            time = one.pop("received")
            known = datetime.fromisoformat(time).astimezone(UTC) if time else None
            found[path] = replace(from_json(PlatformEntry, one), received=known)
    return found


def _time_text(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value))


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

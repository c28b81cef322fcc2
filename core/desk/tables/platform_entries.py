"""What platforms recorded of submissions, in a setting of the desk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache

from jurydesk.core.desk.codec import damage_at, parse_stored
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.model.platform_entry import PlatformEntry

ENTRIES = "platform entries"


def read_platform_entries(connection: sqlite3.Connection) -> dict[str, PlatformEntry]:
    """Return the entries by path of the submission; damaged records are left out."""
    with damage_at("setting", repr(ENTRIES)):
        content = _stored(connection)
        return {} if content is None else dict(_decode_entries(content))


def add_platform_entries(
    connection: sqlite3.Connection, entries: Mapping[str, PlatformEntry]
) -> None:
    """Add entries by path, which replace those known of a path."""
    known = parse_stored(_stored(connection) or "{}")
    news = {path: to_json(one) for path, one in entries.items()}
    content = json.dumps({**known, **news}, default=_time_text)
    connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (ENTRIES, content))


def _stored(connection: sqlite3.Connection) -> str | None:
    row = connection.execute("SELECT content FROM setting WHERE name = ?", (ENTRIES,)).fetchone()
    return row[0] if row else None


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

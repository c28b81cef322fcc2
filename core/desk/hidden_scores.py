"""Scores that stay hidden until the organiser opens them.

This hides and does not encrypt: the numbers are in the file, and whoever reads it with another
program, or has the submissions and the gold, finds them. When they were hidden and opened is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk

HIDDEN, OPENED = "scores hidden", "scores opened"


@dataclass(frozen=True, slots=True)
class VisibilityEvent:
    """What happened to a desk, and when (ISO 8601 in UTC)."""

    at: str
    what: str


def hide_scores(desk: Desk) -> None:
    """Show no score of this desk from now on; nothing happens where they are hidden already."""
    _change(desk, HIDDEN, None, OPENED)


def open_scores(desk: Desk) -> None:
    """Show the scores again; nothing happens where they are open."""
    _change(desk, OPENED, HIDDEN)


def hidden_since(desk: Desk) -> str:
    """When the scores were hidden; empty where they are open."""
    last = next(iter(reversed(visibility_events(desk))), None)
    return last.at if last is not None and last.what == HIDDEN else ""


def visibility_events(desk: Desk) -> Sequence[VisibilityEvent]:
    """Every hiding and opening, the first first."""
    with desk.reading() as connection:
        rows = connection.execute("SELECT at, what FROM event ORDER BY id").fetchall()
    return [VisibilityEvent(at, what) for at, what in rows if what in (HIDDEN, OPENED)]


def _change(desk: Desk, to: str, *before: str | None) -> None:
    last = next((event.what for event in reversed(visibility_events(desk))), None)
    if last in before:
        with desk.writing() as connection:
            at = datetime.now(UTC).isoformat(timespec="seconds")
            connection.execute("INSERT INTO event (at, what) VALUES (?, ?)", (at, to))

"""Scores that stay hidden until the organiser opens them.

Hiding is not encryption: the scores are in the file, where another program can read them. The times
of hiding and opening are recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from jurydesk.core.language import translatable

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk

HIDDEN, OPENED = translatable("scores hidden"), translatable("scores opened")


@dataclass(frozen=True, slots=True)
class VisibilityEvent:
    """Hiding or opening of scores, with its time (ISO 8601 in UTC)."""

    at: str
    what: str


def hide_scores(desk: Desk) -> None:
    """Hide the scores of this desk, if they are not hidden."""
    _change(desk, HIDDEN, None, OPENED)


def open_scores(desk: Desk) -> None:
    """Show the scores again, if they are hidden."""
    _change(desk, OPENED, HIDDEN)


def hidden_since(desk: Desk) -> str:
    """Return the time since which the scores are hidden; empty if they are open."""
    last = next(iter(reversed(visibility_events(desk))), None)
    return last.at if last is not None and last.what == HIDDEN else ""


def visibility_events(desk: Desk) -> Sequence[VisibilityEvent]:
    """Return every hiding and opening, oldest first."""
    with desk.reading() as connection:
        rows = connection.execute("SELECT at, what FROM event ORDER BY id").fetchall()
    return [VisibilityEvent(at, what) for at, what in rows if what in (HIDDEN, OPENED)]


def _change(desk: Desk, to: str, *before: str | None) -> None:
    last = next((event.what for event in reversed(visibility_events(desk))), None)
    if last in before:
        with desk.writing() as connection:
            at = datetime.now(UTC).isoformat(timespec="seconds")
            connection.execute("INSERT INTO event (at, what) VALUES (?, ?)", (at, to))

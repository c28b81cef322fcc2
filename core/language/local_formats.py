"""Lists and dates as the language writes them."""

from __future__ import annotations

from datetime import datetime

from jurydesk.core.language.display_language import translate
from jurydesk.core.language.message import translatable

MONTHS = (
    translatable("{day} January"),
    translatable("{day} February"),
    translatable("{day} March"),
    translatable("{day} April"),
    translatable("{day} May"),
    translatable("{day} June"),
    translatable("{day} July"),
    translatable("{day} August"),
    translatable("{day} September"),
    translatable("{day} October"),
    translatable("{day} November"),
    translatable("{day} December"),
)
"""Days of a month; those of `strftime` would follow the locale of the system."""


def local_date(when: datetime, now: datetime) -> str:
    """Return a day, with its year if that is not the one of `now`: `3 May`, `3 May 2024`."""
    day = translate(MONTHS[when.month - 1], day=when.day)
    return day if when.year == now.year else f"{day} {when.year}"


def local_moment(when: datetime, now: datetime) -> str:
    """Return a time relative to `now`: `today 14:02`, `yesterday 9:30`, `3 May 2024`."""
    days = (now.date() - when.date()).days
    if days == 0:
        return translate("today {time}", time=f"{when:%H:%M}")
    if days == 1:
        return translate("yesterday {time}", time=f"{when:%H:%M}")
    return local_date(when, now)


def stored_moment(text: str) -> datetime | None:
    """Return a time that a desk has as text, in the local zone; None if the text is no time."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        return None

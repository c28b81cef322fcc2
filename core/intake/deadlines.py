"""Deadlines and times of receipt, with time zones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from jurydesk.core.language import counted, fill, translatable

ANYWHERE = timezone(timedelta(hours=-12), "AoE")
"""Anywhere on Earth (AoE), UTC-12, as used in calls for participation."""

DEADLINE = "YYYY-MM-DD HH:MM ZONE"
_ZONED = re.compile(r"(\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?)\s*(\S.*)?")
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?")


class TimeError(ValueError):
    """Invalid time; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """Deadline as the organiser wrote it: local time and name of the time zone."""

    local: datetime
    zone: str

    @property
    def moment(self) -> datetime:
        """Deadline in UTC."""
        return _convert_to_utc(self.local, time_zone(self.zone))

    def __str__(self) -> str:
        return f"{self.local:%Y-%m-%d %H:%M} {self.zone}"


def parse_deadline(text: str) -> Deadline:
    """Parse a deadline such as `2018-05-01 23:59 Europe/Berlin`.

    A date alone ends at 23:59. The zone is AoE, UTC, +02:00 or a name such as Europe/Berlin. Raises
    TimeError.
    """
    match = _ZONED.fullmatch(text.strip())
    if match is None or not match[2]:
        raise TimeError(
            fill(
                "“{text}” is not a deadline. Write it as {deadline}, such as {example}.",
                text,
                DEADLINE,
                EXAMPLE,
            )
        )
    zone = time_zone(match[2])
    local = _parse_local(match[1])
    if len(match[1]) == len("2018-05-01"):
        local = local.replace(hour=23, minute=59)
    _convert_to_utc(local, zone)
    return Deadline(local, match[2])


EXAMPLE = "2018-05-01 23:59 AoE"


def parse_time(text: str, zone: tzinfo) -> datetime:
    """Parse a time and return it in UTC; without a zone it is in `zone`.

    Raises TimeError.
    """
    match = _ZONED.fullmatch(text.strip())
    if match is None:
        raise TimeError(
            fill(
                "“{text}” is not a time. Write it as {deadline}, such as {example}.",
                text,
                DEADLINE,
                EXAMPLE,
            )
        )
    named = match[2] and ("UTC" if match[2] in "zZ" else match[2])
    return _convert_to_utc(_parse_local(match[1]), time_zone(named) if named else zone)


def time_zone(name: str) -> tzinfo:
    """Return the time zone of a name; raise TimeError if there is none."""
    if name.casefold() == "aoe":
        return ANYWHERE
    if name.upper() in ("UTC", "GMT"):
        return UTC
    offset = _OFFSET.fullmatch(name)
    if offset and int(offset[2]) <= 14 and int(offset[3] or 0) < 60:
        gap = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        return timezone(gap if offset[1] == "+" else -gap)
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # searches the system's zones

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise TimeError(
            fill(
                "There is no time zone “{name}”. Write AoE, UTC, an offset such as +02:00, "
                "or a name such as Europe/Berlin.",
                name,
            )
        ) from None


def local_zone() -> tzinfo:
    """Return the time zone of this computer."""
    return datetime.now().astimezone().tzinfo or UTC


def _parse_local(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise TimeError(fill("“{text}” is not a valid date and time.", text)) from None


def _convert_to_utc(local: datetime, zone: tzinfo) -> datetime:
    """Convert a local time to UTC; raise TimeError if the calendar does not reach it."""
    try:
        return local.replace(tzinfo=zone).astimezone(UTC)
    except OverflowError:
        raise TimeError(fill("“{local}” is outside the supported range of dates.", local)) from None


def duration_text(gap: timedelta) -> str:
    """Format a time span: `2 days 3 h`, `1 h 5 min`, `40 s`."""
    seconds = int(gap.total_seconds())
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    if days:
        whole = translatable("{days} day {hours} h" if days == 1 else "{days:,} days {hours} h")
        return whole.format(days, hours) if hours else counted(days, "day")
    if hours and minutes:
        return fill("{hours} h {minutes} min", hours, minutes)
    if hours:
        return counted(hours, "h", "h")
    return counted(minutes, "min", "min") if minutes else counted(seconds, "s", "s")

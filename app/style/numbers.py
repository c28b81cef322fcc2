"""Formatting of numbers, sizes, times and counts for the screen.

The screen rounds; tooltips, copies and exports use `exact`.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import Interval

UNDEFINED = "–"
MINUS = "−"
_SIZES = ("bytes", "kB", "MB", "GB", "TB")


def number(value: float, decimals: int = 4) -> str:
    """Format a rounded score with a minus sign; an undefined one is an en dash."""
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def signed(value: float, decimals: int = 4) -> str:
    """Format a difference, with a plus sign if it is positive."""
    text = number(value, decimals)
    return f"+{text}" if value > 0 else text


def exact(value: float) -> str:
    """Format a number with all digits, so that parsing it gives the same number."""
    return UNDEFINED if math.isnan(value) else repr(float(value))


def count(n: int) -> str:
    """Format an integer with thousands separators."""
    return f"{n:,}".replace("-", MINUS)


def quantity(n: int, noun: str, plural: str = "") -> str:
    """Format a count and its noun: `1 file`, `1,938 sequences`."""
    return f"{count(n)} {noun if n == 1 else plural or noun + 's'}"


def interval(interval: Interval | None, decimals: int = 4) -> str:
    """Format the two ends of an interval; no interval is empty."""
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return ""
    return f"{number(interval.low, decimals)} – {number(interval.high, decimals)}"


def percent(level: float) -> str:
    """Format a level such as 0.95 as `95 %`."""
    return f"{level * 100:g} %"


def size(n: int) -> str:
    """Format a file size in decimal units."""
    value, unit = float(n), 0
    while value >= 999.5 and unit < len(_SIZES) - 1:
        value, unit = value / 1000, unit + 1
    return quantity(n, "byte") if unit == 0 else f"{value:.3g} {_SIZES[unit]}"


def duration(seconds: float) -> str:
    """Format a duration coarsely: `2 s`, `3 min`, `1 h 20 min`."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    if whole < 3600:
        return f"{round(whole / 60)} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def moment(when: datetime, now: datetime) -> str:
    """Format a time relative to now: `today 14:02`, `yesterday 9:30`, `3 May`, `3 May 2024`."""
    days = (now.date() - when.date()).days
    if days == 0:
        return f"today {when:%H:%M}"
    if days == 1:
        return f"yesterday {when:%H:%M}"
    day = f"{when.day} {when:%B}"
    return day if when.year == now.year else f"{day} {when.year}"

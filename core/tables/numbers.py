"""Formatting of numbers, sizes, times and counts for the screen.

The screen rounds; tooltips, copies and exports use `exact`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jurydesk.core.language import localize_number, translatable, translate, translate_plural

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import Interval, MetricInfo

UNDEFINED = "–"
MINUS = "−"
FEW = "°"
"""Sign of an interval of few groups."""
_SIZES = (
    translatable("{number} kB"),
    translatable("{number} MB"),
    translatable("{number} GB"),
    translatable("{number} TB"),
)


def number(value: float, decimals: int = 4) -> str:
    """Format a rounded score, 0 without a sign; an undefined one is an en dash."""
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    return localize_number(f"{value:z,.{decimals}f}").replace("-", MINUS)


def p_value(p: float, decimals: int = 3) -> str:
    """Format a p value; one that would be shown as 0 as less than the last decimal."""
    least = 10.0**-decimals
    return f"< {number(least, decimals)}" if p < least else number(p, decimals)


def p_equation(p: float) -> str:
    """Format `p = 0.034`, or `p < 0.001`."""
    text = p_value(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def parenthesize(text: str) -> str:
    """Return a number in parentheses, because it is not reliable; an undefined one has none."""
    return text if text in ("", UNDEFINED) else f"({text})"


def score(value: float, metric: MetricInfo) -> str:
    """Format a value of a metric, in parentheses if its values are not reliable."""
    text = number(value, metric.decimals)
    return parenthesize(text) if metric.doubt else text


def signed(value: float, decimals: int = 4) -> str:
    """Format a difference, with a plus sign if it is positive."""
    text = number(value, decimals)
    return f"+{text}" if value > 0 else text


def exact(value: float) -> str:
    """Format a number with all digits, so that parsing it gives the same number."""
    return UNDEFINED if math.isnan(value) else repr(float(value))


def count(n: int) -> str:
    """Format an integer with thousands separators."""
    return localize_number(f"{n:,}").replace("-", MINUS)


def quantity(n: int, noun: str, plural: str = "") -> str:
    """Format a count and its noun: `1 file`, `1,938 sequences`."""
    return translate_plural(f"{{count}} {noun}", f"{{count}} {plural or noun + 's'}", n)


def interval(interval: Interval | None, decimals: int = 4) -> str:
    """Format the two ends of an interval; no interval is empty."""
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return ""
    return f"{number(interval.low, decimals)} – {number(interval.high, decimals)}"


def percent(level: float) -> str:
    """Format a level such as 0.95 as `95 %`."""
    return localize_number(f"{level * 100:g} %")


def size(n: int) -> str:
    """Format a file size in decimal units."""
    if n < 1000:
        return quantity(n, "byte")
    value, unit = n / 1000, 0
    while value >= 999.5 and unit < len(_SIZES) - 1:
        value, unit = value / 1000, unit + 1
    return translate(_SIZES[unit], number=localize_number(f"{value:.3g}"))


def duration(seconds: float) -> str:
    """Format a duration coarsely: `2 s`, `3 min`, `1 h 20 min`."""
    whole = max(1, round(seconds))
    minutes, rest = divmod(whole, 60)
    if whole < 60:
        return translate("{seconds} s", seconds=whole)
    if whole < 600 and rest:
        return translate("{minutes} min {seconds} s", minutes=minutes, seconds=rest)
    if whole < 3600:
        return translate("{minutes} min", minutes=round(whole / 60))
    return translate("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)

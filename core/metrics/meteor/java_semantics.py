"""Java semantics that METEOR's numbers depend on: string hashes and texts of doubles."""

from __future__ import annotations

import math
import sys
from decimal import Decimal

_UTF16 = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"
_MASK = 0xFFFFFFFF

SPACES = "".join(map(chr, range(0x21)))
"""Characters that `String.trim` removes."""


def string_hash(word: str) -> int:
    """Return `String.hashCode` of the word as an unsigned 32-bit number."""
    units = word.encode() if word.isascii() else memoryview(_utf16(word)).cast("H")
    value = 0
    for unit in units:
        value = (31 * value + unit) & _MASK
    return value


def string_length(word: str) -> int:
    """Return `String.length`: the number of UTF-16 code units."""
    return len(word) if word.isascii() else len(_utf16(word)) // 2


def _utf16(word: str) -> bytes:
    return word.encode(_UTF16, "surrogatepass")


def double_to_string(value: float) -> str:
    """Return `Double.toString` as of Java 19: the shortest digits of the same double."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    further = "".join(map(str, digits[1:])) or "0"
    power = int(exponent) + len(digits) - 1
    return f"{'-' if sign else ''}{digits[0]}.{further}E{power}"

"""What Java does in its own way and METEOR's numbers rest on: strings' hashes, doubles' texts."""

from __future__ import annotations

import math
import sys
from decimal import Decimal

_UTF16 = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"
_MASK = 0xFFFFFFFF

SPACES = "".join(map(chr, range(0x21)))
"""What `String.trim` takes off both ends."""


def string_hash(word: str) -> int:
    """`String.hashCode` of the word, as an unsigned 32-bit number; unlike words may share one."""
    units = word.encode() if word.isascii() else memoryview(_utf16(word)).cast("H")
    value = 0
    for unit in units:
        value = (31 * value + unit) & _MASK
    return value


def string_length(word: str) -> int:
    """`String.length`: the number of UTF-16 code units."""
    return len(word) if word.isascii() else len(_utf16(word)) // 2


def _utf16(word: str) -> bytes:
    return word.encode(_UTF16, "surrogatepass")


def double_to_string(value: float) -> str:
    """`Double.toString`, as it is since Java 19: the shortest digits that give the same double."""
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

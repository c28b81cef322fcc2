"""Java semantics that METEOR's output depends on: words, hashes, orders of tables, doubles."""

from __future__ import annotations

import codecs
import math
import re
import sys
from collections.abc import Iterable
from decimal import Decimal

_UTF16 = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"
_MASK = 0xFFFFFFFF

SPACES = "".join(map(chr, range(0x21)))
"""Characters that `String.trim` removes."""


_TOKEN = re.compile(r"[^ \t\n\r\f]+")


def split_tokens(line: str) -> list[str]:
    """Return the words of a line; Java splits at space, tab, LF, CR and FF only."""
    # Whatever else `str.split` splits at is not printable.
    return line.split() if line.isprintable() else _TOKEN.findall(line)


UTF_8_ERRORS = "java-utf-8"
"""Error handler of codecs that replaces invalid UTF-8 as Java does.

Java writes one U+FFFD for a surrogate in UTF-8, also without its last byte; Python one per byte.
"""


def _replace_invalid(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    first, second, third = error.object[error.start : error.start + 3].ljust(3, b"\0")
    if first != 0xED or not 0xA0 <= second <= 0xBF:
        return "\N{REPLACEMENT CHARACTER}", error.end
    return "\N{REPLACEMENT CHARACTER}", error.start + (3 if 0x80 <= third <= 0xBF else 2)


codecs.register_error(UTF_8_ERRORS, _replace_invalid)


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


def hashtable_order(keys: Iterable[str]) -> list[str]:
    """Return distinct keys in the order of a `java.util.Hashtable` in which they were put."""
    slots: list[list[str]] = [[] for _ in range(11)]
    for count, key in enumerate(keys):
        if count >= len(slots) * 3 // 4:
            slots = _rehash(slots)
        slots[(string_hash(key) & 0x7FFFFFFF) % len(slots)].insert(0, key)
    return [key for slot in reversed(slots) for key in slot]


def _rehash(slots: list[list[str]]) -> list[list[str]]:
    larger: list[list[str]] = [[] for _ in range(2 * len(slots) + 1)]
    for slot in reversed(slots):
        for key in slot:
            larger[(string_hash(key) & 0x7FFFFFFF) % len(larger)].insert(0, key)
    return larger


def hash_set_order(keys: Iterable[str]) -> list[str]:
    """Return the distinct keys in the order of a `java.util.HashSet` to which they were added."""
    distinct = list(dict.fromkeys(keys))
    size = 16
    while len(distinct) > size * 3 // 4:
        size *= 2

    def slot(key: str) -> int:
        value = string_hash(key)
        return (value ^ value >> 16) & (size - 1)

    return sorted(distinct, key=slot)

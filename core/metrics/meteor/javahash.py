"""Java's hash of a string, by which METEOR tells words apart (unlike words may share one)."""

from __future__ import annotations

import sys

_UTF16 = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"
_MASK = 0xFFFFFFFF


def key(word: str) -> int:
    """`String.hashCode` of the word, as an unsigned 32-bit number."""
    units = word.encode() if word.isascii() else memoryview(utf16(word)).cast("H")
    value = 0
    for unit in units:
        value = (31 * value + unit) & _MASK
    return value


def utf16(word: str) -> bytes:
    """The UTF-16 code units of the word, in the byte order of this machine."""
    return word.encode(_UTF16, "surrogatepass")


def length(word: str) -> int:
    """The number of UTF-16 code units: what Java calls the length of a string."""
    return len(word) if word.isascii() else len(utf16(word)) // 2

"""Errors that the decoding of a stranger's file may raise, and its whole numbers."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib

MOST_DIGITS = 19
"""Digits of a number of a stranger's file, as ids of 64 bits have: longer ones are texts."""

DAMAGE = (
    ValueError,  # also of JSON, dates, encodings and numbers of thousands of digits
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,  # also RecursionError, and zip files that are encrypted
    MemoryError,  # a shape of gigabytes in a small file
    EOFError,
    StopIteration,
    SyntaxError,  # NumPy has Python parse the heads of arrays
    zlib.error,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
)
"""Caught around the decoding alone, where a file is turned into values, never around the use of
these values: elsewhere the same errors are faults of the program. OSError is the system's."""


def whole_number(text: str) -> int | None:
    """Return a number of ASCII digits; None for other texts, such as "²", and for long ones."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if is_number else None

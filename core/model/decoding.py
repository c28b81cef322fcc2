"""Errors that the decoding of a stranger's file may raise."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib

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

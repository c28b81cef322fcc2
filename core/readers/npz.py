"""Validation of untrusted `.npz` and `.npy` files before memory is allocated for their arrays.

NumPy allocates the memory that an array's header declares, and a compressed member may unpack to a
thousand times its size. This module reads the headers only and compares them with the file.
"""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from collections.abc import Collection
from math import prod
from typing import IO, BinaryIO

import numpy as np

from jurydesk.core.readers import unpacking_limits as limits
from jurydesk.core.system.zip_members import MOST_ARRAYS, open_zip

ENDING, MAGIC = ".npy", b"\x93NUMPY"
DAMAGES = (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError)
"""Exceptions of reading a file that is damaged, encrypted or compressed by an unknown method."""
UNPARSABLE = (SyntaxError, RecursionError, MemoryError, TypeError, tokenize.TokenError)
"""Further exceptions of NumPy's header reader, which has Python parse the header."""
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Methods that NumPy writes; others may allocate gigabytes before the first byte."""


def require_valid_npz(file: BinaryIO, names: Collection[str]) -> None:
    """Raise one of `DAMAGES` if the named arrays do not match their declarations.

    Other arrays are ignored. The file is rewound.
    """
    size = file.seek(0, 2)
    with open_zip(file, MOST_ARRAYS) as members:
        chosen = [one for one in members.infolist() if one.filename.removesuffix(ENDING) in names]
        whole = sum(one.file_size for one in chosen)
        if whole > max(limits.NPZ_RATIO_FROM, limits.NPZ_RATIO * size):
            raise ValueError(f"{size:,} bytes cannot hold {whole:,} bytes of numbers")
        for one in chosen:
            if one.compress_type not in COMPRESSIONS:
                raise ValueError(f"{one.filename} uses an unsupported compression method")
            _require_declared_size(members, one)
    file.seek(0)


def require_valid_npy(file: BinaryIO, name: str) -> None:
    """Raise one of `DAMAGES` unless a file is one array as it declares, and rewind it."""
    size = file.seek(0, 2)
    file.seek(0)
    _require_declared_bytes(file, name, size)
    file.seek(0)


def _require_declared_size(members: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    with members.open(member) as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            raise ValueError(f"{member.filename} is not an array")  # NumPy would return the bytes
        stream.seek(0)
        _require_declared_bytes(stream, member.filename, member.file_size)


def _require_declared_bytes(stream: IO[bytes], name: str, size: int) -> None:
    try:
        if np.lib.format.read_magic(stream) == (1, 0):
            header = np.lib.format.read_array_header_1_0(stream)
        else:
            header = np.lib.format.read_array_header_2_0(stream)
    except UNPARSABLE as error:
        raise ValueError(f"{name} has an invalid array header") from error
    shape, _, dtype = header
    declared, actual = prod(shape) * dtype.itemsize, size - stream.tell()
    if not dtype.hasobject and declared != actual:
        raise ValueError(f"{name} declares {declared:,} bytes and holds {actual:,}")

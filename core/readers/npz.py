"""Whether an `.npz` file of unknown origin is worth opening: what it says of itself, before memory.

NumPy takes the memory that an array's header asks for, and a packed member may unpack to a thousand
times its size. Here the headers are read alone, and have to agree with what the file holds.
"""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from collections.abc import Collection
from math import prod
from typing import BinaryIO

import numpy as np

ENDING, MAGIC = ".npy", b"\x93NUMPY"
DAMAGES = (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError)
"""What reading a damaged, encrypted or strangely packed file raises."""
UNPARSABLE = (SyntaxError, RecursionError, MemoryError, TypeError, tokenize.TokenError)
"""What NumPy's reader of headers lets through besides: it has Python parse them."""
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What NumPy writes; other packings may ask for gigabytes before the first byte."""
ROOM = 1 << 26
MOST_PACKED = 100
"""Members that unpack to more than `ROOM` bytes may be so many times as large as the file: numbers
that say something are packed to a half at best."""


def require_valid_npz(file: BinaryIO, names: Collection[str]) -> None:
    """Raise one of `DAMAGES` where these arrays cannot be what the file says of them.

    Arrays of other names are not looked at. The file is at its beginning again afterwards.
    """
    size = file.seek(0, 2)
    with zipfile.ZipFile(file) as members:
        chosen = [one for one in members.infolist() if one.filename.removesuffix(ENDING) in names]
        whole = sum(one.file_size for one in chosen)
        if whole > max(ROOM, MOST_PACKED * size):
            raise ValueError(f"{size:,} bytes cannot hold {whole:,} bytes of numbers")
        for one in chosen:
            if one.compress_type not in PACKINGS:
                raise ValueError(f"{one.filename} is packed as no program writes it")
            _require_whole(members, one)
    file.seek(0)


def _require_whole(members: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    """Raise ValueError unless the member is as long as the header of its array says."""
    with members.open(member) as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            return  # no array: NumPy takes it for bytes
        stream.seek(0)
        try:
            if np.lib.format.read_magic(stream) == (1, 0):
                header = np.lib.format.read_array_header_1_0(stream)
            else:
                header = np.lib.format.read_array_header_2_0(stream)
        except UNPARSABLE as error:
            raise ValueError(f"{member.filename} has a header that is none") from error
        shape, _, kind = header
        told, there = prod(shape) * kind.itemsize, member.file_size - stream.tell()
    if not kind.hasobject and told != there:
        raise ValueError(f"{member.filename} says {told:,} bytes and holds {there:,}")

"""Zip archives with bytes that belong to no member, where a reader may or may not see them."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator

END = b"PK\5\6"
MORE = b"far wins"
ODD_ZIPS = 7
"""Number of archives that `with_other_bytes` yields."""


def with_other_bytes(content: bytes) -> Iterator[bytes]:
    """Yield the archive with bytes behind, before, at its end, within, and as a comment."""
    yield content + MORE
    yield MORE + content
    yield MORE + _moved(content, len(MORE))
    end = content.rindex(END)
    (directory,) = struct.unpack_from("<L", content, end + 16)
    gap = content[:directory] + MORE + content[directory:]
    yield _moved(gap, len(MORE), of_members=False)
    yield content[:end] + MORE + content[end:]
    commented = io.BytesIO(content)
    with zipfile.ZipFile(commented, "a") as archive:
        archive.comment = MORE
    yield commented.getvalue()
    hidden = io.BytesIO(content)
    with zipfile.ZipFile(hidden, "a") as archive:
        archive.writestr("hidden", MORE)
    with zipfile.ZipFile(hidden, "a") as archive:
        archive.filelist.pop()  # its directory is written again without the last member
        archive.comment = b"x"
        archive.comment = b""
    yield hidden.getvalue()


def _moved(content: bytes, by: int, *, of_members: bool = True) -> bytes:
    """Return an archive whose directory, and members, say that they are some bytes later."""
    moved = bytearray(content)
    end = moved.rindex(END)
    size, directory = struct.unpack_from("<LL", moved, end + 12)
    struct.pack_into("<L", moved, end + 16, directory + by)
    at = end - size
    while of_members and at < end:
        lengths = struct.unpack_from("<HHH", moved, at + 28)
        (place,) = struct.unpack_from("<L", moved, at + 42)
        struct.pack_into("<L", moved, at + 42, place + by)
        at += 46 + sum(lengths)
    return bytes(moved)

"""Streams of compressed files: gzip, bzip2 and xz, recognized by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, BinaryIO, cast

MAGICS: Mapping[str, bytes] = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\0"}
LONGEST_MAGIC = max(map(len, MAGICS.values()))
XZ_MEMORY = 256 << 20
"""Memory for xz's dictionary in bytes, which a hostile file may declare as 4 GiB."""
CHUNK = 1 << 16
ENDS_EARLY = "it ends too early"
DAMAGES = (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError)
"""Exceptions of reading damaged data."""


def compression(head: bytes) -> str:
    """Return the kind of compression of a file by its first bytes; empty for none."""
    return next((kind for kind, magic in MAGICS.items() if head.startswith(magic)), "")


def unpacked_stream(raw: BinaryIO, kind: str) -> BinaryIO:
    """Return a stream of the unpacked bytes; reading may raise one of `DAMAGES`."""
    if kind == "gzip":
        return cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    if kind == "bzip2":
        return cast(BinaryIO, _UnpackedBytes(raw, bz2.BZ2Decompressor))
    if kind == "xz":
        make = partial(lzma.LZMADecompressor, memlimit=XZ_MEMORY)
        return cast(BinaryIO, _UnpackedBytes(raw, make))
    return raw


class _UnpackedBytes(io.RawIOBase):
    """Unpacked bytes of a file that may consist of several streams."""

    def __init__(self, raw: BinaryIO, make: Callable[[], Any]) -> None:
        self._raw, self._make, self._decompressor = raw, make, make()

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes; none at the end."""
        if size <= 0:
            return self.readall() if size < 0 else b""
        while True:
            data = b""
            if self._decompressor.eof:
                data = self._decompressor.unused_data or self._raw.read(CHUNK)
                if not data:
                    return b""
                self._decompressor = self._make()
            elif self._decompressor.needs_input:
                data = self._raw.read(CHUNK)
                if not data:
                    raise EOFError(ENDS_EARLY)
            try:
                if found := self._decompressor.decompress(data, size):
                    return cast(bytes, found)
            except OSError as fault:  # that of bzip2
                raise lzma.LZMAError(str(fault).lower()) from fault

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer; return the number of bytes."""
        found = self.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)

"""Streams of compressed files: gzip, bzip2 and xz, recognized by their first bytes; Zstandard."""

from __future__ import annotations

import bz2
import gzip
import importlib
import importlib.util
import io
import lzma
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

MAGICS: Mapping[str, bytes] = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\0"}
ENDINGS = (".gz", ".bz2", ".xz")
LONGEST_MAGIC = max(map(len, MAGICS.values()))
XZ_MEMORY = 256 << 20
"""Memory for xz's dictionary in bytes, which a hostile file may declare as 4 GiB."""
ZSTD = "zstd"
"""Kind of Zstandard, which archives alone have."""
ZSTD_WINDOW_LOG = 27
"""Exponent of 2 of the largest window in bytes: that of `zstd --ultra -22`."""
CHUNK = 1 << 16
ENDS_EARLY = "it ends too early"
DAMAGES = (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError)
"""Exceptions of reading damaged data."""


def plain_name(path: Path) -> str:
    """Return the name of a file without the ending of its compression."""
    return path.stem if path.suffix in ENDINGS else path.name


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
    if kind == ZSTD:
        return cast(BinaryIO, _UnpackedBytes(raw, _ZstdDecompressor))
    return raw


def zstd_module() -> str:
    """Return the name of the module that reads Zstandard; empty without one.

    Python has it from 3.14 on; `backports.zstd` is the same for earlier versions.
    """
    names = ("compression.zstd", "backports.zstd")
    return next((name for name in names if _is_installed(name)), "")


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # its package
        return False


class _ZstdDecompressor:
    """Decompressor of Zstandard whose error is that of xz."""

    def __init__(self) -> None:
        self._zstd = importlib.import_module(zstd_module())
        limit = {self._zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG}
        self._inner = self._zstd.ZstdDecompressor(options=limit)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def decompress(self, data: bytes, size: int) -> bytes:
        """Return up to `size` unpacked bytes. Raises LZMAError for damaged data."""
        try:
            return cast(bytes, self._inner.decompress(data, size))
        except self._zstd.ZstdError as fault:
            raise lzma.LZMAError(str(fault).lower()) from fault


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

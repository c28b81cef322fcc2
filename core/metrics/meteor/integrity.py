"""Whether a file is still what was written, without reading all of it each time.

The checksum of a file's content is computed when the file is not the one, by size, times and
inode, that was found whole before. A note beside the file remembers that.
"""

from __future__ import annotations

import os
import time
import zlib
from pathlib import Path

from core.paths import write_atomically

SETTLED_NS = 2_000_000_000
"""A file younger than this may still change within one tick of its clock, and gets no note."""

_BLOCK_BYTES = 1 << 20


def is_whole(path: Path, start: int, checksum: int, *, check: bool = False) -> bool:
    """Whether the content from byte `start` on has that CRC-32; always computed with `check`."""
    status = path.stat()
    identity = f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
    if not check and _noted(path) == identity:
        return True
    if _checksum(path, start) != checksum:
        return False
    age = time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns)
    if age > SETTLED_NS and os.access(path.parent, os.W_OK):
        write_atomically(_note(path), identity.encode("ascii"))
    return True


def _note(path: Path) -> Path:
    return path.with_suffix(".verified")


def _noted(path: Path) -> str:
    try:
        return _note(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _checksum(path: Path, start: int) -> int:
    checksum = 0
    with path.open("rb") as file:
        file.seek(start)
        while block := file.read(_BLOCK_BYTES):
            checksum = zlib.crc32(block, checksum)
    return checksum

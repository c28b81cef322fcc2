"""Opening of untrusted zip archives, whose members are counted before they are listed.

Python keeps an object for each member, so that a list of millions takes gigabytes.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO

END, END_64, AT_64, MEMBER = b"PK\5\6", b"PK\6\6", b"PK\6\7", b"PK\1\2"
"""Signatures of a zip archive (APPNOTE.TXT 4.3): its end, that of Zip64 and its place, a member."""
END_BYTES, END_64_BYTES, AT_64_BYTES, MEMBER_BYTES = 22, 56, 20, 46
LOCAL_BYTES = 30
"""Bytes before the name of a member at its own place."""
LONGEST_COMMENT = 1 << 16
MOST_ARRAYS = 10_000
"""Most members of an `.npz` file."""


class TooManyMembersError(zipfile.BadZipFile):
    """Archive of more members than the limit."""


def open_zip(source: Path | BinaryIO, most: int) -> zipfile.ZipFile:
    """Open a zip archive of at most `most` members.

    Raises TooManyMembersError, before they are listed, and BadZipFile.
    """
    with source.open("rb") if isinstance(source, Path) else nullcontext(source) as file:
        if sum(1 for _ in _members(file, most + 1)) > most:
            raise TooManyMembersError(f"more than {most} members")
    archive = zipfile.ZipFile(source)
    if len(archive.filelist) > most:  # another version of Python may find another directory
        archive.close()
        raise TooManyMembersError(f"more than {most} members")
    return archive


def has_other_bytes(source: Path | BinaryIO, archive: zipfile.ZipFile) -> bool:
    """Return whether a file has bytes of no member: before, between or after what Python wrote.

    Two readers may find different members in such a file, and no hash of a member covers them.
    """
    with source.open("rb") if isinstance(source, Path) else nullcontext(source) as file:
        place = 0
        for member in sorted(archive.filelist, key=lambda one: one.header_offset):
            head = _read(file, member.header_offset, LOCAL_BYTES)
            if member.header_offset != place or len(head) < LOCAL_BYTES:
                return True
            place += LOCAL_BYTES + sum(struct.unpack_from("<HH", head, 26)) + member.compress_size
        directory, end = _directory(file)
        listed = sum(
            MEMBER_BYTES + sum(struct.unpack_from("<HHH", _read(file, at, MEMBER_BYTES), 28))
            for at in _members(file, len(archive.filelist))
        )
        wide = END_64_BYTES + AT_64_BYTES if _read(file, end, 4) == END_64 else 0
        rest = _read(file, end + wide, END_BYTES + 1)
        return (place, directory + listed, len(rest)) != (directory, end, END_BYTES)


def _members(file: BinaryIO, most: int) -> Iterator[int]:
    """Yield the places of up to `most` members in the directory of an archive."""
    place, end = _directory(file)
    for _ in range(most):
        head = _read(file, place, MEMBER_BYTES)
        if place >= end or len(head) < MEMBER_BYTES or not head.startswith(MEMBER):
            return
        yield place
        place += MEMBER_BYTES + sum(struct.unpack_from("<HHH", head, 28))


def _directory(file: BinaryIO) -> tuple[int, int]:
    """Return where the directory begins and ends, as Python finds it: before the archive's end."""
    size = file.seek(0, 2)
    start = max(0, size - END_BYTES - LONGEST_COMMENT)
    tail = _read(file, start, size)
    plain = max(0, len(tail) - END_BYTES)
    has_comment = not (tail.startswith(END, plain) and tail.endswith(b"\0\0"))
    at = tail.rfind(END) if has_comment else plain
    if not 0 <= at <= len(tail) - END_BYTES:
        return 0, 0
    end, length = start + at, struct.unpack_from("<L", tail, at + 12)[0]
    wide = end - AT_64_BYTES - END_64_BYTES
    record = _read(file, max(0, wide), END_64_BYTES + AT_64_BYTES)
    if record.startswith(END_64) and record.startswith(AT_64, END_64_BYTES):
        end, length = wide, struct.unpack_from("<Q", record, 40)[0]
    return max(0, end - length), end


def _read(file: BinaryIO, place: int, size: int) -> bytes:
    file.seek(place)
    return file.read(size)

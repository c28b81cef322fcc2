"""Reader of text files, plain or compressed, that reports problems as defects."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import zlib
from pathlib import Path
from typing import IO, BinaryIO, Literal

from jurydesk.core.competition.task import HEAD_BYTES, TAIL_BYTES, Reading
from jurydesk.core.language import Message, failure_reason, fill
from jurydesk.core.model.defects import Defect, Place, error, note, warning
from jurydesk.core.readers.compression import (
    DAMAGES,
    ENDS_EARLY,
    LONGEST_MAGIC,
    MAGICS,
    compression,
    unpacked_stream,
)
from jurydesk.core.system.paths import is_pipe_or_device

MAX_BYTES = 512 * 2**20
BLOCK = 2**20
GZIP_MAGIC = MAGICS["gzip"]
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
REPLACEMENT = "\ufffd"

Damaged = Literal["refuse", "replace"]
"""Treatment of bytes that are not UTF-8: refuse the file, or read them as U+FFFD."""


ARCHIVE = b"PK\x03\x04"


def read_text(path: Path, *, limit: int = MAX_BYTES, damaged: Damaged = "refuse") -> Reading[str]:
    """Read a UTF-8 file, plain or compressed (gzip, bzip2, xz), of up to `limit` unpacked bytes.

    Problems of the path or the content become defects; after an error the text is None.
    """
    place = Place(str(path))
    raw = read_unpacked(path, limit)
    if isinstance(raw, Defect):
        return Reading(None, (raw,))
    if len(raw) > limit:
        found = fill("The file holds more than {value:,.0f} MiB of text.", limit / 2**20)
        if limit < 2**20:
            found = fill("The file holds more than {value:,.0f} KiB of text.", limit / 2**10)
        return Reading(None, (error(place, found, "", "Check that it is the right file."),))
    if not raw.strip():
        return Reading(None, (error(place, "The file is empty.", "", "Give the complete file."),))
    if raw.startswith(ARCHIVE):
        found, hint = "The file is an archive (zip), not a text.", "Unpack it first."
        return Reading(None, (error(place, found, "", hint),))
    if raw.startswith(UTF16_MARKS):
        found = "The text is UTF-16."
        return Reading(None, (error(place, found, "UTF-8 is expected.", "Save it as UTF-8."),))
    return _decode(raw, path, damaged)


def file_head(path: Path) -> bytes:
    """Return the first bytes of a file; none if it cannot be read, which its reader reports."""
    try:
        return b"" if is_pipe_or_device(path) else open_head(path)
    except (OSError, ValueError):  # a path with a byte of zero
        return b""


def open_head(path: Path) -> bytes:
    """Return the first bytes of a file, unpacked if it is bzip2 or xz; may raise OSError.

    The last bytes of a long object of JSON follow on a line of their own. bzip2 and xz unpack only
    in whole blocks; for gzip, `text_head` unpacks the beginning.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        kind = compression(head)
        if kind == "" and head.removeprefix(UTF8_MARK).lstrip().startswith(b"{"):
            return head + _tail(file)
        if kind in ("", "gzip"):
            return head
        file.seek(0)
        try:
            return _read_at_most(unpacked_stream(file, kind), HEAD_BYTES)
        except DAMAGES:
            return head


def _tail(file: BinaryIO) -> bytes:
    """Return the last bytes of a file that is longer than its head, after a line end."""
    beyond = file.seek(0, os.SEEK_END) - HEAD_BYTES
    if beyond <= 0:
        return b""
    file.seek(-min(beyond, TAIL_BYTES), os.SEEK_END)
    return b"\n" + file.read(TAIL_BYTES)


def text_head(head: bytes) -> bytes:
    """Return the first bytes of a file's text, unpacked if they are gzip."""
    if not head.startswith(GZIP_MAGIC):
        return head
    try:
        return zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
    except zlib.error:
        return b""


def gzip_damage(fault: Exception) -> str:
    """Return a sentence on compressed data that could not be unpacked."""
    if isinstance(fault, EOFError):
        if str(fault) == ENDS_EARLY:
            return "The compressed data is damaged (it ends too early)."
        return "The gzip data is damaged (it ends too early)."
    if isinstance(fault, gzip.BadGzipFile) and "Not a gzipped file" in str(fault):
        return "The gzip data is damaged (followed by other data)."
    if isinstance(fault, lzma.LZMAError):
        return fill("The compressed data is damaged ({fault}).", Message(str(fault)))
    return fill("The gzip data is damaged ({fault}).", Message(str(fault)))


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Return the line and column of a character, both counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def read_unpacked(path: Path, limit: int) -> bytes | Defect:
    """Return at most `limit` + 1 bytes of a file, plain or compressed, or why it has none."""
    place = Place(str(path))
    try:
        if is_pipe_or_device(path):
            found = "This is a pipe or a device, not a file."
            return error(place, found, hint="Save the data to a file first.")
        with path.open("rb") as stream:
            kind = compression(stream.read(LONGEST_MAGIC))
            stream.seek(0)
            return _read_at_most(unpacked_stream(stream, kind), limit + 1)
    except FileNotFoundError:
        return error(place, "The file does not exist.", hint="Check its name and folder.")
    except IsADirectoryError:
        return error(place, "This is a folder, not a file.")
    except DAMAGES as fault:
        return error(place, gzip_damage(fault), hint="Compress it again.")
    except OSError as fault:
        found = fill("The file cannot be read: {value}.", failure_reason(fault))
        return error(place, found, hint="Check its permissions.")


def _read_at_most(stream: IO[bytes], limit: int) -> bytes:
    """Read at most `limit` bytes in blocks; one large read would reserve memory for all of it."""
    content = io.BytesIO()
    while block := stream.read(min(BLOCK, limit - content.tell())):
        content.write(block)
    return content.getvalue()


def _decode(raw: bytes, path: Path, damaged: Damaged) -> Reading[str]:
    marks: tuple[Defect, ...] = ()
    if raw.startswith(UTF8_MARK):
        raw = raw[len(UTF8_MARK) :]
        marks = (note(Place(str(path)), "The byte order mark at the start was skipped."),)
    try:
        return Reading(raw.decode("utf-8"), marks)
    except UnicodeDecodeError as fault:
        before = raw[: fault.start].decode("utf-8")
        place = Place(str(path), *line_and_column(before, len(before)))
        found = fill("The byte 0x{raw:02X} is not UTF-8.", raw[fault.start])
        if damaged == "refuse":
            expected, hint = "UTF-8 is expected.", "Save the file as UTF-8."
            if fault.reason == "unexpected end of data":
                hint = "Save the file as UTF-8; if it is cut off, give the complete file."
            return Reading(None, (*marks, error(place, found, expected, hint)))
        text = raw.decode("utf-8", errors="replace")
        count = text.count(REPLACEMENT) - raw.count(REPLACEMENT.encode())
        expected = fill(
            "It was read as the replacement character U+FFFD ({count:,} in all).", count
        )
        hint = "Save the file as UTF-8."
        return Reading(text, (*marks, warning(place, found, expected, hint, count=count)))

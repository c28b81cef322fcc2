"""Index file of the language data: checksummed arrays, mapped into memory.

Layout: magic, length and checksum of a JSON header; the header, which has the checksum of the rest
and names every array with its type, length and place; the arrays. The array `rest_start` is stored
as the lengths of the rests, a byte each, which is a quarter of the file less.
"""

from __future__ import annotations

import json
import os
import struct
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import fill
from jurydesk.core.system.paths import write_atomically

SETTLED_NS = 2_000_000_000
"""A file younger than this may still change within one tick of its clock, and gets no note."""

_BLOCK_BYTES = 1 << 20


def is_whole(path: Path, start: int, checksum: int, *, check: bool = False) -> bool:
    """Return whether the content from byte `start` has that CRC-32; `check` forces computing."""
    status = path.stat()
    identity = f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
    if not check and _read_note(path) == identity:
        return True
    if _checksum(path, start) != checksum:
        return False
    age = time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns)
    if age > SETTLED_NS and os.access(path.parent, os.W_OK):
        write_atomically(_note_path(path), identity.encode("ascii"))
    return True


def _note_path(path: Path) -> Path:
    return path.with_suffix(".verified")


def _read_note(path: Path) -> str:
    try:
        return _note_path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _checksum(path: Path, start: int) -> int:
    checksum = 0
    with path.open("rb") as file:
        file.seek(start)
        while block := file.read(_BLOCK_BYTES):
            checksum = zlib.crc32(block, checksum)
    return checksum


FORMAT = 3
"""Version of the format, increased with every change of the arrays."""

REST_LENGTHS = "rest_length"
"""Name in the file of the lengths that `rest_start` sums up."""

NONE = 0xFFFF
"""Value in `entry_second` for a paraphrase of one word."""

MAGIC = b"JDMETEOR"
_HEAD = struct.Struct("<8sII")
_ALIGNMENT = 64


class IndexDamaged(ValueError):  # noqa: N818 - a state, which a rebuild mends
    """The file is not a complete index: truncated, altered, or of another format."""


Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """Arrays of an index.

    Lexicon: word `i` is UTF-8 `text[text_start[i]:text_start[i + 1]]`, words ascend by Java key
    and then by text. `word_paraphrase` is its number in the paraphrase table or -1. Its own
    synonym sets are `sets[sets_start[i]:sets_own[i]]`, those of its base forms follow up to
    `sets_start[i + 1]`.

    Paraphrases: `vocabulary_stem` has the key of the stem of every table word. `root` leads from
    the first word of a phrase to its node or -1. Node `k` is entered by word `node_word[k]`; its
    children are the nodes `child_start[k]:child_start[k + 1]`, ascending by word; its paraphrases
    are the entries `entry_start[k]:entry_stop[k]`, in the order of the table. The words of entry
    `e` are `entry_first[e]`, `entry_second[e]` and `rest[rest_start[e]:rest_start[e + 1]]`.
    """

    key: Array
    text: Array
    text_start: Array
    word_paraphrase: Array
    sets: Array
    sets_start: Array
    sets_own: Array
    vocabulary_stem: Array
    root: Array
    node_word: Array
    child_start: Array
    entry_start: Array
    entry_stop: Array
    entry_first: Array
    entry_second: Array
    rest: Array
    rest_start: Array


@dataclass(frozen=True, eq=False)
class Index:
    """Open index: arrays mapped from `path`, word lists, and the SHA-256 of the sources.

    `language` is the jar's code.
    """

    path: Path
    arrays: Arrays
    language: str
    function_words: frozenset[str]
    prefixes: Mapping[str, bool]
    sources: Mapping[str, str]

    @cached_property
    def synset_count(self) -> int:
        """Number of synonym sets; the values of `Arrays.sets` are smaller."""
        sets = self.arrays.sets
        return int(sets.max()) + 1 if sets.size else 0


@dataclass(frozen=True, slots=True)
class IndexWordLists:
    """Language and word lists of an index, and the SHA-256 of its sources."""

    language: str
    function_words: frozenset[str]
    prefixes: Mapping[str, bool]
    sources: Mapping[str, str]


def write_index(path: Path, arrays: Arrays, lists: IndexWordLists) -> None:
    """Write an index to `path` atomically; safe with several processes."""
    stored = _stored(arrays)
    pieces = [memoryview(piece) for piece in _padded(stored)]
    header = _header(stored, lists, pieces)

    def content(file: BinaryIO) -> None:
        file.write(_HEAD.pack(MAGIC, len(header), zlib.crc32(header)))
        file.write(header)
        for piece in pieces:
            file.write(piece)

    write_atomically(path, content)


def _stored(arrays: Arrays) -> dict[str, Array]:
    """Return the arrays of a file by their names."""
    found = {
        field.name: np.ascontiguousarray(getattr(arrays, field.name)) for field in fields(arrays)
    }
    lengths = np.diff(found.pop("rest_start"))
    return {**found, REST_LENGTHS: lengths.astype(np.min_scalar_type(int(lengths.max(initial=0))))}


def _opened(stored: dict[str, Array]) -> Arrays:
    """Return the arrays of a file; `rest_start` alone is not mapped."""
    lengths = stored.pop(REST_LENGTHS)
    starts = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=starts[1:])
    starts.setflags(write=False)
    return Arrays(**stored, rest_start=starts)


def _padded(stored: Mapping[str, Array]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of every array, each padded to a multiple of 64."""
    for array in stored.values():
        yield array.data.cast("B")
        yield bytes(-array.nbytes % _ALIGNMENT)


def _header(
    stored: Mapping[str, Array], lists: IndexWordLists, pieces: Sequence[memoryview]
) -> bytes:
    table: dict[str, Any] = {}
    offset = checksum = 0
    for name, array in stored.items():
        table[name] = {"type": array.dtype.str, "length": len(array), "offset": offset}
        offset += array.nbytes + -array.nbytes % _ALIGNMENT
    for piece in pieces:
        checksum = zlib.crc32(piece, checksum)
    header = json.dumps(
        {
            "format": FORMAT,
            "size": offset,
            "crc32": checksum,
            "language": lists.language,
            "function_words": sorted(lists.function_words),
            "prefixes": dict(lists.prefixes),
            "sources": dict(lists.sources),
            "arrays": table,
        }
    ).encode()
    return header + b" " * (-(_HEAD.size + len(header)) % _ALIGNMENT)


def open_index(path: Path, *, check: bool = False) -> Index:
    """Map the index at `path`.

    Its checksum is computed where the file might have changed, and always with `check`. Raises
    `IndexDamaged`, or FileNotFoundError.
    """
    header, start = _read_header(path)
    if path.stat().st_size != start + header["size"]:
        raise IndexDamaged(fill("{path} is cut short.", path))
    if not is_whole(path, start, header["crc32"], check=check):
        raise IndexDamaged(fill("{path} is damaged: its checksum is wrong.", path))
    content = np.memmap(path, np.uint8, mode="r")
    arrays = {}
    for name, entry in header["arrays"].items():
        dtype = np.dtype(entry["type"])
        offset = start + entry["offset"]
        arrays[name] = content[offset : offset + entry["length"] * dtype.itemsize].view(dtype)
    return Index(
        path,
        _opened(arrays),
        header["language"],
        frozenset(header["function_words"]),
        header["prefixes"],
        header["sources"],
    )


def _read_header(path: Path) -> tuple[Any, int]:
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise IndexDamaged(fill("{path} is cut short.", path))
        magic, length, checksum = _HEAD.unpack(head)
        header = file.read(length) if magic == MAGIC else b""
    if len(header) != length or zlib.crc32(header) != checksum:
        raise IndexDamaged(fill("{path} has a damaged header.", path))
    content = json.loads(header)
    if content["format"] != FORMAT:
        raise IndexDamaged(
            fill("{path} has format {content}, not {format}.", path, content["format"], FORMAT)
        )
    return content, _HEAD.size + length

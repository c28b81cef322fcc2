"""The language data as one file of arrays, mapped into memory and checked against damage.

Layout: magic, length and checksum of a JSON header, the header (which names every array with its
type, shape, place and checksum), the arrays.
"""

from __future__ import annotations

import json
import os
import struct
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from core.paths import write_atomically

FORMAT = 1
"""Raised with every change of what the arrays mean."""

NONE = 0xFFFF
"""Stands in `entry_second` for: the paraphrase has one word only."""

MAGIC = b"JDMETEOR"
_HEAD = struct.Struct("<8sII")
_ALIGNMENT = 64
_CHECK_BYTES = 1 << 20
_SETTLED_NS = (
    2_000_000_000  # a file younger than this may still change within one tick of its clock
)


class IndexDamaged(ValueError):  # noqa: N818 - a state, which a rebuild mends
    """The file is no whole index: cut short, altered, or of another format."""


Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """The arrays of an index.

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
    """An open index: arrays mapped from `path`, the short word lists, the sources' SHA-256."""

    path: Path
    arrays: Arrays
    function_words: frozenset[str]
    prefixes: Mapping[str, bool]
    sources: Mapping[str, str]

    @cached_property
    def synset_count(self) -> int:
        """The number of synonym sets; `Arrays.sets` holds smaller numbers only."""
        sets = self.arrays.sets
        return int(sets.max()) + 1 if sets.size else 0


@dataclass(frozen=True, slots=True)
class Lists:
    """What an index holds beside its arrays."""

    function_words: frozenset[str]
    prefixes: Mapping[str, bool]
    sources: Mapping[str, str]


def write(path: Path, arrays: Arrays, lists: Lists) -> None:
    """Write an index to `path`, whole or not at all; safe when two processes do it at once."""
    table: dict[str, Any] = {}
    end = 0
    for field in fields(arrays):
        array = np.ascontiguousarray(getattr(arrays, field.name))
        table[field.name] = {
            "type": array.dtype.str,
            "length": len(array),
            "offset": end,
            "crc32": zlib.crc32(array.data),
        }
        end = _aligned(end + array.nbytes)
    header = json.dumps(
        {
            "format": FORMAT,
            "size": end,
            "function_words": sorted(lists.function_words),
            "prefixes": dict(lists.prefixes),
            "sources": dict(lists.sources),
            "arrays": table,
        }
    ).encode()

    def content(file: BinaryIO) -> None:
        file.write(_HEAD.pack(MAGIC, len(header), zlib.crc32(header)))
        file.write(header)
        for field in fields(arrays):
            file.write(b"\0" * (_aligned(file.tell()) - file.tell()))
            file.write(np.ascontiguousarray(getattr(arrays, field.name)).data.cast("B"))
        file.write(b"\0" * (_aligned(file.tell()) - file.tell()))

    write_atomically(path, content)


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNMENT) * _ALIGNMENT


def open_index(path: Path, *, check: bool = False) -> Index:
    """Map the index at `path`.

    Its checksums are computed when the file is not the one, by size and times, whose checksums
    were right before, and always with `check`. Raises `IndexDamaged`, or FileNotFoundError.
    """
    header, start = _read_header(path)
    if path.stat().st_size != start + header["size"]:
        raise IndexDamaged(f"{path} is cut short.")
    if check or not _is_known_good(path):
        _verify(path, header, start)
        _remember_good(path)
    content = np.memmap(path, np.uint8, mode="r")
    arrays = {}
    for name, entry in header["arrays"].items():
        dtype = np.dtype(entry["type"])
        offset = start + entry["offset"]
        arrays[name] = content[offset : offset + entry["length"] * dtype.itemsize].view(dtype)
    return Index(
        path,
        Arrays(**arrays),
        frozenset(header["function_words"]),
        header["prefixes"],
        header["sources"],
    )


def _read_header(path: Path) -> tuple[Any, int]:
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise IndexDamaged(f"{path} is cut short.")
        magic, length, checksum = _HEAD.unpack(head)
        header = file.read(length) if magic == MAGIC else b""
    if len(header) != length or zlib.crc32(header) != checksum:
        raise IndexDamaged(f"{path} has a damaged header.")
    content = json.loads(header)
    if content["format"] != FORMAT:
        raise IndexDamaged(f"{path} has format {content['format']}, not {FORMAT}.")
    return content, _aligned(_HEAD.size + length)


def _verify(path: Path, header: Any, start: int) -> None:
    with path.open("rb") as file:
        for name, entry in header["arrays"].items():
            file.seek(start + entry["offset"])
            left = entry["length"] * np.dtype(entry["type"]).itemsize
            checksum = 0
            while left > 0 and (block := file.read(min(_CHECK_BYTES, left))):
                checksum = zlib.crc32(block, checksum)
                left -= len(block)
            if left or checksum != entry["crc32"]:
                raise IndexDamaged(f"{path} is damaged: the checksum of {name!r} is wrong.")


def _note(path: Path) -> Path:
    return path.with_suffix(".verified")


def _identity(path: Path) -> str:
    status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def _is_known_good(path: Path) -> bool:
    try:
        return _note(path).read_text(encoding="ascii") == _identity(path)
    except (OSError, UnicodeDecodeError):
        return False


def _remember_good(path: Path) -> None:
    """Note which file was found whole, unless it is so young that it might yet change unseen."""
    status = path.stat()
    if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) < _SETTLED_NS:
        return
    if os.access(path.parent, os.W_OK):
        write_atomically(_note(path), _identity(path).encode("ascii"))

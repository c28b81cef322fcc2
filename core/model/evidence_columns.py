"""Evidence of items as typed columns: written in blocks, made objects when somebody looks.

A block is a JSON header and the bytes of its arrays. Nothing in it can be run, and reading it
checks every length before an array is made.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import Evidence, Json

Array = npt.NDArray[Any]

BLOCK_BYTES = 1 << 18
"""A block holds about so much before it is packed: opening an item unpacks one block."""

MOST_ITEMS = 4096
MOST_COLUMNS = 100
MOST_LEVELS = 4
MOST_HEADER_BYTES = 1 << 16
MOST_NUMBERS = 64
"""In one value of a column, such as the corners of a box."""
FRACTIONS = ("<f4", "<f8")
DTYPES = frozenset(("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", *FRACTIONS))
"""The types of arrays in a block; anything else is not read."""

NARROW = tuple(map(np.dtype, ("u1", "i1", "<u2", "<i2", "<u4", "<i4", "<i8")))


class EvidenceColumn:
    """One value for each item: a number, a text, or lists of either, which may be nested.

    `lengths[0]` (items,) counts the entries of each item, `lengths[1]` what each of those holds,
    and so on; `values` are the innermost entries, one after another. Those of texts are bytes of
    UTF-8. A number may be a row of several (`values` of two dimensions).
    """

    def __init__(self, values: Array, *lengths: Array, is_text: bool = False) -> None:
        self.values = values
        self.lengths = lengths
        self.is_text = is_text
        self._starts = [_starts(counts) for counts in lengths]
        known = [*(len(counts) for counts in lengths[1:]), len(values)]
        if [int(starts[-1]) for starts in self._starts] != known[: len(lengths)]:
            raise ValueError("lengths and values of a column do not go together")

    @classmethod
    def texts(cls, texts: Sequence[str], *lengths: Array) -> EvidenceColumn:
        """Texts, one for each item or for each entry of the innermost lists."""
        joined = "".join(texts)
        if joined.isascii():
            sizes, content = map(len, texts), joined.encode("ascii")
        else:
            encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
            sizes, content = map(len, encoded), b"".join(encoded)
        counts = np.fromiter(sizes, np.int64, len(texts))
        return cls(np.frombuffer(content, np.uint8), *lengths, counts, is_text=True)

    def __len__(self) -> int:
        return len(self.lengths[0] if self.lengths else self.values)

    def value(self, item: int) -> Any:
        """Return the value of an item, made of Python's own numbers, texts and lists."""
        return self._value(0, item)

    def _value(self, level: int, place: int) -> Any:
        depth = len(self._starts)
        if level == depth:
            return self.values[place].tolist()
        start, stop = self._starts[level][place : place + 2].tolist()
        if level < depth - 1:
            return [self._value(level + 1, entry) for entry in range(start, stop)]
        found = self.values[start:stop]
        return found.tobytes().decode("utf-8", "surrogatepass") if self.is_text else found.tolist()

    def bytes_before(self) -> Array:
        """How many bytes the items before each (items + 1,) take."""
        places = np.arange(len(self) + 1)
        for starts in self._starts:
            places = starts[places]
        return places * (self.values.itemsize * math.prod(self.values.shape[1:]))

    def part(self, start: int, stop: int) -> EvidenceColumn:
        """Return the column of the items from `start` to before `stop`."""
        lengths = []
        for counts, starts in zip(self.lengths, self._starts, strict=True):
            lengths.append(counts[start:stop])
            start, stop = int(starts[start]), int(starts[stop])
        return EvidenceColumn(self.values[start:stop], *lengths, is_text=self.is_text)


def _starts(counts: Array) -> Array:
    if counts.ndim != 1 or counts.min(initial=0) < 0:
        raise ValueError("the lengths of a column are no counts")
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


class EvidenceColumns(dict[str, EvidenceColumn]):
    """Named columns of the same items."""

    def __init__(self, columns: Mapping[str, EvidenceColumn]) -> None:
        super().__init__(columns)
        self.items_count = len(next(iter(columns.values()))) if columns else 0
        if any(len(column) != self.items_count for column in columns.values()):
            raise ValueError("columns of evidence have different lengths")

    def row(self, item: int) -> dict[str, Any]:
        """Return the values of one item by the names of the columns."""
        if not 0 <= item < self.items_count:
            raise IndexError(f"there is no item {item}")
        return {name: column.value(item) for name, column in self.items()}

    def blocks(self) -> Iterator[tuple[int, EvidenceColumns]]:
        """The columns cut into blocks of a few hundred kilobytes, each with its first item."""
        ends = np.zeros(self.items_count + 1, np.int64)
        for column in self.values():
            ends += column.bytes_before()
        first = 0
        while first < self.items_count:
            found = int(np.searchsorted(ends, ends[first] + BLOCK_BYTES, side="right")) - 1
            stop = min(max(found, first + 1), first + MOST_ITEMS)
            parts = {name: column.part(first, stop) for name, column in self.items()}
            yield first, EvidenceColumns(parts)
            first = stop


class EvidenceRow(dict[str, Any]):
    """The columns' values of one item, which a competition makes its evidence of."""


class ColumnEvidence:
    """The evidence of items that a competition keeps as columns.

    `build` makes the columns in parts, each of them complete; a part that depends on the reference
    data alone is kept once for all systems. It is called on another thread while the next system
    is scored, and uses no run. `load` makes an item's evidence of its row.
    """

    def __init__(
        self,
        build: Callable[[], Sequence[EvidenceColumns]],
        load: Callable[[EvidenceRow], Evidence],
    ) -> None:
        self.build = build
        self._load = load

    @cached_property
    def _parts(self) -> Sequence[EvidenceColumns]:
        return self.build()

    def __call__(self, number: int) -> Evidence:
        """Make the evidence of that number."""
        row = EvidenceRow()
        for part in self._parts:
            row.update(part.row(number))
        return self._load(row)


def pack_columns(columns: EvidenceColumns) -> tuple[bytes, bytes]:
    """Return the columns as bytes, which `unpack_columns` reads; not compressed.

    Fractions stand apart from texts and whole numbers: they hardly shrink when compressed.
    """
    header: list[Json] = []
    content: list[bytes] = []
    fractions: list[bytes] = []
    for name, column in columns.items():
        arrays = [_stored(array) for array in (*column.lengths, column.values)]
        kinds = [[array.dtype.str, list(array.shape)] for array in arrays]
        header.append([name, column.is_text, kinds])
        for array in arrays:
            (fractions if array.dtype.kind == "f" else content).append(array.tobytes())
    head = json.dumps(header, separators=(",", ":")).encode("ascii")
    return b"".join((len(head).to_bytes(4, "little"), head, *content)), b"".join(fractions)


def _stored(array: Array) -> Array:
    """Return the array in the narrowest type that holds its numbers exactly, little-endian."""
    if array.dtype.kind == "b":
        return array.astype("u1")
    if array.dtype.kind == "f":
        whole = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        with np.errstate(over="ignore"):
            half = whole.astype("<f4")
        same = bool(((half == whole) | (np.isnan(half) & np.isnan(whole))).all())
        return half if same else whole
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    for dtype in NARROW:
        limits = np.iinfo(dtype)
        if limits.min <= low and high <= limits.max:
            return np.ascontiguousarray(array, dtype)
    raise ValueError("whole numbers of evidence are beyond 64 bits")


def unpack_columns(content: bytes, fractions: bytes = b"") -> EvidenceColumns:
    """Return the columns that `pack_columns` wrote; ValueError for any other bytes."""
    size = int.from_bytes(content[:4], "little")
    if size > MOST_HEADER_BYTES:
        raise ValueError("the header of a block is too long")
    header = json.loads(content[4 : 4 + size])
    if not isinstance(header, list) or len(header) > MOST_COLUMNS:
        raise ValueError("a block has no list of columns")
    source = {False: _Source(content, 4 + size), True: _Source(fractions, 0)}
    columns: dict[str, EvidenceColumn] = {}
    for name, is_text, kinds in header:
        if not isinstance(name, str) or not 1 <= len(kinds) <= MOST_LEVELS + 1:
            raise ValueError("a column of a block has no name or too many levels")
        *lengths, values = [source[dtype in FRACTIONS].take(dtype, shape) for dtype, shape in kinds]
        if any(array.dtype.kind == "f" for array in lengths):
            raise ValueError("lengths of a column are no whole numbers")
        if is_text and (not lengths or values.dtype != np.uint8 or values.ndim != 1):
            raise ValueError("texts of a column are no bytes")
        columns[name] = EvidenceColumn(values, *lengths, is_text=bool(is_text))
    if any(one.place != len(one.content) for one in source.values()):
        raise ValueError("a block is longer than its columns")
    return EvidenceColumns(columns)


@dataclass(slots=True)
class _Source:
    """Bytes that arrays are taken of, one after the other."""

    content: bytes
    place: int

    def take(self, dtype: Any, shape: Any) -> Array:
        """Return the next array."""
        if dtype not in DTYPES or not isinstance(shape, list) or not 1 <= len(shape) <= 2:
            raise ValueError("a column of a block is no array of numbers")
        if any(type(number) is not int or number < 0 for number in shape):
            raise ValueError("the shape of a column is no shape")
        if not all(1 <= number <= MOST_NUMBERS for number in shape[1:]):
            raise ValueError("a number of a column is too wide")
        count, start = math.prod(shape), self.place
        self.place += count * np.dtype(dtype).itemsize
        if self.place > len(self.content):
            raise ValueError("a column of a block is cut off")
        return np.frombuffer(self.content, dtype, count, start).reshape(shape)


def counts_of(entries: Sequence[Sequence[Any]]) -> Array:
    """How many entries each of several lists has, as a level of a column."""
    return np.fromiter(map(len, entries), np.int64, len(entries))

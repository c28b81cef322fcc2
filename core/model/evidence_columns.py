"""Columnar storage of item evidence: written in blocks, decoded into objects on demand.

A block is a JSON header and the bytes of its arrays. It contains no code, and reading it checks
every length before an array is created.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import Json

Array = npt.NDArray[Any]

EvidenceRow = dict[str, Any]
"""Values of one item by column name, from which a competition creates its evidence."""

BLOCK_BYTES = 1 << 18
"""Approximate size of a block before compression; opening an item unpacks one block."""

TEXT_BATCH = 1 << 12
"""Number of texts encoded at once, few enough to stay in a processor's cache."""

MOST_ITEMS = 4096
MOST_COLUMNS = 100
MOST_LEVELS = 4
MOST_HEADER_BYTES = 1 << 16
MOST_NUMBERS = 64
"""Numbers in one value of a column, such as the corners of a box."""
DTYPES = frozenset(("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f4", "<f8"))
"""Array types that are accepted in a block."""

LEVEL = 1
"""Level of zlib's compression, the fastest: a higher one saves a few per cent."""
SAMPLE_BYTES = 1 << 11
MAX_PACKED_SHARE = 0.7
"""Packed size, as a share, up to which floats are packed: measured numbers hardly shrink."""

NARROW = tuple(map(np.dtype, ("u1", "i1", "<u2", "<i2", "<u4", "<i4", "<i8")))


Made = TypeVar("Made")
ChangeRows = Callable[["EvidenceColumns", Sequence[int]], Sequence[Made]]
"""Returns what it makes of the items at these indices of columns, one for each."""


@runtime_checkable
class StoredRows(Protocol):
    """Evidence whose rows can be read together, as a desk stores them."""

    def holds_rows(self, number: int) -> bool:
        """Return whether the item's evidence is a row of columns, not JSON."""

    def of_rows(self, numbers: Sequence[int], change: ChangeRows[Any]) -> list[Any]:
        """Return what `change` makes of the rows of these numbers, in their order."""


class EvidenceColumn:
    """Column of one value per item: a number, a text, or a (nested) list of either.

    `lengths[0]` (items,) is the number of entries of each item, `lengths[1]` that of each of those
    entries, and so on. `values` are the concatenated innermost entries: numbers, rows of numbers
    (two dimensions), or bytes of UTF-8 for texts.
    """

    def __init__(self, values: Array, *lengths: Array, is_text: bool = False) -> None:
        self.values = values
        self.lengths = lengths
        self.is_text = is_text
        self._starts = [_starts(counts) for counts in lengths]
        sizes = [*(len(counts) for counts in lengths[1:]), len(values)]
        if [int(starts[-1]) for starts in self._starts] != sizes[: len(lengths)]:
            raise ValueError("the lengths of a column do not match its values")

    @classmethod
    def texts(cls, texts: Iterable[str], *lengths: Array) -> EvidenceColumn:
        """Return a column of texts, one per item or per entry of the innermost lists."""
        content, counts = bytearray(), [np.empty(0, np.int64)]
        rest = iter(texts)
        while batch := list(islice(rest, TEXT_BATCH)):
            joined = "".join(batch)
            if joined.isascii():
                sizes = map(len, batch)
                content += joined.encode("ascii")
            else:
                encoded = [text.encode("utf-8", "surrogatepass") for text in batch]
                sizes = map(len, encoded)
                content += b"".join(encoded)
            counts.append(np.fromiter(sizes, np.int64, len(batch)))
        values = np.frombuffer(content, np.uint8)
        return cls(values, *lengths, np.concatenate(counts), is_text=True)

    def __len__(self) -> int:
        return len(self.lengths[0] if self.lengths else self.values)

    def value(self, item: int) -> Any:
        """Return the value of an item as built-in numbers, texts and lists."""
        return self._value(0, item)

    def _value(self, level: int, index: int) -> Any:
        depth = len(self._starts)
        if level == depth:
            return self.values[index].tolist()
        start, stop = self._starts[level][index : index + 2].tolist()
        if level < depth - 1:
            return [self._value(level + 1, entry) for entry in range(start, stop)]
        part = self.values[start:stop]
        return part.tobytes().decode("utf-8", "surrogatepass") if self.is_text else part.tolist()

    @property
    def starts(self) -> Array:
        """Index (items + 1,) of the first entry of each item's list; IndexError without lists."""
        return self._starts[0]

    def entries(self, chosen: Array) -> list[Any]:
        """Return the entries of items' lists, which are not lists themselves, at these indices."""
        if not self.is_text:
            values: list[Any] = self.values[chosen].tolist()
            return values
        _, starts = self._starts
        content = self.values.tobytes()
        ends = zip(starts[chosen].tolist(), starts[chosen + 1].tolist(), strict=True)
        if content.isascii():
            text = content.decode("ascii")
            return [text[start:stop] for start, stop in ends]
        return [content[start:stop].decode("utf-8", "surrogatepass") for start, stop in ends]

    def byte_offsets(self) -> Array:
        """Return the offset (items + 1,) of each item's values, in bytes."""
        offsets = np.arange(len(self) + 1)
        for starts in self._starts:
            offsets = starts[offsets]
        return offsets * (self.values.itemsize * math.prod(self.values.shape[1:]))

    def part(self, start: int, stop: int) -> EvidenceColumn:
        """Return the column of the items in `range(start, stop)`."""
        lengths = []
        for counts, starts in zip(self.lengths, self._starts, strict=True):
            lengths.append(counts[start:stop])
            start, stop = int(starts[start]), int(starts[stop])
        return EvidenceColumn(self.values[start:stop], *lengths, is_text=self.is_text)


def _starts(counts: Array) -> Array:
    if counts.ndim != 1 or counts.min(initial=0) < 0:
        raise ValueError("the lengths of a column are not counts")
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


class EvidenceColumns(dict[str, EvidenceColumn]):
    """Named columns of the same items."""

    def __init__(self, columns: Mapping[str, EvidenceColumn]) -> None:
        super().__init__(columns)
        self.items_count = len(next(iter(columns.values()))) if columns else 0
        if any(len(column) != self.items_count for column in columns.values()):
            raise ValueError("columns of evidence have different lengths")

    def row(self, item: int) -> dict[str, Any]:
        """Return the values of one item by column name."""
        if not 0 <= item < self.items_count:
            raise IndexError(f"there is no item {item}")
        return {name: column.value(item) for name, column in self.items()}

    def part(self, start: int, stop: int) -> EvidenceColumns:
        """Return the columns of the items in `range(start, stop)`."""
        return EvidenceColumns({name: column.part(start, stop) for name, column in self.items()})

    def blocks(self) -> Iterator[tuple[int, EvidenceColumns]]:
        """Yield the columns in blocks of about `BLOCK_BYTES`, each with its first item."""
        offsets = np.zeros(self.items_count + 1, np.int64)
        for column in self.values():
            offsets += column.byte_offsets()
        first = 0
        while first < self.items_count:
            end = int(np.searchsorted(offsets, offsets[first] + BLOCK_BYTES, side="right")) - 1
            stop = min(max(end, first + 1), first + MOST_ITEMS)
            yield first, self.part(first, stop)
            first = stop


class ColumnEvidence:
    """Evidence of items that a competition stores as columns.

    `build` returns the columns in parts, each with all items; a part that depends on the reference
    data alone is stored once for all systems. It is called on another thread while the next system
    is scored, and uses no run. `load` creates the evidence of an item from its row.
    """

    def __init__(
        self,
        build: Callable[[], Sequence[EvidenceColumns]],
        load: Callable[[EvidenceRow], Any],
    ) -> None:
        self.build = build
        self._load = load

    @cached_property
    def _parts(self) -> Sequence[EvidenceColumns]:
        return self.build()

    def __call__(self, number: int) -> Any:
        """Return the evidence at an index."""
        row: EvidenceRow = {}
        for part in self._parts:
            row.update(part.row(number))
        return self._load(row)


def pack_columns(
    columns: EvidenceColumns, shrinks: dict[str, bool] | None = None
) -> tuple[bytes, bytes]:
    """Return the columns as bytes for `unpack_columns`: what to compress, and what hardly shrinks.

    The second are the floats, except those with many equal numbers. `shrinks` remembers for the
    next blocks which columns these are.
    """
    shrinks = {} if shrinks is None else shrinks
    header: list[Json] = []
    content: list[bytes] = []
    fractions: list[bytes] = []
    for name, column in columns.items():
        layout: list[Json] = []
        for array in map(_narrow_array, (*column.lengths, column.values)):
            raw = array.tobytes()
            is_content = array.dtype.kind != "f"
            if not is_content:
                if raw and name not in shrinks:
                    shrinks[name] = is_worth_packing(raw)
                is_content = shrinks.get(name, False)
            layout.append([array.dtype.str, list(array.shape), is_content])
            (content if is_content else fractions).append(raw)
        header.append([name, column.is_text, layout])
    head = json.dumps(header, separators=(",", ":")).encode("ascii")
    return b"".join((len(head).to_bytes(4, "little"), head, *content)), b"".join(fractions)


def is_worth_packing(raw: bytes) -> bool:
    """Return whether the bytes of floats are worth compressing, judged by their beginning."""
    sample = raw[:SAMPLE_BYTES]
    return len(zlib.compress(sample, LEVEL)) <= MAX_PACKED_SHARE * len(sample)


def _narrow_array(array: Array) -> Array:
    """Return the array in the narrowest type that holds its numbers exactly, little-endian."""
    if array.dtype.kind == "b":
        return array.astype("u1")
    if array.dtype.kind == "f":
        full = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        with np.errstate(over="ignore"):
            single = full.astype("<f4")
        is_exact = bool(((single == full) | np.isnan(full)).all())
        return single if is_exact else full
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    for dtype in NARROW:
        limits = np.iinfo(dtype)
        if limits.min <= low and high <= limits.max:
            return np.ascontiguousarray(array, dtype)
    raise ValueError("integers of evidence exceed 64 bits")


def unpack_columns(content: bytes, fractions: bytes = b"") -> EvidenceColumns:
    """Return the columns that `pack_columns` encoded; ValueError for any other bytes."""
    size = int.from_bytes(content[:4], "little")
    if size > MOST_HEADER_BYTES:
        raise ValueError("the header of a block is too long")
    header = json.loads(content[4 : 4 + size])
    if not isinstance(header, list) or len(header) > MOST_COLUMNS:
        raise ValueError("a block has no list of columns")
    source = _ArrayStream(content, 4 + size), _ArrayStream(fractions, 0)
    columns: dict[str, EvidenceColumn] = {}
    for name, is_text, layout in header:
        if not isinstance(name, str) or not 1 <= len(layout) <= MOST_LEVELS + 1:
            raise ValueError("a column of a block has no name or too many levels")
        arrays = [source[not is_content].read(dtype, shape) for dtype, shape, is_content in layout]
        *lengths, values = arrays
        if any(array.dtype.kind == "f" for array in lengths):
            raise ValueError("the lengths of a column are not integers")
        if is_text and (not lengths or values.dtype != np.uint8 or values.ndim != 1):
            raise ValueError("the texts of a column are not bytes")
        columns[name] = EvidenceColumn(values, *lengths, is_text=bool(is_text))
    if any(one.position != len(one.content) for one in source):
        raise ValueError("a block is longer than its columns")
    return EvidenceColumns(columns)


@dataclass(slots=True)
class _ArrayStream:
    """Bytes from which arrays are read in sequence."""

    content: bytes
    position: int

    def read(self, dtype: Any, shape: Any) -> Array:
        """Return the next array."""
        if dtype not in DTYPES or not isinstance(shape, list) or not 1 <= len(shape) <= 2:
            raise ValueError("a column of a block is not an array of numbers")
        if any(type(number) is not int or number < 0 for number in shape):
            raise ValueError("the shape of a column is invalid")
        if not all(1 <= number <= MOST_NUMBERS for number in shape[1:]):
            raise ValueError("a value of a column has too many numbers")
        count, start = math.prod(shape), self.position
        self.position += count * np.dtype(dtype).itemsize
        if self.position > len(self.content):
            raise ValueError("a column of a block is truncated")
        return np.frombuffer(self.content, dtype, count, start).reshape(shape)


def list_lengths(entries: Sequence[Sized]) -> Array:
    """Return the lengths of several lists, for one level of a column."""
    return np.fromiter(map(len, entries), np.int64, len(entries))

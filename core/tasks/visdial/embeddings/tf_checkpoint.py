"""Reader of the tensors of a TensorFlow checkpoint, without TensorFlow.

A checkpoint consists of an index (a LevelDB table from names to protocol messages) and a file of
raw data. Source: tensorflow/core/util/tensor_bundle, LevelDB's table format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FOOTER_BYTES = 48
TABLE_MAGIC = 0xDB4775248B80FB57
FLOAT32 = 1  # the only type that BERT's weights have
UNCOMPRESSED = 0


class CheckpointError(Exception):
    """Error of an unreadable checkpoint."""


@dataclass(frozen=True, slots=True)
class BundleEntry:
    """Location of a tensor in the data file."""

    dtype: int
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int


def read_tensors(prefix: Path) -> dict[str, npt.NDArray[np.float32]]:
    """Return all float32 tensors of the checkpoint `prefix`.index and its one data file, by name.

    Raises CheckpointError, OSError.
    """
    index = prefix.with_name(prefix.name + ".index").read_bytes()
    data = prefix.with_name(prefix.name + ".data-00000-of-00001").read_bytes()
    try:
        entries = {name: _entry(value) for name, value in _table(index) if name}
    except (IndexError, struct.error, UnicodeDecodeError) as fault:
        raise CheckpointError("the index of the checkpoint is damaged") from fault
    return {
        name: _tensor(name, entry, data)
        for name, entry in entries.items()
        if entry.dtype == FLOAT32
    }


def _tensor(name: str, entry: BundleEntry, data: bytes) -> npt.NDArray[np.float32]:
    count = int(np.prod(entry.shape, dtype=np.int64))
    if entry.shard or entry.size != 4 * count or entry.offset + entry.size > len(data):
        raise CheckpointError(f"the tensor {name} is not within the data file")
    return np.frombuffer(data, "<f4", count, entry.offset).reshape(entry.shape)


def _table(index: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the keys and values of a LevelDB table."""
    footer = index[-FOOTER_BYTES:]
    if len(footer) < FOOTER_BYTES or struct.unpack("<Q", footer[-8:])[0] != TABLE_MAGIC:
        raise CheckpointError("the index is not a checkpoint index")
    handle = _Reader(footer)
    handle.varint(), handle.varint()
    for _, block in _block(index, handle.varint(), handle.varint()):
        where = _Reader(block)
        yield from _block(index, where.varint(), where.varint())


def _block(index: bytes, offset: int, size: int) -> Iterator[tuple[str, bytes]]:
    if index[offset + size] != UNCOMPRESSED:
        raise CheckpointError("the index of the checkpoint is compressed")
    block = index[offset : offset + size]
    (restarts,) = struct.unpack("<I", block[-4:])
    reader, key = _Reader(block[: -4 * (restarts + 1)]), b""
    while not reader.done:
        shared, own, length = reader.varint(), reader.varint(), reader.varint()
        key = key[:shared] + reader.take(own)
        yield key.decode("utf-8", "replace"), reader.take(length)


def _entry(message: bytes) -> BundleEntry:
    fields = dict(_fields(message))
    dims = [value for number, value in _fields(fields.get(2, b"")) if number == 2]
    shape = tuple(int(dict(_fields(dim)).get(1, 0)) for dim in dims)
    return BundleEntry(
        fields.get(1, 0), shape, fields.get(3, 0), fields.get(4, 0), fields.get(5, 0)
    )


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """Yield the numbered fields of a protocol message: whole numbers or bytes."""
    reader = _Reader(message)
    while not reader.done:
        number, kind = divmod(reader.varint(), 8)
        if kind == 0:
            yield number, reader.varint()
        elif kind == 2:
            yield number, reader.take(reader.varint())
        else:
            yield number, reader.take(8 if kind == 1 else 4)


class _Reader:
    """Sequential reader of varints and bytes; IndexError at the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def done(self) -> bool:
        return self._at >= len(self._data)

    def varint(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def take(self, length: int) -> bytes:
        if self._at + length > len(self._data):
            raise IndexError
        self._at += length
        return self._data[self._at - length : self._at]

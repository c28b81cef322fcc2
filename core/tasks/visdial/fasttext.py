"""Word vectors out of a fastText `.bin` file, which is mapped and never read whole.

A vector is the mean of the word's own row, where it has one, and the rows of its character
n-grams. Source: Bojanowski et al., Enriching Word Vectors with Subword Information (2017), and
the file format of fastText, with its present header and the one before it.
"""

from __future__ import annotations

import mmap
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.model import IntArray

MAGIC = 793712314
VERSION = 12
COUNT_AND_TYPE = 9  # bytes after a word's NUL: how often it occurred, and whether it is a label
ENTRY = re.compile(rb"([^\0]*)\0.{%d}" % COUNT_AND_TYPE, re.DOTALL)
BLOCK = 1 << 22
"""Bytes of the vocabulary that are looked at together; no word is nearly as long."""
FNV_BASIS, FNV_PRIME = 2166136261, 16777619

Float32Array = npt.NDArray[np.float32]


class FastTextError(Exception):
    """The file is no fastText model that can be read; the sentence says why."""


class Arguments(NamedTuple):
    """The training arguments that decide how vectors are made."""

    dim: int
    bucket: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Where each word stands in the file, and the words' hashes in ascending order."""

    starts: IntArray
    hashes: IntArray
    rows: npt.NDArray[np.int32]


class FastText:
    """A fastText model whose rows are read from the disk when they are asked for."""

    def __init__(self, path: Path) -> None:
        """Open the model at `path`. Raises FastTextError, OSError."""
        with path.open("rb") as stream:
            if path.stat().st_size < 64:
                raise FastTextError("the file is too short to be a fastText model")
            self._file = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            self._open()
        except (struct.error, IndexError, OverflowError) as fault:
            raise FastTextError("the file ends before the model does") from fault

    def _open(self) -> None:
        first, second = struct.unpack_from("<2i", self._file, 0)
        new = first == MAGIC
        if new and second != VERSION:
            raise FastTextError(
                f"version {second} of the file format is unknown, {VERSION} is read"
            )
        at = 8 if new else 0
        numbers = struct.unpack_from("<12id", self._file, at)
        self.arguments = Arguments(numbers[0], numbers[8], numbers[9], numbers[10])
        at += struct.calcsize("<12id")
        size, words, labels, _tokens = struct.unpack_from("<3iq", self._file, at)
        at += struct.calcsize("<3iq")
        if labels or size != words or not 0 < self.arguments.dim <= 10_000 or words < 0:
            raise FastTextError("it is no fastText model of words")
        pruned = 0
        if new:
            (pruned,) = struct.unpack_from("<q", self._file, at)
            at += 8
        self._vocabulary, at = self._scan(at, words)
        self._matrix = self._map_matrix(at + 8 * max(pruned, 0), new)

    def _scan(self, at: int, words: int) -> tuple[Vocabulary, int]:
        """Find every word; their bytes stay in the file."""
        starts, hashes, found = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
        while found < words:
            block = ENTRY.findall(self._file[at : at + BLOCK])[: words - found]
            if not block:
                raise FastTextError("the file ends within the vocabulary")
            sizes = np.fromiter(map(len, block), np.int64, len(block)) + COUNT_AND_TYPE + 1
            ends = at + np.cumsum(sizes)
            starts.append(ends - sizes)
            hashes.append(np.fromiter(map(hash, block), np.int64, len(block)))
            at, found = int(ends[-1]), found + len(block)
        everything = np.concatenate(hashes)
        order = np.argsort(everything, kind="stable").astype(np.int32)
        return Vocabulary(np.concatenate(starts), everything[order], order), at

    def _map_matrix(self, at: int, new: bool) -> Float32Array:
        if new:
            (quantised,) = struct.unpack_from("<?", self._file, at)
            at += 1
            if quantised:
                raise FastTextError("it is a compressed model (.ftz); the full .bin is needed")
        rows, columns = struct.unpack_from("<2q", self._file, at)
        at += 16
        words = len(self._vocabulary.starts)
        if columns != self.arguments.dim or rows < words + self.arguments.bucket:
            raise FastTextError("the matrix does not fit the header")
        if at + 4 * rows * columns > len(self._file):
            raise FastTextError("the file ends within the matrix")
        self._advise(at)
        return np.frombuffer(self._file, np.float32, rows * columns, at).reshape(rows, columns)

    def _advise(self, matrix: int) -> None:
        """Tell the system that rows are read here and there, and the vocabulary hardly again."""
        if hasattr(mmap, "MADV_RANDOM"):
            page = matrix // mmap.PAGESIZE * mmap.PAGESIZE
            self._file.madvise(mmap.MADV_RANDOM, page, len(self._file) - page)
            if page:
                self._file.madvise(mmap.MADV_DONTNEED, 0, page)

    def vector(self, word: str) -> Float32Array:
        """The vector (dim,) of a word; zeros for an unknown word without n-grams."""
        rows = [] if (row := self._row(word)) is None else [row]
        rows += [len(self._vocabulary.starts) + bucket for bucket in self._buckets(word)]
        if not rows:
            return np.zeros(self.arguments.dim, np.float32)
        return np.asarray(self._matrix[rows].sum(axis=0, dtype=np.float32) / np.float32(len(rows)))

    def _row(self, word: str) -> int | None:
        """The row of a word of the vocabulary."""
        known, spelled = self._vocabulary, word.encode()
        wanted = hash(spelled)
        first = int(np.searchsorted(known.hashes, wanted, side="left"))
        last = int(np.searchsorted(known.hashes, wanted, side="right"))
        for row in known.rows[first:last].tolist():
            start = int(known.starts[row])
            if self._file[start : start + len(spelled) + 1] == spelled + b"\0":
                return int(row)
        return None

    def _buckets(self, word: str) -> list[int]:
        """The bucket of every n-gram of the word between its borders, in fastText's order."""
        _, buckets, shortest, longest = self.arguments
        if not buckets or longest < 1:
            return []
        bordered = f"<{word}>"
        found = []
        for start in range(len(bordered)):
            for end in range(start + max(shortest, 1), min(start + longest, len(bordered)) + 1):
                border = end - start == 1 and (start == 0 or end == len(bordered))
                if not border:
                    found.append(_fnv(bordered[start:end].encode()) % buckets)
        return found


def _fnv(data: bytes) -> int:
    """FNV-1a of 32 bits, with bytes sign-extended as fastText's `int8_t` does."""
    value = FNV_BASIS
    for byte in data:
        value ^= byte if byte < 0x80 else byte | 0xFFFFFF00
        value = value * FNV_PRIME & 0xFFFFFFFF
    return value

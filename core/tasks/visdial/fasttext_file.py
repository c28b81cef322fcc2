"""Where everything stands in a fastText `.bin` file, without reading it.

The header tells how many words and rows there are, and from the file's size it follows where the
matrix begins. Source: the file format of fastText, with its present header and the one before it.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from typing import NamedTuple

from core.tasks.visdial.vocabulary import SHORTEST_ENTRY, find_rows

MAGIC = 793712314
VERSION = 12
WIDEST = 10_000
"""Columns of a matrix; no model has nearly as many."""
NUMBERS, SIZES, SHAPE = "<12id", "<3iq", "<2q"


class FastTextError(Exception):
    """The file is no fastText model that can be read; the sentence says why."""


class Arguments(NamedTuple):
    """The training arguments that decide how vectors are made."""

    dim: int
    bucket: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class Places:
    """The entries of `words` words stand from `vocabulary` to `end`, the `rows` from `matrix` on.

    `end` is checked against the words themselves when these are walked.
    """

    arguments: Arguments
    words: int
    vocabulary: int
    end: int
    matrix: int

    @property
    def rows(self) -> int:
        """A row for every word, then one for every bucket of n-grams."""
        return self.words + self.arguments.bucket


def places_of(file: mmap.mmap) -> Places:
    """Find everything in a file. Raises FastTextError."""
    try:
        found = _Header(file).places()
    except (struct.error, OverflowError) as fault:
        raise FastTextError("the file ends before the model does") from fault
    if found.matrix + 4 * found.rows * found.arguments.dim > len(file):
        raise FastTextError("the file ends within the matrix")
    return found


class _Header:
    """The numbers at the beginning of a file, and what stands where according to them."""

    def __init__(self, file: mmap.mmap) -> None:
        self._file = file
        first, second = struct.unpack_from("<2i", file, 0)
        new = first == MAGIC
        if new and second != VERSION:
            raise FastTextError(
                f"version {second} of the file format is unknown, {VERSION} is read"
            )
        self._new = new
        # A new file tells before each matrix whether it is compressed.
        self._head = struct.calcsize(SHAPE) + (1 if new else 0)
        at = 8 if new else 0
        numbers = struct.unpack_from(NUMBERS, file, at)
        self._arguments = Arguments(numbers[0], numbers[8], numbers[9], numbers[10])
        at += struct.calcsize(NUMBERS)
        size, self._words, labels, _tokens = struct.unpack_from(SIZES, file, at)
        at += struct.calcsize(SIZES)
        dim, bucket, _, _ = self._arguments
        if labels or size != self._words or self._words < 0 or bucket < 0 or not 0 < dim <= WIDEST:
            raise FastTextError("it is no fastText model of words")
        pruned = 0
        if new:
            (pruned,) = struct.unpack_from("<q", file, at)
            at += 8
        self._pairs = 8 * max(pruned, 0)
        self._begin = at

    def places(self) -> Places:
        """The places that the file's size tells; else all words are walked to their end.

        Only a file that was cut behind the matrix, or has something appended, needs the walk.
        """
        words, rows = self._words, self._words + self._arguments.bucket
        matrix = len(self._file) - self._size(rows) - self._size(words)
        end = matrix - self._pairs
        sound = self._stands(matrix, rows) and self._stands(matrix + self._size(rows), words)
        if end < self._begin + SHORTEST_ENTRY * words or not sound:
            end = self._walked()
            matrix = end + self._pairs
            if self._new and struct.unpack_from("<?", self._file, matrix)[0]:
                raise FastTextError("it is a compressed model (.ftz); the full .bin is needed")
            if not self._stands(matrix, rows):
                raise FastTextError("the matrix does not fit the header")
        return Places(self._arguments, words, self._begin, end, matrix + self._head)

    def _walked(self) -> int:
        """The end of the vocabulary, after its last word."""
        _, end = find_rows(self._file, self._begin, len(self._file), self._words, ())
        if end < 0:
            raise FastTextError("the file ends within the vocabulary")
        return end

    def _size(self, rows: int) -> int:
        """The bytes of a matrix, with what stands before it."""
        return self._head + 4 * rows * self._arguments.dim

    def _stands(self, at: int, rows: int) -> bool:
        """Whether a matrix of so many rows, not compressed, stands at a place."""
        shape = struct.pack(SHAPE, rows, self._arguments.dim)
        head = b"\0" + shape if self._new else shape
        return at >= 0 and self._file[at : at + self._head] == head

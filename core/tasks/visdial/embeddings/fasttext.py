"""fastText word vectors from a memory-mapped `.bin` file.

A vector is the mean of the word's row, if it has one, and the rows of its character n-grams.
Source: Bojanowski et al., Enriching Word Vectors with Subword Information (2017).
"""

from __future__ import annotations

import mmap
import struct
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import failure_reason, fill
from jurydesk.core.model.evaluation import IntArray, ResourceMissing

try:
    from jurydesk.core.tasks.visdial.embeddings._vocabulary import rows_of
except ImportError:  # installed without a compiler
    rows_of = None

AVAILABLE = rows_of is not None
COUNT_AND_TYPE = 9  # bytes after a word's NUL
SHORTEST_ENTRY = 1 + COUNT_AND_TYPE


def find_rows(
    file: mmap.mmap, at: int, end: int, words: int, wanted: Sequence[bytes]
) -> tuple[IntArray, int]:
    """Return the row (wanted,) of each word (-1: unknown), and the vocabulary's end.

    The vocabulary has `words` entries from offset `at`; its end is -1 if they exceed `end`. The
    wanted words are distinct; a repeated vocabulary word has its first row.
    """
    if AVAILABLE:
        found: tuple[IntArray, int] = rows_of(file, at, end, words, list(wanted))
        return found
    return plain_rows(file, at, end, words, wanted)


def plain_rows(
    file: mmap.mmap, at: int, end: int, words: int, wanted: Sequence[bytes]
) -> tuple[IntArray, int]:
    """Find words in pure Python, about thirty times slower than the compiled module."""
    places = {word: number for number, word in enumerate(wanted)}
    rows = np.full(len(wanted), -1, np.int64)
    for row in range(words):
        stop = file.find(b"\0", at, end)
        if stop < 0 or stop + COUNT_AND_TYPE >= end:
            return rows, -1
        number = places.pop(file[at:stop], None)
        if number is not None:
            rows[number] = row
        at = stop + 1 + COUNT_AND_TYPE
    return rows, at


MAGIC = 793712314
VERSION = 12
WIDEST = 10_000
"""Maximum number of columns of a matrix."""
NUMBERS, SIZES, SHAPE = "<12id", "<3iq", "<2q"


class FastTextError(Exception):
    """Error of an unreadable fastText model."""


class Arguments(NamedTuple):
    """Training arguments that determine the vectors."""

    dim: int
    bucket: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class FileSections:
    """Offsets of the vocabulary (`vocabulary` to `end`, `words` entries) and of the `matrix`.

    `end` is verified when the vocabulary is scanned.
    """

    arguments: Arguments
    words: int
    vocabulary: int
    end: int
    matrix: int

    @property
    def rows(self) -> int:
        """Number of rows: one for every word, then one for every bucket of n-grams."""
        return self.words + self.arguments.bucket


def locate_sections(file: mmap.mmap) -> FileSections:
    """Locate the sections of a file; raise FastTextError if it is invalid."""
    try:
        found = _Header(file).places()
    except (struct.error, OverflowError) as fault:
        raise FastTextError("the file ends before the model does") from fault
    if found.matrix + 4 * found.rows * found.arguments.dim > len(file):
        raise FastTextError("the file ends within the matrix")
    return found


class _Header:
    """Header of a file and the offsets derived from it."""

    def __init__(self, file: mmap.mmap) -> None:
        self._file = file
        first, second = struct.unpack_from("<2i", file, 0)
        new = first == MAGIC
        if new and second != VERSION:
            raise FastTextError(
                f"version {second} of the file format is unsupported; {VERSION} is expected"
            )
        self._new = new
        # New files have a compression flag before each matrix.
        self._head = struct.calcsize(SHAPE) + (1 if new else 0)
        at = 8 if new else 0
        numbers = struct.unpack_from(NUMBERS, file, at)
        self._arguments = Arguments(numbers[0], numbers[8], numbers[9], numbers[10])
        at += struct.calcsize(NUMBERS)
        size, self._words, labels, _tokens = struct.unpack_from(SIZES, file, at)
        at += struct.calcsize(SIZES)
        dim, bucket, _, _ = self._arguments
        if labels or size != self._words or self._words < 0 or bucket < 0 or not 0 < dim <= WIDEST:
            raise FastTextError("it is not a fastText word model")
        pruned = 0
        if new:
            (pruned,) = struct.unpack_from("<q", file, at)
            at += 8
        self._pairs = 8 * max(pruned, 0)
        self._begin = at

    def places(self) -> FileSections:
        """Locate the sections from the file's size, else by a scan of the vocabulary.

        Only a file truncated after the matrix, or with appended data, needs the scan.
        """
        words, rows = self._words, self._words + self._arguments.bucket
        matrix = len(self._file) - self._size(rows) - self._size(words)
        end = matrix - self._pairs
        is_complete = self._has_matrix(matrix, rows) and self._has_matrix(
            matrix + self._size(rows), words
        )
        if end < self._begin + SHORTEST_ENTRY * words or not is_complete:
            end = self._vocabulary_end()
            matrix = end + self._pairs
            if self._new and struct.unpack_from("<?", self._file, matrix)[0]:
                raise FastTextError("it is a compressed model (.ftz); the full .bin is needed")
            if not self._has_matrix(matrix, rows):
                raise FastTextError("the matrix does not fit the header")
        return FileSections(self._arguments, words, self._begin, end, matrix + self._head)

    def _vocabulary_end(self) -> int:
        """Return the end of the vocabulary, after its last word."""
        _, end = find_rows(self._file, self._begin, len(self._file), self._words, ())
        if end < 0:
            raise FastTextError("the file ends within the vocabulary")
        return end

    def _size(self, rows: int) -> int:
        """Return the size of a matrix in bytes, with its header."""
        return self._head + 4 * rows * self._arguments.dim

    def _has_matrix(self, at: int, rows: int) -> bool:
        """Return whether an uncompressed matrix of `rows` rows begins at an offset."""
        shape = struct.pack(SHAPE, rows, self._arguments.dim)
        head = b"\0" + shape if self._new else shape
        return at >= 0 and self._file[at : at + self._head] == head


SMALLEST = 64
"""Minimum size of a file in bytes."""
TOUCHED = 250
"""Rows read before their memory is released; the system maps up to 64 kB around each."""
SHOWN = 40
"""Maximum number of characters of a word in a message."""
FNV_BASIS, FNV_PRIME = 2166136261, 16777619

Float32Array = npt.NDArray[np.float32]


class FastText:
    """A memory-mapped fastText model.

    One scan of the vocabulary finds any number of words: `look_up` all required words first.
    """

    def __init__(self, path: Path) -> None:
        """Open the model at `path`. Raises ResourceMissing if it is not a word model."""
        self._path = path
        self._known: dict[str, int] = {}
        self._touched = 0
        try:
            self._file = _open_mapping(path)
            self._places = locate_sections(self._file)
        except OSError as fault:
            raise self._unreadable_error(failure_reason(fault)) from fault
        except FastTextError as fault:
            raise self._unreadable_error(fault) from fault
        self._matrix = self._rows()

    @property
    def arguments(self) -> Arguments:
        """Training arguments that determine the vectors."""
        return self._places.arguments

    def _unreadable_error(self, why: object) -> ResourceMissing:
        return ResourceMissing(fill("fastText model {path}: {why}.", self._path, why))

    def _rows(self) -> Float32Array:
        """Return the rows (rows, dim), mapped with random-access advice."""
        rows, dim, at = self._places.rows, self.arguments.dim, self._places.matrix
        if sys.platform != "win32" and hasattr(mmap, "MADV_RANDOM"):
            page = at // mmap.PAGESIZE * mmap.PAGESIZE
            self._file.madvise(mmap.MADV_RANDOM, page, len(self._file) - page)
        return np.frombuffer(self._file, np.float32, rows * dim, at).reshape(rows, dim)

    def _release_pages(self) -> None:
        """Release the mapped pages from this process's memory."""
        self._touched = 0
        if sys.platform != "win32" and hasattr(mmap, "MADV_DONTNEED"):
            self._file.madvise(mmap.MADV_DONTNEED)

    def look_up(self, words: Iterable[str]) -> None:
        """Find the rows of words; raise ResourceMissing if the vocabulary is damaged."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if not new:
            return
        places, spelled = self._places, [_bytes(word) for word in new]
        rows, end = find_rows(self._file, places.vocabulary, places.end, places.words, spelled)
        self._release_pages()
        if end != places.end:
            raise self._unreadable_error("the vocabulary does not end where the matrix begins")
        self._known.update(zip(new, rows.tolist(), strict=True))

    def vector(self, word: str) -> Float32Array:
        """Return the vector (dim,) of a word; zeros for an unknown word without n-grams.

        Raises ResourceMissing for a damaged vocabulary or a vector that is not finite.
        """
        self.look_up((word,))
        rows = [row for row in (self._known[word],) if row >= 0]
        rows += [self._places.words + bucket for bucket in self._buckets(word)]
        if not rows:
            return np.zeros(self.arguments.dim, np.float32)
        self._touched += len(rows)
        if self._touched > TOUCHED:
            self._release_pages()
        with np.errstate(all="ignore"):
            mean = self._matrix[rows].sum(axis=0, dtype=np.float32) / np.float32(len(rows))
        if not np.isfinite(mean).all():
            raise self._unreadable_error(f"the vector of “{word[:SHOWN]}” is not finite")
        return np.asarray(mean)

    def _buckets(self, word: str) -> list[int]:
        """Return the bucket of every n-gram of the bordered word, in fastText's order."""
        _, buckets, shortest, longest = self.arguments
        if not buckets or longest < 1:
            return []
        bordered = f"<{word}>"
        found = []
        for start in range(len(bordered)):
            for end in range(start + max(shortest, 1), min(start + longest, len(bordered)) + 1):
                border = end - start == 1 and (start == 0 or end == len(bordered))
                if not border:
                    found.append(_fnv(_bytes(bordered[start:end])) % buckets)
        return found


def _open_mapping(path: Path) -> mmap.mmap:
    with path.open("rb") as stream:
        if path.stat().st_size < SMALLEST:
            raise FastTextError("the file is too short to be a fastText model")
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


def _bytes(text: str) -> bytes:
    """Encode a text; lone surrogates, which no model contains, are kept."""
    return text.encode("utf-8", "surrogatepass")


def _fnv(data: bytes) -> int:
    """Return the 32-bit FNV-1a hash, with bytes sign-extended as fastText's `int8_t` does."""
    value = FNV_BASIS
    for byte in data:
        value ^= byte if byte < 0x80 else byte | 0xFFFFFF00
        value = value * FNV_PRIME & 0xFFFFFFFF
    return value

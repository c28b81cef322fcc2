"""Word vectors out of a fastText `.bin` file, which is mapped and never read whole.

A vector is the mean of the word's own row, where it has one, and the rows of its character
n-grams. Source: Bojanowski et al., Enriching Word Vectors with Subword Information (2017).
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.model import ResourceMissing
from core.tasks.visdial.fasttext_file import Arguments, FastTextError, places_of
from core.tasks.visdial.vocabulary import find_rows

SMALLEST = 64
"""Bytes of a file that is worth a look."""
TOUCHED = 250
"""Rows that are read before their memory is let go; the system maps up to 64 kB around each."""
SHOWN = 40
"""Characters of a word that are told."""
FNV_BASIS, FNV_PRIME = 2166136261, 16777619

Float32Array = npt.NDArray[np.float32]


class FastText:
    """A fastText model that stays on the disk: words and rows are read when they are asked for.

    A walk over the vocabulary finds any number of words: `look_up` all that are wanted first.
    """

    def __init__(self, path: Path) -> None:
        """Open the model at `path`. Raises ResourceMissing for what is no model of words."""
        self._path = path
        self._known: dict[str, int] = {}
        self._touched = 0
        try:
            self._file = _mapped(path)
            self._places = places_of(self._file)
        except OSError as fault:
            raise self._unreadable(fault.strerror or fault) from fault
        except FastTextError as fault:
            raise self._unreadable(fault) from fault
        self._matrix = self._rows()

    @property
    def arguments(self) -> Arguments:
        """The training arguments that decide how vectors are made."""
        return self._places.arguments

    def _unreadable(self, why: object) -> ResourceMissing:
        return ResourceMissing(f"fastText model {self._path}: {why}.")

    def _rows(self) -> Float32Array:
        """The rows (rows, dim); the system is told that they are read here and there."""
        rows, dim, at = self._places.rows, self.arguments.dim, self._places.matrix
        if hasattr(mmap, "MADV_RANDOM"):
            page = at // mmap.PAGESIZE * mmap.PAGESIZE
            self._file.madvise(mmap.MADV_RANDOM, page, len(self._file) - page)
        return np.frombuffer(self._file, np.float32, rows * dim, at).reshape(rows, dim)

    def _let_go(self) -> None:
        """Tell the system that what was read of the file is not needed in this process's memory."""
        self._touched = 0
        if hasattr(mmap, "MADV_DONTNEED"):
            self._file.madvise(mmap.MADV_DONTNEED)

    def look_up(self, words: Iterable[str]) -> None:
        """Find the rows of words. Raises ResourceMissing where the vocabulary is damaged."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if not new:
            return
        places, spelled = self._places, [_bytes(word) for word in new]
        rows, end = find_rows(self._file, places.vocabulary, places.end, places.words, spelled)
        self._let_go()
        if end != places.end:
            raise self._unreadable("the vocabulary does not end where the matrix begins")
        self._known.update(zip(new, rows.tolist(), strict=True))

    def vector(self, word: str) -> Float32Array:
        """The vector (dim,) of a word; zeros for an unknown word without n-grams.

        Raises ResourceMissing, as `look_up`, and for one that is no vector of finite numbers.
        """
        self.look_up((word,))
        rows = [row for row in (self._known[word],) if row >= 0]
        rows += [self._places.words + bucket for bucket in self._buckets(word)]
        if not rows:
            return np.zeros(self.arguments.dim, np.float32)
        self._touched += len(rows)
        if self._touched > TOUCHED:
            self._let_go()
        with np.errstate(all="ignore"):
            mean = self._matrix[rows].sum(axis=0, dtype=np.float32) / np.float32(len(rows))
        if not np.isfinite(mean).all():
            raise self._unreadable(f"the vector of “{word[:SHOWN]}” is not finite")
        return np.asarray(mean)

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
                    found.append(_fnv(_bytes(bordered[start:end])) % buckets)
        return found


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as stream:
        if path.stat().st_size < SMALLEST:
            raise FastTextError("the file is too short to be a fastText model")
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


def _bytes(text: str) -> bytes:
    """A text of a file may hold half a surrogate pair, which no model knows."""
    return text.encode("utf-8", "surrogatepass")


def _fnv(data: bytes) -> int:
    """FNV-1a of 32 bits, with bytes sign-extended as fastText's `int8_t` does."""
    value = FNV_BASIS
    for byte in data:
        value ^= byte if byte < 0x80 else byte | 0xFFFFFF00
        value = value * FNV_PRIME & 0xFFFFFFFF
    return value

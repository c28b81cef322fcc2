"""The words of a fastText `.bin` file, which are found where they stand and never kept.

An entry is the word in UTF-8, a NUL, how often it occurred (8 bytes) and what it is (1 byte): each
one's place is known from the one before alone, so all are walked. A walk looks for many words at
once; compiled it takes a few hundredths of a second for millions of entries.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence

import numpy as np

from core.model import IntArray

try:
    from core.tasks.visdial._vocabulary import rows_of
except ImportError:  # no compiler was at hand when the program was installed
    rows_of = None

AVAILABLE = rows_of is not None
COUNT_AND_TYPE = 9  # bytes after a word's NUL
SHORTEST_ENTRY = 1 + COUNT_AND_TYPE


def find_rows(
    file: mmap.mmap, at: int, end: int, words: int, wanted: Sequence[bytes]
) -> tuple[IntArray, int]:
    """The row (wanted,) of each wanted word, -1 for an unknown one, and where the vocabulary ends.

    It has `words` entries from `at` on; its end is -1 where they go beyond `end`. The wanted words
    are all different; a word that stands there twice has its first row.
    """
    if AVAILABLE:
        found: tuple[IntArray, int] = rows_of(file, at, end, words, list(wanted))
        return found
    return plain_rows(file, at, end, words, wanted)


def plain_rows(
    file: mmap.mmap, at: int, end: int, words: int, wanted: Sequence[bytes]
) -> tuple[IntArray, int]:
    """The same without a compiler, some thirty times as slow."""
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

"""The order of a million cells: numbers by value, texts as a reader would sort them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.model import IntArray

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

_SEPARATOR = "\0"
_ZERO = ord("0")
_LONGEST_NUMBER = 255
_FIRST_BYTES = np.array([(2**64 - 1) ^ ((1 << 8 * (8 - n)) - 1) for n in range(9)], dtype=np.uint64)


def sorted_rows(key: npt.NDArray[Any], rows: IntArray, *, descending: bool) -> IntArray:
    """The `rows` sorted by `key[rows]`; NaN comes last both ways, and equal rows keep their order.

    `key` has one number for every row of the table, `rows` is any selection of its indices.
    """
    values = key[rows]
    if descending:
        # The complement turns integers round without the overflow of their negative.
        values = -values if values.dtype.kind == "f" else ~values
    return rows[np.argsort(values, kind="stable")]


def text_ranks(texts: Sequence[str]) -> IntArray:
    """The rank (n,) of each text: case does not count, and q2 stands before q10.

    Equal texts have equal ranks. Eight bytes of every text are compared at a time, the last ones
    first, so that memory grows with the number of texts and not with the longest.
    """
    if not texts:
        return np.empty(0, dtype=np.int64)
    data, starts, lengths = _comparable(texts)
    order = np.arange(len(texts))
    differs = np.zeros(len(texts), dtype=bool)
    words = _words(data)
    chunks = [_chunk(words, starts, lengths, at) for at in range(0, int(lengths.max()), 8)]
    chunks = [chunk for chunk in chunks if (chunk != chunk[0]).any()]
    for chunk in reversed(chunks):
        order = order[np.argsort(chunk[order], kind="stable")]
    for chunk in chunks:
        differs[1:] |= chunk[order[1:]] != chunk[order[:-1]]
    ranks = np.empty(len(texts), dtype=np.int64)
    ranks[order] = np.cumsum(differs)
    return ranks


def _comparable(texts: Sequence[str]) -> tuple[Bytes, IntArray, IntArray]:
    """All texts as bytes that compare in natural order, with the start and length of each.

    A number is written as "0", the count of its digits, and its digits without leading zeros: so
    a longer number is a larger one, and numbers stay between punctuation and letters.
    """
    joined = _SEPARATOR.join(texts)
    if joined.count(_SEPARATOR) >= len(texts):
        joined = _SEPARATOR.join(text.replace(_SEPARATOR, " ") for text in texts)
    data = np.frombuffer(joined.casefold().encode("utf-8", "surrogatepass"), dtype=np.uint8)
    data = _with_counts(*_without_leading_zeros(data))
    breaks = np.flatnonzero(data == 0)
    starts = np.append(0, breaks + 1)
    return data, starts, np.append(breaks, len(data)) - starts


def _numbers(data: Bytes) -> tuple[IntArray, IntArray]:
    """Where the runs of digits begin, and where they end (exclusive)."""
    digit = np.zeros(len(data) + 2, dtype=bool)
    digit[1:-1] = (data - np.uint8(_ZERO)) < np.uint8(10)
    edges = np.flatnonzero(digit[1:] != digit[:-1])
    return edges[::2], edges[1::2]


def _without_leading_zeros(data: Bytes) -> tuple[Bytes, IntArray, IntArray]:
    """The bytes without the zeros before another digit, and where its numbers begin and end."""
    begins, ends = _numbers(data)
    kept = np.ones(len(data), dtype=bool)
    dropped = np.zeros(len(begins), dtype=np.int64)
    numbers = np.flatnonzero((data[begins] == _ZERO) & (begins + 1 < ends))
    while len(numbers):
        at = begins[numbers] + dropped[numbers]
        kept[at] = False
        dropped[numbers] += 1
        numbers = numbers[(data[at + 1] == _ZERO) & (at + 2 < ends[numbers])]
    if not dropped.any():
        return data, begins, ends
    so_far = np.cumsum(dropped)
    return data[kept], begins - so_far + dropped, ends - so_far


def _with_counts(data: Bytes, begins: IntArray, ends: IntArray) -> Bytes:
    """The bytes with "0" and the count of its digits before every number."""
    marks = begins + 2 * np.arange(len(begins))
    counted = np.empty(len(data) + 2 * len(begins), dtype=np.uint8)
    free = np.ones(len(counted), dtype=bool)
    free[marks] = free[marks + 1] = False
    counted[free] = data
    counted[marks] = _ZERO
    counted[marks + 1] = np.minimum(ends - begins, _LONGEST_NUMBER)
    return counted


def _chunk(words: Words, starts: IntArray, lengths: IntArray, at: int) -> Words:
    """Eight bytes of every text from offset `at`, as one number; beyond its end stands 0."""
    inside = np.clip(lengths - at, 0, 8)
    return words[np.minimum(starts + at, len(words) - 1)] & _FIRST_BYTES[inside]


def _words(data: Bytes) -> Words:
    """The eight bytes from every offset on as one number, the first byte weighing most: a view."""
    padded = np.append(data, np.zeros(8, dtype=np.uint8))
    return np.ndarray(len(data) + 1, dtype=">u8", buffer=padded, strides=(1,))

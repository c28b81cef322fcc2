"""Sorting of large columns: numbers by value, texts in natural order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import BoolArray, IntArray

Bytes = npt.NDArray[np.uint8]

BLOCK_TEXTS = 1 << 14
"""Texts processed at a time, so that intermediate results stay in the processor's cache."""
WORD_BYTES = 8
_SEPARATOR = "\0"
_ZERO = ord("0")
_LONGEST_NUMBER = 255


def natural_bytes(texts: Sequence[str]) -> tuple[Bytes, IntArray, IntArray]:
    """Return the bytes of all texts, each followed by a 0, with the start and length of each.

    Eight zeros follow the last text, so that words of eight bytes can be read at any offset.

    A number becomes "0", the count of its digits, and its digits without leading zeros: so longer
    numbers are larger, and numbers sort between punctuation and letters.
    """
    blocks, ends, length = [], [], 0
    for at in range(0, len(texts), BLOCK_TEXTS):
        blocks.append(_block(texts[at : at + BLOCK_TEXTS]))
        ends.append(np.flatnonzero(blocks[-1] == 0) + length)
        length += len(blocks[-1])
    stops = np.concatenate([np.arange(0), *ends])
    starts = np.append(0, stops + 1)[:-1]
    return np.concatenate([*blocks, np.zeros(WORD_BYTES, dtype=np.uint8)]), starts, stops - starts


def _block(texts: Sequence[str]) -> Bytes:
    joined = _SEPARATOR.join(texts)
    if joined.count(_SEPARATOR) >= len(texts):
        joined = _SEPARATOR.join(text.replace(_SEPARATOR, " ") for text in texts)
    folded = (joined + _SEPARATOR).casefold().encode("utf-8", "surrogatepass")
    return _count_leading_zeros(np.frombuffer(folded, dtype=np.uint8))


def _count_leading_zeros(data: Bytes) -> Bytes:
    """Return the bytes with leading zeros of numbers replaced by "0" and the count of digits."""
    begins, ends = _runs(_is_digit(data))
    kept, zeros = _strip_leading_zeros(data, begins)
    marks = begins - np.cumsum(zeros) + zeros + 2 * np.arange(len(begins))
    counted = np.empty(len(kept) + 2 * len(begins), dtype=np.uint8)
    free = np.ones(len(counted), dtype=bool)
    free[marks] = free[marks + 1] = False
    counted[np.flatnonzero(free)] = kept  # places take half the time of masks
    counted[marks] = _ZERO
    counted[marks + 1] = np.minimum(ends - begins - zeros, _LONGEST_NUMBER)
    return counted


def _is_digit(data: Bytes) -> BoolArray:
    return (data - np.uint8(_ZERO)) < np.uint8(10)


def _runs(mask: BoolArray) -> tuple[IntArray, IntArray]:
    """Return where the runs of True begin, and where they end (exclusive)."""
    framed = np.zeros(len(mask) + 2, dtype=bool)
    framed[1:-1] = mask
    edges = np.flatnonzero(framed[1:] != framed[:-1])
    return edges[::2], edges[1::2]


def _strip_leading_zeros(data: Bytes, begins: IntArray) -> tuple[Bytes, IntArray]:
    """Return the bytes without leading zeros, and their count for each number (n,)."""
    firsts, ends = _runs(data == _ZERO)
    leading = ~_is_digit(data[firsts - 1])  # before the first byte stands the last, which is 0
    firsts, ends = firsts[leading], ends[leading]
    ends = ends - ~_is_digit(data[ends])  # the last digit stays
    zeros = np.zeros(len(begins), dtype=np.int64)
    zeros[data[begins] == _ZERO] = ends - firsts
    if not len(firsts):
        return data, zeros
    change = np.zeros(len(data), dtype=np.int8)
    change[firsts] += 1
    change[ends] -= 1
    return data[np.flatnonzero(np.cumsum(change, dtype=np.int8) == 0)], zeros


Words = npt.NDArray[np.uint64]

_FIRST_BYTES = np.array([(2**64 - 1) ^ ((1 << 8 * (8 - n)) - 1) for n in range(9)], dtype=np.uint64)


def sorted_rows(key: npt.NDArray[Any], rows: IntArray, *, descending: bool) -> IntArray:
    """Return `rows` sorted stably by `key[rows]`; NaN comes last in both directions.

    `key` has a number for every row of the table, and `rows` is any selection of its indices.
    """
    values = key[rows]
    if descending:
        values = -values if values.dtype.kind == "f" else ~values
    return rows[np.argsort(values, kind="stable")]


def text_ranks(texts: Sequence[str]) -> IntArray:
    """Return the rank (n,) of each text: case is ignored, and q2 precedes q10.

    Equal texts have equal ranks: the place of the first of them. Eight bytes are compared at a
    time, and only of texts that are equal so far, so memory does not grow with the longest text.
    """
    ranks = np.zeros(len(texts), dtype=np.int64)
    data, starts, lengths = natural_bytes(texts)
    windows = _windows(data)
    rows = places = np.arange(len(texts))
    group, at = ranks.copy(), 0
    while len(rows):
        words = _words(windows, starts, lengths, rows, at)
        shared = _shared_bytes(words, group)
        if shared == 0:
            order = np.lexsort((words, group))
            rows, words = rows[order], words[order]
            group = _refine_groups(group, words, places)
            ranks[rows] = group
        if shared in (0, WORD_BYTES):
            open_ = np.flatnonzero(_has_equals(group) & (words & np.uint64(0xFF) != 0))
            rows, group, places = rows[open_], group[open_], places[open_]
        at += shared or WORD_BYTES
    return ranks


def _shared_bytes(words: Words, group: IntArray) -> int:
    """Return the number of leading bytes that are equal in each group of words (n,)."""
    differs = words[1:] ^ words[:-1]
    differs[group[1:] != group[:-1]] = 0
    return WORD_BYTES - (int(np.bitwise_or.reduce(differs)).bit_length() + 7) // 8


def _refine_groups(group: IntArray, words: Words, places: IntArray) -> IntArray:
    """Return the groups (n,) of sorted rows with the same group and the same word.

    A group's number is the first of the `places` (n,) of its rows among all texts.
    """
    new = np.ones(len(words), dtype=bool)
    new[1:] = (words[1:] != words[:-1]) | (group[1:] != group[:-1])
    firsts = np.flatnonzero(new)
    return np.repeat(places[firsts], np.diff(firsts, append=len(words)))


def _has_equals(group: IntArray) -> BoolArray:
    """Return which rows (n,) share their group with others."""
    same = np.zeros(len(group) + 1, dtype=bool)
    same[1:-1] = group[1:] == group[:-1]
    return same[1:] | same[:-1]


def _words(windows: Words, starts: IntArray, lengths: IntArray, rows: IntArray, at: int) -> Words:
    """Return eight bytes at offset `at` of the texts of `rows` as numbers, padded with 0."""
    words = np.empty(len(rows), dtype=np.uint64)
    for low in range(0, len(rows), BLOCK_TEXTS):
        chosen = rows[low : low + BLOCK_TEXTS]
        inside = np.clip(lengths[chosen] - at, 0, WORD_BYTES)
        places = np.minimum(starts[chosen] + at, len(windows) - 1)
        words[low : low + BLOCK_TEXTS] = windows[places] & _FIRST_BYTES[inside]
    return words


def _windows(data: Bytes) -> Words:
    """Return a view of the eight bytes at every offset as a big-endian number."""
    return np.ndarray(len(data) - WORD_BYTES + 1, dtype=">u8", buffer=data, strides=(1,))

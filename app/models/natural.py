"""Texts as bytes that compare as a reader would sort them: without case, and q2 before q10."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.model import BoolArray, IntArray

Bytes = npt.NDArray[np.uint8]

BLOCK_TEXTS = 1 << 14
"""What is made of so many texts at a time stays in the processor's cache."""
WORD_BYTES = 8
_SEPARATOR = "\0"
_ZERO = ord("0")
_LONGEST_NUMBER = 255


def natural_bytes(texts: Sequence[str]) -> tuple[Bytes, IntArray, IntArray]:
    """The bytes of all texts, each followed by a 0, with the start and the length of each.

    Eight zeros follow the last, so that words of eight bytes can be read from everywhere.

    A number is written as "0", the count of its digits, and its digits without leading zeros: so
    a longer number is a larger one, and numbers stay between punctuation and letters.
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
    return _with_counts(np.frombuffer(folded, dtype=np.uint8))


def _with_counts(data: Bytes) -> Bytes:
    """The bytes with "0" and the count of its digits before every number, in place of its zeros."""
    begins, ends = _runs(_is_digit(data))
    kept, zeros = _without_leading_zeros(data, begins)
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


def _runs(wanted: BoolArray) -> tuple[IntArray, IntArray]:
    """Where the runs of wanted bytes begin, and where they end (exclusive)."""
    framed = np.zeros(len(wanted) + 2, dtype=bool)
    framed[1:-1] = wanted
    edges = np.flatnonzero(framed[1:] != framed[:-1])
    return edges[::2], edges[1::2]


def _without_leading_zeros(data: Bytes, begins: IntArray) -> tuple[Bytes, IntArray]:
    """The bytes without zeros before another digit, and how many each number (n,) had of them."""
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

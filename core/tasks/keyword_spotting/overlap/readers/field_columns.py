"""Columns of fields that stay where they are in a text, read eight bytes at a time.

Names are numbered and numbers computed for all rows at once; what is no plain number is left to
Python, field by field.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

Words = npt.NDArray[np.uint64]
Array = npt.NDArray[Any]

BLOCK = 1 << 16
"""Fields whose numbers are computed together."""
BYTES = 8
PADDING = b"\n" * BYTES
"""End of a text, so that eight bytes can be read from each place."""
LARGEST = 2**31 - 1
"""Largest coordinate or size of a box."""
EXACT = 2.0**53
MOST_DIGITS = 15
"""Digits whose number, divided by a power of ten, is rounded once."""
ZEROS, SIXES = np.uint64(0x3030303030303030), np.uint64(0x0606060606060606)
HIGH = np.uint64(0xF0F0F0F0F0F0F0F0)
MASKS = np.array([(1 << 8 * size) - 1 for size in range(BYTES + 1)], np.uint64)
SHIFTS = np.array([8 * (BYTES - size) for size in range(BYTES + 1)], np.uint64)
POWERS = np.array([10.0**power for power in range(MOST_DIGITS + 1)])
WHOLE = re.compile(rb"-?[0-9]+")
DECIMAL = re.compile(rb"[-+]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")


@dataclass(frozen=True, slots=True, eq=False)
class FieldColumn:
    """Fields (n,) of a text that ends with `PADDING`, by their first bytes and sizes."""

    text: bytes
    begin: IntArray
    size: IntArray

    def __len__(self) -> int:
        return len(self.begin)

    def __getitem__(self, row: int) -> bytes:
        start = int(self.begin[row])
        return self.text[start : start + int(self.size[row])]

    def texts(self) -> list[bytes]:
        """Return all fields."""
        ends = (self.begin + self.size).tolist()
        text = self.text
        return [text[start:end] for start, end in zip(self.begin.tolist(), ends, strict=True)]

    def take(self, rows: IntArray | BoolArray | slice) -> FieldColumn:
        """Return the fields of some rows."""
        return FieldColumn(self.text, self.begin[rows], self.size[rows])

    def names(self) -> tuple[list[bytes], IntArray]:
        """Return the different fields in the order of the file, and the number (n,) of each."""
        longest = int(self.size.max(initial=0))
        words = [self._words(place) for place in range(0, longest, BYTES)]
        key = self.size.astype(np.uint64)
        for word in words:
            key = (key ^ (key >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9) + word
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        same = first[inverse]
        if any((word[same] != word).any() for word in words):  # equal keys of different names
            known: dict[bytes, int] = {}
            numbers = [known.setdefault(name, len(known)) for name in self.texts()]
            return list(known), np.array(numbers, np.int64)
        order = np.argsort(first, kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return [self[row] for row in first[order].tolist()], place[inverse]

    def wholes(self) -> tuple[IntArray, BoolArray]:
        """Return the whole numbers (n,) and which fields are one; others are 0.

        Numbers beyond 64 bits are the largest.
        """
        return _by_blocks([one._wholes() for one in self._blocks()], np.int64)

    def _wholes(self) -> tuple[IntArray, BoolArray]:
        values, is_number = self._digits(self.begin, self.size)
        for row in np.flatnonzero(~is_number).tolist():
            field = self[row]
            if WHOLE.fullmatch(field):
                number = int(field) if len(field) < 19 else math.copysign(2**62, int(field[:2]))
                values[row], is_number[row] = int(number), True
        return values, is_number

    def decimals(self) -> tuple[FloatArray, BoolArray]:
        """Return the decimal numbers (n,) and which fields are a finite one; others are NaN."""
        return _by_blocks([one._decimals() for one in self._blocks()], np.float64)

    def _blocks(self) -> Iterator[FieldColumn]:
        """Yield the fields in blocks, so that their numbers take little room at a time."""
        for start in range(0, len(self), BLOCK):
            yield self.take(slice(start, start + BLOCK))

    def _decimals(self) -> tuple[FloatArray, BoolArray]:
        first, last = int(self.begin.min()), int((self.begin + self.size).max())
        text = np.frombuffer(self.text, np.uint8)
        minus = text[self.begin] == ord("-")
        begin, size = self.begin + minus, self.size - minus
        dots = np.flatnonzero(text[first:last] == ord(".")) + first
        at = np.searchsorted(dots, begin)
        point = np.append(dots, len(text))[at]
        end = begin + size
        whole = np.minimum(point, end) - begin
        rest = np.maximum(end - point - 1, 0)
        before, is_before = self._digits(begin, whole)
        after, is_after = self._digits(np.minimum(point + 1, len(text) - BYTES), rest)
        plain = (is_before | (whole == 0)) & (is_after | (rest == 0))
        plain &= (whole + rest > 0) & (whole + rest <= MOST_DIGITS)
        power = POWERS[np.where(plain, rest, 0)]
        values = (np.where(whole > 0, before, 0) * power + np.where(rest > 0, after, 0)) / power
        values = np.where(minus, -values, values)
        for row in np.flatnonzero(~plain).tolist():
            field = self[row]
            values[row] = float(field) if DECIMAL.fullmatch(field) else math.nan
        values[np.isinf(values)] = math.nan
        return values, ~np.isnan(values)

    def equals(self, *fields: bytes) -> BoolArray:
        """Return which fields (n,) are one of some texts, without regard to capital letters."""
        names, numbers = self.names()
        found: BoolArray = np.array([name.lower() in fields for name in names], np.bool_)[numbers]
        return found

    def _words(self, offset: int) -> Words:
        """Return the eight bytes of each field from an offset on, with zeros beyond its end."""
        left = np.clip(self.size - offset, 0, BYTES)
        place = np.minimum(self.begin + offset, len(self.text) - BYTES)
        return _eight_bytes(self.text)[place] & MASKS[left]

    def _digits(self, begin: IntArray, size: IntArray) -> tuple[IntArray, BoolArray]:
        """Return the number (n,) that up to sixteen digits make, and which fields are digits."""
        low = np.minimum(size, BYTES)
        high = size - low
        values, is_number = _eight_digits(self.text, begin + high, low)
        if (high > 0).any():
            some = np.flatnonzero((high > 0) & (high <= BYTES))
            more, are = _eight_digits(self.text, begin[some], high[some])
            values[some] += more * 10**BYTES
            is_number[some] &= are
        is_number &= (size > 0) & (high <= BYTES)
        values[~is_number] = 0
        return values, is_number


def _by_blocks(blocks: Sequence[tuple[Array, BoolArray]], kind: type) -> tuple[Array, BoolArray]:
    """Return the numbers and masks of all blocks."""
    values = np.concatenate([np.empty(0, kind), *(one for one, _ in blocks)])
    return values, np.concatenate([np.empty(0, np.bool_), *(mask for _, mask in blocks)])


def _eight_bytes(text: bytes) -> Words:
    """Return the eight bytes at each place of a text, as one number."""
    return np.ndarray((len(text) - BYTES + 1,), "<u8", text, 0, (1,))


def _eight_digits(text: bytes, begin: IntArray, size: IntArray) -> tuple[IntArray, BoolArray]:
    """Return the number (n,) of up to eight digits, and which fields have no other bytes."""
    place = np.minimum(begin, len(text) - BYTES)
    word = _eight_bytes(text)[place]
    shift = SHIFTS[size]
    shifted = np.where(size > 0, word << np.minimum(shift, np.uint64(63)), np.uint64(0))
    word = shifted | (ZEROS & ~(MASKS[BYTES] << np.minimum(shift, np.uint64(63))))
    word = np.where(size > 0, word, ZEROS)
    is_number = ((word & HIGH) == ZEROS) & (((word + SIXES) & HIGH) == ZEROS)
    digits = word - ZEROS
    digits = digits * np.uint64(10) + (digits >> np.uint64(8))
    low, mask = digits & np.uint64(0x000000FF000000FF), np.uint64(0x000000FF000000FF)
    high = (digits >> np.uint64(16)) & mask
    total = low * np.uint64(0x000F424000000064) + high * np.uint64(0x0000271000000001)
    return (total >> np.uint64(32)).astype(np.int64), is_number

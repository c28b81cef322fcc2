"""Reading values out of bytes with NumPy: eight bytes at a time, at any place."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from core.model import IntArray
from core.tasks.keyword_spotting.xml_words import Int32Array

MAX_NAME_BYTES = 64
MAX_DOCUMENTS = 100_000
MAX_DIGITS = 8

UInt64Array = npt.NDArray[np.uint64]

_QUOTE, _NEWLINE, _MINUS = b'"'[0], b"\n"[0], b"-"[0]
_PLAIN = re.compile(r"[^\x00-\x1f<&\"\ufffe\uffff]+")
_HIGH_BITS = np.uint64(0x8080808080808080)
_LOWEST = np.array([(1 << (8 * count)) - 1 for count in range(9)], np.uint64)
"""Masks that keep the first 0 to 8 bytes of eight."""


class UnusualError(Exception):
    """The file is not written in the plain way; the strict reader decides what that means."""


def plain_text(raw: bytes) -> str:
    """The text of an attribute that needs no interpretation; raises `UnusualError`."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise UnusualError("not UTF-8") from fault
    if not _PLAIN.fullmatch(text):
        raise UnusualError("characters to interpret")
    return text


class Bytes:
    """A block of whole lines, of which values can be read at many places at once."""

    def __init__(self, block: bytes) -> None:
        block += bytes(8)  # so that eight bytes can be read at any place
        self._block = block
        self._bytes = np.frombuffer(block, np.uint8)
        self._eights = np.ndarray((len(block) - 7,), np.dtype("<u8"), block, strides=(1,))

    def slice(self, start: int, end: int) -> bytes:
        """The bytes from `start` up to `end`."""
        return self._block[start:end]

    def marks(self) -> tuple[IntArray, IntArray]:
        """The places of all quotes and newlines, and which of them are newlines."""
        places = np.flatnonzero((self._bytes == _QUOTE) | (self._bytes == _NEWLINE))
        return places, np.flatnonzero(self._bytes[places] == _NEWLINE)

    def require(self, text: bytes, starts: IntArray, ends: IntArray) -> None:
        """Raise `UnusualError` unless exactly `text` stands from every start to its end."""
        if (ends - starts != len(text)).any():
            raise UnusualError("a gap of another length")
        for offset in range(0, len(text), 8):
            part = text[offset : offset + 8]
            expected = np.uint64(int.from_bytes(part, "little"))
            if ((self._eights[starts + offset] & _LOWEST[len(part)]) != expected).any():
                raise UnusualError("another gap")

    def whole_numbers(self, starts: IntArray, ends: IntArray) -> Int32Array:
        """The numbers of up to eight digits, each with or without a minus sign."""
        negative = self._bytes[starts] == _MINUS
        count = ends - starts - negative
        if (count < 1).any() or (count > MAX_DIGITS).any():
            raise UnusualError("no number of 1 to 8 digits")
        absent = _LOWEST[8 - count]
        digits = (self._eights[ends - 8] ^ np.uint64(0x3030303030303030)) & ~absent
        if (((digits + np.uint64(0x7676767676767676)) | digits) & _HIGH_BITS).any():
            raise UnusualError("no digits")
        numbers = _join_digits(digits).astype(np.int32)
        return np.where(negative, -numbers, numbers) if negative.any() else numbers

    def texts(self, starts: IntArray, ends: IntArray) -> list[UInt64Array]:
        """The bytes from each start to its end: their number, then eight to a column."""
        lengths = ends - starts
        longest = int(lengths.max())
        if longest > MAX_NAME_BYTES:
            raise UnusualError("a long name")
        last = len(self._eights) - 1
        return [lengths.astype(np.uint64)] + [
            self._eights[np.minimum(starts + offset, last)]
            & _LOWEST[np.clip(lengths - offset, 0, 8)]
            for offset in range(0, longest, 8)
        ]


def _join_digits(digits: UInt64Array) -> UInt64Array:
    """The numbers whose eight digits are the bytes of `digits`, the first in the lowest byte.

    Neighbours are joined to pairs, pairs to fours and fours to eights, all columns at once.
    """
    pairs = (digits * np.uint64(10) + (digits >> np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    fours = (pairs * np.uint64(100) + (pairs >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    return (fours * np.uint64(10_000) + (fours >> np.uint64(32))) & np.uint64(0xFFFFFFFF)

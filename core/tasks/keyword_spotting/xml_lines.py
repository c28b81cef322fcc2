"""Words read from lines that all look alike, and the lines that are no words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.model import IntArray
from core.tasks.keyword_spotting.xml_bytes import (
    MAX_DOCUMENTS,
    MAX_NAME_BYTES,
    Bytes,
    UInt64Array,
    UnusualError,
    plain_text,
)
from core.tasks.keyword_spotting.xml_rules import BOX, NEEDED
from core.tasks.keyword_spotting.xml_words import Int32Array

_COLUMNS = 1 + MAX_NAME_BYTES // 8
_FACTORS = np.array([pow(0x9E3779B97F4A7C15, 2 * n + 1, 2**64) for n in range(_COLUMNS)], np.uint64)


class DocumentTable:
    """The document names seen so far and their codes.

    A name is found by a key of its bytes, and then compared byte by byte, so that equal codes
    mean equal names. Each distinct name is validated once.
    """

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._keys: UInt64Array = np.empty(0, np.uint64)
        self._codes: Int32Array = np.empty(0, np.int32)
        self._columns: UInt64Array = np.empty((_COLUMNS, 0), np.uint64)

    @property
    def names(self) -> Sequence[str]:
        """The names in the order of their codes."""
        return tuple(self._names)

    def codes(self, data: Bytes, starts: IntArray, ends: IntArray) -> Int32Array:
        """The codes of the names that stand from each start to its end."""
        columns = data.texts(starts, ends)
        keys = sum((column * factor for column, factor in zip(columns, _FACTORS, strict=False)))
        codes = self._find(keys)
        new = np.flatnonzero(codes < 0)
        if len(new):
            chosen = new[np.unique(keys[new], return_index=True)[1]]
            names = [data.slice(starts[row], ends[row]) for row in chosen]
            self._add(names, keys[chosen], [column[chosen] for column in columns])
            codes = self._find(keys)
        for known, column in zip(self._columns, columns, strict=False):
            if (known[codes] != column).any():
                raise UnusualError("two names with one key")
        return codes

    def _find(self, keys: UInt64Array) -> Int32Array:
        """The codes of the names with these keys; -1 for a name that is not known."""
        if not len(self._keys):
            return np.full(len(keys), -1, np.int32)
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[found] == keys, self._codes[found], np.int32(-1))

    def _add(self, names: list[bytes], keys: UInt64Array, columns: list[UInt64Array]) -> None:
        first = len(self._names)
        for name in names:
            self._names.setdefault(plain_text(name), len(self._names))
        if len(self._names) > MAX_DOCUMENTS:
            raise UnusualError("very many documents")
        padded = np.zeros((_COLUMNS, len(names)), np.uint64)
        padded[: len(columns)] = columns
        self._columns = np.concatenate([self._columns, padded], axis=1)
        codes = np.arange(first, first + len(names), dtype=np.int32)
        keys, codes = np.append(self._keys, keys), np.append(self._codes, codes)
        order = np.argsort(keys)
        self._keys, self._codes = keys[order], codes[order]


MARKS = 2 * len(NEEDED) + 1
"""A word's line has a pair of quotes for each attribute, and ends with a newline."""

MANY_OTHERS = 1000

_WORD = re.compile(rb'([ \t]*<word)((?:[ \t]+[a-z]+[ \t]*=[ \t]*"[^"]*"){5})([ \t]*/>[ \t]*\r?)')
_ATTRIBUTE = re.compile(rb'([ \t]+([a-z]+)[ \t]*=[ \t]*)"[^"]*"')


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a block: `count` in all, of which some are words and the others are not.

    `numbers`, `document` and `boxes` have a row for each word: the place of its line in the block,
    the code of its document, and its x, y, width and height. `others` are the other lines.
    """

    count: int
    numbers: Int32Array
    document: Int32Array
    boxes: Int32Array
    others: Sequence[tuple[int, bytes]]

    def __post_init__(self) -> None:
        # Each other line costs a step in Python, so that they must be the smaller part.
        if len(self.others) > MANY_OTHERS and 2 * len(self.others) > self.count:
            raise UnusualError("more other lines than words")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file writes a word: the text before, between and after its values, and their names."""

    gaps: tuple[bytes, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, line: bytes) -> Layout:
        """The layout of one line; raises `UnusualError` where it is no word with five values."""
        match = _WORD.fullmatch(line)
        if not match:
            raise UnusualError("no plain word")
        pairs = _ATTRIBUTE.findall(match[2])
        names = tuple(name.decode() for _, name in pairs)
        if sorted(names) != sorted(NEEDED):
            raise UnusualError("other attributes")
        first, *between = (gap for gap, _ in pairs)
        return cls((match[1] + first, *between, match[3]), names)


class LineParser:
    """Reads the lines of one file; the first word tells how all of them are written."""

    def __init__(self) -> None:
        self._documents = DocumentTable()
        self._layout: Layout | None = None

    @property
    def documents(self) -> Sequence[str]:
        """The documents in the order of their codes."""
        return self._documents.names

    def take(self, block: bytes, start: int, stop: int) -> Lines:
        """Read the lines in block[start:stop], all of which are whole; raises `UnusualError`."""
        data = Bytes(block[start:stop])
        marks, newlines = data.marks()
        starts = np.concatenate([np.zeros(1, np.int64), marks[newlines[:-1]] + 1])
        is_word = np.diff(newlines, prepend=-1) == MARKS
        ends, others = marks[newlines], np.flatnonzero(~is_word).tolist()
        last = newlines[is_word]
        columns = [marks[last - before] for before in range(MARKS - 1, -1, -1)]
        return Lines(
            len(is_word),
            np.flatnonzero(is_word).astype(np.int32),
            *self._words(data, starts[is_word], columns),
            [(index, data.slice(starts[index], ends[index])) for index in others],
        )

    def _words(
        self, data: Bytes, starts: IntArray, marks: list[IntArray]
    ) -> tuple[Int32Array, Int32Array]:
        """Check and read words whose five pairs of quotes, and newline, stand at `marks`."""
        if not len(starts):
            return np.empty(0, np.int32), np.empty((0, len(BOX)), np.int32)
        if self._layout is None:
            self._layout = Layout.of(data.slice(starts[0], marks[-1][0]))
        firsts, ends = [opening + 1 for opening in marks[0:-1:2]], marks[1:-1:2]
        befores, afters = [starts, *(end + 1 for end in ends)], [*marks[0:-1:2], marks[-1]]
        for gap, before, after in zip(self._layout.gaps, befores, afters, strict=True):
            data.require(gap, before, after)
        places = dict(zip(self._layout.names, zip(firsts, ends, strict=True), strict=True))
        boxes = np.empty((len(starts), len(BOX)), np.int32)
        for column, name in enumerate(BOX):
            boxes[:, column] = data.whole_numbers(*places[name])
        if (boxes[:, 2:] <= 0).any():
            raise UnusualError("a box without area")
        return self._documents.codes(data, *places["document"]), boxes

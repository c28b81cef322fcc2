"""Words read from lines that all look alike, and the lines that are no words."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from core.model import BoolArray, IntArray
from core.tasks.keyword_spotting.xml_bytes import PADDING, Bytes, UnusualError
from core.tasks.keyword_spotting.xml_documents import DocumentTable
from core.tasks.keyword_spotting.xml_rules import BOX, NEEDED
from core.tasks.keyword_spotting.xml_words import Int32Array

MARKS = 2 * len(NEEDED) + 1
"""A word's line has a pair of quotes for each attribute, and ends with a newline."""

MANY_OTHERS = 1000

_WORD = re.compile(rb'([ \t]*<word)((?:[ \t]+[a-z]+[ \t]*=[ \t]*"[^"]*"){5})([ \t]*/>[ \t]*\r?)')
_ATTRIBUTE = re.compile(rb'([ \t]+([a-z]+)[ \t]*=[ \t]*)"[^"]*"')


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a block: `is_word` for each; `document` and `boxes` for each that is a word.

    `others` are the lines that are no word, with their place in the block.
    """

    is_word: BoolArray
    document: Int32Array
    boxes: Int32Array
    others: tuple[tuple[int, bytes], ...]


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
        self.documents = DocumentTable()
        self._layout: Layout | None = None

    def take(self, block: bytes) -> Lines:
        """Read whole lines, followed by `PADDING`; raises `UnusualError`."""
        data = Bytes(block)
        marks, newlines = data.marks()
        starts = np.concatenate([np.zeros(1, np.int64), marks[newlines[:-1]] + 1])
        is_word = np.diff(newlines, prepend=-1) == MARKS
        ends, others = marks[newlines], _others(is_word)
        found = tuple((index, data.slice(starts[index], ends[index])) for index in others)
        last = newlines[is_word]
        columns = [marks[last - before] for before in range(MARKS - 1, -1, -1)]
        return Lines(is_word, *self._words(data, starts[is_word], columns), found)

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
        return self.documents.codes(data, *places["document"]), boxes


class RepeatedLines:
    """Reads each distinct line once, while there are few: most files rank the same words often."""

    MOST = 50_000
    """With more distinct lines, looking one up costs more than reading it."""

    def __init__(self, parser: LineParser) -> None:
        self._parser = parser
        self._codes = _Codes()
        self._rows = np.empty(0, np.int64)
        self._document = np.empty(0, np.int32)
        self._boxes = np.empty((0, len(BOX)), np.int32)

    def take(self, block: bytes) -> Lines:
        """Read whole lines, followed by `PADDING`; raises `UnusualError`."""
        if len(self._codes) > self.MOST:
            return self._parser.take(block)
        lines = block.split(b"\n")
        lines.pop()
        codes = np.fromiter(map(self._codes.__getitem__, lines), np.int64, len(lines))
        self._learn()
        rows = self._rows[codes]
        is_word = rows >= 0
        others = tuple((index, lines[index]) for index in _others(is_word))
        rows = rows[is_word]
        return Lines(is_word, self._document[rows], self._boxes[rows], others)

    def _learn(self) -> None:
        """Read the lines that this block was the first to have."""
        if not self._codes.fresh:
            return
        new = self._parser.take(b"\n".join((*self._codes.fresh, PADDING)))
        self._codes.fresh.clear()
        rows = np.where(new.is_word, np.cumsum(new.is_word) - 1 + len(self._document), -1)
        self._rows = np.concatenate([self._rows, rows])
        self._document = np.concatenate([self._document, new.document])
        self._boxes = np.concatenate([self._boxes, new.boxes])


def _others(is_word: BoolArray) -> list[int]:
    """The lines that are no words; each costs a step, so that they must be the smaller part."""
    others = np.flatnonzero(~is_word)
    if len(others) > MANY_OTHERS and 2 * len(others) > len(is_word):
        raise UnusualError("more other lines than words")
    return others.tolist()


class _Codes(dict[bytes, int]):
    """Numbers the distinct lines as they come; `fresh` are those not read yet."""

    def __init__(self) -> None:
        super().__init__()
        self.fresh: list[bytes] = []

    def __missing__(self, line: bytes) -> int:
        code = self[line] = len(self)
        self.fresh.append(line)
        return code

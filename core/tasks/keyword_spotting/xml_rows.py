"""The words of a result file while it is read, in arrays that have room for more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.tasks.keyword_spotting.xml_lines import Lines
from core.tasks.keyword_spotting.xml_rules import BOX
from core.tasks.keyword_spotting.xml_words import Int32Array, Words

ROOM = 2**21
"""More words than most files have, so that few are moved; room that is not used costs nothing."""


class WordRows:
    """The words that were found so far, in the order of their file; `count` tells how many."""

    def __init__(self) -> None:
        self.count = 0
        self._document: Int32Array = np.empty(ROOM, np.int32)
        self._boxes: Int32Array = np.empty((ROOM, len(BOX)), np.int32)
        self._lines: Int32Array = np.empty(ROOM, np.int32)

    def add(self, found: Lines, line: int) -> None:
        """Add the words of a block that begins on this line of the file."""
        new = slice(self.count, self.count + len(found.document))
        while new.stop > len(self._document):
            self._double()
        self._document[new] = found.document
        self._boxes[new] = found.boxes
        np.add(found.numbers, np.int32(line), out=self._lines[new])
        self.count = new.stop

    def words(self, documents: Sequence[str]) -> Words:
        """All words, whose documents have these names."""
        document, boxes, lines = map(self._used, (self._document, self._boxes, self._lines))
        return Words(tuple(documents), document, boxes, lines)

    def _double(self) -> None:
        self._document = self._doubled(self._document)
        self._boxes = self._doubled(self._boxes)
        self._lines = self._doubled(self._lines)

    def _doubled(self, column: Int32Array) -> Int32Array:
        larger = np.empty((2 * len(column), *column.shape[1:]), np.int32)
        larger[: self.count] = column[: self.count]
        return larger

    def _used(self, column: Int32Array) -> Int32Array:
        """The rows in use; a copy where they are few, because the system gives room in lumps."""
        used = column[: self.count]
        return used if 2 * self.count > len(column) else used.copy()

"""The compiled line parser, `_scan`, behind the interface of `xml_lines.LineParser`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.tasks.keyword_spotting.xml_lines import Layout, Lines
from core.tasks.keyword_spotting.xml_rules import BOX
from core.tasks.keyword_spotting.xml_words import Int32Array

try:
    from core.tasks.keyword_spotting._scan import Scanner
except ImportError:  # no compiler was at hand when the program was installed
    Scanner = None

AVAILABLE = Scanner is not None and sys.byteorder == "little"
SHORTEST_WORD = len('<word document="p" x="0" y="0" width="1" height="1"/>')
_FIELDS = (*BOX, "document")


class CompiledLineParser:
    """See `LineParser`."""

    def __init__(self) -> None:
        self._scanner: Any = None

    @property
    def documents(self) -> Sequence[str]:
        """The documents in the order of their codes."""
        return tuple(self._scanner.names) if self._scanner else ()

    def take(self, block: bytes, start: int, stop: int) -> Lines:
        """Read whole lines; raises `UnusualError`."""
        if self._scanner is None:
            self._scanner = _scanner(block, start, stop)
        if self._scanner is None:
            lines = block[start:stop].split(b"\n")[:-1]
            return Lines(len(lines), *_empty(0), list(enumerate(lines)))
        columns = _empty((stop - start) // SHORTEST_WORD + 1)
        count, words, others = self._scanner.scan(block, start, stop, *columns)
        numbers, document, boxes = columns
        return Lines(count, numbers[:words], document[:words], boxes[:words], others)


def _empty(rows: int) -> tuple[Int32Array, Int32Array, Int32Array]:
    return (
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty((rows, len(BOX)), np.int32),
    )


def _scanner(block: bytes, start: int, stop: int) -> Any:
    """A scanner for the layout of the first word among the lines; None where there is none."""
    place = block.find(b"<word", start, stop)
    if place < 0:
        return None
    start, stop = block.rfind(b"\n", start, place) + 1 or start, block.find(b"\n", place, stop)
    layout = Layout.of(block[start:stop])
    first, *between, last = layout.gaps
    gaps = (first + b'"', *(b'"' + gap + b'"' for gap in between), b'"' + last + b"\n")
    return Scanner(gaps, tuple(_FIELDS.index(name) for name in layout.names))

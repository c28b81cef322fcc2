"""The quick way through a big result file in which one line is one word and all look alike.

Result files are written by programs: between the quotes, the lines of all words have the same
characters, so that the quotes alone tell the place of each value. Every byte is checked all the
same: the text between the values, the digits, each distinct document name, each other line.
Whatever is out of the ordinary raises `UnusualError`, and the strict reader takes over; it alone
decides what is a defect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from core.tasks.keyword_spotting.xml_bytes import UnusualError
from core.tasks.keyword_spotting.xml_compiled import AVAILABLE, CompiledLineParser
from core.tasks.keyword_spotting.xml_grammar import Grammar
from core.tasks.keyword_spotting.xml_lines import LineParser
from core.tasks.keyword_spotting.xml_rows import WordRows
from core.tasks.keyword_spotting.xml_words import Blocks


def read_quickly(blocks: Iterable[bytes]) -> Blocks:
    """The words of a result file by query; raises `UnusualError` where the strict reader must."""
    grammar = Grammar()
    parser = CompiledLineParser() if AVAILABLE else LineParser()
    rows, line = WordRows(), 1
    for block, start, stop in _whole_lines(blocks):
        found = parser.take(block, start, stop)
        for seen, (index, text) in enumerate(found.others):
            grammar.take(text, line + index, rows.count + index - seen)
        rows.add(found, line)
        line += found.count
    starts = grammar.finish(rows.count)
    queries, nothing = grammar.queries, np.empty(0, np.float64)
    words = rows.words(parser.documents)
    return Blocks(tuple(queries), tuple(queries.values()), starts, words, nothing, ())


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """Where whole lines stand: a block, their start and stop. Only cut lines are copied."""
    rest = b""
    for block in blocks:
        start = block.find(b"\n") + 1 if rest else 0
        stop = block.rfind(b"\n") + 1
        if not stop and rest:
            raise UnusualError("a line longer than a block")
        if rest:
            yield rest + block[:start], 0, len(rest) + start
        if start < stop:
            yield block, start, stop
        rest = block[stop:]
    if rest:
        yield rest + b"\n", 0, len(rest) + 1

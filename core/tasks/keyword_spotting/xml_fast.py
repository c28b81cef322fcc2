"""The quick way through a big result file in which one line is one word and all look alike.

Result files are written by programs: every query ranks the same words, so that few lines are
distinct, and between the quotes all words' lines have the same characters, so that the quotes
alone tell the place of each value. Every byte is checked all the same: the text between the
values, the digits, each distinct document name, each other line. Whatever is out of the ordinary
raises `UnusualError`, and the strict reader takes over; it alone decides what is a defect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from core.tasks.keyword_spotting.xml_bytes import PADDING, UnusualError
from core.tasks.keyword_spotting.xml_grammar import Grammar
from core.tasks.keyword_spotting.xml_lines import LineParser, RepeatedLines
from core.tasks.keyword_spotting.xml_words import Blocks, Int32Array, Words


def read_quickly(blocks: Iterable[bytes]) -> Blocks:
    """The words of a result file by query; raises `UnusualError` where the strict reader must."""
    parser, grammar = LineParser(), Grammar()
    repeated = RepeatedLines(parser)
    document: list[Int32Array] = []
    boxes: list[Int32Array] = []
    numbers: list[Int32Array] = []
    line, rows = 1, 0
    for block in _whole_lines(blocks):
        lines = repeated.take(block)
        for seen, (index, text) in enumerate(lines.others):
            grammar.take(text, line + index, rows + index - seen)
        document.append(lines.document)
        boxes.append(lines.boxes)
        numbers.append((np.flatnonzero(lines.is_word) + line).astype(np.int32))
        line, rows = line + len(lines.is_word), rows + len(lines.document)
    starts = grammar.finish(rows)
    columns = np.concatenate(document), np.concatenate(boxes), np.concatenate(numbers)
    words = Words(parser.documents.names, *columns)
    queries, nothing = grammar.queries, np.empty(0, np.float64)
    return Blocks(tuple(queries), tuple(queries.values()), starts, words, nothing, ())


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks cut after their last newline, and padded so that any 8 bytes can be read."""
    rest = b""
    for block in blocks:
        cut = block.rfind(b"\n") + 1
        if cut:
            yield b"".join((rest, block[:cut], PADDING))
            rest = block[cut:]
        elif rest:
            raise UnusualError("a line longer than a block")
        else:
            rest = block
    if rest:
        yield b"".join((rest, b"\n", PADDING))

"""Fast reader of large ICFHR result files with one uniform `<word>` per line.

Result files are written by programs: between the quotes, the lines of all words have the same
characters, so that the quotes alone give the place of each value. Every byte is checked all the
same: the text between the values, the digits, each distinct document name, each other line.
Whatever is out of the ordinary raises `UnusualError`, and the strict reader takes over; it alone
decides what is a defect.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.tasks.keyword_spotting.icfhr.byte_values import UnusualError, plain_text
from jurydesk.core.tasks.keyword_spotting.icfhr.word_rules import BOX, NEEDED
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Int32Array, PageWords, WordsByQuery

try:
    from jurydesk.core.tasks.keyword_spotting.icfhr._scan import Scanner
except ImportError:  # no compiler was at hand when the program was installed
    Scanner = None

AVAILABLE = Scanner is not None and sys.byteorder == "little"
SHORTEST_WORD = len('<word document="p" x="0" y="0" width="1" height="1"/>')
_FIELDS = (*BOX, "document")


MANY_OTHERS = 1000

_WORD = re.compile(rb'([ \t]*<word)((?:[ \t]+[a-z]+[ \t]*=[ \t]*"[^"]*"){5})([ \t]*/>[ \t]*\r?)')
_ATTRIBUTE = re.compile(rb'([ \t]+([a-z]+)[ \t]*=[ \t]*)"[^"]*"')


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines of a block: `count` in all, words and others.

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
class WordLineFormat:
    """Layout of a `<word>` line: the text around its values, and their names."""

    gaps: tuple[bytes, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, line: bytes) -> WordLineFormat:
        """Return the layout of a line; raises `UnusualError` if it is not a complete word."""
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
    """Reader of the lines of one file; the first word determines the layout of all."""

    def __init__(self) -> None:
        if not AVAILABLE:
            raise UnusualError("nothing was compiled")
        self._scanner: Any = None

    @property
    def documents(self) -> Sequence[str]:
        """Documents in the order of their codes."""
        return tuple(self._scanner.names) if self._scanner else ()

    def take(self, block: bytes, start: int, stop: int) -> Lines:
        """Read the complete lines in block[start:stop]; raises `UnusualError`."""
        if self._scanner is None:
            self._scanner = _scanner(block, start, stop)
        if self._scanner is None:
            lines = block[start:stop].split(b"\n")[:-1]
            return Lines(len(lines), *_empty_columns(0), list(enumerate(lines)))
        columns = _empty_columns((stop - start) // SHORTEST_WORD + 1)
        count, words, others = self._scanner.scan(block, start, stop, *columns)
        numbers, document, boxes = columns
        return Lines(count, numbers[:words], document[:words], boxes[:words], others)


def _empty_columns(rows: int) -> tuple[Int32Array, Int32Array, Int32Array]:
    return (
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty((rows, len(BOX)), np.int32),
    )


def _scanner(block: bytes, start: int, stop: int) -> Any:
    """Return a scanner for the layout of the first word in the lines; None without a word."""
    place = block.find(b"<word", start, stop)
    if place < 0:
        return None
    start, stop = block.rfind(b"\n", start, place) + 1 or start, block.find(b"\n", place, stop)
    layout = WordLineFormat.of(block[start:stop])
    first, *between, last = layout.gaps
    gaps = (first + b'"', *(b'"' + gap + b'"' for gap in between), b'"' + last + b"\n")
    return Scanner(gaps, tuple(_FIELDS.index(name) for name in layout.names))


ROOM = 2**21
"""Initial capacity in words; most files fit, and unused memory costs nothing."""


class WordRows:
    """Words found so far, in the order of their file; `count` is their number."""

    def __init__(self) -> None:
        self.count = 0
        self._document: Int32Array = np.empty(ROOM, np.int32)
        self._boxes: Int32Array = np.empty((ROOM, len(BOX)), np.int32)
        self._lines: Int32Array = np.empty(ROOM, np.int32)

    def add(self, found: Lines, line: int) -> None:
        """Add the words of a block that begins on this line of the file."""
        new = slice(self.count, self.count + len(found.document))
        while new.stop > len(self._document):
            self._double_columns()
        self._document[new] = found.document
        self._boxes[new] = found.boxes
        np.add(found.numbers, np.int32(line), out=self._lines[new])
        self.count = new.stop

    def words(self, documents: Sequence[str]) -> PageWords:
        """Return all words, with the names of their documents."""
        document, boxes, lines = map(self._trim_column, (self._document, self._boxes, self._lines))
        return PageWords(tuple(documents), document, boxes, lines)

    def _double_columns(self) -> None:
        self._document = self._double_column(self._document)
        self._boxes = self._double_column(self._boxes)
        self._lines = self._double_column(self._lines)

    def _double_column(self, column: Int32Array) -> Int32Array:
        larger = np.empty((2 * len(column), *column.shape[1:]), np.int32)
        larger[: self.count] = column[: self.count]
        return larger

    def _trim_column(self, column: Int32Array) -> Int32Array:
        """Return the rows in use, copied if they are few, to free the reserved memory."""
        used = column[: self.count]
        return used if 2 * self.count > len(column) else used.copy()


_ROOT = rb'<RelevanceListings((?:[ \t]+[A-Za-z:]+="[\x21\x23-\x25\x27-\x3b\x3d-\x7e]*")*)[ \t]*>'
_PROLOG = re.compile(
    rb"(?:\xef\xbb\xbf)?"
    rb'(?:<\?xml[ \t]+version="1\.0"(?:[ \t]+encoding="[Uu][Tt][Ff]-8")?[ \t]*\?>)?[ \t]*'
    rb"(?:(?P<root>" + _ROOT + rb")[ \t]*)?\r?"
)
_ATTRIBUTE_NAME = re.compile(rb"(?<![A-Za-z:])([A-Za-z:]++)=")
_BEGIN = re.compile(rb'[ \t]*<Rel[ \t]+queryid[ \t]*=[ \t]*"([^"]+)"[ \t]*>[ \t]*\r?')
_END = re.compile(rb"[ \t]*</Rel>[ \t]*\r?")
_CLOSE = re.compile(rb"[ \t]*</RelevanceListings>[ \t]*\r?")
_BLANK = re.compile(rb"[ \t]*\r?")


class Grammar:
    """Tracker of the nesting of queries, with the start of each query's words."""

    def __init__(self) -> None:
        self.queries: dict[str, int] = {}
        self._starts: list[int] = []
        self._take = self._read_before_root
        self._outside_since = 0
        """Number of words at the end of the last query; no word may follow before the next."""

    def take(self, line: bytes, number: int, rows: int) -> None:
        """Process a line other than a word, after `rows` words."""
        self._take(line, number, rows)

    def finish(self, rows: int) -> IntArray:
        """Return where the words of each query begin and the last one's end."""
        if self._take != self._read_after_root or not rows:
            raise UnusualError("not closed")
        self._refuse_outside_words(rows)
        return np.array([*self._starts, rows], np.int64)

    def _refuse_outside_words(self, rows: int) -> None:
        if rows != self._outside_since:
            raise UnusualError("words outside of a query")

    def _read_before_root(self, line: bytes, number: int, rows: int) -> None:
        match = _PROLOG.fullmatch(line)
        if not match or (number > 1 and match["root"] is None):
            raise UnusualError("another beginning")
        self._refuse_outside_words(rows)
        if match["root"] is None:
            return
        names = _ATTRIBUTE_NAME.findall(match["root"])
        if len(set(names)) < len(names) or (number > 1 and not _is_root_alone(line)):
            raise UnusualError("an odd root")
        self._take = self._read_between_queries

    def _read_between_queries(self, line: bytes, number: int, rows: int) -> None:
        self._refuse_outside_words(rows)
        if match := _BEGIN.fullmatch(line):
            query = plain_text(match[1])
            if query in self.queries:
                raise UnusualError("a query twice")
            self.queries[query] = number
            self._starts.append(rows)
            self._take = self._read_inside_query
        elif _CLOSE.fullmatch(line):
            self._take = self._read_after_root
        elif not _BLANK.fullmatch(line):
            raise UnusualError("an odd line")

    def _read_inside_query(self, line: bytes, number: int, rows: int) -> None:
        if _END.fullmatch(line):
            self._outside_since = rows
            self._take = self._read_between_queries
        elif not _BLANK.fullmatch(line):
            raise UnusualError("an odd line")

    def _read_after_root(self, line: bytes, number: int, rows: int) -> None:
        self._refuse_outside_words(rows)
        if not _BLANK.fullmatch(line):
            raise UnusualError("something after the end")


def _is_root_alone(line: bytes) -> bool:
    return line.lstrip(b" \t").startswith(b"<RelevanceListings")


def read_fast(blocks: Iterable[bytes]) -> WordsByQuery:
    """Read the words of a result file by query; raises `UnusualError` for unusual XML."""
    grammar = Grammar()
    parser = LineParser()
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
    return WordsByQuery(tuple(queries), tuple(queries.values()), starts, words, nothing, ())


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """Yield whole lines as a block with start and stop. Only cut lines are copied."""
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

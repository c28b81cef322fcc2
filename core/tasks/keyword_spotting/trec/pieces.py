"""Splitting of trec_eval files into pieces of whole lines and whole queries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jurydesk.core.readers.text_file import UTF8_MARK

PIECE = 2 * 2**20
"""Size of a piece in bytes; one query's block may exceed it."""

PATIENCE = 1000

_CONTENT = re.compile(rb"^[ \t\v\f\r]*([^\s#]\S*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines of a file; `offset` is where they start in the unpacked bytes."""

    data: bytes
    offset: int
    first_line: int


def split_pieces(blocks: Iterable[bytes], size: int = PIECE) -> Iterator[Piece]:
    """Cut the blocks of a file into pieces, between the lines of two queries.

    A file whose queries are interleaved has queries in several pieces.
    """
    held: list[bytes] = []
    length, enough, offset, line = 0, size, 0, 1
    for block in _skip_byte_order_mark(blocks):
        held.append(block)
        length += len(block)
        if length < enough:
            continue
        *before, last = held
        cut = last_query(last, last.find(b"\n") + 1)
        if not cut:
            before, last = [], b"".join(held)
            cut = last_query(last)
        if cut:
            data = b"".join([*before, last[:cut]])
            yield Piece(data, offset, line)
            offset += len(data)
            line += data.count(b"\n")
        held, length = [last[cut:]], len(last) - cut
        enough = max(size, 2 * length)
    if length:
        yield Piece(b"".join(held), offset, line)


def _skip_byte_order_mark(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the blocks without the byte order mark; offsets count from after it."""
    first = True
    for block in blocks:
        yield block[len(UTF8_MARK) :] if first and block.startswith(UTF8_MARK) else block
        first = False


def last_query(data: bytes, low: int = 0) -> int:
    """Return where the lines of the last query begin; 0 where all complete lines are of one query.

    It is found by bisection, which assumes contiguous lines of a query. Only lines from `low` on,
    the start of one, are searched.
    """
    high = _last_content(data)
    last = query_at(data, high)
    if high <= low or query_at(data, low) == last:
        return 0
    while True:
        middle = (low + high) // 2
        start = data.find(b"\n", middle, high) + 1
        if not low < start < high:
            start = data.rfind(b"\n", low, middle) + 1
        if not low < start < high:
            return high
        if query_at(data, start) == last:
            high = start
        else:
            low = start


def _last_content(data: bytes) -> int:
    """Return the start of the last complete content line; 0 without one.

    Give up after `PATIENCE` blank lines or comments; the caller then reads more of the file.
    """
    end = data.rfind(b"\n")
    for _ in range(PATIENCE):
        if end <= 0:
            break
        start = data.rfind(b"\n", 0, end) + 1
        if _CONTENT.match(data, start, end):
            return start
        end = start - 1
    return 0


def query_at(data: bytes, start: int) -> bytes | None:
    """Return the query of the first line from `start` on that is neither blank nor a comment."""
    match = _CONTENT.search(data, start)
    return match[1] if match else None

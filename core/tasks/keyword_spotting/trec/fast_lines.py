"""Fast reader of trec_eval lines: compiled, with the Python reader as a fallback."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tasks.keyword_spotting.trec.document_names import Keys, Names, decode_name
from jurydesk.core.tasks.keyword_spotting.trec.lines import (
    JudgementRows,
    ResultRows,
    RowsByQuery,
    group_rows,
    read_judgement_rows,
    read_result_rows,
    to_row_order,
)
from jurydesk.core.tasks.keyword_spotting.trec.pieces import Piece

try:
    from jurydesk.core.tasks.keyword_spotting.trec._columns import read
    from jurydesk.core.tasks.keyword_spotting.trec._names import descending, differ, keys_of

    AVAILABLE = True
except ImportError:  # no compiler was at hand when the program was installed
    AVAILABLE = False


class ByteNames(Names):
    """Names stored as offsets and sizes into the bytes of a file."""

    def __init__(self, data: bytes, starts: IntArray, sizes: IntArray) -> None:
        self.data = data
        self.starts = starts
        self.sizes = sizes

    @classmethod
    def of(cls, texts: Iterable[str]) -> ByteNames:
        """Return a column of these names."""
        names = [text.encode() for text in texts]
        sizes = np.array([len(name) for name in names], dtype=np.int64)
        starts = np.array([0, *accumulate(map(len, names))][: len(names)], dtype=np.int64)
        return cls(b"".join(names), starts, sizes)

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def keys(self) -> Keys:
        """Hash of each name."""
        keys: Keys = keys_of(self.data, self.starts, self.sizes)
        return keys

    def take(self, rows: IntArray) -> ByteNames:
        """Return the names of some rows, in that order."""
        return ByteNames(self.data, self.starts[rows], self.sizes[rows])

    def texts(self, rows: IntArray) -> list[str]:
        """Return the names of some rows, as text."""
        return _texts(self.data, self.starts[rows], self.sizes[rows])

    def differ(self, rows: IntArray, other: Names, other_rows: IntArray) -> BoolArray:
        """Return where names differ, compared as bytes where both columns hold bytes."""
        if not isinstance(other, ByteNames):
            return super().differ(rows, other, other_rows)
        mine = self.data, self.starts[rows], self.sizes[rows]
        its = other.data, other.starts[other_rows], other.sizes[other_rows]
        found: BoolArray = differ(*mine, *its)
        return found

    def descending(self, rows: IntArray, groups: IntArray) -> IntArray:
        """Return the rows sorted by group, and in each by descending name."""
        order = descending(self.data, self.starts[rows], self.sizes[rows], groups)
        found: IntArray = rows[order]
        return found


def compiled_results(piece: Piece) -> ResultRows | None:
    """Return the rows of a piece in which every line is sound; None for any other piece."""
    found = _read(piece.data, results=True)
    if found is None:
        return None
    starts, sizes, sims, ranks, lines, *runs, run_name = found
    blocks = _blocks(piece, len(starts), lines, *runs)
    return ResultRows(
        blocks,
        _names(ByteNames(piece.data, starts, sizes), blocks),
        to_row_order(sims, blocks),
        None if ranks is None else to_row_order(ranks, blocks),
        decode_name(run_name),
    )


def compiled_judgements(piece: Piece) -> JudgementRows | None:
    """Return the rows of a piece in which every line is sound; None for any other piece."""
    found = _read(piece.data, results=False)
    if found is None:
        return None
    starts, sizes, relevance, _, lines, *runs, _ = found
    if not np.isfinite(relevance).all():
        return None
    blocks = _blocks(piece, len(starts), lines, *runs)
    names = _names(ByteNames(piece.data, starts, sizes), blocks)
    return JudgementRows(blocks, names, to_row_order(relevance, blocks))


def _read(data: bytes, *, results: bool) -> Any:
    """Return the columns of the lines; None for an invalid line, a NUL byte or invalid UTF-8."""
    if b"\0" in data:
        return None
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return None
    return read(data, results)


def _blocks(
    piece: Piece,
    count: int,
    lines: IntArray | None,
    begins: IntArray,
    starts: IntArray,
    sizes: IntArray,
) -> RowsByQuery:
    queries = _texts(piece.data, starts, sizes)
    numbers = piece.first_line if lines is None else lines + piece.first_line
    return group_rows(queries, np.append(begins, count), numbers)


def _names(names: ByteNames, blocks: RowsByQuery) -> ByteNames:
    return names if blocks.order is None else names.take(blocks.order)


def _texts(data: bytes, starts: IntArray, sizes: IntArray) -> list[str]:
    places = zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
    return [data[start:end].decode("utf-8") for start, end in places]


def result_rows(piece: Piece, path: str) -> ResultRows:
    """Return the rows of a piece of a result file, with all that is wrong with its lines."""
    rows = compiled_results(piece) if AVAILABLE else None
    return read_result_rows(piece, path) if rows is None else rows


def judgement_rows(piece: Piece, path: str) -> JudgementRows:
    """Return the rows of a relevance file, with all that is wrong with its lines."""
    rows = compiled_judgements(piece) if AVAILABLE else None
    return read_judgement_rows(piece, path) if rows is None else rows

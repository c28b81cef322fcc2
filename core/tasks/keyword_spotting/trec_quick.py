"""The quickest way to the rows of trec_eval lines that there is here; the careful one for others.

Sound lines are read by the compiled reader. Where nothing was compiled, polars reads the regular
lines of large files; its import takes too long for small ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.model import BoolArray, IntArray
from core.tasks.keyword_spotting.trec_names import Keys, Names, PolarsNames, text_of
from core.tasks.keyword_spotting.trec_pieces import Piece
from core.tasks.keyword_spotting.trec_rows import (
    Blocks,
    JudgementRows,
    ResultRows,
    grouped,
    in_order,
    is_relevance,
    read_judgements,
    read_results,
)

if TYPE_CHECKING:
    import polars


try:
    from core.tasks.keyword_spotting._columns import read
    from core.tasks.keyword_spotting._names import descending, differ, keys_of

    AVAILABLE = True
except ImportError:  # no compiler was at hand when the program was installed
    AVAILABLE = False


class ByteNames(Names):
    """Names that stay where they are in the bytes of a file: a start and a size each."""

    def __init__(self, data: bytes, starts: IntArray, sizes: IntArray) -> None:
        self.data = data
        self.starts = starts
        self.sizes = sizes

    @classmethod
    def of(cls, texts: Iterable[str]) -> ByteNames:
        """A column of these names."""
        names = [text.encode() for text in texts]
        sizes = np.array([len(name) for name in names], dtype=np.int64)
        starts = np.array([0, *accumulate(map(len, names))][: len(names)], dtype=np.int64)
        return cls(b"".join(names), starts, sizes)

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def keys(self) -> Keys:
        """A hash of each name."""
        keys: Keys = keys_of(self.data, self.starts, self.sizes)
        return keys

    def take(self, rows: IntArray) -> ByteNames:
        """The names of some rows, in that order."""
        return ByteNames(self.data, self.starts[rows], self.sizes[rows])

    def texts(self, rows: IntArray) -> list[str]:
        """The names of some rows, as text."""
        return _texts(self.data, self.starts[rows], self.sizes[rows])

    def differ(self, rows: IntArray, other: Names, other_rows: IntArray) -> BoolArray:
        """Where names differ, compared as bytes where both columns hold bytes."""
        if not isinstance(other, ByteNames):
            return super().differ(rows, other, other_rows)
        mine = self.data, self.starts[rows], self.sizes[rows]
        its = other.data, other.starts[other_rows], other.sizes[other_rows]
        found: BoolArray = differ(*mine, *its)
        return found

    def descending(self, rows: IntArray, groups: IntArray) -> IntArray:
        """The rows sorted by group, and in each by descending name."""
        order = descending(self.data, self.starts[rows], self.sizes[rows], groups)
        found: IntArray = rows[order]
        return found


def compiled_results(piece: Piece) -> ResultRows | None:
    """The rows of a piece in which every line is sound; None for any other piece."""
    found = _read(piece.data, results=True)
    if found is None:
        return None
    starts, sizes, sims, ranks, lines, *runs, run_name = found
    blocks = _blocks(piece, len(starts), lines, *runs)
    return ResultRows(
        blocks,
        _names(ByteNames(piece.data, starts, sizes), blocks),
        in_order(sims, blocks),
        None if ranks is None else in_order(ranks, blocks),
        text_of(run_name),
    )


def compiled_judgements(piece: Piece) -> JudgementRows | None:
    """The rows of a piece in which every line is sound; None for any other piece."""
    found = _read(piece.data, results=False)
    if found is None:
        return None
    starts, sizes, relevance, _, lines, *runs, _ = found
    if not is_relevance(relevance).all():
        return None
    blocks = _blocks(piece, len(starts), lines, *runs)
    names = _names(ByteNames(piece.data, starts, sizes), blocks)
    return JudgementRows(blocks, names, in_order(relevance, blocks))


def _read(data: bytes, *, results: bool) -> Any:
    """The columns of the lines; None where one is wrong, a byte is NUL, or bytes are no UTF-8."""
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
) -> Blocks:
    queries = _texts(piece.data, starts, sizes)
    numbers = piece.first_line if lines is None else lines + piece.first_line
    return grouped(queries, np.append(begins, count), numbers)


def _names(names: ByteNames, blocks: Blocks) -> ByteNames:
    return names if blocks.order is None else names.take(blocks.order)


def _texts(data: bytes, starts: IntArray, sizes: IntArray) -> list[str]:
    places = zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
    return [data[start:end].decode("utf-8") for start, end in places]


Bytes = npt.NDArray[np.uint8]
RESULT_COLUMNS = ("query", "iteration", "name", "rank", "sim", "run")
JUDGEMENT_COLUMNS = ("query", "iteration", "name", "relevance")
_SPACE, _LINE_END, _HASH = 32, 10, 35
_WINDOW = 1 << 18
"""The bytes that are looked at together: few enough for the processor's cache."""
_BLANKS = bytes.maketrans(b"\t\v\f\r", b"    ")


def fast_results(piece: Piece) -> ResultRows | None:
    """The rows of a piece in which every line has as many fields, six or more; else None."""
    first_line = piece.data[: piece.data.find(b"\n") + 1] or piece.data
    more = tuple(f"field {number}" for number in range(7, len(first_line.split()) + 1))
    columns = (*RESULT_COLUMNS, *more)
    frame = _frame(piece.data, columns, wanted=(0, 2, 3, 4, 5, len(columns) - 1))
    if frame is None or frame["sim"].is_nan().any():
        return None
    blocks, frame = _grouped(frame, piece.first_line)
    return ResultRows(
        blocks,
        PolarsNames(frame["name"]),
        frame["sim"].to_numpy(),
        frame["rank"].to_numpy(),
        frame["run"][-1] if blocks.order is None else frame["run"][int(blocks.order.argmax())],
    )


def fast_judgements(piece: Piece) -> JudgementRows | None:
    """The rows of a piece in which every line has its four fields; None for any other piece."""
    frame = _frame(piece.data, JUDGEMENT_COLUMNS, wanted=(0, 2, 3))
    if frame is None:
        return None
    blocks, frame = _grouped(frame, piece.first_line)
    relevance = frame["relevance"].to_numpy()
    if not is_relevance(relevance).all():
        return None
    return JudgementRows(blocks, PolarsNames(frame["name"]), relevance)


def _frame(data: bytes, columns: tuple[str, ...], wanted: tuple[int, ...]) -> Any:
    """The wanted columns of regular lines as a polars frame, or None where a line is not."""
    import polars

    if not _is_regular(data, len(columns)):
        data = _tidied(data)
        if not _is_regular(data, len(columns)):
            return None
    types = {"rank": polars.Int64, "sim": polars.Float64, "relevance": polars.Float64}
    schema = {name: types.get(name, polars.String) for name in columns}
    try:
        frame = polars.read_csv(
            data,
            has_header=False,
            separator=" ",
            quote_char=None,
            schema=schema,
            columns=sorted(set(wanted)),
        )
    except polars.exceptions.PolarsError:
        return None
    # The blanks are as many as they should be: with all lines long enough, none is too long.
    return None if frame[columns[-1]].null_count() else frame


def _is_regular(data: bytes, fields: int) -> bool:
    """Whether single blanks separate as many fields as all lines need, and nothing else is there.

    Blank lines, comments, tabs and other control characters are not regular.
    """
    if data.startswith((b"#", b" ", b"\n")):
        return False
    text = np.frombuffer(data, dtype=np.uint8)
    blanks = line_ends = 0
    for start in range(0, len(text), _WINDOW):
        window = text[max(start - 1, 0) : start + _WINDOW]
        own = slice(1 if start else 0, None)
        separates, ends = window <= _SPACE, window == _LINE_END
        found = int(np.count_nonzero(ends[own])), int(np.count_nonzero(window[own] == _SPACE))
        if (
            sum(found) != np.count_nonzero(separates[own])
            or (separates[1:] & separates[:-1]).any()
            or (ends[:-1] & (window[1:] == _HASH)).any()
        ):
            return False
        line_ends += found[0]
        blanks += found[1]
    lines = line_ends + (0 if data.endswith(b"\n") else 1)
    return blanks == lines * (fields - 1)


def _tidied(data: bytes) -> bytes:
    """The same lines with single blanks between fields, and none around them."""
    text = np.frombuffer(data.translate(_BLANKS), dtype=np.uint8)
    blank = text == _SPACE
    followed = np.concatenate([blank[1:] | (text[1:] == _LINE_END), [True]])
    return _without_leading_blanks(text[~(blank & followed)]).tobytes()


def _without_leading_blanks(text: Bytes) -> Bytes:
    starts = np.concatenate([[True], text[:-1] == _LINE_END])
    rest: Bytes = text[~(starts & (text == _SPACE))]
    return rest


def _grouped(frame: polars.DataFrame, first_line: int) -> tuple[Blocks, polars.DataFrame]:
    """The rows grouped by query; neighbours are compared by hash."""
    keys = frame["query"].hash().to_numpy()
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    queries = frame["query"].gather(begins).to_list()
    blocks = grouped(queries, np.append(begins, len(keys)), first_line)
    return blocks, frame if blocks.order is None else frame[blocks.order]


def result_rows(piece: Piece, path: str, *, large: bool) -> ResultRows:
    """The rows of a piece of a result file, with all that is wrong with its lines."""
    rows = None
    if AVAILABLE:
        rows = compiled_results(piece)
    elif large:
        rows = fast_results(piece)
    return read_results(piece, path) if rows is None else rows


def judgement_rows(piece: Piece, path: str, *, large: bool) -> JudgementRows:
    """The rows of a relevance file, with all that is wrong with its lines."""
    rows = None
    if AVAILABLE:
        rows = compiled_judgements(piece)
    elif large:
        rows = fast_judgements(piece)
    return read_judgements(piece, path) if rows is None else rows

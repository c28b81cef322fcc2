"""Reading regular trec_eval lines with polars, where nothing was compiled.

What is not regular is left to `trec_rows`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.tasks.keyword_spotting.trec_names import PolarsNames
from core.tasks.keyword_spotting.trec_pieces import Piece
from core.tasks.keyword_spotting.trec_rows import (
    Blocks,
    JudgementRows,
    ResultRows,
    grouped,
    is_relevance,
)

if TYPE_CHECKING:
    import polars

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

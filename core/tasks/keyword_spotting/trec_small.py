"""Reading the regular lines of a small trec_eval file, without the import of polars.

What is not regular is left to `trec_rows`, which gives the same rows and tells what is wrong.
"""

from __future__ import annotations

from operator import ne

import numpy as np

from core.model import FloatArray, IntArray
from core.tasks.keyword_spotting.trec_names import SmallNames
from core.tasks.keyword_spotting.trec_pieces import Piece
from core.tasks.keyword_spotting.trec_rows import (
    Blocks,
    JudgementRows,
    ResultRows,
    grouped,
    in_order,
    is_relevance,
)

_FAR_FROM_OVERFLOW = 10**18
_UNUSUAL = (b"\0", b"\x1c", b"\x1d", b"\x1e", b"\x1f")
"""What ends a line here, and what Python takes for blanks and C does not."""


def small_results(piece: Piece) -> ResultRows | None:
    """The rows of a piece in which every line has its six fields; None for any other piece."""
    columns = _columns(piece.data, 6)
    if columns is None:
        return None
    queries, _, names, ranks, sims, runs = columns
    scores, places = _numbers(sims), _whole_numbers(ranks)
    if scores is None or places is None:
        return None
    blocks = _blocks(queries, piece.first_line)
    return ResultRows(
        blocks,
        _names(names, blocks),
        in_order(scores, blocks),
        in_order(places, blocks),
        runs[-1],
    )


def small_judgements(piece: Piece) -> JudgementRows | None:
    """The rows of a piece in which every line has its four fields; None for any other piece."""
    columns = _columns(piece.data, 4)
    if columns is None:
        return None
    queries, _, names, grades = columns
    relevance = _numbers(grades)
    if relevance is None or not is_relevance(relevance).all():
        return None
    blocks = _blocks(queries, piece.first_line)
    return JudgementRows(blocks, _names(names, blocks), in_order(relevance, blocks))


def _columns(data: bytes, count: int) -> list[list[str]] | None:
    """The fields of all lines, column by column, where each line has `count` of them.

    A NUL marks the end of each line, so that one call can split all of them.
    """
    if not data.isascii() or any(byte in data for byte in _UNUSUAL):
        return None
    text = data.decode("ascii").removesuffix("\n") + "\n"
    fields = text.replace("\n", " \0 ").split()
    ends = fields[count :: count + 1]
    if len(fields) != len(ends) * (count + 1) or ends.count("\0") != text.count("\n"):
        return None
    columns = [fields[column :: count + 1] for column in range(count)]
    if "#" in text and any(query.startswith("#") for query in columns[0]):
        return None
    return columns


def _numbers(texts: list[str]) -> FloatArray | None:
    """The texts as numbers; None where one of them is none, or is NaN."""
    try:
        numbers = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None
    # Python alone reads 1_0 as ten.
    return None if "_" in "".join(texts) or np.isnan(numbers).any() else numbers


def _whole_numbers(texts: list[str]) -> IntArray | None:
    """Numbers without a sign; None where there is any other text, or one beyond 64 bits."""
    if not "".join(texts).isdigit():
        return None
    numbers = np.fromstring(" ".join(texts), dtype=np.int64, sep=" ")
    return None if numbers.max() >= _FAR_FROM_OVERFLOW else numbers


def _blocks(queries: list[str], first_line: int) -> Blocks:
    changes = np.fromiter(map(ne, queries, ["", *queries]), np.bool_, len(queries))
    begins = np.flatnonzero(changes)
    starts = np.append(begins, len(queries))
    return grouped([queries[row] for row in begins.tolist()], starts, first_line)


def _names(names: list[str], blocks: Blocks) -> SmallNames:
    column = SmallNames(names)
    return column if blocks.order is None else column.take(blocks.order)

"""The quickest way to the rows of trec_eval lines that there is here; the careful one for others.

Sound lines are read by the compiled reader. Where nothing was compiled, polars reads the regular
lines of large files; its import takes too long for small ones.
"""

from __future__ import annotations

from core.tasks.keyword_spotting.trec_compiled import (
    AVAILABLE,
    compiled_judgements,
    compiled_results,
)
from core.tasks.keyword_spotting.trec_fast import fast_judgements, fast_results
from core.tasks.keyword_spotting.trec_pieces import Piece
from core.tasks.keyword_spotting.trec_rows import (
    JudgementRows,
    ResultRows,
    read_judgements,
    read_results,
)


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

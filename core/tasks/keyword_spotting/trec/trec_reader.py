"""Reader of trec_eval's qrels and run files, plain or gzipped."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.execution.run import Run
from jurydesk.core.language import fill, reason
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.readers.byte_blocks import UnreadableBytesError, read_blocks
from jurydesk.core.readers.natural_order import natural_order
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import TrecPolicy
from jurydesk.core.tasks.keyword_spotting.trec.fast_lines import judgement_rows, result_rows
from jurydesk.core.tasks.keyword_spotting.trec.file_defects import result_file_defects
from jurydesk.core.tasks.keyword_spotting.trec.join import join, pair_keys
from jurydesk.core.tasks.keyword_spotting.trec.layouts import LineBlocks, read_lines
from jurydesk.core.tasks.keyword_spotting.trec.lines import JudgementRows
from jurydesk.core.tasks.keyword_spotting.trec.odd_fields import odd_lines
from jurydesk.core.tasks.keyword_spotting.trec.pieces import PIECE, Piece, split_pieces
from jurydesk.core.tasks.keyword_spotting.trec.qrels_match import (
    PieceMatch,
    TrecRelevance,
    match_piece,
    repeated_documents,
    subtopic_defect,
)
from jurydesk.core.tasks.keyword_spotting.trec.run_file import PieceSpan, TrecFile
from jurydesk.core.tasks.keyword_spotting.trec.tie_order import concatenate_ranks
from jurydesk.core.tasks.keyword_spotting.trec.trec_lists import TrecLists
from jurydesk.core.tasks.keyword_spotting.trec.trec_sniff import wrong_file_defect

LARGE = 2**20
"""Minimum size in bytes for which threads pay off."""


def read_qrels(path: Path, run: Run, *, truncate: bool = False) -> Reading[TrecRelevance]:
    """Return the judgements of a relevance file; None after errors, all of which are reported.

    With `truncate`, fractions lose their decimals, as in trec_eval.
    """
    run.report(0, 0, fill("Reading {name}", path.name))
    try:
        lines = read_lines(read_blocks(path, _silent_run(run)), "relevance", str(path))
        piece = next(split_pieces(lines.blocks, sys.maxsize), Piece(b"", 0, 1))
    except UnreadableBytesError as unreadable:
        return Reading(None, (unreadable.defect,))
    if has_errors(lines.defects):
        return Reading(None, lines.defects)
    wrong = wrong_file_defect(piece.data, "relevance", str(path))
    if wrong:
        return Reading(None, (wrong,))
    if len(piece.data) > LARGE:
        rows = run.call(_judgements, piece, str(path))
    else:
        rows = _judgements(piece, str(path))
    if not len(rows.names) and not rows.defects:
        hint = "Give the complete file."
        rows.defects.append(error(Place(str(path), 1), "The file holds no judgements.", "", hint))
    if rows.defects:
        return Reading(None, (*lines.defects, *rows.defects.to_tuple()))
    fractions = _fraction_defects(rows, str(path), truncate=truncate)
    if truncate:
        rows = replace(rows, relevance=np.trunc(rows.relevance))
    return Reading(_sort_naturally(rows, str(path)), (*lines.defects, *fractions))


def _fraction_defects(rows: JudgementRows, path: str, *, truncate: bool) -> Iterator[Defect]:
    """Yield what trec_eval makes of judgements that are no whole numbers."""
    odd = np.flatnonzero(rows.relevance != np.trunc(rows.relevance))
    if not len(odd):
        return
    first = min(odd.tolist(), key=rows.blocks.line)
    value, place = float(rows.relevance[first]), Place(path, rows.blocks.line(first))
    found = fill("Judgements that are fractions: {count:,} (first: {value:g}).", len(odd), value)
    if truncate:
        yield note(
            place,
            found,
            fill("{value:g} counts as {whole}, as in trec_eval.", value, int(value)),
            count=len(odd),
        )
    else:
        effect = "All above 0 are relevant here, unless a level is given."
        hint = reason("trec_eval reads {value:g} as {whole}.", value, int(value))
        yield warning(place, found, effect, hint, count=len(odd))


def _silent_run(run: Run) -> Run:
    """Return a run that can be cancelled like `run`, and reports to nobody."""
    return Run(cancel=run.cancel)


def _judgements(piece: Piece, path: str) -> JudgementRows:
    """Return the rows of a relevance file, with all that is wrong with its lines."""
    rows = judgement_rows(piece, path)
    keys = pair_keys(rows.names.keys, rows.blocks.owners())
    lookup = join(keys, keys[:0])
    repeated = repeated_documents(rows.blocks, rows.names, lookup, path)
    for first in islice(repeated, 1):
        subtopics = subtopic_defect(piece, path)
        rows.defects.extend(chain((first,), repeated) if subtopics is None else (subtopics,))
    return rows


def _sort_naturally(rows: JudgementRows, path: str) -> TrecRelevance:
    queries, starts = rows.blocks.queries, rows.blocks.starts
    new = natural_order(queries)
    if new == list(range(len(new))):
        return TrecRelevance(path, queries, starts, rows.names, rows.relevance)
    lengths = np.diff(starts)[new]
    ends = np.cumsum(lengths)
    order = np.repeat(starts[:-1][new] - (ends - lengths), lengths) + np.arange(starts[-1])
    return TrecRelevance(
        path,
        tuple(queries[number] for number in new),
        np.concatenate([np.zeros(1, np.int64), ends]),
        rows.names.take(order),
        rows.relevance[order],
    )


def read_lists(
    path: Path, relevance: TrecRelevance, policy: TrecPolicy, run: Run
) -> Reading[TrecLists]:
    """Return the ranked lists of a result file, matched with the judgements; None after errors."""
    try:
        read = _read(path, relevance, policy, run, PIECE)
        if isinstance(read, _MatchedFile) and read.scattered:
            read = _read(path, relevance, policy, run, sys.maxsize)
    except UnreadableBytesError as unreadable:
        return Reading(None, (unreadable.defect,))
    if isinstance(read, tuple):
        return Reading(None, read)
    found = result_file_defects(read.matches, str(path), relevance, policy)
    defects = (*read.lines.defects, *found)
    if has_errors(defects):
        return Reading(None, defects)
    return Reading(read.lists(path, relevance, policy), defects)


@dataclass(frozen=True, slots=True, eq=False)
class _MatchedFile:
    """Matches of all pieces of a result file."""

    matches: Sequence[PieceMatch]
    spans: Sequence[PieceSpan]
    lines: LineBlocks

    @property
    def scattered(self) -> bool:
        """Whether a query has lines in several pieces."""
        queries = [query for found in self.matches for query in found.queries]
        return len(set(queries)) < len(queries)

    def lists(self, path: Path, relevance: TrecRelevance, policy: TrecPolicy) -> TrecLists:
        """Return all pieces together: what is listed of each query, sorted by rank."""
        listed = np.zeros(len(relevance.queries), dtype=np.int64)
        piece = np.full(len(relevance.queries), -1, dtype=np.int64)
        for number, found in enumerate(self.matches):
            for query, count in zip(found.queries, found.listed.tolist(), strict=True):
                index = relevance.numbers.get(query)
                if index is not None:
                    listed[index], piece[index] = count, number
        rows = np.concatenate([found.rows for found in self.matches])
        where = concatenate_ranks([found.tied_ranks for found in self.matches])
        order = np.lexsort((where.ranks, relevance.owners[rows]))
        return TrecLists(
            relevance,
            TrecFile(path, self.spans, self.lines.layout),
            listed,
            rows[order],
            where.take(order),
            piece,
            policy.compat,
            policy.ties,
            policy.level,
            self.matches[-1].run_name,
        )


def _read(
    path: Path, relevance: TrecRelevance, policy: TrecPolicy, run: Run, size: int
) -> _MatchedFile | tuple[Defect, ...]:
    """Read and match the pieces of a file, in parallel where there are several."""
    run.report(0, 0, fill("Reading {name}", path.name))
    lines = read_lines(read_blocks(path, _silent_run(run)), "results", str(path))
    if has_errors(lines.defects):
        return lines.defects
    source = split_pieces(lines.blocks, size)
    first = next(source, Piece(b"", 0, 1))
    wrong = wrong_file_defect(first.data, "results", str(path))
    if wrong:
        return (*lines.defects, wrong)
    more = tuple(islice(source, 1))
    matched = partial(_match_one_piece, relevance=relevance, policy=policy, path=str(path))
    if not more and len(first.data) <= LARGE:
        return _MatchedFile((matched(first),), (_span(first),), lines)
    spans: list[PieceSpan] = []
    matches = run.map(
        matched,
        _record_spans(chain((first, *more), source), spans),
        total=path.stat().st_size,
        text=fill("Reading {file}", path.name),
        size=lambda piece: len(piece.data),
    )
    return _MatchedFile(tuple(matches), spans, lines)


def _record_spans(source: Iterator[Piece], spans: list[PieceSpan]) -> Iterator[Piece]:
    for piece in source:
        spans.append(_span(piece))
        yield piece


def _span(piece: Piece) -> PieceSpan:
    return PieceSpan(piece.offset, len(piece.data), piece.first_line)


def _match_one_piece(
    piece: Piece, *, relevance: TrecRelevance, policy: TrecPolicy, path: str
) -> PieceMatch:
    rows = result_rows(piece, path)
    odd = odd_lines(piece, rows)
    matched = match_piece(rows, relevance, path, policy.compat, policy.ties)
    return replace(matched, odd=odd)

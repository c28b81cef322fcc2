"""Matching of a result-file piece with the qrels, and the ranks of judged documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.tasks.item_fields import Fields
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import Compat, Ties
from jurydesk.core.tasks.keyword_spotting.trec.document_names import Keys, Names, decode_name
from jurydesk.core.tasks.keyword_spotting.trec.join import HashJoin, join, pair_keys
from jurydesk.core.tasks.keyword_spotting.trec.lines import ResultRows, RowsByQuery
from jurydesk.core.tasks.keyword_spotting.trec.odd_fields import NOTHING_ODD, OddLines
from jurydesk.core.tasks.keyword_spotting.trec.pieces import Piece
from jurydesk.core.tasks.keyword_spotting.trec.tie_order import (
    TiedRanks,
    comparable_scores,
    find_ranks,
    rank_contradictions,
    sort_by_score,
)


@dataclass(frozen=True, eq=False)
class TrecRelevance:
    """Relevance file: query `i` judges the rows `starts[i]:starts[i + 1]`, in natural order."""

    path: str
    queries: tuple[str, ...]
    starts: IntArray
    names: Names
    gains: FloatArray
    fields: Mapping[str, Fields] = field(default_factory=dict)

    def keywords(self) -> None:
        """Return None: the format does not say which queries are alike."""

    @property
    def format(self) -> Literal["trec"]:
        """Format of the file."""
        return "trec"

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Number of each query."""
        return {query: number for number, query in enumerate(self.queries)}

    @cached_property
    def owners(self) -> IntArray:
        """Query of each row."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.starts))

    @cached_property
    def _kinds(self) -> dict[type[Names], Names]:
        return {type(self.names): self.names}

    def names_like(self, names: Names) -> Names:
        """Return the names in a column of the same kind as another one."""
        kind = type(names)
        if kind not in self._kinds:
            self._kinds[kind] = kind.of(self.names.texts(np.arange(len(self.names))))
        return self._kinds[kind]

    def relevant(self, level: float | None) -> BoolArray:
        """Return which rows are relevant: above 0, or at least `level`; below 0 is unjudged."""
        chosen: BoolArray = self.gains > 0 if level is None else self.gains >= max(level, 0.0)
        return chosen


@dataclass(frozen=True, slots=True, eq=False)
class PieceMatch:
    """Judged documents listed in a piece of a result file, with their ranks.

    `listed` counts the documents of each query, known or not; `rows` are the listed rows of the
    relevance file, and `tied_ranks` their ranks. `contradicted` is the number of rows whose rank
    column contradicts the scores, `contradicted_line` the line of the first. `odd` are lines with
    other fields than they should have.
    """

    queries: tuple[str, ...]
    lines: IntArray
    listed: IntArray
    rows: IntArray
    tied_ranks: TiedRanks
    defects: BoundedDefects
    contradicted: int
    contradicted_line: int
    rank_column: bool
    run_name: str
    odd: OddLines = NOTHING_ODD


def match_piece(
    results: ResultRows, relevance: TrecRelevance, path: str, compat: Compat, ties: Ties
) -> PieceMatch:
    """Rank the documents of a piece and look up the judged ones among them.

    A document listed twice for a query is an error, which names both lines; it is added to those of
    the lines.
    """
    blocks, names = results.blocks, results.names
    wanted, blocks_wanted = _judged_rows(blocks, relevance)
    joined = _join_names(blocks, names, relevance, wanted, blocks_wanted)
    hit = np.flatnonzero(joined.found >= 0)
    scores = comparable_scores(results.sims, compat)
    listed = sort_by_score(scores, blocks.starts, _tie_column(results, ties))
    wrong = np.zeros(0, np.int64)
    if results.ranks is not None:
        wrong = rank_contradictions(listed, results.ranks)
    results.defects.extend(repeated_documents(blocks, names, joined, path))
    return PieceMatch(
        queries=blocks.queries,
        lines=np.array([blocks.line(row) for row in blocks.starts[:-1].tolist()], dtype=np.int64),
        listed=np.diff(blocks.starts),
        rows=wanted[hit],
        tied_ranks=find_ranks(listed, joined.found[hit], names, ties),
        defects=results.defects,
        contradicted=len(wrong),
        contradicted_line=min((blocks.line(row) for row in wrong[:1000].tolist()), default=0),
        rank_column=results.ranks is not None,
        run_name=results.run_name,
    )


def _tie_column(results: ResultRows, ties: Ties) -> IntArray | None:
    """Return the column that breaks ties before file order does."""
    return results.ranks if ties == "rank" else None


def _judged_rows(blocks: RowsByQuery, relevance: TrecRelevance) -> tuple[IntArray, IntArray]:
    """Return the relevance file's rows for the blocks' queries, and the block of each."""
    numbers = [relevance.numbers.get(query, -1) for query in blocks.queries]
    known = np.array([i for i, number in enumerate(numbers) if number >= 0], dtype=np.int64)
    chosen = np.array(numbers, dtype=np.int64)[known]
    lengths = np.diff(relevance.starts)[chosen]
    shifts = relevance.starts[chosen] - (np.cumsum(lengths) - lengths)
    rows = np.arange(int(lengths.sum())) + np.repeat(shifts, lengths)
    return rows, np.repeat(known, lengths)


def _join_names(
    blocks: RowsByQuery,
    names: Names,
    relevance: TrecRelevance,
    wanted: IntArray,
    blocks_wanted: IntArray,
) -> HashJoin:
    """Join by hash and verify the names; join by name after a hash collision."""
    judged = relevance.names_like(names)
    keys: Keys = judged.keys[wanted]
    joined = join(pair_keys(names.keys, blocks.owners()), pair_keys(keys, blocks_wanted))
    hit = np.flatnonzero(joined.found >= 0)
    if (
        names.differ(joined.found[hit], judged, wanted[hit]).any()
        or names.differ(joined.first, names, joined.second).any()
    ):
        return _join_by_name(blocks, names, judged, wanted, blocks_wanted)
    return joined


def _join_by_name(
    blocks: RowsByQuery, names: Names, judged: Names, wanted: IntArray, blocks_wanted: IntArray
) -> HashJoin:
    rows: dict[tuple[int, str], int] = {}
    pairs: list[tuple[int, int]] = []
    listed = zip(blocks.owners().tolist(), names.texts(np.arange(len(names))), strict=True)
    for row, key in enumerate(listed):
        if rows.setdefault(key, row) != row:
            pairs.append((rows[key], row))
    sought = zip(blocks_wanted.tolist(), judged.texts(wanted), strict=True)
    found = np.array([rows.get(key, -1) for key in sought], dtype=np.int64)
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return HashJoin(found, first, second)


def repeated_documents(
    blocks: RowsByQuery, names: Names, joined: HashJoin, path: str
) -> Iterator[Defect]:
    """Yield a defect for every line with a repeated document of the same query."""
    if not len(joined.first):
        return
    rows = np.unique(np.concatenate([joined.first, joined.second]))
    owners = blocks.owners()[rows].tolist()
    first: dict[tuple[int, str], int] = {}
    by_line = sorted(
        (blocks.line(row), query, name)
        for row, query, name in zip(rows.tolist(), owners, names.texts(rows), strict=True)
    )
    for line, query, name in by_line:
        before = first.setdefault((query, name), line)
        if before != line:
            found = fill(
                'Document "{name}" is listed twice for query "{queries}" (first on line {before}).',
                name,
                blocks.queries[query],
                before,
            )
            yield error(Place(path, line), found, "", "Remove one of the two lines.")


def subtopic_defect(piece: Piece, path: str) -> Defect | None:
    """Return the error of judgements by subtopic: documents differ by the second column, too."""
    judged: dict[tuple[bytes, bytes], bytes] = {}
    differing: tuple[int, bytes, bytes] | None = None
    for number, line in enumerate(piece.data.split(b"\n"), start=piece.first_line):
        fields = line.split()
        if len(fields) != 4 or fields[0].startswith(b"#"):
            continue
        before = judged.setdefault((fields[0], fields[2]), fields[1])
        if before != fields[1]:
            differing = differing or (number, before, fields[1])
        elif before is not fields[1]:
            return None  # the same document of the same subtopic: a true double
    if differing is None:
        return None
    place, columns = Place(path, differing[0]), differing[1:]
    return error(
        place,
        fill(
            "The second column differs for one document ({first}, {second}): these are judgements "
            "by subtopic.",
            *map(decode_name, columns),
        ),
        "No measure here uses subtopics.",
        "Give judgements of whole queries.",
    )

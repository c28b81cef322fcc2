"""Ranked lists of a trec_eval result file, matched with a relevance file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.ranking import Hits
from jurydesk.core.metrics.ranking.hits import rows_of_groups
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    SHOWN,
    ItemColumns,
    ShownRanks,
    columns_of_lists,
)
from jurydesk.core.tasks.keyword_spotting.trec.qrels_match import TrecRelevance
from jurydesk.core.tasks.keyword_spotting.trec.tie_order import (
    TiedRanks,
    comparable_scores,
    find_ranks,
    sort_by_score,
)

if TYPE_CHECKING:
    from jurydesk.core.model.defects import Defect
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import Compat, Ties
    from jurydesk.core.tasks.keyword_spotting.trec.lines import ResultRows
    from jurydesk.core.tasks.keyword_spotting.trec.run_file import TrecFile

RUN = "run "
"""Prefix of the run's name in a system's description."""


@dataclass(frozen=True, eq=False)
class TrecLists:
    """Ranked lists of one system: the ranks of judged documents, and the source of the others.

    `rows` are the listed rows of the relevance file, `tied_ranks` their ranks, sorted by query
    and rank. `pieces` is the piece of the file that holds each query (-1 for none).
    """

    relevance: TrecRelevance
    file: TrecFile
    listed: IntArray
    rows: IntArray
    tied_ranks: TiedRanks
    pieces: IntArray
    compat: Compat
    ties: Ties
    level: float | None
    run_name: str

    @property
    def path(self) -> str:
        """Path of the result file."""
        return str(self.file.path)

    @cached_property
    def relevant(self) -> BoolArray:
        """Mask of the relevant rows of the relevance file."""
        return self.relevance.relevant(self.level)

    @cached_property
    def starts(self) -> IntArray:
        """Start of the found rows of each query."""
        owners = self.relevance.owners[self.rows]
        counts = np.bincount(owners, minlength=len(self.relevance.queries))
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])

    def hits(self, profile: str) -> Hits:
        """Return the hits; trec_eval files have the profile `published` only."""
        return Hits(
            queries=self.relevance.queries,
            listed=self.listed,
            starts=self.starts,
            ranks=self.tied_ranks.ranks,
            first=self.tied_ranks.first,
            last=self.tied_ranks.last,
            gains=self.relevance.gains[self.rows],
            relevant=self.relevant[self.rows],
            judged_starts=self.relevance.starts,
            judged_gains=self.relevance.gains,
            judged_relevant=self.relevant,
        )

    def ranked_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the first ranks and every hit below them.

        Documents that nobody judged are read from the file again; they are missing where it has
        changed since.
        """
        found, starts = rows_of_groups(self.starts, queries)
        owner = np.repeat(np.arange(len(queries)), np.diff(starts))
        rows, ranks = self.rows[found], self.tied_ranks.ranks[found]
        hits = self.relevant[rows]
        shown = ShownRanks.of(self.listed[queries], owner[hits], ranks[hits])
        kept = hits | (ranks <= SHOWN)
        places, rows = shown.find(owner[kept], ranks[kept]), rows[kept]
        listed = self._listed(queries, shown)
        for place, name in zip(places.tolist(), self.relevance.names.texts(rows), strict=True):
            listed.names[place] = name
        listed.is_known[places] = True
        hit = np.zeros(len(shown.rank), np.bool_)
        hit[places] = self.relevant[rows]
        gain = np.full(len(shown.rank), np.nan)
        gain[places] = self.relevance.gains[rows]
        known = listed.is_known
        return columns_of_lists(
            np.bincount(shown.owner[known], minlength=len(queries)),
            shown.rank[known],
            [*compress(listed.names, known.tolist())],
            hit[known],
            gain[known],
            score=listed.scores[known],
        )

    def missed_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the relevant documents that the lists lack."""
        rows, starts = rows_of_groups(self.relevance.starts, queries)
        lacks = self.relevant[rows] & ~np.isin(rows, self.rows)
        owner, rows = np.repeat(np.arange(len(queries)), np.diff(starts))[lacks], rows[lacks]
        return columns_of_lists(
            np.bincount(owner, minlength=len(queries)),
            np.zeros(len(rows), np.int64),
            self.relevance.names.texts(rows),
            np.zeros(len(rows), np.bool_),
            self.relevance.gains[rows],
        )

    def judged_names(self, query: int, *, relevant: bool = False) -> list[str]:
        """Return the judged documents of a query, by its number, or the relevant ones alone."""
        rows = np.arange(*self.relevance.starts[query : query + 2])
        return self.relevance.names.texts(rows[self.relevant[rows]] if relevant else rows)

    def listed_names(self, queries: IntArray, most: int) -> list[list[str]]:
        """Return the first documents of each query as the file lists them, at most so many."""
        found: list[list[str]] = []
        for query in queries.tolist():
            results = self.file.rows_of(int(self.pieces[query]))
            names: list[str] = []
            if results is not None:
                number = results.blocks.queries.index(self.relevance.queries[query])
                start, stop = results.blocks.starts[number : number + 2].tolist()
                names = results.names.texts(np.arange(start, min(stop, start + most)))
            found.append(names)
        return found

    def defects(self, profile: str) -> tuple[Defect, ...]:
        """Return nothing: all defects were reported while reading."""
        return ()

    def _listed(self, queries: IntArray, shown: ShownRanks) -> _ListedDocuments:
        """Return the documents at the shown ranks, read from the file piece by piece."""
        count = len(shown.rank)
        listed = _ListedDocuments([""] * count, np.full(count, np.nan), np.zeros(count, np.bool_))
        pieces = self.pieces[queries][shown.owner]
        order = np.argsort(pieces, kind="stable")
        numbers, starts = np.unique(pieces[order], return_index=True)
        for number, places in zip(numbers.tolist(), np.split(order, starts[1:]), strict=True):
            results = self.file.rows_of(number)
            if results is None:
                continue
            blocks = dict(zip(results.blocks.queries, results.blocks.starts.tolist(), strict=False))
            begins = {
                owner: blocks[self.relevance.queries[queries[owner]]]
                for owner in np.unique(shown.owner[places]).tolist()
            }
            begin = np.array([begins[owner] for owner in shown.owner[places].tolist()], np.int64)
            rows = self._rows_by_rank(results)[begin + shown.rank[places] - 1]
            for place, name in zip(places.tolist(), results.names.texts(rows), strict=True):
                listed.names[place] = name
            listed.scores[places] = results.sims[rows]
            listed.is_known[places] = True
        return listed

    def _rows_by_rank(self, results: ResultRows) -> IntArray:
        """Return the rows of a piece by query and rank."""
        starts = results.blocks.starts
        column = results.ranks if self.ties == "rank" else None
        listed = sort_by_score(comparable_scores(results.sims, self.compat), starts, column)
        every = np.arange(len(results.sims))
        ranks = find_ranks(listed, every, results.names, self.ties).ranks
        rows = np.empty(len(every), np.int64)
        rows[starts[listed.block] + ranks - 1] = every
        return rows


@dataclass(frozen=True, slots=True, eq=False)
class _ListedDocuments:
    """Names and scores of listed documents, as far as they are known."""

    names: list[str]
    scores: FloatArray
    is_known: BoolArray

"""Ranked lists of a trec_eval result file, matched with a relevance file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.ranking import Hits
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import SHOWN, RankedItem
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

    def ranked(self, query: int, profile: str) -> Sequence[RankedItem]:
        """Return the first ranks and every hit below them.

        Documents that nobody judged are read from the file again; they are missing where it has
        changed since.
        """
        found = slice(self.starts[query], self.starts[query + 1])
        judged = self._items(self.rows[found], self.tied_ranks.ranks[found])
        wanted = set(range(1, min(SHOWN, int(self.listed[query])) + 1))
        wanted |= {item.rank for item in judged if item.hit}
        items = {item.rank: item for item in self._listed(query, sorted(wanted))}
        for item in judged:
            if item.rank in wanted:
                score = items[item.rank].score if item.rank in items else item.score
                items[item.rank] = replace(item, score=score)
        return [items[rank] for rank in sorted(items)]

    def missed(self, query: int, profile: str) -> Sequence[RankedItem]:
        """Return the relevant documents that the list lacks."""
        rows = np.arange(self.relevance.starts[query], self.relevance.starts[query + 1])
        found = self.rows[self.starts[query] : self.starts[query + 1]]
        rows = np.setdiff1d(rows[self.relevant[rows]], found)
        items = self._items(rows, np.zeros(len(rows), dtype=np.int64))
        return [replace(item, hit=False) for item in items]

    def defects(self, profile: str) -> tuple[Defect, ...]:
        """Return nothing: all defects were reported while reading."""
        return ()

    def _items(self, rows: IntArray, at: IntArray) -> list[RankedItem]:
        """Return judged documents as ranked items."""
        columns = (
            at.tolist(),
            self.relevance.names.texts(rows),
            self.relevant[rows].tolist(),
            self.relevance.gains[rows].tolist(),
        )
        return [RankedItem(*values) for values in zip(*columns, strict=True)]

    def _listed(self, query: int, wanted: Sequence[int]) -> Sequence[RankedItem]:
        """Return the documents at given ranks of a query, without relevance."""
        results = self.file.rows_of(int(self.pieces[query]))
        name = self.relevance.queries[query]
        if results is None or name not in results.blocks.queries:
            return ()
        block = results.blocks.queries.index(name)
        start, end = results.blocks.starts[block : block + 2].tolist()
        names = results.names.take(np.arange(start, end))
        sims = results.sims[start:end]
        column = None
        if self.ties == "rank" and results.ranks is not None:
            column = results.ranks[start:end]
        listed = sort_by_score(
            comparable_scores(sims, self.compat), np.array([0, end - start]), column
        )
        own_ranks = find_ranks(listed, np.arange(end - start), names, self.ties).ranks
        rows = np.argsort(own_ranks)[np.asarray(wanted, dtype=np.int64) - 1]
        columns = (wanted, names.texts(rows), sims[rows].tolist())
        return [
            RankedItem(rank, text, hit=False, score=sim)
            for rank, text, sim in zip(*columns, strict=True)
        ]

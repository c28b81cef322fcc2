"""Ranking of listed documents by descending score, with a tie policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import Compat, Ties
from jurydesk.core.tasks.keyword_spotting.trec.document_names import Names


@dataclass(frozen=True, slots=True, eq=False)
class ScoreOrder:
    """Listed rows by descending score; block `i` is `starts[i]:starts[i + 1]` before and after.

    `rows[p]` is the row at position `p`, or `p` itself where `rows` is None.
    """

    starts: IntArray
    rows: IntArray | None
    scores: FloatArray
    block: IntArray

    def positions(self, rows: IntArray) -> IntArray:
        """Return the positions of the rows."""
        if self.rows is None:
            return rows
        places = np.empty(len(self.rows), dtype=np.int64)
        places[self.rows] = np.arange(len(self.rows))
        return places[rows]

    def at(self, positions: IntArray) -> IntArray:
        """Return the rows at the positions."""
        return positions if self.rows is None else self.rows[positions]


def comparable_scores(sims: FloatArray, compat: Compat) -> FloatArray:
    """Return the scores as they are compared: trec_eval 9 keeps them in single precision."""
    if compat == "trec10":
        return sims
    with np.errstate(over="ignore"):
        return sims.astype(np.float32).astype(np.float64)


def sort_by_score(
    scores: FloatArray, starts: IntArray, column: IntArray | None = None
) -> ScoreOrder:
    """Return the rows of each block by descending score, then by `column`, then in their order."""
    block = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rows = None
    if column is not None or not _is_descending(scores, starts):
        keys = (-scores, block) if column is None else (column, -scores, block)
        rows = np.lexsort(keys)
        scores = scores[rows]
    return ScoreOrder(starts, rows, scores, block)


def _is_descending(scores: FloatArray, starts: IntArray) -> bool:
    rises = scores[1:] > scores[:-1]
    rises[starts[1:-1] - 1] = False
    return not rises.any()


@dataclass(frozen=True, slots=True, eq=False)
class TiedRanks:
    """Ranks of rows in their blocks, with the first and last rank of equal scores."""

    ranks: IntArray
    first: IntArray
    last: IntArray

    def take(self, rows: IntArray) -> TiedRanks:
        """Return some of the rows."""
        return TiedRanks(self.ranks[rows], self.first[rows], self.last[rows])


def concatenate_ranks(parts: Sequence[TiedRanks]) -> TiedRanks:
    """Return the rows of all parts, one after the other."""
    return TiedRanks(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in TiedRanks.__slots__)
    )


def find_ranks(listed: ScoreOrder, wanted: IntArray, names: Names, ties: Ties) -> TiedRanks:
    """Return the rank of each wanted row in its block.

    Only ties of wanted rows are resolved and need `names`.
    """
    positions = listed.positions(wanted)
    begins = np.flatnonzero(_group_starts(listed))
    ends = np.append(begins[1:], len(listed.scores))
    group = np.searchsorted(begins, positions, side="right") - 1
    if ties == "docno":
        positions = _sort_ties(listed, positions, wanted, names, begins, ends, group)
    start = listed.starts[listed.block[positions]]
    return TiedRanks(positions - start + 1, begins[group] - start + 1, ends[group] - start)


def _sort_ties(
    listed: ScoreOrder,
    positions: IntArray,
    wanted: IntArray,
    names: Names,
    begins: IntArray,
    ends: IntArray,
    group: IntArray,
) -> IntArray:
    """Return the positions after sorting tied scores by descending name."""
    sizes = ends - begins
    concerned = np.zeros(len(begins), dtype=np.bool_)
    concerned[group] = sizes[group] > 1
    tied = np.flatnonzero(concerned)
    if not len(tied):
        return positions
    members = np.repeat(begins[tied] - (np.cumsum(sizes[tied]) - sizes[tied]), sizes[tied])
    members += np.arange(len(members))
    sorted_rows = names.descending(listed.at(members), np.repeat(tied, sizes[tied]))
    place = np.empty(len(listed.scores), dtype=np.int64)
    place[sorted_rows] = members
    moved = sizes[group] > 1
    positions = positions.copy()
    positions[moved] = place[wanted[moved]]
    return positions


def _group_starts(listed: ScoreOrder) -> BoolArray:
    """Return the starts of groups of equal scores in a block, as a mask."""
    first = np.ones(len(listed.scores), dtype=np.bool_)
    np.not_equal(listed.scores[1:], listed.scores[:-1], out=first[1:])
    first[listed.starts[:-1]] = True
    return first


def rank_contradictions(listed: ScoreOrder, column: IntArray) -> IntArray:
    """Return the rows that the rank column puts above a row of a higher score, in their blocks."""
    ranked = column if listed.rows is None else column[listed.rows]
    wrong = (ranked[1:] < ranked[:-1]) & (listed.scores[1:] < listed.scores[:-1])
    wrong &= listed.block[1:] == listed.block[:-1]
    return listed.at(np.flatnonzero(wrong) + 1)

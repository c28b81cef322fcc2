"""Judged items of ranked lists: the input of all ranking measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Judged items in the ranked lists of all queries of the relevance file, in display order.

    Query `i` owns the rows `starts[i]:starts[i + 1]` of `ranks` (1-based, ascending), `first`,
    `last`, `gains` and `relevant`: one row for each judged item in its list. `first` to `last` are
    the ranks of the items with the same score. It owns the rows
    `judged_starts[i]:judged_starts[i + 1]` of `judged_gains` and `judged_relevant`: one for each
    judged item, found or not. `listed` is the length of each list, 0 for a query without results.
    A negative gain means an item of the pool without a judgement.
    """

    queries: tuple[str, ...]
    listed: IntArray
    starts: IntArray
    ranks: IntArray
    first: IntArray
    last: IntArray
    gains: FloatArray
    relevant: BoolArray
    judged_starts: IntArray
    judged_gains: FloatArray
    judged_relevant: BoolArray

    def __len__(self) -> int:
        return len(self.queries)

    def select(self, queries: Sequence[int] | IntArray) -> Hits:
        """Return the hits of some queries, given by their index, in that order."""
        chosen = np.asarray(queries, dtype=np.int64)
        if np.array_equal(chosen, np.arange(len(self))):
            return self
        rows, starts = rows_of_groups(self.starts, chosen)
        judged, judged_starts = rows_of_groups(self.judged_starts, chosen)
        return Hits(
            queries=tuple(self.queries[index] for index in chosen.tolist()),
            listed=self.listed[chosen],
            starts=starts,
            ranks=self.ranks[rows],
            first=self.first[rows],
            last=self.last[rows],
            gains=self.gains[rows],
            relevant=self.relevant[rows],
            judged_starts=judged_starts,
            judged_gains=self.judged_gains[judged],
            judged_relevant=self.judged_relevant[judged],
        )


def rows_of_groups(starts: IntArray, chosen: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows of the chosen groups, one group after another, and the new starts."""
    lengths = np.diff(starts)[chosen]
    ends = np.cumsum(lengths)
    shift = np.repeat(starts[chosen] - (ends - lengths), lengths)
    return np.arange(len(shift)) + shift, np.concatenate([np.zeros(1, np.int64), ends])

"""trec_eval's experimental measures of graded relevance: G, ndcg_rel, Rndcg, Rprec_mult.

There is no publication; the definitions are those of trec_eval 9.0.8.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from jurydesk.core.metrics.ranking.precision import items_at
from jurydesk.core.metrics.ranking.ranked import RankingStatistics
from jurydesk.core.model.evaluation import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class _Graded:
    """Gains of one query: those found by rank, the ideal ones in order, and the list's length."""

    found: list[tuple[int, float]]
    ideal: list[float]
    listed: int

    def ideal_sums(self) -> list[float]:
        """Return the ideal discounted gain of the first 0, 1, 2 ... ranks."""
        sums = [0.0]
        for rank, gain in enumerate(self.ideal, 1):
            sums.append(sums[-1] + gain / math.log2(rank + 1))
        return sums

    def gained(self, rank: int) -> float:
        """Return the discounted gain found up to a rank."""
        total = 0.0
        for place, gain in self.found:
            if place <= rank:
                total += gain / math.log2(place + 1)
        return total


def normalized_gain(ranked: RankingStatistics) -> FloatArray:
    """Return G: gains discounted by their delay behind the ideal list, over all gains."""
    return _value_by_query(ranked, _g)


def ndcg_rel(ranked: RankingStatistics) -> FloatArray:
    """Return the mean of nDCG at every item with gain; items not found count at the end."""
    return _value_by_query(ranked, _ndcg_rel)


def r_ndcg(ranked: RankingStatistics) -> FloatArray:
    """Return Rndcg: the mean of nDCG at ranks where the ideal gain changes, and at the end."""
    values = _value_by_query(ranked, _r_ndcg)
    values[ranked.relevant == 0] = 0.0
    return values


def r_precision_multiple(ranked: RankingStatistics, level: IntArray) -> FloatArray:
    """Return precision (n, queries) at `level` (n, 1) hundredths of R, rounded as trec_eval 9."""
    cut = items_at(level, ranked.relevant, "trec9")
    inside = ranked.relevant_rank <= cut[:, ranked.relevant_owner]
    return ranked.counts(inside, ranked.relevant_owner) / np.maximum(cut, 1)


def _value_by_query(ranked: RankingStatistics, value: Callable[[_Graded], float]) -> FloatArray:
    return np.array([value(query) for query in _queries(ranked)])


def _queries(ranked: RankingStatistics) -> Iterator[_Graded]:
    hits = ranked.hits
    for query in range(ranked.queries):
        rows = slice(hits.starts[query], hits.starts[query + 1])
        judged = hits.judged_gains[hits.judged_starts[query] : hits.judged_starts[query + 1]]
        places = zip(hits.ranks[rows].tolist(), hits.gains[rows].tolist(), strict=True)
        yield _Graded(
            [(rank, gain) for rank, gain in places if gain > 0],
            sorted((gain for gain in judged.tolist() if gain > 0), reverse=True),
            int(hits.listed[query]),
        )


def _g(query: _Graded) -> float:
    costs = [0.0]
    for gain in query.ideal:
        costs.append(costs[-1] + max(gain, 1.0))
    total = results = 0.0
    for rank, gain in query.found:
        results += gain
        cost = costs[min(rank, len(query.ideal))] + max(rank - len(query.ideal), 0)
        total += gain / math.log2(2 + cost - results)
    possible = sum(query.ideal)
    return total / possible if possible else 0.0


def _ndcg_rel(query: _Graded) -> float:
    if not query.ideal:
        return 0.0
    ideal = query.ideal_sums()
    total = results = 0.0
    for rank, gain in query.found:
        results += gain / math.log2(rank + 1)
        total += results / ideal[min(rank, len(query.ideal))]
    total += (len(query.ideal) - len(query.found)) * results / ideal[-1]
    return total / len(query.ideal)


def _r_ndcg(query: _Graded) -> float:
    if not query.ideal:
        return 0.0
    ideal = query.ideal_sums()
    after = [*query.ideal[1:], 0.0]
    changes = [rank for rank, gain in enumerate(query.ideal, 1) if gain != after[rank - 1]]
    total = 0.0
    for rank in changes:
        total += query.gained(rank) / ideal[rank]
    count = len(changes)
    if query.listed > len(query.ideal) + 1:
        total += query.gained(query.listed) / ideal[-1]
        count += 1
    return total / count

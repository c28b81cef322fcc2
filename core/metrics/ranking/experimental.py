"""trec_eval's experimental measures of graded relevance: G, ndcg_rel, Rndcg, Rprec_mult.

There is no publication; the definitions are those of trec_eval 9.0.8.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.metrics.ranking.precision import items_at, recall_cut
from jurydesk.core.metrics.ranking.ranking_statistics import RankingStatistics
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

    def discounted_gain(self, rank: int) -> float:
        """Return the discounted gain found up to a rank."""
        total = 0.0
        for place, gain in self.found:
            if place <= rank:
                total += gain / math.log2(place + 1)
        return total


def normalized_gain(ranked: RankingStatistics) -> FloatArray:
    """Return G: gains discounted by their delay behind the ideal list, over all gains."""
    return _value_by_query(ranked, _g_measure)


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
    return _precision_at(ranked, cut)


def precision_at_share(ranked: RankingStatistics, share: float) -> FloatArray:
    """Return precision (queries,) at int(`share` R + 0.9) items, in trec_eval 10 as well."""
    cut = recall_cut(share, ranked.relevant, "trec9")
    return np.asarray(_precision_at(ranked, cut[np.newaxis])[0])


def _precision_at(ranked: RankingStatistics, cut: IntArray) -> FloatArray:
    inside = ranked.relevant_rank <= cut[:, ranked.relevant_owner]
    return ranked.counts(inside, ranked.relevant_owner) / np.maximum(cut, 1)


def with_gains(
    name: str, gains: Sequence[tuple[int, float]], ranked: RankingStatistics
) -> FloatArray:
    """Return a measure under other gains than the grades: pairs of grade and gain.

    `name` is ndcg, dcg, ideal_dcg, ndcg_rel, Rndcg or G, as in `trec_eval -m ndcg.1=3,2=9`.
    """
    measure = {
        "ndcg": _ndcg, "dcg": _dcg, "ideal_dcg": _ideal_dcg,
        "ndcg_rel": _ndcg_rel, "Rndcg": _r_ndcg, "G": _g_measure,
    }[name]  # fmt: skip
    values = np.array([measure(query) for query in _queries_with_gains(ranked, gains)])
    if name == "Rndcg":
        values[ranked.relevant == 0] = 0.0
    return values


def _queries_with_gains(
    ranked: RankingStatistics, gains: Sequence[tuple[int, float]]
) -> Iterator[_Graded]:
    hits = ranked.hits
    for query in range(ranked.queries):
        rows = slice(hits.starts[query], hits.starts[query + 1])
        judged = hits.judged_gains[hits.judged_starts[query] : hits.judged_starts[query + 1]]
        numbers = Counter(int(grade) for grade in judged.tolist() if grade >= 0)
        highest = max(numbers, default=-1)
        levels = []
        for grade, gain in gains:
            levels.append((grade, gain, numbers.pop(grade, 0)))
        first = {grade for grade, _ in gains}
        others = [grade for grade in range(highest + 1) if grade not in first]
        levels += [(grade, float(grade), numbers[grade]) for grade in others]
        levels = _sorted_by_gain(levels)
        gain_of = {grade: gain for grade, gain, _ in reversed(levels)}
        ideal: list[float] = []
        for _, gain, number in reversed(levels) if levels and levels[-1][1] > 0 else ():
            if gain <= 0 and number:
                break
            ideal += [gain] * number
        places = zip(hits.ranks[rows].tolist(), hits.gains[rows].tolist(), strict=True)
        found = [(rank, gain_of.get(int(grade), 0.0)) for rank, grade in places if grade >= 0]
        yield _Graded([pair for pair in found if pair[1]], ideal, int(hits.listed[query]))


Level = tuple[int, float, int]
"""Grade, gain, and number of judged items."""


def _sorted_by_gain(levels: list[Level]) -> list[Level]:
    """Return levels in trec_eval's order of gains, which compares truncated differences.

    Gains closer than 1 are equal to it, so the steps of the C library's merge sort matter.
    """
    if len(levels) < 2:
        return levels
    middle = len(levels) // 2
    left, right = _sorted_by_gain(levels[:middle]), _sorted_by_gain(levels[middle:])
    merged = []
    while left and right:
        merged.append((left if int(left[0][1] - right[0][1]) <= 0 else right).pop(0))
    return merged + left + right


def _dcg(query: _Graded) -> float:
    return query.discounted_gain(query.listed)


def _ideal_dcg(query: _Graded) -> float:
    return query.ideal_sums()[-1]


def _ndcg(query: _Graded) -> float:
    ideal = _ideal_dcg(query)
    return _dcg(query) / ideal if ideal > 0 else 0.0


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


def _g_measure(query: _Graded) -> float:
    costs = [0.0]
    for gain in query.ideal:
        costs.append(costs[-1] + max(gain, 1.0))
    total = results = 0.0
    for rank, gain in query.found:
        results += gain
        cost = costs[min(rank, len(query.ideal))] + max(rank - len(query.ideal), 0)
        # No gains exceed the ideal ones, but for the rounding of sums of levels beyond 2 ** 53.
        total += gain / math.log2(2 + max(cost - results, 0.0))
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
        total += query.discounted_gain(rank) / ideal[rank]
    count = len(changes)
    if query.listed > len(query.ideal) + 1:
        total += query.discounted_gain(query.listed) / ideal[-1]
        count += 1
    return total / count

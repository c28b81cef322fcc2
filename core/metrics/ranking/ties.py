"""What the order of equal scores decides: the lowest, expected and highest value over all orders.

A system that gives several items the same score has not ranked them; trec_eval ranks them by their
names. Expectations (queries,) are exact: McSherry and Najork, Computing Information Retrieval
Performance Measures Efficiently in the Presence of Tied Scores (ECIR 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from jurydesk.core.language import Message, fill, join_messages, translatable
from jurydesk.core.metrics.ranking.declare import Measure
from jurydesk.core.metrics.ranking.discount import discounts
from jurydesk.core.metrics.ranking.hits import Hits
from jurydesk.core.metrics.ranking.ranking_statistics import RankingStatistics, safe_ratio
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

Values = Callable[[RankingStatistics], FloatArray]


def worst_tie_order(ranked: RankingStatistics) -> RankingStatistics:
    """Return the lists with relevant items last among equal scores."""
    return RankingStatistics(_reorder(ranked.hits, wanted_first=False), ranked.rules)


def best_tie_order(ranked: RankingStatistics) -> RankingStatistics:
    """Return the lists with relevant items first among equal scores."""
    return RankingStatistics(_reorder(ranked.hits, wanted_first=True), ranked.rules)


def tie_affected_queries(ranked: RankingStatistics) -> BoolArray:
    """Return which queries (queries,) have a relevant item among equal scores with others."""
    groups = _Groups.of(ranked, ranked.hits.relevant)
    open_queries = np.zeros(ranked.queries, dtype=np.bool_)
    open_queries[groups.owner[groups.items < groups.size]] = True
    return open_queries


def _reorder(hits: Hits, *, wanted_first: bool) -> Hits:
    """Return the hits with new ranks inside each group of ties.

    Relevant hits are at one end of their group, non-relevant ones at the other, and hits without
    a judgement between them.
    """
    tied = np.flatnonzero(hits.first != hits.last)
    owner = np.repeat(np.arange(len(hits)), np.diff(hits.starts))[tied]
    gains = hits.gains[tied]
    wanted = hits.relevant[tied] | (gains > 0)
    order = np.lexsort((-gains, ~wanted, hits.first[tied], owner))
    owner, wanted, moved = owner[order], wanted[order], tied[order]
    first, last = hits.first[moved], hits.last[moved]
    starts = _group_starts(owner, first)
    sizes = np.diff(np.append(starts, len(order)))
    place = np.arange(len(order)) - np.repeat(starts, sizes)
    place_from_end = np.repeat(sizes, sizes) - 1 - place
    if wanted_first:
        ranks = np.where(wanted, first + place, last - place_from_end)
    else:
        ranks = np.where(wanted, last - place, first + place_from_end)
    by_rank = np.lexsort((ranks, owner))
    # The hits of a group are side by side: they change places among themselves.
    rows, new_ranks = np.arange(len(hits.ranks)), hits.ranks.copy()
    rows[tied], new_ranks[tied] = moved[by_rank], ranks[by_rank]
    return replace(
        hits,
        ranks=new_ranks,
        first=hits.first[rows],
        last=hits.last[rows],
        gains=hits.gains[rows],
        relevant=hits.relevant[rows],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Groups of equal scores with chosen items (groups,): their query, first and last rank.

    `items` is the number of chosen items of each, `size` that of all its items, `before` that of
    the chosen ones above it, `gain` the sum of its gains.
    """

    owner: IntArray
    first: IntArray
    last: IntArray
    items: IntArray
    before: IntArray
    gain: FloatArray

    @property
    def size(self) -> IntArray:
        return np.asarray(self.last - self.first + 1)

    @classmethod
    def of(cls, ranked: RankingStatistics, chosen: BoolArray) -> _Groups:
        owner, hits = ranked.owner[chosen], ranked.hits
        first, last, gains = hits.first[chosen], hits.last[chosen], hits.gains[chosen]
        starts = _group_starts(owner, first)
        items = np.diff(np.append(starts, len(owner)))
        of_query = np.searchsorted(owner, np.arange(ranked.queries))
        gain = np.add.reduceat(gains, starts) if len(starts) else np.zeros(0)
        before = starts - of_query[owner[starts]]
        return cls(owner[starts], first[starts], last[starts], items, before, gain)

    def expected_items(self, k: IntArray) -> FloatArray:
        """Return the expected number of chosen items of each group at ranks up to `k`."""
        share_inside = np.clip((k[self.owner] - self.first + 1) / self.size, 0.0, 1.0)
        return np.asarray(self.items * share_inside)


def _group_starts(owner: IntArray, first: IntArray) -> IntArray:
    begins = np.ones(len(owner), dtype=np.bool_)
    begins[1:] = (owner[1:] != owner[:-1]) | (first[1:] != first[:-1])
    return np.flatnonzero(begins)


def _group_sums(weights: FloatArray, groups: _Groups) -> FloatArray:
    """Return the sums of weights (of rank 1, 2, ...) over the ranks of each group."""
    sums = np.concatenate([np.zeros(1), np.cumsum(weights)])
    return np.asarray(sums[groups.last] - sums[groups.first - 1])


def _ranks_of(groups: _Groups) -> IntArray:
    return np.arange(1, int(groups.last.max(initial=0)) + 1)


def expected_average_precision(ranked: RankingStatistics) -> FloatArray:
    """Return the expected average precision of every query."""
    groups = _Groups.of(ranked, ranked.hits.relevant)
    size, items = groups.size, groups.items
    reciprocals = _group_sums(1.0 / _ranks_of(groups), groups)
    others_above = (items - 1) / np.maximum(size - 1, 1)
    tied = (groups.before + 1) * reciprocals + others_above * (size - groups.first * reciprocals)
    alone = (groups.before + 1) / groups.first
    values = np.where(size == 1, alone, items / size * tied)
    return safe_ratio(ranked.total(groups.owner, values), ranked.relevant)


def expected_precision(k: int) -> Values:
    """Return a function for the expected precision at `k` (from 1) of every query."""

    def values(ranked: RankingStatistics) -> FloatArray:
        groups = _Groups.of(ranked, ranked.hits.relevant)
        ranks = np.full(ranked.queries, k, dtype=np.int64)
        return ranked.total(groups.owner, groups.expected_items(ranks)) / k

    return values


def expected_r_precision(ranked: RankingStatistics) -> FloatArray:
    """Return the expected precision at rank R of every query."""
    groups = _Groups.of(ranked, ranked.hits.relevant)
    found = ranked.total(groups.owner, groups.expected_items(ranked.relevant))
    return safe_ratio(found, ranked.relevant)


def expected_reciprocal_rank(ranked: RankingStatistics) -> FloatArray:
    """Return the expected reciprocal rank of every query, from its first group with a hit.

    The probability that the first hit has a rank follows from that of the rank before.
    """
    groups = _Groups.of(ranked, ranked.hits.relevant)
    leading = groups.before == 0
    values = np.zeros(ranked.queries)
    size, items = groups.size[leading], groups.items[leading]
    first, sums = groups.first[leading], np.zeros(int(leading.sum()))
    chance = items / size
    for place in range(int((size - items).max(initial=-1)) + 1):
        sums += chance / (first + place)
        left = np.maximum(size - place - 1, 1)
        chance = chance * np.maximum(size - items - place, 0) / left
        chance = np.where(size - place - 1 > 0, chance, 0.0)
    values[groups.owner[leading]] = sums
    return values


def expected_ndcg(ranked: RankingStatistics) -> FloatArray:
    """Return the expected nDCG of every query over its whole list."""
    groups = _Groups.of(ranked, ranked.hits.gains > 0)
    weights = 1.0 / discounts(ranked.rules.discount, _ranks_of(groups))
    values = groups.gain / groups.size * _group_sums(weights, groups)
    return safe_ratio(ranked.total(groups.owner, values), ranked.sum(ranked.ideal))


def tie_range(measure: Measure, expected: Values) -> Iterator[Measure]:
    """Yield the lowest, the expected and the highest value of a measure over all tie orders."""
    base = measure.info

    def one(suffix: str, which: str, values: Values) -> Measure:
        title = fill("{title}, {which} over tie orders", Message(base.title), which)
        orders = fill("The {which} value over all orders of equal scores.", which)
        summary = join_messages([base.summary, orders])
        info = replace(
            base, name=f"{base.name}_{suffix}", title=title, summary=summary, headline=False
        )
        return Measure(info, values)

    yield one("min", translatable("lowest"), lambda ranked: measure.values(worst_tie_order(ranked)))
    yield one("expected", translatable("expected"), expected)
    yield one("max", translatable("highest"), lambda ranked: measure.values(best_tie_order(ranked)))

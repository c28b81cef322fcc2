"""Graded relevance: discounted cumulative gain (queries,) as a share of what was possible.

Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 20 (2002).
"""

from __future__ import annotations

import numpy as np

from jurydesk.core.metrics.ranking.discount import binary_logarithms, discounts
from jurydesk.core.metrics.ranking.ranked import RankingStatistics, safe_ratio
from jurydesk.core.model.evaluation import FloatArray, IntArray


def ndcg(ranked: RankingStatistics) -> FloatArray:
    """NDCG of every query over its whole list; 0 where nothing gains."""
    return safe_ratio(ranked.sum(ranked.gained), ranked.sum(ranked.ideal))


def ndcg_cut(ranked: RankingStatistics, k: IntArray) -> FloatArray:
    """NDCG (n, queries) over the first `k` ranks, for a column (n, 1) of them."""
    found, ideal = ranked.gained, ranked.ideal
    return safe_ratio(
        ranked.sums_until(k, found.owner, found.ranks, found.values),
        ranked.sums_until(k, ideal.owner, ideal.ranks, ideal.values),
    )


def ndcg_binary(ranked: RankingStatistics) -> FloatArray:
    """NDCG where every relevant item gains 1."""
    rule = ranked.rules.discount
    reached = ranked.total(ranked.relevant_owner, 1.0 / discounts(rule, ranked.relevant_rank))
    longest = int(ranked.relevant.max(initial=0))
    sums = np.cumsum(1.0 / discounts(rule, np.arange(1, longest + 1)))
    return safe_ratio(reached, np.concatenate([np.zeros(1), sums])[ranked.relevant])


def bin_g(ranked: RankingStatistics) -> FloatArray:
    """The mean over relevant items of 1 / log2(2 + non-relevant items above); trec_eval's binG."""
    above = ranked.relevant_rank - ranked.nth
    gains = 1.0 / binary_logarithms(above + 2)
    return safe_ratio(ranked.total(ranked.relevant_owner, gains), ranked.relevant)

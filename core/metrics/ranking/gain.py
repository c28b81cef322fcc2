"""Normalized discounted cumulative gain (nDCG), and binary gain.

Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 20 (2002).
"""

from __future__ import annotations

import numpy as np

from jurydesk.core.metrics.ranking.discount import binary_logarithms, discounts
from jurydesk.core.metrics.ranking.ranking_statistics import RankingStatistics, safe_ratio
from jurydesk.core.model.evaluation import FloatArray, IntArray


def ndcg(ranked: RankingStatistics) -> FloatArray:
    """Return nDCG (queries,) over whole lists; 0 where no item has gain."""
    return safe_ratio(ranked.sum(ranked.gained), ranked.sum(ranked.ideal))


def ndcg_cut(ranked: RankingStatistics, k: IntArray) -> FloatArray:
    """Return nDCG (n, queries) over the first `k` (n, 1) ranks."""
    found, ideal = ranked.gained, ranked.ideal
    return safe_ratio(
        ranked.sums_until(k, found.owner, found.ranks, found.values),
        ranked.sums_until(k, ideal.owner, ideal.ranks, ideal.values),
    )


def ndcg_binary(ranked: RankingStatistics) -> FloatArray:
    """Return nDCG (queries,) with a gain of 1 for every relevant item."""
    rule = ranked.rules.discount
    reached = ranked.total(ranked.relevant_owner, 1.0 / discounts(rule, ranked.relevant_rank))
    longest = int(ranked.relevant.max(initial=0))
    sums = np.cumsum(1.0 / discounts(rule, np.arange(1, longest + 1)))
    return safe_ratio(reached, np.concatenate([np.zeros(1), sums])[ranked.relevant])


def bin_g(ranked: RankingStatistics) -> FloatArray:
    """Return binG: the mean over relevant items of 1 / log2(2 + non-relevant items above)."""
    above = ranked.relevant_rank - ranked.nth
    gains = 1.0 / binary_logarithms(above + 2)
    return safe_ratio(ranked.total(ranked.relevant_owner, gains), ranked.relevant)

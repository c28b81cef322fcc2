"""Rank-biased precision, its residual, and the share of unjudged items (trec_eval 10).

Moffat and Zobel, "Rank-biased precision for measurement of retrieval effectiveness", TOIS 27
(2008).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurydesk.core.metrics.ranking.ranking_statistics import RankingStatistics
from jurydesk.core.model.evaluation import FloatArray

PERSISTENCE = 0.9
"""Default probability that a reader goes on to the next rank."""


def rank_biased_precision(ranked: RankingStatistics, p: float = PERSISTENCE) -> FloatArray:
    """Return RBP (queries,); gains above 1 are divided by the highest grade of the query."""
    hits = ranked.hits
    values = np.zeros(ranked.queries)
    for query, weights in enumerate(_weights(ranked, p)):
        rows = slice(hits.starts[query], hits.starts[query + 1])
        judged = hits.judged_gains[hits.judged_starts[query] : hits.judged_starts[query + 1]]
        highest = max(1.0, float(judged.max(initial=0.0)))
        total = 0.0
        for rank, gain in zip(hits.ranks[rows].tolist(), hits.gains[rows].tolist(), strict=True):
            if gain > 0:
                total += gain / highest * weights[rank - 1]
        values[query] = (1.0 - p) * total
    return values


def rank_biased_residual(ranked: RankingStatistics, p: float = PERSISTENCE) -> FloatArray:
    """Return the part of RBP (queries,) that unjudged items leave open; 0 without any."""
    hits = ranked.hits
    values = np.zeros(ranked.queries)
    for query, weights in enumerate(_weights(ranked, p)):
        rows = slice(hits.starts[query], hits.starts[query + 1])
        judged = set(hits.ranks[rows][hits.gains[rows] >= 0].tolist())
        listed = int(hits.listed[query])
        total = 0.0
        for rank in range(1, listed + 1):
            if rank not in judged:
                total += weights[rank - 1]
        if len(judged) < listed:
            values[query] = weights[listed] + (1 - p) * total
    return values


def _weights(ranked: RankingStatistics, p: float) -> Iterator[list[float]]:
    """Yield the weights of the ranks of each query, and of the one after its list."""
    for listed in ranked.hits.listed.tolist():
        weights = [1.0]
        for _ in range(listed):
            weights.append(weights[-1] * p)
        yield weights


def unjudged_share(ranked: RankingStatistics, k: int) -> FloatArray:
    """Return the share (queries,) of unjudged items among the first `k`."""
    hits = ranked.hits
    chosen = (hits.gains >= 0) & (hits.ranks <= k)
    judged = np.bincount(ranked.owner[chosen], minlength=ranked.queries)
    return np.asarray((np.minimum(hits.listed, k) - judged) / k)

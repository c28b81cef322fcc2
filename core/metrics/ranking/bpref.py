"""Measures of incomplete judgements: bpref and inferred average precision."""

from __future__ import annotations

import numpy as np

from jurydesk.core.metrics.ranking.precision import floored_logarithms
from jurydesk.core.metrics.ranking.ranking_statistics import RankingStatistics, safe_ratio
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

INFERRED_EPSILON = 0.00001  # INFAP_EPSILON of trec_eval


def bpref(ranked: RankingStatistics) -> FloatArray:
    """Return the share of judged pairs in the right order: relevant above non-relevant.

    Buckley and Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004.
    """
    hits = ranked.hits
    rejected = ranked.judged_count((hits.judged_gains >= 0) & ~hits.judged_relevant)
    above = _count_above_relevant(ranked, (hits.gains >= 0) & ~hits.relevant)
    owner = ranked.relevant_owner
    limit = ranked.relevant[owner]
    wrong = safe_ratio(np.minimum(above, limit), np.minimum(rejected[owner], limit))
    return safe_ratio(ranked.total(owner, 1.0 - wrong), ranked.relevant)


def geometric_bpref(ranked: RankingStatistics) -> FloatArray:
    """Return the logarithm of bpref, for its geometric mean."""
    return floored_logarithms(bpref(ranked))


def inferred_ap(ranked: RankingStatistics) -> FloatArray:
    """Return average precision estimated from a pool with a sample of judgements.

    Yilmaz and Aslam, "Estimating average precision with incomplete and imperfect judgments",
    CIKM 2006. An item with a negative gain is in the pool and not judged.
    """
    hits = ranked.hits
    rejected = _count_above_relevant(ranked, (hits.gains >= 0) & ~hits.relevant)
    unjudged = _count_above_relevant(ranked, hits.gains < 0)
    found = ranked.nth - 1
    before = (ranked.relevant_rank - 1).astype(np.float64)
    pooled = safe_ratio(found + rejected + unjudged, before)
    judged = (found + INFERRED_EPSILON) / (found + rejected + 2 * INFERRED_EPSILON)
    values = 1.0 / (before + 1.0) + (before / (before + 1.0)) * pooled * judged
    return safe_ratio(ranked.total(ranked.relevant_owner, values), ranked.relevant)


def _count_above_relevant(ranked: RankingStatistics, chosen: BoolArray) -> IntArray:
    """Return the number of chosen items above each relevant item in its list."""
    counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(chosen)])
    rows = np.flatnonzero(ranked.hits.relevant)
    above: IntArray = counts[rows] - counts[ranked.hits.starts[ranked.relevant_owner]]
    return above

"""Incomplete judgements: measures (queries,), from 0 to 1, that trust judged items only."""

from __future__ import annotations

import numpy as np

from core.metrics.ranking.precision import geometric
from core.metrics.ranking.ranked import Ranked, share
from core.model import BoolArray, FloatArray, IntArray

INFERRED_EPSILON = 0.00001  # INFAP_EPSILON of trec_eval


def bpref(ranked: Ranked) -> FloatArray:
    """The share of judged pairs in the right order: relevant above judged not relevant.

    Buckley and Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004.
    """
    hits = ranked.hits
    rejected = ranked.judged_count((hits.judged_gains >= 0) & ~hits.judged_relevant)
    above = _above_relevant(ranked, (hits.gains >= 0) & ~hits.relevant)
    owner = ranked.relevant_owner
    limit = ranked.relevant[owner]
    wrong = share(np.minimum(above, limit), np.minimum(rejected[owner], limit))
    return share(ranked.total(owner, 1.0 - wrong), ranked.relevant)


def geometric_bpref(ranked: Ranked) -> FloatArray:
    """The logarithm of bpref, for its geometric mean."""
    return geometric(bpref(ranked))


def inferred_ap(ranked: Ranked) -> FloatArray:
    """Average precision estimated from a pool of which only a sample was judged.

    Yilmaz and Aslam, "Estimating average precision with incomplete and imperfect judgments",
    CIKM 2006. An item with a negative gain is in the pool and not judged.
    """
    hits = ranked.hits
    rejected = _above_relevant(ranked, (hits.gains >= 0) & ~hits.relevant)
    unjudged = _above_relevant(ranked, hits.gains < 0)
    found = ranked.nth - 1
    before = (ranked.relevant_rank - 1).astype(np.float64)
    pooled = share(found + rejected + unjudged, before)
    judged = (found + INFERRED_EPSILON) / (found + rejected + 2 * INFERRED_EPSILON)
    values = 1.0 / (before + 1.0) + (before / (before + 1.0)) * pooled * judged
    return share(ranked.total(ranked.relevant_owner, values), ranked.relevant)


def _above_relevant(ranked: Ranked, chosen: BoolArray) -> IntArray:
    """How many of the chosen items stand above each relevant item in its list."""
    counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(chosen)])
    rows = np.flatnonzero(ranked.hits.relevant)
    above: IntArray = counts[rows] - counts[ranked.hits.starts[ranked.relevant_owner]]
    return above

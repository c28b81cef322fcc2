"""Measures of the set that was listed, whatever its order: a value for every query (queries,).

Source: trec_eval 9.0.8.
"""

from __future__ import annotations

import numpy as np

from jurydesk.core.metrics.ranking.ranked import RankingStatistics, safe_ratio
from jurydesk.core.model.evaluation import FloatArray, IntArray


def set_precision(ranked: RankingStatistics) -> FloatArray:
    """The share of the listed items that is relevant."""
    return safe_ratio(ranked.found, ranked.hits.listed)


def set_recall(ranked: RankingStatistics) -> FloatArray:
    """The share of the relevant items that is listed."""
    return safe_ratio(ranked.found, ranked.relevant)


def set_relative_precision(ranked: RankingStatistics) -> FloatArray:
    """Relevant items listed, divided by the most that a list of this length could hold."""
    return safe_ratio(ranked.found, np.minimum(ranked.hits.listed, ranked.relevant))


def set_map(ranked: RankingStatistics) -> FloatArray:
    """Precision times recall of the listed items."""
    found = ranked.found.astype(np.float64)
    return safe_ratio(found * found, ranked.hits.listed.astype(np.float64) * ranked.relevant)


def set_f(ranked: RankingStatistics) -> FloatArray:
    """The harmonic mean of precision and recall of the listed items; 0 where both are."""
    values: FloatArray = weighted_set_f(ranked, np.array([[1000]]))[0]
    return values


def weighted_set_f(ranked: RankingStatistics, thousandths: IntArray) -> FloatArray:
    """The harmonic mean in which recall has a weight, for a column (n, 1) of thousandths."""
    weight = thousandths / 1000
    precision, recall = set_precision(ranked), set_recall(ranked)
    return safe_ratio((weight + 1.0) * precision * recall, recall + weight * precision)


def utility(
    ranked: RankingStatistics, weights: tuple[float, float, float, float] = (1.0, -1.0, 0.0, 0.0)
) -> FloatArray:
    """A weighted sum of the relevant and other items, listed and not.

    The collection's size is unknown, so the fourth weight applies to what trec_eval computes
    with a collection of none.
    """
    found, listed, relevant = ranked.found, ranked.hits.listed, ranked.relevant
    value: FloatArray = (
        weights[0] * found
        + weights[1] * (listed - found)
        + weights[2] * (relevant - found)
        + weights[3] * (found - listed - relevant)
    )
    return value

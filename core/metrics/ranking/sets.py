"""Measures of the set of listed items, whatever their order; values are (queries,).

Source: trec_eval 9.0.8.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jurydesk.core.metrics.ranking.ranking_statistics import RankingStatistics, safe_ratio
from jurydesk.core.model.evaluation import FloatArray, IntArray


def set_precision(ranked: RankingStatistics) -> FloatArray:
    """Return the share of relevant items among the listed ones."""
    return safe_ratio(ranked.found, ranked.hits.listed)


def set_recall(ranked: RankingStatistics) -> FloatArray:
    """Return the share of listed items among the relevant ones."""
    return safe_ratio(ranked.found, ranked.relevant)


def set_relative_precision(ranked: RankingStatistics) -> FloatArray:
    """Return relevant items listed over the highest possible number at this length."""
    return safe_ratio(ranked.found, np.minimum(ranked.hits.listed, ranked.relevant))


def set_map(ranked: RankingStatistics) -> FloatArray:
    """Return precision times recall of the listed items."""
    found = ranked.found.astype(np.float64)
    return safe_ratio(found * found, ranked.hits.listed.astype(np.float64) * ranked.relevant)


def set_f(ranked: RankingStatistics) -> FloatArray:
    """Return the harmonic mean of precision and recall of the listed items."""
    values: FloatArray = weighted_set_f(ranked, np.array([[1000]]))[0]
    return values


def f_measure(ranked: RankingStatistics, weight: float) -> FloatArray:
    """Return the harmonic mean (queries,) with a weight of recall."""
    precision, recall = set_precision(ranked), set_recall(ranked)
    return safe_ratio((weight + 1.0) * precision * recall, recall + weight * precision)


def weighted_set_f(ranked: RankingStatistics, thousandths: IntArray) -> FloatArray:
    """Return the harmonic mean with a weight of recall (n, 1) in thousandths: (n, queries)."""
    weight = thousandths / 1000
    precision, recall = set_precision(ranked), set_recall(ranked)
    return safe_ratio((weight + 1.0) * precision * recall, recall + weight * precision)


def utility(
    ranked: RankingStatistics,
    weights: Sequence[float] = (1.0, -1.0, 0.0, 0.0),
    collection: int = 0,
) -> FloatArray:
    """Return a weighted sum of the relevant and other items, listed and not.

    `collection` is its number of items, 0 if unknown, as in trec_eval without `-N`.
    """
    found, listed, relevant = ranked.found, ranked.hits.listed, ranked.relevant
    value: FloatArray = (
        weights[0] * found
        + weights[1] * (listed - found)
        + weights[2] * (relevant - found)
        + weights[3] * (collection + found - listed - relevant)
    )
    return value

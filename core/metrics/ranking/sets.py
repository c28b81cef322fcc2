"""Measures of the set that was listed, whatever its order: a value for every query (queries,).

Source: trec_eval 9.0.8.
"""

from __future__ import annotations

import numpy as np

from jurydesk.core.metrics.ranking.ranked import Ranked, share
from jurydesk.core.model.evaluation import FloatArray, IntArray


def set_precision(ranked: Ranked) -> FloatArray:
    """The share of the listed items that is relevant."""
    return share(ranked.found, ranked.hits.listed)


def set_recall(ranked: Ranked) -> FloatArray:
    """The share of the relevant items that is listed."""
    return share(ranked.found, ranked.relevant)


def set_relative_precision(ranked: Ranked) -> FloatArray:
    """Relevant items listed, divided by the most that a list of this length could hold."""
    return share(ranked.found, np.minimum(ranked.hits.listed, ranked.relevant))


def set_map(ranked: Ranked) -> FloatArray:
    """Precision times recall of the listed items."""
    found = ranked.found.astype(np.float64)
    return share(found * found, ranked.hits.listed.astype(np.float64) * ranked.relevant)


def set_f(ranked: Ranked) -> FloatArray:
    """The harmonic mean of precision and recall of the listed items; 0 where both are."""
    values: FloatArray = weighted_set_f(ranked, np.array([[1000]]))[0]
    return values


def weighted_set_f(ranked: Ranked, thousandths: IntArray) -> FloatArray:
    """The harmonic mean in which recall has a weight, for a column (n, 1) of thousandths."""
    weight = thousandths / 1000
    precision, recall = set_precision(ranked), set_recall(ranked)
    return share((weight + 1.0) * precision * recall, recall + weight * precision)


def utility(
    ranked: Ranked, weights: tuple[float, float, float, float] = (1.0, -1.0, 0.0, 0.0)
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

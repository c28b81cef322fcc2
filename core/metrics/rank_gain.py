"""NDCG of one ranked list, cut at the number of relevant options (VisDial challenge).

Source: batra-mlp-lab/visdial-challenge-starter-pytorch, `visdialch/metrics.py`.
"""

from __future__ import annotations

import numpy as np

from jurydesk.core.metrics.ranking.discount import binary_logarithms
from jurydesk.core.model.evaluation import FloatArray, IntArray


def cut_ndcg(relevance: FloatArray, ranks: IntArray) -> float:
    """Return the NDCG of options with these relevances and ranks (options,), counted from 1.

    The gain is linear, and only as many places count as options are relevant. NaN if none is.
    """
    places = int(np.count_nonzero(relevance))
    return _ratio(relevance[np.argsort(ranks, kind="stable")][:places], relevance)


def worst_ndcg(relevance: FloatArray) -> float:
    """Return the NDCG of the reversed ideal order."""
    return _ratio(np.sort(relevance)[: int(np.count_nonzero(relevance))], relevance)


def random_ndcg(relevance: FloatArray) -> float:
    """Return the expected NDCG of random ranks."""
    places = int(np.count_nonzero(relevance))
    return _ratio(np.full(places, relevance.mean()), relevance)


def ndcg_range(relevance: FloatArray, scores: FloatArray) -> tuple[float, float]:
    """Return the lowest and the highest NDCG over all orders of equal scores."""
    places = int(np.count_nonzero(relevance))
    orders = (np.lexsort((relevance, -scores)), np.lexsort((-relevance, -scores)))
    low, high = (_ratio(relevance[order][:places], relevance) for order in orders)
    return low, high


def _ratio(gains: FloatArray, relevance: FloatArray) -> float:
    """Return discounted gains (places,) as a share of those of the ideal order."""
    if not len(gains):
        return float("nan")
    discounts = binary_logarithms(np.arange(2, len(gains) + 2))
    ideal = np.sort(relevance)[::-1][: len(gains)]
    return float((gains / discounts).sum() / (ideal / discounts).sum())

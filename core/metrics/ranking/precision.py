"""Measures of binary relevance: precision, recall, average precision and their variants.

A measure returns the values of all queries (queries,), from 0 to 1; with a parameter, it takes a
column (n, 1) and returns (n, queries). Source: trec_eval 9.0.8; `MeasureRules` lists where other
programs differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from jurydesk.core.metrics.elementary import by_value
from jurydesk.core.metrics.ranking.ranking_statistics import (
    RankingStatistics,
    RecallRule,
    safe_ratio,
)
from jurydesk.core.model.evaluation import FloatArray, IntArray

GEOMETRIC_FLOOR = 0.00001  # MIN_GEO_MEAN of trec_eval
ELEVEN_LEVELS = np.arange(0, 101, 10)[:, np.newaxis]


def precision(ranked: RankingStatistics, k: IntArray) -> FloatArray:
    """Return hits among the first `k` ranks over `k`; a shorter list is filled with misses."""
    return ranked.found_at(k) / k


def precision_of_possible(ranked: RankingStatistics, k: IntArray) -> FloatArray:
    """Return hits among the first `k` ranks over min(k, R), or over min(k, R, n) by the rules."""
    possible = np.minimum(k, ranked.relevant)
    if ranked.rules.cut == "listed":
        possible = np.minimum(possible, ranked.hits.listed)
    return safe_ratio(ranked.found_at(k), possible)


def recall(ranked: RankingStatistics, k: IntArray) -> FloatArray:
    """Return the share of the relevant items among the first `k`."""
    return safe_ratio(ranked.found_at(k), ranked.relevant)


def success(ranked: RankingStatistics, k: IntArray) -> FloatArray:
    """Return 1 for queries with a relevant item among the first `k`, else 0."""
    return (ranked.found_at(k) > 0).astype(np.float64)


def relative_precision(ranked: RankingStatistics, k: IntArray) -> FloatArray:
    """Return precision among the first `k`, divided by the highest possible one."""
    return safe_ratio(ranked.found_at(k), np.minimum(k, ranked.relevant))


def average_precision(ranked: RankingStatistics) -> FloatArray:
    """Return the sum of the precision at each relevant item found, divided by R."""
    return safe_ratio(ranked.total(ranked.relevant_owner, ranked.precision), ranked.relevant)


def average_precision_of_rules(ranked: RankingStatistics) -> FloatArray:
    """Return average precision in the floating-point type of the rules.

    In single precision every operation is rounded in rusteval's order (main.rs, rusteval 0.5.0).
    """
    if ranked.rules.precision == "double":
        return average_precision(ranked)
    sums = np.zeros(ranked.queries, np.float32)
    hits = ranked.nth.astype(np.float32) / ranked.relevant_rank.astype(np.float32)
    np.add.at(sums, ranked.relevant_owner, hits)  # one after another, as the original's fold
    return np.asarray(sums / np.maximum(ranked.relevant, 1).astype(np.float32), np.float64)


def average_precision_cut(ranked: RankingStatistics, k: IntArray) -> FloatArray:
    """Return average precision of the first `k` ranks."""
    sums = ranked.sums_until(k, ranked.relevant_owner, ranked.relevant_rank, ranked.precision)
    return safe_ratio(sums, ranked.relevant)


def r_precision(ranked: RankingStatistics) -> FloatArray:
    """Return precision at rank R, the number of relevant items (or min(R, n) by the rules)."""
    inside = ranked.relevant_rank <= ranked.relevant[ranked.relevant_owner]
    found = np.bincount(ranked.relevant_owner[inside], minlength=ranked.queries)
    whole = ranked.relevant
    if ranked.rules.cut == "listed":
        whole = np.minimum(whole, ranked.hits.listed)
    return safe_ratio(found, whole)


def reciprocal_rank(ranked: RankingStatistics) -> FloatArray:
    """Return 1 over the rank of the first relevant item; 0 without one."""
    values = np.zeros(ranked.queries)
    first = ranked.nth == 1
    values[ranked.relevant_owner[first]] = 1.0 / ranked.relevant_rank[first]
    return values


def interpolated_precision(ranked: RankingStatistics, level: IntArray) -> FloatArray:
    """Return the highest precision at any rank with a recall of `level` hundredths or more."""
    return ranked.interpolated_precision(items_at(level, ranked.relevant, ranked.rules.recall))


def precision_at_recall(ranked: RankingStatistics, share: float) -> FloatArray:
    """Return the highest precision at any rank with a recall of `share` or more, as trec_eval."""
    return ranked.interpolated_precision(recall_cut(share, ranked.relevant, ranked.rules.recall))


def mean_precision_at_recall(ranked: RankingStatistics, shares: Sequence[float]) -> FloatArray:
    """Return the mean interpolated precision at recall levels, in trec_eval's order of steps.

    It goes through the levels from the last one, and so expects them to ascend.
    """
    cuts = [recall_cut(share, ranked.relevant, ranked.rules.recall).tolist() for share in shares]
    best, starts = ranked.best_precision_from.tolist(), ranked.found_starts.tolist()
    values = np.zeros(ranked.queries)
    for query, found in enumerate(ranked.found.tolist()):
        pending = [cut[query] for cut in cuts]
        while pending and pending[-1] > found:
            pending.pop()
        total = 0.0
        for count in range(found, 0, -1):
            while pending and pending[-1] == count:
                total += best[starts[query] + count - 1]
                pending.pop()
        highest = best[starts[query]] if found else 0.0
        for _ in pending:
            total += highest
        values[query] = total / len(shares)
    return values


def recall_cut(share: float, relevant: IntArray, rule: RecallRule) -> IntArray:
    """Return the number of relevant items (queries,) at a recall of `share` in trec_eval."""
    product = share * relevant
    if rule == "trec9":
        return np.asarray((product + 0.9).astype(np.int64))
    return np.asarray(np.copysign(np.floor(np.abs(product) + 0.5), product).astype(np.int64))


def smoothed_average_precision(ranked: RankingStatistics) -> FloatArray:
    """Return yaap: log((1 + s) / (1 + R - s)), where s is the sum of precisions at hits.

    Robertson, "On smoothing average precision", ECIR 2012.
    """
    sums = ranked.total(ranked.relevant_owner, ranked.precision)
    shares = (1.0 + sums) / (1.0 + ranked.relevant - sums)
    return by_value(math.log, shares)


def eleven_point_average(ranked: RankingStatistics) -> FloatArray:
    """Return the mean of the interpolated precision at recall 0.0, 0.1 ... 1.0."""
    total = np.zeros(ranked.queries)
    for values in interpolated_precision(ranked, ELEVEN_LEVELS)[::-1]:  # as trec_eval adds
        total += values
    return total / len(ELEVEN_LEVELS)


def items_at(level: IntArray, relevant: IntArray, rule: RecallRule) -> IntArray:
    """Return the number of relevant items for a recall of `level` hundredths: (n, queries).

    trec_eval 9 takes int(level * R + 0.9), trec_eval 10 rounds half away from zero; both in
    floating point. The exact rule is the smallest number with at least that recall.
    """
    if rule == "exact":
        smallest: IntArray = -(-relevant * level // 100)
        return smallest
    product = level / 100 * relevant
    if rule == "trec9":
        cut: IntArray = (product + 0.9).astype(np.int64)
        return cut
    whole = np.floor(product)
    rounded: IntArray = (whole + (product - whole >= 0.5)).astype(np.int64)
    return rounded


def floored_logarithms(values: FloatArray) -> FloatArray:
    """Return the logarithms of values, of at least `GEOMETRIC_FLOOR`, for a geometric mean."""
    return by_value(math.log, np.maximum(values, GEOMETRIC_FLOOR))


def geometric_average_precision(ranked: RankingStatistics) -> FloatArray:
    """Return the logarithm of average precision, for its geometric mean."""
    return floored_logarithms(average_precision(ranked))

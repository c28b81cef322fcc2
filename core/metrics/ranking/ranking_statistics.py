"""Statistics of ranked lists that several measures share: ranks, counts and discounted gains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from jurydesk.core.metrics.ranking.discount import Discount, discounts
from jurydesk.core.metrics.ranking.hits import Hits
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

Cut = Literal["relevant", "listed"]
RecallRule = Literal["trec9", "trec10", "exact"]
FloatPrecision = Literal["double", "single"]


@dataclass(frozen=True, slots=True)
class MeasureRules:
    """Definitions of measures in which published programs differ.

    `cut`: precision at k is divided by min(k, R) (`"relevant"`; Pratikakis et al., ICFHR 2014),
    or by min(k, R, n) as the program of that competition does (`"listed"`), which divides
    R-precision by min(R, n) too. `recall`: how a recall level becomes a number of relevant items.
    `discount`: rank i weighs 1 / log2(i + 1) (Järvelin and Kekäläinen, TOIS 2002), or 1 at rank
    1 and 1 / ln(i) below (the ICFHR 2014 program; nDCG can then exceed 1). `precision`: the
    floating-point type of `ap`: rusteval 0.5.0 computes in single precision, which decides the
    fifth decimal that it prints (of its other measures it never does).
    """

    cut: Cut = "relevant"
    recall: RecallRule = "trec9"
    discount: Discount = "log2"
    precision: FloatPrecision = "double"


@dataclass(frozen=True, slots=True, eq=False)
class DiscountedGains:
    """Discounted gains of items, with the query and the rank of each; ranks ascend."""

    owner: IntArray
    ranks: IntArray
    values: FloatArray


class RankingStatistics:
    """Statistics of ranked lists, each computed once on demand.

    Arrays with one value per query have the length of `hits`. Sums run in the order of ranks,
    so that they equal those of the C programs bit for bit.
    """

    def __init__(self, hits: Hits, rules: MeasureRules | None = None) -> None:
        self.hits = hits
        self.rules = rules or MeasureRules()
        self.queries = len(hits)

    @cached_property
    def owner(self) -> IntArray:
        """Query of each row of `hits.ranks`."""
        return _owners(self.hits.starts)

    @cached_property
    def relevant_owner(self) -> IntArray:
        """Query of each relevant item found, in the order of ranks."""
        return self.owner[self.hits.relevant]

    @cached_property
    def relevant_rank(self) -> IntArray:
        """Rank of each relevant item found."""
        return self.hits.ranks[self.hits.relevant]

    @cached_property
    def found(self) -> IntArray:
        """Number of relevant items found, by query."""
        return np.bincount(self.relevant_owner, minlength=self.queries)

    @cached_property
    def found_starts(self) -> IntArray:
        """Start of each query's rows among all relevant items found."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.found)])

    @cached_property
    def nth(self) -> IntArray:
        """Position of each relevant item found among those of its list, from 1."""
        return np.arange(1, len(self.relevant_owner) + 1) - self.found_starts[self.relevant_owner]

    @cached_property
    def precision(self) -> FloatArray:
        """Precision at the rank of each relevant item found."""
        return self.nth / self.relevant_rank

    @cached_property
    def relevant(self) -> IntArray:
        """R, the number of relevant items, by query."""
        return self.judged_count(self.hits.judged_relevant)

    def judged_count(self, chosen: BoolArray) -> IntArray:
        """Return the number of chosen judged items of each query."""
        counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(chosen)])
        starts = self.hits.judged_starts
        judged: IntArray = counts[starts[1:]] - counts[starts[:-1]]
        return judged

    @cached_property
    def judged_owner(self) -> IntArray:
        """Query of each judged item."""
        return _owners(self.hits.judged_starts)

    def found_at(self, k: IntArray) -> IntArray:
        """Return the number of relevant items among the first `k` (n, 1): (n, queries)."""
        return self.counts(self.relevant_rank <= k, self.relevant_owner)

    def counts(self, chosen: BoolArray, owner: IntArray) -> IntArray:
        """Return the number of items of each query that each row chooses: (rows, queries)."""
        row, item = np.nonzero(chosen)
        cells = np.bincount(row * self.queries + owner[item], minlength=self._cells(chosen))
        return cells.reshape(len(chosen), self.queries)

    def sums_until(
        self, k: IntArray, owner: IntArray, ranks: IntArray, values: FloatArray
    ) -> FloatArray:
        """Return the sums of the values at ranks up to `k` (n, 1): (n, queries).

        The values of a query are added one after another, as in `total`.
        """
        chosen = ranks <= k
        row, item = np.nonzero(chosen)
        cells = row * self.queries + owner[item]
        sums = np.bincount(cells, weights=values[item], minlength=self._cells(chosen))
        return np.asarray(sums, dtype=np.float64).reshape(len(chosen), self.queries)

    def _cells(self, chosen: BoolArray) -> int:
        return len(chosen) * self.queries

    @cached_property
    def best_precision_from(self) -> FloatArray:
        """Highest precision at each relevant item found or any after it in its list."""
        best = self.precision.copy()
        left = self.found_starts[1:][self.relevant_owner] - np.arange(len(best))
        step, longest = 1, int(left.max(initial=0))
        while step < longest:
            rows = np.flatnonzero(left > step)
            best[rows] = np.maximum(best[rows], best[rows + step])
            step *= 2
        return best

    def interpolated_precision(self, count: IntArray) -> FloatArray:
        """Return the highest precision at any rank with at least `count` relevant items found.

        `count` has one or more rows of a value per query.
        """
        required = np.maximum(count, 1)
        reached = required <= self.found
        rows = self.found_starts[:-1] + required - 1
        values = np.zeros(required.shape)
        values[reached] = self.best_precision_from[rows[reached]]
        return values

    @cached_property
    def gained(self) -> DiscountedGains:
        """Discounted gains of the items found."""
        hits = self.hits
        gainful = hits.gains > 0
        ranks = hits.ranks[gainful]
        values = hits.gains[gainful] / discounts(self.rules.discount, ranks)
        return DiscountedGains(self.owner[gainful], ranks, values)

    @cached_property
    def ideal(self) -> DiscountedGains:
        """Discounted gains of the best possible lists: all judged items, the best first."""
        gainful = self.hits.judged_gains > 0
        owner, gains = self.judged_owner[gainful], self.hits.judged_gains[gainful]
        if len(gains) and gains.min() != gains.max():
            gains = gains[np.lexsort((-gains, owner))]
        lengths = np.bincount(owner, minlength=self.queries)
        ranks = np.arange(1, len(gains) + 1) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return DiscountedGains(owner, ranks, gains / discounts(self.rules.discount, ranks))

    def sum(self, gains: DiscountedGains) -> FloatArray:
        """Return the sum of the gains of each query."""
        return self.total(gains.owner, gains.values)

    def total(self, owner: IntArray, values: FloatArray) -> FloatArray:
        """Return the sum of the values of each query, added one after another."""
        sums = np.bincount(owner, weights=values, minlength=self.queries)
        return np.asarray(sums, dtype=np.float64)


def safe_ratio(part: FloatArray | IntArray, whole: FloatArray | IntArray) -> FloatArray:
    """Return `part / whole`, and 0 where the whole is 0; `part` may have several rows."""
    values = np.zeros(part.shape)
    np.divide(part, whole, out=values, where=whole > 0)
    return values


def _owners(starts: IntArray) -> IntArray:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))

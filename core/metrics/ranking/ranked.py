"""What all measures of rankings share: where the relevant items stand, counted query by query."""

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
    """Where published programs define the same measure differently.

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
    """Discounted gains of items: which query each belongs to, and its rank; ranks ascend."""

    owner: IntArray
    ranks: IntArray
    values: FloatArray


class RankingStatistics:
    """Ranked lists prepared for measuring; every value is computed once, when first asked for.

    All arrays of one value per query have the length of `hits`; sums run in the order of ranks,
    which is what makes them equal to the C programs' bit for bit.
    """

    def __init__(self, hits: Hits, rules: MeasureRules | None = None) -> None:
        self.hits = hits
        self.rules = rules or MeasureRules()
        self.queries = len(hits)

    @cached_property
    def owner(self) -> IntArray:
        """The query that each row of `hits.ranks` belongs to."""
        return _owners(self.hits.starts)

    @cached_property
    def relevant_owner(self) -> IntArray:
        """The query of each relevant item that was found, in the order of ranks."""
        return self.owner[self.hits.relevant]

    @cached_property
    def relevant_rank(self) -> IntArray:
        """The rank of each relevant item that was found."""
        return self.hits.ranks[self.hits.relevant]

    @cached_property
    def found(self) -> IntArray:
        """The number of relevant items found, by query."""
        return np.bincount(self.relevant_owner, minlength=self.queries)

    @cached_property
    def found_starts(self) -> IntArray:
        """Where the relevant items of each query start among all that were found."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.found)])

    @cached_property
    def nth(self) -> IntArray:
        """1 for the first relevant item of a list, 2 for the second, and so on."""
        return np.arange(1, len(self.relevant_owner) + 1) - self.found_starts[self.relevant_owner]

    @cached_property
    def precision(self) -> FloatArray:
        """The precision at the rank of each relevant item that was found."""
        return self.nth / self.relevant_rank

    @cached_property
    def relevant(self) -> IntArray:
        """R, the number of relevant items, by query."""
        return self.judged_count(self.hits.judged_relevant)

    def judged_count(self, chosen: BoolArray) -> IntArray:
        """How many of the chosen judged items each query has."""
        counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(chosen)])
        starts = self.hits.judged_starts
        judged: IntArray = counts[starts[1:]] - counts[starts[:-1]]
        return judged

    @cached_property
    def judged_owner(self) -> IntArray:
        """The query of each judged item."""
        return _owners(self.hits.judged_starts)

    def found_at(self, k: IntArray) -> IntArray:
        """The number of relevant items among the first `k`, for a column of them: (n, queries)."""
        return self.counts(self.relevant_rank <= k, self.relevant_owner)

    def counts(self, chosen: BoolArray, owner: IntArray) -> IntArray:
        """How many items each query has among those that each row chooses: (rows, queries)."""
        row, item = np.nonzero(chosen)
        cells = np.bincount(row * self.queries + owner[item], minlength=self._cells(chosen))
        return cells.reshape(len(chosen), self.queries)

    def sums_until(
        self, k: IntArray, owner: IntArray, ranks: IntArray, values: FloatArray
    ) -> FloatArray:
        """The sums of the values at ranks up to `k`, for a column of them: (n, queries).

        The values of a query are added one after another, as `total` adds them.
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
        """The highest precision at each found relevant item or any after it in its list."""
        best = self.precision.copy()
        left = self.found_starts[1:][self.relevant_owner] - np.arange(len(best))
        step, longest = 1, int(left.max(initial=0))
        while step < longest:
            rows = np.flatnonzero(left > step)
            best[rows] = np.maximum(best[rows], best[rows + step])
            step *= 2
        return best

    def interpolated(self, count: IntArray) -> FloatArray:
        """The highest precision at any rank where at least `count` relevant items are found.

        `count` has one value for each query, in one or more rows.
        """
        wanted = np.maximum(count, 1)
        reached = wanted <= self.found
        rows = self.found_starts[:-1] + wanted - 1
        values = np.zeros(wanted.shape)
        values[reached] = self.best_precision_from[rows[reached]]
        return values

    @cached_property
    def gained(self) -> DiscountedGains:
        """The discounted gains of the items found."""
        hits = self.hits
        gainful = hits.gains > 0
        ranks = hits.ranks[gainful]
        values = hits.gains[gainful] / discounts(self.rules.discount, ranks)
        return DiscountedGains(self.owner[gainful], ranks, values)

    @cached_property
    def ideal(self) -> DiscountedGains:
        """The discounted gains of the best possible lists: all judged items, the best first."""
        gainful = self.hits.judged_gains > 0
        owner, gains = self.judged_owner[gainful], self.hits.judged_gains[gainful]
        if len(gains) and gains.min() != gains.max():
            gains = gains[np.lexsort((-gains, owner))]
        lengths = np.bincount(owner, minlength=self.queries)
        ranks = np.arange(1, len(gains) + 1) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return DiscountedGains(owner, ranks, gains / discounts(self.rules.discount, ranks))

    def sum(self, gains: DiscountedGains) -> FloatArray:
        """The sum of the gains of each query."""
        return self.total(gains.owner, gains.values)

    def total(self, owner: IntArray, values: FloatArray) -> FloatArray:
        """The sum of the values of each query, added one after another."""
        sums = np.bincount(owner, weights=values, minlength=self.queries)
        return np.asarray(sums, dtype=np.float64)


def safe_ratio(part: FloatArray | IntArray, whole: FloatArray | IntArray) -> FloatArray:
    """`part / whole` for each query, and 0 where the whole is 0; `part` may have several rows."""
    values = np.zeros(part.shape)
    np.divide(part, whole, out=values, where=whole > 0)
    return values


def _owners(starts: IntArray) -> IntArray:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))

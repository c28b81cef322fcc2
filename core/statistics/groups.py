"""Groups of items that are resampled together, such as all queries of one keyword.

Items of a group are correlated, and so carry less information than independent ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

FEWEST_GROUPS = 5
"""Fewer groups have no interval: they do not show the variation between groups."""
FEW_GROUPS = 10
"""Fewer groups, or effectively fewer, have an interval with a warning."""
FEWEST_EFFECTIVE = 3
"""Effectively fewer groups have no interval, however many there are."""


def effective_number(sizes: FloatArray) -> FloatArray:
    """Return the effective number (k,) of groups with these sizes (groups, k), 0 without items.

    It is their number if all are equal, and near 1 if one has nearly all. Source: Kish, Survey
    Sampling (1965).
    """
    squares = np.asarray((sizes**2).sum(axis=0))
    total = sizes.sum(axis=0) ** 2
    return np.asarray(np.divide(total, squares, out=np.zeros_like(squares), where=squares > 0))


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Group of every item: `codes` (items,) from 0, in order of first appearance.

    The names of the groups thus have no effect on resamples.
    """

    codes: IntArray
    count: int

    @classmethod
    def of_labels(cls, labels: Iterable[Hashable]) -> Groups:
        """Return the groups of equal labels."""
        known: dict[Hashable, int] = {}
        codes = np.array([known.setdefault(one, len(known)) for one in labels], dtype=np.int64)
        return cls(codes, len(known))

    @classmethod
    def singletons(cls, items: int) -> Groups:
        """Return one group for each item."""
        return cls(np.arange(items, dtype=np.int64), items)

    @property
    def are_singletons(self) -> bool:
        """True if every group has one item."""
        return self.count == len(self.codes)

    @property
    def described(self) -> str:
        """`38 groups of 320 items`; empty where every item is its own group."""
        groups = fill("{count:,} groups of {items:,} items", self.count, len(self.codes))
        return "" if self.are_singletons else groups

    @property
    def sizes(self) -> FloatArray:
        """Number of items of every group (groups,)."""
        return np.bincount(self.codes, minlength=self.count).astype(np.float64)

    @property
    def effective(self) -> float:
        """Effective number of groups, for groups of unequal sizes."""
        return float(self.count) if self.are_singletons else float(effective_number(self.sizes))

    @property
    def largest_share(self) -> float:
        """Share of the items that are in the largest group."""
        return float(self.sizes.max(initial=0.0)) / max(1, len(self.codes))

    @property
    def described_inequality(self) -> str:
        """`effectively 3.6 (the largest holds 50 %)`, empty unless unequal sizes make them few."""
        if self.are_singletons or self.effective >= min(FEW_GROUPS, 0.99 * self.count):
            return ""
        return fill(
            "effectively {effective:.1f} (the largest holds {share:.0f} %)",
            self.effective,
            100 * self.largest_share,
        )

    @property
    def are_enough(self) -> bool:
        """True if there are enough groups for percentile intervals: two items, or five groups."""
        return self.count >= (2 if self.are_singletons else FEWEST_GROUPS)

    @property
    def shared(self) -> IntArray | None:
        """Group codes if any group has several items, else None."""
        return None if self.are_singletons else self.codes

    def of_items(self, chosen: IntArray | BoolArray) -> Groups:
        """Return the groups of the chosen items, given by index or by a mask (items,)."""
        return Groups.of_labels(self.codes[chosen].tolist())

    def sums(self, columns: FloatArray) -> FloatArray:
        """Return the sums (groups, columns) of columns (items, columns) in every group."""
        if self.are_singletons:
            return columns
        order = np.argsort(self.codes, kind="stable")
        starts = np.searchsorted(self.codes[order], np.arange(self.count))
        return np.add.reduceat(columns[order], starts, axis=0)

    def totals(self, columns: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums and counts (groups, columns) of the defined (not NaN) values."""
        defined = np.isfinite(columns)
        values = np.where(defined, columns, 0.0) if not defined.all() else columns
        return self.sums(values), self.sums(defined.astype(np.float64))

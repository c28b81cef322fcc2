"""Confidence intervals of means of values that are 0 or 1, or nearly all equal.

Few items with another value do not show its variation, so that a bootstrap's interval is too short.
Their share has a Clopper-Pearson interval on the effective sample size, and each is at most as far
from the others as the metric's range. Sources: Clopper and Pearson (1934); Korn and Graubard,
Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from
Survey Data (1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import BoolArray, FloatArray, Interval
from jurydesk.core.statistics.groups import Groups, effective_number
from jurydesk.core.statistics.quantiles import beta_quantile, student_quantile

Range = tuple[float, float]

FEW_EVENTS = 8
"""Other values in effectively fewer groups do not show the correlation within a group."""
EQUAL = 1e-9
"""Values that differ by less are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class FewValues:
    """Column (items,) most of whose values are equal, or at one end of their range.

    `mode` is the value of most items, `sizes` (groups,) the numbers of defined items.
    """

    column: FloatArray
    mode: float
    groups: Groups
    sizes: FloatArray
    span: Range

    @property
    def is_share(self) -> bool:
        """True if every value is at an end of the range, as if it were 0 or 1."""
        defined = self.column[np.isfinite(self.column)]
        return bool(np.isin(defined, self.span).all()) and all(map(math.isfinite, self.span))

    @property
    def is_few(self) -> bool:
        """True if the items with another value are in effectively few groups."""
        return _effective(self._count(self._others)) < FEW_EVENTS

    @property
    def _others(self) -> BoolArray:
        return np.asarray(np.abs(self.column - self.mode) > EQUAL)

    def _count(self, chosen: BoolArray) -> FloatArray:
        return self.groups.sums(chosen.astype(np.float64)[:, np.newaxis])[:, 0]

    def interval(self, level: float) -> Interval | None:
        """Return the interval of the mean; None if the range has no end that it needs."""
        if self.is_share:
            events = self._count(np.asarray(self.column == self.span[1]))
            return share_interval(events, self.sizes, level, self.span)
        size, _ = effective_size(self._count(self._others), self.sizes, level)
        below, above = self.column < self.mode - EQUAL, self.column > self.mode + EQUAL
        low, high = (
            self._end(end, float(chosen.sum() / self.sizes.sum()), size, level)
            for end, chosen in zip(self.span, (below, above), strict=True)
        )
        if not (math.isfinite(low) and math.isfinite(high)):
            return None
        method = translatable("few values other than {mode:.4f}, effective sample size {size:.1f}")
        return Interval(low, high, level, method.format(mode=self.mode, size=size))

    def _end(self, limit: float, share: float, size: float, level: float) -> float:
        """Return how far the mean may be moved by a share of items at this limit of the range."""
        distance = limit - self.mode
        return self.mode + (clopper_pearson(share, size, level)[1] * distance if distance else 0.0)


def few_values(
    column: FloatArray, groups: Groups, sizes: FloatArray, span: Range
) -> FewValues | None:
    """Return a column (items,) whose mean needs such an interval; None if it does not.

    It needs one if all values are at the ends of its range, or more than half of them are equal and
    the others are in effectively fewer than `FEW_EVENTS` groups.
    """
    defined = np.sort(column[np.isfinite(column)])
    if not len(defined):
        return None
    starts = np.flatnonzero(np.diff(defined, prepend=-math.inf) > EQUAL)
    runs = np.diff(starts, append=len(defined))
    if defined[0] < span[0] - EQUAL or defined[-1] > span[1] + EQUAL:
        span = (-math.inf, math.inf)  # the range is the mean's, not that of an item
    at = int(runs.argmax())
    found = FewValues(column, float(defined[starts[at]]), groups, sizes, span)
    is_modal = 2 * runs[at] > len(defined)
    return found if found.is_share or (is_modal and found.is_few) else None


def share_interval(
    events: FloatArray, sizes: FloatArray, level: float, span: Range = (0.0, 1.0)
) -> Interval:
    """Return the interval of a proportion, from the events and sizes (groups,) of all groups.

    With a `span` events are at its upper end, all other items at its lower end.
    """
    size, few = effective_size(events, sizes, level)
    share = float(events.sum() / sizes.sum())
    low, high = (span[0] + end * (span[1] - span[0]) for end in clopper_pearson(share, size, level))
    method = translatable("Clopper-Pearson, effective sample size {size:.1f}").format(size=size)
    return Interval(low, high, level, fill("{method}, too few events", method) if few else method)


def clopper_pearson(share: float, size: float, level: float) -> tuple[float, float]:
    """Return the interval's ends for a proportion of `size` items, which need not be whole."""
    events, tail = share * size, (1 - level) / 2
    low = 0.0 if share == 0 else beta_quantile(tail, events, size - events + 1)
    high = 1.0 if share == 1 else 1 - beta_quantile(tail, size - events, events + 1)
    return low, high


def effective_size(events: FloatArray, sizes: FloatArray, level: float) -> tuple[float, bool]:
    """Return the effective sample size of a proportion, and whether it has too few events.

    It is that of Korn and Graubard, adjusted for the number of groups. Events in few groups hardly
    show it: the fewer they are, the nearer it is to that of groups which each count as one item.
    `events` and `sizes` are (groups,).
    """
    events, sizes = events[sizes > 0], sizes[sizes > 0]
    total, count, share = float(sizes.sum()), len(sizes), float(events.sum() / sizes.sum())
    of_groups = _effective(sizes)
    if share in (0.0, 1.0):
        return of_groups, of_groups < total
    residuals = events - share * sizes
    variance = count / (count - 1) * float(residuals @ residuals) / total**2
    tail = 0.5 + level / 2
    factor = (student_quantile(total - 1, tail) / student_quantile(count - 1, tail)) ** 2
    size = min(total, factor * share * (1 - share) / variance) if variance else total
    rarer = events if share <= 0.5 else sizes - events
    known = _effective(rarer) / min(FEW_EVENTS, of_groups / 2)
    if known >= 1:
        return size, False
    if size > of_groups:
        size = of_groups ** (1 - known) * size**known
    return size, of_groups < total


def _effective(sizes: FloatArray) -> float:
    return float(effective_number(sizes))

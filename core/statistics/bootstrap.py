"""Percentile bootstrap of per-item rows, with one seeded resampling plan for all systems.

The plan depends only on the seed and the numbers of resamples and items, so that systems with the
same items get the same resamples, in any order of scoring. Source: Efron and Tibshirani, An
Introduction to the Bootstrap (1993), chapter 13.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import CombinedSums, FloatArray, IntArray, Interval

RESAMPLES = 1000
SEED = 20180601
LEVEL = 0.95
BLOCK_BYTES = 32 << 20
"""Memory of one block of the plan, for any number of items."""
COUNTED_BYTES = 2 << 20
"""Bytes of draws that are counted together."""
EXACT_INTEGERS = 2.0**53
"""Integers below it have a double of their own."""


@dataclass(frozen=True, slots=True)
class ResamplingPlan:
    """Seeded plan of `resamples` resamples, each of `items` draws with replacement."""

    items: int
    resamples: int = RESAMPLES
    seed: int = SEED

    def draws(self) -> Iterator[IntArray]:
        """Yield the drawn row indices in blocks (resamples of the block, items)."""
        generator = np.random.Generator(np.random.PCG64(self.seed))
        block = max(1, BLOCK_BYTES // (8 * max(1, self.items)))
        for start in range(0, self.resamples, block):
            rows = min(block, self.resamples - start)
            yield generator.integers(0, self.items, size=(rows, self.items), dtype=np.int64)


def resampled_means(
    columns: FloatArray, plan: ResamplingPlan, check: Callable[[int], None] = lambda done: None
) -> FloatArray:
    """Compute the means (resamples, metrics) of resampled columns (items, metrics).

    Undefined items (NaN) are left out of the means of their column; a resample without a defined
    item is NaN. `check` is called with the number of finished resamples, and may raise to stop.
    """
    defined = np.isfinite(columns)
    values = columns if defined.all() else np.where(defined, columns, 0.0)
    return resampled_ratios(values, defined.astype(np.float64), plan, check)


def resampled_ratios(
    sums: FloatArray,
    sizes: FloatArray,
    plan: ResamplingPlan,
    check: Callable[[int], None] = lambda done: None,
) -> FloatArray:
    """Compute means (resamples, metrics) of groups with these sums and sizes (groups, metrics).

    A mean is the total of the drawn groups' sums over that of their sizes; NaN for size 0.
    """
    unequal = np.flatnonzero((sizes != sizes[:1]).any(axis=0) | (sizes[0] == 0))
    means = np.empty((plan.resamples, sums.shape[1]))
    done = 0
    for draws in plan.draws():
        weights = count_draws(draws)
        drawn = plan.items * np.broadcast_to(sizes[0], (len(draws), sums.shape[1])).copy()
        drawn[:, unequal] = weights @ sizes[:, unequal]
        with np.errstate(invalid="ignore"):
            means[done : done + len(draws)] = (weights @ sums) / drawn
        done += len(draws)
        check(done)
    return means


def count_draws(draws: IntArray) -> FloatArray:
    """Count how often each resample draws each item; both arrays are (resamples, items)."""
    resamples, items = draws.shape
    found = np.empty((resamples, items))
    rows = max(1, COUNTED_BYTES // (8 * max(1, items)))
    for start in range(0, resamples, rows):
        part = draws[start : start + rows]
        flat = part + (np.arange(len(part), dtype=np.int64) * items)[:, np.newaxis]
        counts = np.bincount(flat.ravel(), minlength=part.size)
        found[start : start + rows] = counts.reshape(len(part), items)
    return found


def resampled_values(
    statistics: Sequence[tuple[FloatArray, Callable[[FloatArray], float]]],
    plan: ResamplingPlan,
    check: Callable[[int], None] = lambda done: None,
    codes: IntArray | None = None,
) -> FloatArray:
    """Compute metrics (resamples, metrics) that are functions of resampled rows.

    Args:
        statistics: For each metric, its rows (items, statistics) and the function of the rows.
        plan: Plan that draws groups, or items without `codes`.
        check: Function called with the number of finished resamples; it may raise to stop.
        codes: Group of each item (items,).
    """
    values = np.empty((plan.resamples, len(statistics)))
    members = None if codes is None else _GroupMembers(codes, plan.items)
    summed = {at: _GroupSums(sums, combine.combine) for at, (rows, combine) in enumerate(statistics)
              if isinstance(combine, CombinedSums)
              and (sums := _exact_sums(combine.parts(rows), plan, codes)) is not None}  # fmt: skip
    others = [at for at in range(len(statistics)) if at not in summed]
    done = 0
    for draws in plan.draws():
        block = slice(done, done + len(draws))
        weights = count_draws(draws) if summed else np.empty(0)
        for at, one in summed.items():
            values[block, at] = one.combine(weights @ one.sums)
        for drawn in draws if others else ():
            indices = drawn if members is None else members.of(drawn)
            for at in others:
                rows, combine = statistics[at]
                values[done, at] = combine(rows[indices])
            done += 1
            check(done)
        if done < block.stop:
            done = block.stop
            check(done)
    return values


@dataclass(frozen=True, slots=True, eq=False)
class _GroupSums:
    """Sums (groups, parts) of each group, and the function of summed groups."""

    sums: FloatArray
    combine: Callable[[FloatArray], FloatArray]


def _exact_sums(
    parts: FloatArray, plan: ResamplingPlan, codes: IntArray | None
) -> FloatArray | None:
    """Return the sums (groups, parts) of each group; None unless they are exact in any order.

    They are for counts; the last digit of other sums depends on the order of the items.
    """
    with np.errstate(invalid="ignore"):
        total = np.abs(parts).max(initial=0.0) * len(parts) * plan.items
        if not (total < EXACT_INTEGERS and (parts == np.rint(parts)).all()):
            return None
    if codes is None:
        return parts
    sums = np.zeros((plan.items, parts.shape[1]))
    np.add.at(sums, codes, parts)
    return sums


class _GroupMembers:
    """Items of groups, found for thousands of groups at once."""

    def __init__(self, codes: IntArray, groups: int) -> None:
        self._order = np.argsort(codes, kind="stable")
        self._sizes = np.bincount(codes, minlength=groups)
        self._starts = np.cumsum(self._sizes) - self._sizes

    def of(self, groups: IntArray) -> IntArray:
        """Return the items of some groups, one group after the other."""
        sizes = self._sizes[groups]
        ends = np.cumsum(sizes)
        shifts = np.repeat(self._starts[groups] - ends + sizes, sizes)
        items: IntArray = self._order[shifts + np.arange(len(shifts))]
        return items


def percentile_interval(
    resampled: FloatArray, level: float = LEVEL, unit: str = ""
) -> Interval | None:
    """Return the percentile interval of values (resamples,); None if none of them is defined.

    `unit` names what was resampled where it is not the items: `12 stories`.
    """
    defined = resampled[np.isfinite(resampled)]
    if len(defined) == 0:
        return None
    tail = 50.0 * (1.0 - level)
    ordered = np.sort(defined)
    low, high = percentile(ordered, tail), percentile(ordered, 100.0 - tail)
    method = (
        translatable("percentile bootstrap over {groups}, {resamples:d} resamples")
        if unit
        else translatable("percentile bootstrap, {resamples:d} resamples")
    )
    return Interval(low, high, level, method.format(groups=unit, resamples=len(resampled)))


def percentile(ordered: FloatArray, percent: float) -> float:
    """Return a linear percentile (0 to 100) of ascending values (n,)."""
    return float(percentiles(ordered, percent))


def percentiles(ordered: FloatArray, percent: float) -> FloatArray:
    """Return a linear percentile (k,) of columns of ascending values (n, k).

    Bitwise equal to `np.percentile`, whose import of masked arrays takes longer than all intervals
    of a small file.
    """
    position = (len(ordered) - 1) * (percent / 100.0)
    index = int(position)
    part = position - index
    low, high = ordered[index], ordered[min(index + 1, len(ordered) - 1)]
    found = high - (high - low) * (1.0 - part) if part >= 0.5 else low + (high - low) * part
    return np.asarray(found)

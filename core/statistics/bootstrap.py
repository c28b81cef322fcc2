"""Percentile bootstrap intervals from per-item rows, with one seeded plan for all systems.

Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13. The plan depends on the
seed, the number of resamples and the number of items alone, so systems with the same items are
resampled alike, in whatever order they are scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval

RESAMPLES = 1000
SEED = 20180601
LEVEL = 0.95
BLOCK_BYTES = 32 << 20
"""Memory for one block of the plan, whatever the number of items."""


@dataclass(frozen=True, slots=True)
class ResamplingPlan:
    """Which items every resample draws: `resamples` draws of `items` out of `items`."""

    items: int
    resamples: int = RESAMPLES
    seed: int = SEED

    def draws(self) -> Iterator[IntArray]:
        """Yield the row numbers of the resamples, in blocks (resamples of the block, items)."""
        generator = np.random.Generator(np.random.PCG64(self.seed))
        block = max(1, BLOCK_BYTES // (8 * max(1, self.items)))
        for start in range(0, self.resamples, block):
            rows = min(block, self.resamples - start)
            yield generator.integers(0, self.items, size=(rows, self.items), dtype=np.int64)


def resampled_means(
    columns: FloatArray, plan: ResamplingPlan, check: Callable[[int], None] = lambda done: None
) -> FloatArray:
    """Means of the resamples: `columns` is (items, metrics), the result (resamples, metrics).

    An undefined item (NaN) is left out of the means of its column; a resample that draws no
    defined item is NaN. `check` hears how many resamples are done, and may raise to stop.
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
    """Means (resamples, metrics) of drawn groups with these sums and sizes (groups, metrics).

    A mean is the sum of the drawn groups' sums over that of their sizes; NaN where that is 0.
    """
    unequal = np.flatnonzero((sizes != sizes[:1]).any(axis=0) | (sizes[0] == 0))
    means = np.empty((plan.resamples, sums.shape[1]))
    done = 0
    for draws in plan.draws():
        weights = counts(draws)
        drawn = plan.items * np.broadcast_to(sizes[0], (len(draws), sums.shape[1])).copy()
        drawn[:, unequal] = weights @ sizes[:, unequal]
        with np.errstate(invalid="ignore"):
            means[done : done + len(draws)] = (weights @ sums) / drawn
        done += len(draws)
        check(done)
    return means


def counts(draws: IntArray) -> FloatArray:
    """How often (resamples, items) each row of draws (resamples, items) draws each item."""
    resamples, items = draws.shape
    flat = draws + (np.arange(resamples, dtype=np.int64) * items)[:, np.newaxis]
    counts = np.bincount(flat.ravel(), minlength=resamples * items)
    return counts.reshape(resamples, items).astype(np.float64)


def resampled_values(
    statistics: Sequence[tuple[FloatArray, Callable[[FloatArray], float]]],
    plan: ResamplingPlan,
    check: Callable[[int], None] = lambda done: None,
    codes: IntArray | None = None,
) -> FloatArray:
    """What each metric makes of the resamples of its rows: (resamples, metrics).

    A metric is its rows (items, statistics) and the function that makes one number of them.
    `codes` (items,) are the groups that the plan draws; without them it draws items.
    `check` hears how many resamples are done, and may raise to stop.
    """
    values = np.empty((plan.resamples, len(statistics)))
    members = None if codes is None else [np.flatnonzero(codes == g) for g in range(plan.items)]
    done = 0
    for draws in plan.draws():
        for drawn in draws:
            rows_drawn = drawn if members is None else np.concatenate([members[g] for g in drawn])
            values[done] = [combine(rows[rows_drawn]) for rows, combine in statistics]
            done += 1
            check(done)
    return values


def percentile_interval(resampled: FloatArray, level: float = LEVEL) -> Interval | None:
    """Return the percentile interval of values (resamples,); None where none of them is defined."""
    defined = resampled[np.isfinite(resampled)]
    if len(defined) == 0:
        return None
    tail = 50.0 * (1.0 - level)
    ordered = np.sort(defined)
    low, high = percentile(ordered, tail), percentile(ordered, 100.0 - tail)
    return Interval(low, high, level, f"percentile bootstrap, {len(resampled)} resamples")


def percentile(ordered: FloatArray, percent: float) -> float:
    """Return a percentile (0 to 100) of ascending values (n,): linear, `np.percentile` bit for bit.

    NumPy's own imports its masked arrays, which takes longer than all intervals of a small file.
    """
    place = (len(ordered) - 1) * (percent / 100.0)
    below = int(place)
    part = place - below
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return high - (high - low) * (1.0 - part) if part >= 0.5 else low + (high - low) * part

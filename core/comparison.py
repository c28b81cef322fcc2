"""Two systems, item by item: by how much they differ, and whether the difference is real."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.entries import Entries, entries
from core.model import FloatArray, IntArray, Interval, MetricInfo, Units
from core.separating import UNIT_RESAMPLES, Entrant, aligned, of_drawn
from core.separation import separate
from core.stats.bootstrap import LEVEL, RESAMPLES, SEED, Plan, interval
from core.stats.paired import (
    bootstrap_p,
    differences,
    randomisation,
    resampled_differences,
    sacrebleu_bootstrap_p,
    t_test,
    wilcoxon,
)
from core.stats.swaps import Swaps
from core.task import Task

if TYPE_CHECKING:
    from core.run.run import Run

SAME = 1e-12
"""Items whose values are nearer than this are ties."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A test by its name, its two-sided p value, and how many rounds it took (0 for exact ones)."""

    name: str
    p: float
    rounds: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class PerItem:
    """The items that both systems know, by their ids, with both values (items,).

    They are units, such as images, where the metric has a number for those only.
    """

    ids: tuple[str, ...]
    first: FloatArray
    second: FloatArray
    higher_is_better: bool
    unit: str = ""
    """What the units are called (`images`); empty for items."""

    @property
    def differences(self) -> FloatArray:
        """The first less the second (items,)."""
        return np.asarray(self.first - self.second)

    @property
    def gains(self) -> FloatArray:
        """The differences (items,), above 0 where the first system is the better one."""
        return self.differences if self.higher_is_better else -self.differences

    @property
    def wins(self) -> int:
        """On how many items the first system is better."""
        return int((self.gains > SAME).sum())

    @property
    def losses(self) -> int:
        """On how many items the second system is better."""
        return int((self.gains < -SAME).sum())

    @property
    def ties(self) -> int:
        """On how many items both are the same."""
        return len(self.ids) - self.wins - self.losses

    def by_disagreement(self) -> IntArray:
        """The items (items,), the largest difference first, equal ones by their ids."""
        return np.argsort(-np.abs(self.differences), kind="stable")


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """One metric of two systems; without `items` where the number is made of no per-item values.

    `difference` is the first less the second, over the items that both know.
    """

    metric: MetricInfo
    first: Entrant
    second: Entrant
    difference: float
    interval: Interval | None
    tests: tuple[Outcome, ...]
    items: PerItem | None
    n: int
    seed: int
    unit: str = ""
    """What `n` counts (`images`), where that is not the items."""

    @property
    def p(self) -> float:
        """The p value of the first test; NaN where none could be made."""
        return self.tests[0].p if self.tests else math.nan


def per_item(metric: MetricInfo, first: Entries, second: Entries) -> PerItem | None:
    """Both systems' values of what both know; None where the metric has no number for each item.

    The number of a unit is what the metric would be if the unit were the only one.
    """
    if any(metric.name not in one.columns for one in (first, second)):
        return None
    ids, values = aligned([(one.ids, one.columns[metric.name]) for one in (first, second)])
    known = np.flatnonzero(np.isfinite(values).all(axis=1))
    return PerItem(
        tuple(ids[row] for row in known.tolist()),
        values[known, 0],
        values[known, 1],
        metric.better != "lower",
        first.noun,
    )


def compare(
    task: Task[Any, Any, Any],
    metric: MetricInfo,
    profile: str,
    first: Entrant,
    second: Entrant,
    run: Run,
    seed: int = SEED,
) -> Comparison:
    """All that is known of the difference of two systems by one metric. Raises Cancelled.

    A mean is tested four ways; another number by the bootstrap of its rows or units. Where it
    cannot be tested, `difference` is that of the scores.
    """
    items = per_item(metric, *(entries(task, one.items, profile) for one in (first, second)))
    if metric.aggregate == "mean" and items is not None and items.ids:
        return _of_items(metric, first, second, items, run, seed)
    separation = separate(task, metric, profile, [first, second], run, seed)
    if separation is None or not math.isfinite(separation.pairs[0].p):
        apart = first.value - second.value
        return Comparison(metric, first, second, apart, None, (), items, 0, seed)
    (pair,) = separation.pairs
    turned = pair.first != first.system
    limits = pair.interval
    if turned and limits is not None:
        limits = Interval(-limits.high, -limits.low, limits.level, limits.method)
    difference = -pair.difference if turned else pair.difference
    tests = (Outcome(separation.method, pair.p, separation.rounds),)
    count, unit = separation.items, separation.unit
    return Comparison(metric, first, second, difference, limits, tests, items, count, seed, unit)


def compare_drawn(
    metric: MetricInfo,
    first: Entrant,
    second: Entrant,
    units: tuple[Units, Units],
    run: Run,
    resamples: int = UNIT_RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """The difference of two systems by the resamples of their units. Raises Cancelled."""
    values = np.array([first.value, second.value])
    found = of_drawn(metric, values, units, seed, run, resamples)
    apart = first.value - second.value
    if found is None or not math.isfinite(found.p[0]):
        return Comparison(metric, first, second, apart, None, (), None, 0, seed)
    tests = (Outcome(found.method, float(found.p[0]), found.rounds),)
    limits = found.apart[0]
    count, unit = found.items, found.unit
    return Comparison(metric, first, second, apart, limits, tests, None, count, seed, unit)


def _of_items(
    metric: MetricInfo, first: Entrant, second: Entrant, items: PerItem, run: Run, seed: int
) -> Comparison:
    values = np.column_stack([items.first, items.second])
    pair = [(0, 1)]
    found = differences(values, pair)
    swaps, plan = Swaps(len(values), seed=seed), Plan(len(values), RESAMPLES, seed)
    check = _check(run, f"comparing {first.system} and {second.system}")
    resampled = resampled_differences(values, pair, plan, check)[:, 0]
    mean = float(found.mean[0])
    tests = (
        Outcome(
            "approximate randomisation",
            float(randomisation(values, pair, swaps, check)[0]),
            swaps.rounds,
        ),
        Outcome("paired bootstrap", bootstrap_p(resampled, mean), plan.resamples),
        Outcome(
            "paired bootstrap as sacreBLEU counts it",
            sacrebleu_bootstrap_p(resampled, mean),
            plan.resamples,
        ),
        Outcome("paired t", float(t_test(found)[0])),
        Outcome("Wilcoxon signed rank", float(wilcoxon(values, pair)[0])),
    )
    limits = interval(resampled, LEVEL) if len(values) > 1 else None
    return Comparison(metric, first, second, mean, limits, tests, items, len(values), seed)


def _check(run: Run, text: str) -> Callable[[int], None]:
    def check(done: int) -> None:
        run.report(done, 0, text)

    return check

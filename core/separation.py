"""Which systems of a competition can be told apart, and by how much they must differ for that."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model import FloatArray, Interval, ItemTable, MetricInfo, Task
from core.stats.bootstrap import LEVEL, RESAMPLES, SEED, Plan, counts, interval, resampled_values
from core.stats.combined import normal_p, resampled_spread
from core.stats.paired import all_pairs, differences, holm, randomisation, resampled_differences
from core.stats.power import visible_difference
from core.stats.ranks import Rank, ranks
from core.stats.swaps import Swaps, rounds_for

if TYPE_CHECKING:
    from core.run.run import Run

AnyTask = Task[Any, Any, Any]
Check = Callable[[int], None]

MEAN_TOLERANCE = 1e-4
UNIT_RESAMPLES = 200
RANDOMISATION = "approximate randomisation"
SPREAD = "bootstrap standard error"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A system with its score of one metric, and the items that the score comes from."""

    system: str
    value: float
    items: ItemTable


@dataclass(frozen=True, slots=True)
class PairTest:
    """The difference of two systems (the first less the second); `corrected` is Holm's p value."""

    first: str
    second: str
    difference: float
    interval: Interval | None
    p: float
    corrected: float


@dataclass(frozen=True, slots=True)
class Separation:
    """What separates the systems of one metric and profile, in the order of their names.

    `visible` is the smallest difference that two systems must have to be told apart in four of
    five cases; `items` is how many items (or units) it holds for.
    """

    metric: MetricInfo
    systems: tuple[str, ...]
    ranks: tuple[Rank, ...]
    intervals: tuple[Interval | None, ...]
    pairs: tuple[PairTest, ...]
    visible: float
    items: int
    method: str
    rounds: int
    seed: int = SEED
    level: float = LEVEL
    unit: str = ""
    """What was resampled (`images`), where that is not the items."""

    def rank(self, system: str) -> Rank | None:
        """The rank of a system; None where it was not compared."""
        return self.ranks[self.systems.index(system)] if system in self.systems else None

    def interval(self, system: str) -> Interval | None:
        """The interval of a system's own score, where the comparison made one."""
        return self.intervals[self.systems.index(system)] if system in self.systems else None


def wanted_columns(task: AnyTask, metric: MetricInfo) -> tuple[str, ...] | None:
    """The columns that a comparison of the metric reads; None for all, empty where there is none.

    Sums, counts, and numbers that nothing makes of items cannot be compared.
    """
    if metric.better == "neither":
        return ()
    if metric.aggregate == "mean":
        return (metric.name,)
    if metric.aggregate == "own" and metric.combine is not None:
        return metric.statistics
    return None if metric.aggregate == "own" and task.units is not None else ()


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Differences of all pairs with what is known of them, before ranks are made."""

    difference: FloatArray
    resampled: FloatArray
    p: FloatArray
    errors: FloatArray
    intervals: tuple[Interval | None, ...]
    items: int
    method: str
    rounds: int
    unit: str = ""


def separate(
    task: AnyTask,
    metric: MetricInfo,
    profile: str,
    entrants: Sequence[Entrant],
    run: Run,
    seed: int = SEED,
) -> Separation | None:
    """Test every two systems; None where fewer than two can be compared by this metric.

    Names order the systems, so that the order given changes no number. Raises Cancelled.
    """
    ordered = sorted(
        (one for one in entrants if math.isfinite(one.value)), key=lambda one: one.system
    )
    if len(ordered) < 2 or wanted_columns(task, metric) == ():
        return None

    def check(done: int) -> None:
        run.report(done, 0, f"comparing {len(ordered)} systems")

    if metric.aggregate == "mean":
        found = _of_means(metric, ordered, seed, check)
    elif metric.combine is not None:
        found = _of_rows(metric, ordered, seed, check)
    else:
        found = _of_units(task, metric, profile, ordered, seed, check)
    return None if found is None else _separation(metric, ordered, found, seed)


def _separation(
    metric: MetricInfo, ordered: Sequence[Entrant], found: Found, seed: int
) -> Separation:
    pairs = all_pairs(len(ordered))
    corrected = holm(found.p)
    better = found.difference if metric.better == "higher" else -found.difference
    tests = tuple(
        PairTest(
            ordered[one].system,
            ordered[other].system,
            float(found.difference[number]),
            interval(found.resampled[:, number], LEVEL),
            float(found.p[number]),
            float(corrected[number]),
        )
        for number, (one, other) in enumerate(pairs)
    )
    return Separation(
        metric,
        tuple(one.system for one in ordered),
        tuple(ranks(len(ordered), pairs, better, corrected, 1 - LEVEL)),
        found.intervals,
        tests,
        visible_difference(found.errors),
        found.items,
        found.method,
        found.rounds,
        seed,
        unit=found.unit,
    )


def aligned(entrants: Sequence[Entrant], column: str) -> FloatArray:
    """A column of all systems (items, systems), the items by their ids, NaN where one has none."""
    ids = sorted({key for tables in entrants for key in tables.items.ids})
    place = {key: row for row, key in enumerate(ids)}
    values = np.full((len(ids), len(entrants)), np.nan)
    for number, one in enumerate(entrants):
        values[[place[key] for key in one.items.ids], number] = one.items.columns[column]
    return values


def _of_means(
    metric: MetricInfo, ordered: Sequence[Entrant], seed: int, check: Check
) -> Found | None:
    """Approximate randomisation; None where a score is not the mean of its items."""
    if any(metric.name not in one.items.columns for one in ordered):
        return None
    values = aligned(ordered, metric.name)
    known = np.isfinite(values)
    if not known.any(axis=0).all():
        return None
    means = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    scores = [one.value for one in ordered]
    if not np.allclose(means, scores, rtol=MEAN_TOLERANCE, atol=1e-9):
        return None
    pairs = all_pairs(len(ordered))
    swaps = Swaps(len(values), rounds_for(len(pairs)), seed)
    apart = differences(values, pairs)
    return Found(
        apart.mean,
        resampled_differences(values, pairs, Plan(len(values), RESAMPLES, seed), check),
        randomisation(values, pairs, swaps, check),
        apart.error,
        (None,) * len(ordered),
        int(known.any(axis=1).sum()),
        RANDOMISATION,
        swaps.rounds,
    )


def _of_rows(
    metric: MetricInfo, ordered: Sequence[Entrant], seed: int, check: Check
) -> Found | None:
    """The bootstrap's standard error, over the items that all systems have."""
    names, combine = metric.statistics, metric.combine
    if combine is None or any(not set(names) <= one.items.columns.keys() for one in ordered):
        return None
    common = set.intersection(*(set(one.items.ids) for one in ordered))
    statistics = [(_rows(one.items, names, common), combine) for one in ordered]
    if len(common) < 2:
        return None
    plan = Plan(len(common), RESAMPLES, seed)
    values = np.array([combine(rows) for rows, _ in statistics])
    return _of_resamples(values, resampled_values(statistics, plan, check), len(common))


def _rows(items: ItemTable, names: Sequence[str], common: set[str]) -> FloatArray:
    """The statistics (items, names) of the common items, by their ids."""
    order = [
        row for key, row in sorted(zip(items.ids, range(len(items)), strict=True)) if key in common
    ]
    return np.column_stack([items.columns[name][order] for name in names])


def _of_units(
    task: AnyTask,
    metric: MetricInfo,
    profile: str,
    ordered: Sequence[Entrant],
    seed: int,
    check: Check,
) -> Found | None:
    """The bootstrap's standard error over units, each system resampled by the same plan."""
    if task.units is None:
        return None
    units = [task.units(one.items, profile) for one in ordered]
    ids = sorted({key for one in units for key in one.ids})
    if len(ids) < 2:
        return None
    place = {key: number for number, key in enumerate(ids)}
    places = [np.array([place[key] for key in one.ids]) for one in units]
    plan = Plan(len(ids), UNIT_RESAMPLES, seed)
    resampled: list[list[float]] = []
    for draws in plan.draws():
        for drawn in counts(draws):
            resampled.append(
                [
                    one.scores(drawn[where])[metric.name]
                    for one, where in zip(units, places, strict=True)
                ]
            )
            check(len(resampled))
    values = np.array([one.value for one in ordered])
    return replace(_of_resamples(values, np.array(resampled), len(ids)), unit=units[0].noun)


def _of_resamples(values: FloatArray, resampled: FloatArray, items: int) -> Found:
    pairs = all_pairs(len(values))
    spread = resampled_spread(values, resampled, pairs)
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    return Found(
        spread.mean,
        resampled[:, first] - resampled[:, second],
        normal_p(spread),
        spread.error,
        tuple(interval(resampled[:, number], LEVEL) for number in range(len(values))),
        items,
        SPREAD,
        len(resampled),
    )

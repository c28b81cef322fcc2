"""What lies between the systems of a competition, by every way that a metric can be made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model import FloatArray, IntArray, Interval, ItemTable, MetricInfo, Units
from core.stats.bootstrap import RESAMPLES, Plan, counts, interval, resampled_values
from core.stats.combined import (
    errors,
    freedom,
    resampled_spread,
    student_interval,
    student_p,
    without_bias,
)
from core.stats.paired import all_pairs, differences, randomisation, resampled_differences
from core.stats.products import one_thread
from core.stats.swaps import Swaps, rounds_for
from core.task import Task

if TYPE_CHECKING:
    from core.run.run import Run

AnyTask = Task[Any, Any, Any]
Intervals = tuple[Interval | None, ...]

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


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Differences of all pairs (pairs,) with what is known of them, before ranks are made.

    `intervals` are the systems' own ones, `apart` those of the differences.
    """

    difference: FloatArray
    p: FloatArray
    errors: FloatArray
    apart: Intervals
    intervals: Intervals
    items: int
    method: str
    rounds: int
    unit: str = ""


def aligned(
    tables: Sequence[tuple[Sequence[str], FloatArray]],
) -> tuple[list[str], FloatArray]:
    """The ids of all systems, sorted, and their values (ids, systems), NaN where one has none.

    Each system has its ids and as many values. Most have the same ids, which are sorted once.
    """
    ids = sorted({key for own in dict.fromkeys(tuple(own) for own, _ in tables) for key in own})
    place = {key: row for row, key in enumerate(ids)}
    rows: dict[tuple[str, ...], IntArray] = {}
    values = np.full((len(ids), len(tables)), np.nan)
    for number, (own, column) in enumerate(tables):
        key = tuple(own)
        if key not in rows:
            rows[key] = np.array([place[one] for one in own], dtype=np.int64)
        values[rows[key], number] = column
    return ids, values


def of_means(metric: MetricInfo, ordered: Sequence[Entrant], seed: int, run: Run) -> Found | None:
    """Approximate randomisation; None where a score is not the mean of its items."""
    if any(metric.name not in one.items.columns for one in ordered):
        return None
    _, values = aligned([(one.items.ids, one.items.columns[metric.name]) for one in ordered])
    known = np.isfinite(values)
    if not known.any(axis=0).all():
        return None
    means = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    scores = [one.value for one in ordered]
    if not np.allclose(means, scores, rtol=MEAN_TOLERANCE, atol=1e-9):
        return None
    pairs = all_pairs(len(ordered))
    swaps = Swaps(len(values), rounds_for(len(pairs)), seed)
    check, apart = _check(run, ordered), differences(values, pairs)
    resampled = resampled_differences(values, pairs, Plan(len(values), RESAMPLES, seed), check)
    return Found(
        apart.mean,
        randomisation(values, pairs, swaps, check),
        apart.error,
        tuple(interval(column) for column in resampled.T),
        (None,) * len(ordered),
        int(known.any(axis=1).sum()),
        RANDOMISATION,
        swaps.rounds,
    )


def of_rows(metric: MetricInfo, ordered: Sequence[Entrant], seed: int, run: Run) -> Found | None:
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
    resampled = resampled_values(statistics, plan, _check(run, ordered))
    return _of_resamples(metric, values, resampled, len(common))


def _rows(items: ItemTable, names: Sequence[str], common: set[str]) -> FloatArray:
    """The statistics (items, names) of the common items, by their ids."""
    order = [
        row for key, row in sorted(zip(items.ids, range(len(items)), strict=True)) if key in common
    ]
    return np.column_stack([items.columns[name][order] for name in names])


def of_units(
    task: AnyTask,
    metric: MetricInfo,
    profile: str,
    ordered: Sequence[Entrant],
    seed: int,
    run: Run,
) -> Found | None:
    """The bootstrap's standard error over units, each system resampled by the same plan."""
    if task.scoring.units is None:
        return None
    units = [task.scoring.units(one.items, profile) for one in ordered]
    values = np.array([one.value for one in ordered])
    return of_drawn(metric, values, units, seed, run)


def of_drawn(
    metric: MetricInfo,
    values: FloatArray,
    units: Sequence[Units],
    seed: int,
    run: Run,
    resamples: int = UNIT_RESAMPLES,
) -> Found | None:
    """The same for systems (values and units) that are drawn by one plan of all their units."""
    ids = sorted({key for one in units for key in one.ids})
    if len(ids) < 2:
        return None
    place = {key: number for number, key in enumerate(ids)}
    places = [np.array([place[key] for key in one.ids]) for one in units]
    plan, noun = Plan(len(ids), resamples, seed), units[0].noun
    resampled = np.empty((plan.resamples, len(units)))
    done = 0
    with one_thread():
        for draws in plan.draws():
            for drawn in counts(draws):
                for number, (one, where) in enumerate(zip(units, places, strict=True)):
                    run.report(done, plan.resamples, f"resampling {len(ids):,} {noun}")
                    resampled[done, number] = one.scores(drawn[where])[metric.name]
                done += 1
    return _of_resamples(metric, values, resampled, len(ids), noun)


def _of_resamples(
    metric: MetricInfo, values: FloatArray, resampled: FloatArray, items: int, unit: str = ""
) -> Found:
    """Differences against the errors that resamples (resamples, systems) tell.

    The interval of a system's own value has no bias; two systems of the same items share theirs.
    """
    pairs = all_pairs(len(values))
    spread = resampled_spread(values, resampled, pairs, items)
    degrees = freedom(items, len(resampled))
    method = f"bootstrap t, {len(resampled)} resamples{unit and f' of {unit}'}"
    apart = zip(spread.mean.tolist(), spread.error.tolist(), strict=True)
    own = zip(values.tolist(), resampled.T, errors(resampled, items).tolist(), strict=True)
    return Found(
        spread.mean,
        student_p(spread, degrees),
        spread.error,
        tuple(student_interval(*one, degrees, method) for one in apart),
        tuple(
            _within(
                student_interval(without_bias(value, column), error, degrees, f"{method}, no bias"),
                metric.range,
            )
            for value, column, error in own
        ),
        items,
        SPREAD,
        len(resampled),
        unit,
    )


def _within(limits: Interval | None, scale: tuple[float, float]) -> Interval | None:
    """The interval, cut where the metric ends."""
    if limits is None:
        return None
    low, high = (min(max(end, scale[0]), scale[1]) for end in (limits.low, limits.high))
    return replace(limits, low=low, high=high)


def _check(run: Run, ordered: Sequence[Entrant]) -> Callable[[int], None]:
    def check(done: int) -> None:
        run.report(done, 0, f"comparing {len(ordered)} systems")

    return check

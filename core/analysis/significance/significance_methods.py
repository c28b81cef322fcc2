"""Pairwise significance tests for means, combined scores and resampled units."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.competition.task import Task
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import (
    FloatArray,
    IntArray,
    Interval,
    ItemTable,
    MetricInfo,
    Units,
)
from jurydesk.core.statistics.bootstrap import (
    LEVEL,
    RESAMPLES,
    ResamplingPlan,
    percentile_interval,
    resampled_values,
)
from jurydesk.core.statistics.combined_scores import (
    UNIT_RESAMPLES,
    are_enough,
    bootstrap_method,
    degrees_of_freedom,
    groups_with_values,
    resampled_differences_with_errors,
    resampled_units,
    stepdown_p,
    student_interval,
    student_p,
)
from jurydesk.core.statistics.corrected_intervals import corrected_intervals, holm_critical
from jurydesk.core.statistics.group_tests import (
    LargestT,
    PairedGroups,
    difference_intervals,
    overrule_skewed,
    randomise_groups,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.inference import (
    Inference,
    ResamplingUnit,
    clip_interval,
    difference_range,
    resampling_unit,
)
from jurydesk.core.statistics.paired_tests import (
    Pair,
    RandomisationPlan,
    all_pairs,
    holm,
    mean_differences,
    randomisation_test,
    resampled_differences,
    rounds_for,
)
from jurydesk.core.statistics.power import (
    bonferroni_critical,
    largest_critical,
    minimum_detectable_differences,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

AnyTask = Task[Any, Any, Any]
Intervals = tuple[Interval | None, ...]

MEAN_TOLERANCE = 1e-4
RANDOMISATION = {
    (False, False): translatable("approximate randomisation"),
    (False, True): translatable("exact randomisation"),
    (True, False): translatable("approximate randomisation of groups"),
    (True, True): translatable("exact randomisation of groups"),
}
"""Names of the test, of items or groups, approximate or exact."""
STANDARD_ERROR = translatable("bootstrap standard error")


@dataclass(frozen=True, slots=True)
class Entrant:
    """System with its score of one metric and its items."""

    system: str
    value: float
    items: ItemTable


@dataclass(frozen=True, slots=True, eq=False)
class PairDifferences:
    """Differences of all pairs (pairs,) with their tests, without ranks.

    `pair_intervals` are those of the differences of each pair alone, `corrected_intervals` those
    that agree with the corrected p values. `lowest` is the
    lowest possible corrected p value, `detectable` the minimum detectable difference of the median
    pair, `largest_detectable` that of the least precise one.
    """

    difference: FloatArray
    p: FloatArray
    corrected: FloatArray
    pair_intervals: Intervals
    items: int
    method: str
    rounds: int
    unit: str = ""
    resampled: ResamplingUnit | None = None
    lowest: float = 0.0
    detectable: float = math.nan
    largest_detectable: float = math.nan
    corrected_intervals: Intervals = ()
    overruled: frozenset[int] = frozenset()
    """Pairs with lopsided differences in which the bootstrap contradicts the test."""


BOOTSTRAP = translatable("studentized bootstrap")
"""The method that decides in the place of a test where differences are lopsided."""


def randomisation_name(*, grouped: bool, exact: bool) -> str:
    """Return the name of the randomisation test."""
    return RANDOMISATION[grouped, exact]


def align_tables(
    tables: Sequence[tuple[Sequence[str], FloatArray]],
) -> tuple[list[str], FloatArray]:
    """Return the sorted ids of all systems, and their values (ids, systems), NaN if missing.

    Each table is a pair of ids and values. Most systems have the same ids, which are sorted once.
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


def randomize_means(
    task: AnyTask,
    metric: MetricInfo,
    ordered: Sequence[Entrant],
    pairs: list[Pair],
    seed: int,
    run: Run,
    inference: Inference,
    *,
    power: bool = True,
) -> PairDifferences | None:
    """Randomise whole groups; None if a score is not the mean of its items."""
    if any(metric.name not in one.items.columns for one in ordered):
        return None
    ids, values = align_tables([(one.items.ids, one.items.columns[metric.name]) for one in ordered])
    known = np.isfinite(values)
    if not known.any(axis=0).all():
        return None
    means = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    scores = [one.value for one in ordered]
    if not np.allclose(means, scores, rtol=MEAN_TOLERANCE, atol=1e-9):
        return None
    check = report_check(run, fill("Comparing {count} systems", len(ordered)))
    unit = resampling_unit(task, [one.items for one in ordered], ids, inference)
    groups = unit.groups
    found = PairedGroups(values, pairs, groups)
    plan = ResamplingPlan(groups.count, RESAMPLES, seed)
    p, corrected, critical, rounds, lowest = _tests(
        found, values, pairs, groups, seed, check, inference
    )
    largest = LargestT(plan.resamples)
    pair_limits = _pair_intervals(found, values, pairs, groups, plan, check, inference, largest)
    overruled = overrule_skewed(found, corrected, pair_limits, largest)
    corrected = np.where(np.isnan(overruled), corrected, overruled)
    limits_of_pairs = corrected_intervals(found.mean, found.robust, critical, corrected)
    detectable = math.nan, math.nan
    if power:
        detectable = _detectable_differences(found, values, pairs, groups, lowest, seed, inference)
    return PairDifferences(
        mean_differences(values, pairs),
        p,
        corrected,
        _clip_differences(pair_limits, metric),
        int(known.any(axis=1).sum()),
        randomisation_name(grouped=unit.noun is not None, exact=rounds == 0),
        rounds,
        resampled=unit,
        lowest=lowest,
        detectable=detectable[0],
        largest_detectable=detectable[1],
        corrected_intervals=_clip_differences(limits_of_pairs, metric),
        overruled=frozenset(np.flatnonzero(np.isfinite(overruled)).tolist()),
    )


def _clip_differences(found: Sequence[Interval | None], metric: MetricInfo) -> Intervals:
    scale = difference_range(metric.range)
    return tuple(limits and clip_interval(limits, scale) for limits in found)


def _tests(
    found: PairedGroups,
    values: FloatArray,
    pairs: list[Pair],
    groups: Groups,
    seed: int,
    check: Callable[[int], None],
    inference: Inference,
) -> tuple[FloatArray, FloatArray, FloatArray, int, float]:
    """Return p values, corrected ones, critical t, rounds, and the lowest corrected p value."""
    if inference.correction == "romano-wolf":
        tests = randomise_groups(found, seed, check=check)
        critical = found.critical_t(tests.critical)
        return tests.p, tests.corrected, critical, tests.rounds, tests.lowest
    swaps = RandomisationPlan(groups.count, rounds_for(len(pairs)), seed)
    p = randomisation_test(values, pairs, swaps, check, groups.shared)
    lowest = max(2.0 ** (1 - groups.count), 1 / (swaps.rounds + 1)) * len(pairs)
    corrected = holm(p)
    critical = holm_critical(p, corrected, found.degrees)
    return p, corrected, critical, swaps.rounds, min(1.0, lowest)


def _pair_intervals(
    found: PairedGroups,
    values: FloatArray,
    pairs: list[Pair],
    groups: Groups,
    plan: ResamplingPlan,
    check: Callable[[int], None],
    inference: Inference,
    observe: Callable[[FloatArray], None],
) -> Sequence[Interval | None]:
    if inference.interval != "percentile":
        return difference_intervals(found, plan, inference.interval, check=check, observe=observe)
    resampled = resampled_differences(values, pairs, plan, check, groups.shared)
    return [percentile_interval(column) for column in resampled.T]


def _detectable_differences(
    found: PairedGroups,
    values: FloatArray,
    pairs: list[Pair],
    groups: Groups,
    lowest: float,
    seed: int,
    inference: Inference,
) -> tuple[float, float]:
    if not found.is_testable.any() or lowest >= 1 - LEVEL:
        return math.nan, math.nan
    degrees = found.median_degrees
    if inference.correction == "holm":
        critical = bonferroni_critical(degrees, len(pairs), LEVEL)
    else:
        sums, sizes = groups.totals(values)
        residuals = sums - sums.sum(axis=0) / sizes.sum(axis=0) * sizes
        critical = largest_critical(residuals, pairs, LEVEL, degrees, seed)
    return minimum_detectable_differences(found.robust, degrees, critical)


def bootstrap_rows(
    task: AnyTask,
    metric: MetricInfo,
    ordered: Sequence[Entrant],
    pairs: list[Pair],
    seed: int,
    run: Run,
    inference: Inference,
) -> PairDifferences | None:
    """Test pairs by bootstrap standard errors over the groups of shared items."""
    names, combine = metric.statistics, metric.combine
    if combine is None or any(not set(names) <= one.items.columns.keys() for one in ordered):
        return None
    common = set.intersection(*(set(one.items.ids) for one in ordered))
    statistics = [(_rows(one.items, names, common), combine) for one in ordered]
    if len(common) < 2:
        return None
    unit = resampling_unit(task, [one.items for one in ordered], sorted(common), inference)
    plan = ResamplingPlan(unit.groups.count, RESAMPLES, seed)
    values = np.array([combine(rows) for rows, _ in statistics])
    groups = groups_with_values(unit.groups, np.column_stack([rows for rows, _ in statistics]))
    if not are_enough(groups, metric.fewest_groups):
        return replace(_untested(values, len(common), pairs), resampled=unit)
    check = report_check(run, fill("Comparing {count} systems", len(ordered)))
    resampled = resampled_values(statistics, plan, check, unit.groups.shared)
    found = _test_resamples(metric, values, resampled, groups.count, inference, seed, pairs)
    return replace(found, items=len(common), resampled=unit)


def _untested(values: FloatArray, items: int, pairs: list[Pair]) -> PairDifferences:
    """Return the differences of scores (systems,) from too few groups for a test."""
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    p, nothing = np.full(len(pairs), np.nan), (None,) * len(pairs)
    found = (values[first] - values[second], p, p, nothing, items, STANDARD_ERROR, 0)
    return PairDifferences(*found, lowest=1.0, corrected_intervals=nothing)


def _rows(items: ItemTable, names: Sequence[str], common: set[str]) -> FloatArray:
    """Return the statistics (items, names) of the shared items, sorted by id."""
    order = [
        row for key, row in sorted(zip(items.ids, range(len(items)), strict=True)) if key in common
    ]
    return np.column_stack([items.columns[name][order] for name in names])


def bootstrap_units(
    task: AnyTask,
    metric: MetricInfo,
    profile: str,
    ordered: Sequence[Entrant],
    pairs: list[Pair],
    seed: int,
    run: Run,
    inference: Inference,
) -> PairDifferences | None:
    """Test pairs by bootstrap standard errors over units, with one plan for all systems."""
    if task.scoring.units is None:
        return None
    units = [task.scoring.units(one.items, profile) for one in ordered]
    values = np.array([one.value for one in ordered])
    return bootstrap_drawn_units(metric, values, units, seed, run, inference=inference, pairs=pairs)


def bootstrap_drawn_units(
    metric: MetricInfo,
    values: FloatArray,
    units: Sequence[Units],
    seed: int,
    run: Run,
    resamples: int = UNIT_RESAMPLES,
    inference: Inference = Inference(),  # noqa: B008 - frozen
    pairs: list[Pair] | None = None,
) -> PairDifferences | None:
    """Test pairs of systems (values and units; all by default), resampling by one plan."""
    pairs = all_pairs(len(values)) if pairs is None else pairs
    ids = sorted({key for one in units for key in one.ids})
    if len(ids) < 2:
        return None
    if len(ids) < metric.fewest_groups:
        return replace(_untested(values, len(ids), pairs), unit=units[0].noun)
    noun = units[0].noun
    text = fill("Resampling {number:,} {plural}", len(ids), Message(noun))

    def check(done: int) -> None:
        run.report(done, resamples, text)

    resampled, count = resampled_units(units, [metric.name], resamples, seed, check)
    return _test_resamples(metric, values, resampled[:, :, 0], count, inference, seed, pairs, noun)


def _test_resamples(
    metric: MetricInfo,
    values: FloatArray,
    resampled: FloatArray,
    items: int,
    inference: Inference,
    seed: int,
    pairs: list[Pair],
    unit: str = "",
) -> PairDifferences:
    """Test differences by standard errors from resamples (resamples, systems).

    Two systems of the same items share their bias.
    """
    spread = resampled_differences_with_errors(values, resampled, pairs, items)
    degrees = degrees_of_freedom(items, len(resampled))
    method = bootstrap_method(len(resampled), unit)
    differences = zip(spread.mean.tolist(), spread.error.tolist(), strict=True)
    lowest = 2.0 ** (1 - items)
    p = np.maximum(student_p(spread, degrees), lowest)
    corrected = holm(p)
    critical, first_critical = holm_critical(p, corrected, np.full(len(p), degrees)), math.nan
    if pairs and inference.correction == "romano-wolf":
        stepped, critical = stepdown_p(spread, resampled, pairs, degrees, seed=seed)
        corrected = np.where(np.isfinite(p), np.maximum(stepped, p), np.nan)
        first_critical = float(critical.max())
    elif pairs:
        first_critical = bonferroni_critical(items - 1, len(pairs), LEVEL)
        lowest = min(1.0, lowest * len(pairs))
    detectable = math.nan, math.nan
    if lowest < 1 - LEVEL:
        detectable = minimum_detectable_differences(spread.error, items - 1, first_critical)
    limits_of_pairs = corrected_intervals(spread.mean, spread.error, critical, corrected)
    return PairDifferences(
        spread.mean,
        p,
        corrected,
        _clip_differences([student_interval(*one, degrees, method) for one in differences], metric),
        items,
        STANDARD_ERROR,
        len(resampled),
        unit,
        lowest=lowest,
        detectable=detectable[0],
        largest_detectable=detectable[1],
        corrected_intervals=_clip_differences(limits_of_pairs, metric),
    )


def report_check(run: Run, text: str) -> Callable[[int], None]:
    """Return a function that reports progress with a text and raises Cancelled."""

    def check(done: int) -> None:
        run.report(done, 0, text)

    return check

"""Comparison of two systems: difference, interval and significance tests by metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.analysis.significance.significance_methods import (
    BOOTSTRAP,
    Entrant,
    align_tables,
    bootstrap_drawn_units,
    randomisation_name,
    report_check,
)
from jurydesk.core.analysis.units import ResamplingUnits, resampling_units
from jurydesk.core.competition.task import Task
from jurydesk.core.language import Message, counted, fill, translatable
from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval, MetricInfo, Units
from jurydesk.core.statistics.bootstrap import (
    LEVEL,
    RESAMPLES,
    SEED,
    ResamplingPlan,
    percentile_interval,
)
from jurydesk.core.statistics.combined_scores import UNIT_RESAMPLES
from jurydesk.core.statistics.group_intervals import is_studentized
from jurydesk.core.statistics.group_tests import (
    SKEWED,
    PairedGroups,
    difference_intervals,
    group_means,
    group_t_test,
    randomise_groups,
    studentized_p,
)
from jurydesk.core.statistics.groups import FEW_GROUPS, FEWEST_EFFECTIVE, FEWEST_GROUPS, Groups
from jurydesk.core.statistics.inference import (
    Inference,
    ResamplingUnit,
    difference_range,
    resampling_unit,
)
from jurydesk.core.statistics.paired_tests import (
    RandomisationPlan,
    bootstrap_p,
    mean_differences,
    randomisation_test,
    resampled_differences,
    sacrebleu_bootstrap_p,
    wilcoxon,
)

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.board_verdict import BoardVerdict
    from jurydesk.core.execution.run import Run

ONE_SIDED = translatable("finds a difference between equal systems in 11 % of cases at p < 0.05")
SYMMETRY = translatable(
    "tests whether the differences are symmetric about 0, not whether their mean is 0"
)
EXCHANGEABLE = translatable("tests whether the systems could be exchanged")
LOPSIDED = translatable(
    "The differences are lopsided (a few large failures): the studentized bootstrap decides in "
    "place of the test."
)
TIE_TOLERANCE = 1e-12
"""Items with a smaller difference are ties."""


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """Test with its two-sided p value and number of rounds (0 for exact tests).

    `note` describes a null hypothesis other than a mean difference of 0.
    """

    name: str
    p: float
    rounds: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PairedItems:
    """Items of both systems, with both values (items,).

    They are units, such as images, if the metric is defined only for those.
    """

    ids: tuple[str, ...]
    first: FloatArray
    second: FloatArray
    higher_is_better: bool
    unit: str = ""
    """Plural noun of the units (`images`); empty for items."""

    @property
    def differences(self) -> FloatArray:
        """First minus second value (items,)."""
        return np.asarray(self.first - self.second)

    @property
    def gains(self) -> FloatArray:
        """Differences (items,), positive where the first system is better."""
        return self.differences if self.higher_is_better else -self.differences

    @property
    def wins(self) -> int:
        """Number of items on which the first system is better."""
        return int((self.gains > TIE_TOLERANCE).sum())

    @property
    def losses(self) -> int:
        """Number of items on which the second system is better."""
        return int((self.gains < -TIE_TOLERANCE).sum())

    @property
    def ties(self) -> int:
        """Number of items without a difference."""
        return len(self.ids) - self.wins - self.losses

    def by_disagreement(self) -> IntArray:
        """Return the item rows (items,) by decreasing difference, ties by id."""
        return np.argsort(-np.abs(self.differences), kind="stable")


def disagreements(items: PairedItems, others: PairedItems) -> IntArray:
    """Return the rows of `items` on which another metric prefers the other system."""
    theirs = dict(zip(others.ids, others.gains.tolist(), strict=True))
    their_gains = np.array([theirs.get(key, math.nan) for key in items.ids])
    differ = (np.abs(items.gains) > TIE_TOLERANCE) & (np.abs(their_gains) > TIE_TOLERANCE)
    return np.flatnonzero(differ & (items.gains * their_gains < 0))


@dataclass(frozen=True, slots=True, eq=False)
class MetricComparison:
    """Comparison of two systems by one metric.

    `difference` is first minus second, over the shared items; `items` is None if the metric does
    not follow from item values.
    """

    metric: MetricInfo
    first: Entrant
    second: Entrant
    difference: float
    interval: Interval | None
    tests: tuple[SignificanceTest, ...]
    items: PairedItems | None
    n: int
    seed: int
    unit: str = ""
    """Plural noun of what `n` counts (`images`), if not items."""
    groups: int = 0
    group_noun: tuple[str, str] | None = None
    """Nouns of the resampled groups (`keyword`, `keywords`), if not single items."""
    lowest: float = 0.0
    """Lowest possible p value of the first test."""
    board: BoardVerdict | None = None
    """What the board says of the two, if it has other pairs."""
    effective: float = 0.0
    """Effective number of groups, which unequal sizes make smaller."""
    inequality: str = ""
    """How unequal sizes make groups few, as `Groups.described_inequality` says it."""
    is_skewed: bool = False
    """True if the differences are so lopsided that the studentized bootstrap decides."""
    contradictions: tuple[str, ...] = ()
    """Sentences about scores of the two that their items do not give."""

    def size(self, noun: tuple[str, str]) -> str:
        """Return `38 keywords (320 queries)`, or `320 queries` if those were resampled."""
        noun = (self.unit.removesuffix("s"), self.unit) if self.unit else noun
        items = counted(self.n, *noun)
        if not self.group_noun:
            return items
        return fill("{groups} ({items})", counted(self.groups, *self.group_noun), items)

    def remarks(self, noun: tuple[str, str]) -> tuple[str, ...]:
        """Return contradictions, limits of few groups, and which of test and interval decides."""
        return (*self.contradictions, *self._of_shared_items(noun), *self._limits(noun))

    def _of_shared_items(self, noun: tuple[str, str]) -> Iterator[str]:
        """Yield which items a difference of means is over, if not all that either answered."""
        if self.metric.aggregate != "mean" or self.items is None or self.unit:
            return
        shared = len(self.items.ids)
        values = [one.items.columns.get(self.metric.name) for one in (self.first, self.second)]
        if not shared:
            yield fill("The two systems share no {items}: they are not compared.", Message(noun[1]))
        elif any(one is not None and np.isfinite(one).sum() > shared for one in values):
            answered = counted(shared, *noun)
            yield fill("Difference and tests are over the {items} that both answered.", answered)

    def _limits(self, noun: tuple[str, str]) -> tuple[str, ...]:
        groups = counted(self.groups, *(self.group_noun or noun))
        if self.lowest == 1 and not self.tests:
            return (
                fill(
                    "{groups} cannot show a difference: at least {needed:,} are needed.",
                    groups,
                    self.metric.fewest_groups,
                ),
            )
        if not self.tests or self.items is None:
            return ()
        percent, plural, lowest = f"{100 * LEVEL:g} %", (self.group_noun or noun)[1], self.lowest
        found = []
        if lowest >= 1 - LEVEL and self.groups == 1:
            found.append(
                fill(
                    "{groups} is too few for a significant difference at {percent}: no p "
                    "value can be below {lowest:.2g}.",
                    groups,
                    percent,
                    lowest,
                )
            )
        elif lowest >= 1 - LEVEL:
            found.append(
                fill(
                    "{groups} are too few for a significant difference at {percent}: no p "
                    "value can be below {lowest:.2g}.",
                    groups,
                    percent,
                    lowest,
                )
            )
        if self.inequality:
            effectively = Message(self.inequality)
            found.append(fill("{groups} count as fewer: {effectively}.", groups, effectively))
        if self.groups < FEWEST_GROUPS and self.interval is None:
            found.append(
                fill(
                    "There is no interval: it needs {fewest_groups} {plural} or more.",
                    FEWEST_GROUPS,
                    Message(plural),
                )
            )
        elif self.interval is None and 0 < self.effective < FEWEST_EFFECTIVE:
            found.append(
                fill(
                    "There is no interval: it needs effectively {fewest} {plural} or more.",
                    FEWEST_EFFECTIVE,
                    Message(plural),
                )
            )
        elif self.interval is None and self.items is not None and self.tests:
            found.append(translatable("There is no interval: the differences do not vary."))
        elif self.has_few_groups and not self.inequality:
            found.append(
                fill("The interval is based on only {groups}: interpret it with caution.", groups)
            )
        limits = self.interval
        if limits is not None and self._is_contradicted:
            found.append(
                LOPSIDED
                if self.is_skewed
                else fill(
                    "The {percent} interval contains 0, but the test finds a difference: the "
                    "test decides.",
                    percent,
                )
                if limits.low <= 0 <= limits.high
                else fill(
                    "The {percent} interval does not contain 0, but the test finds no "
                    "difference: the test decides.",
                    percent,
                )
            )
        return tuple(found)

    @property
    def _is_contradicted(self) -> bool:
        """Whether the interval contains 0 and the first test finds a difference, or neither."""
        limits = self.interval
        return limits is not None and (limits.low <= 0 <= limits.high) == (self.p < 1 - LEVEL)

    @property
    def decided_by(self) -> str:
        """Name of the test that decides, which is the first unless differences are lopsided."""
        if self.is_skewed and self._is_contradicted:
            return BOOTSTRAP
        return self.tests[0].name if self.tests else ""

    @property
    def has_few_groups(self) -> bool:
        """Whether so few items, or groups, were resampled that an interval needs caution."""
        return self.items is not None and self.effective < FEW_GROUPS

    @property
    def p(self) -> float:
        """P value of the first test; NaN without a test."""
        return self.tests[0].p if self.tests else math.nan


def pair_items(
    metric: MetricInfo, first: ResamplingUnits, second: ResamplingUnits
) -> PairedItems | None:
    """Return both systems' values of shared items; None if the metric has no item values.

    The value of a unit is the metric of that unit alone.
    """
    if any(metric.name not in one.columns for one in (first, second)):
        return None
    ids, values = align_tables([(one.ids, one.columns[metric.name]) for one in (first, second)])
    known = np.flatnonzero(np.isfinite(values).all(axis=1))
    return PairedItems(
        tuple(ids[row] for row in known.tolist()),
        values[known, 0],
        values[known, 1],
        metric.better != "lower",
        first.noun,
    )


def align_values(items: PairedItems, known: ResamplingUnits, metric: str) -> FloatArray:
    """Return another system's values of these items (items,), NaN where it has none."""
    values = known.columns.get(metric)
    if values is None or not len(values):
        return np.full(len(items.ids), np.nan)
    place = {key: row for row, key in enumerate(known.ids)}
    rows = np.array([place.get(key, -1) for key in items.ids], dtype=np.int64)
    return np.where(rows >= 0, values[rows], np.nan)


def compare_systems(
    task: Task[Any, Any, Any],
    metric: MetricInfo,
    profile: str,
    first: Entrant,
    second: Entrant,
    run: Run,
    seed: int = SEED,
    inference: Inference = Inference(),  # noqa: B008 - frozen
) -> MetricComparison:
    """Compare two systems by one metric. Raises Cancelled.

    A mean is tested five ways, another score by the bootstrap of its rows or units. If no test is
    possible, `difference` is that of the scores.
    """
    items = pair_items(
        metric, *(resampling_units(task, one.items, profile) for one in (first, second))
    )
    if metric.aggregate == "mean" and items is not None and items.ids:
        unit = resampling_unit(task, [first.items, second.items], items.ids, inference)
        return _compare_means(metric, first, second, items, run, seed, unit, inference)
    significance = compare_all_pairs(task, metric, profile, [first, second], run, seed, inference)
    if significance is None or not math.isfinite(significance.pairs[0].p):
        is_apart = metric.aggregate == "mean" and items is not None and not items.ids
        gap = math.nan if is_apart else first.value - second.value
        alone = MetricComparison(metric, first, second, gap, None, (), items, 0, seed)
        if significance is None:
            return alone
        return replace(
            alone,
            n=significance.items,
            unit=significance.unit,
            groups=significance.groups,
            group_noun=significance.group_noun,
            lowest=significance.lowest,
        )
    (pair,) = significance.pairs
    is_reversed = pair.first != first.system
    limits = pair.interval
    if is_reversed and limits is not None:
        limits = Interval(-limits.high, -limits.low, limits.level, limits.method)
    difference = -pair.difference if is_reversed else pair.difference
    tests = (SignificanceTest(significance.method, pair.p, significance.rounds),)
    return MetricComparison(
        metric,
        first,
        second,
        difference,
        limits,
        tests,
        items,
        significance.items,
        seed,
        significance.unit,
        significance.groups,
        significance.group_noun,
        significance.lowest,
        effective=significance.effective,
    )


def compare_resampled(
    metric: MetricInfo,
    first: Entrant,
    second: Entrant,
    units: tuple[Units, Units],
    run: Run,
    resamples: int = UNIT_RESAMPLES,
    seed: int = SEED,
) -> MetricComparison:
    """Compare two systems by resamples of their units. Raises Cancelled."""
    values = np.array([first.value, second.value])
    found = bootstrap_drawn_units(metric, values, units, seed, run, resamples)
    difference = first.value - second.value
    if found is None or not math.isfinite(found.p[0]):
        return MetricComparison(metric, first, second, difference, None, (), None, 0, seed)
    tests = (SignificanceTest(found.method, float(found.p[0]), found.rounds),)
    return MetricComparison(
        metric,
        first,
        second,
        difference,
        found.pair_intervals[0],
        tests,
        None,
        found.items,
        seed,
        found.unit,
    )


def _compare_means(
    metric: MetricInfo,
    first: Entrant,
    second: Entrant,
    items: PairedItems,
    run: Run,
    seed: int,
    unit: ResamplingUnit,
    inference: Inference,
) -> MetricComparison:
    values = np.column_stack([items.first, items.second])
    pair, groups = [(0, 1)], unit.groups
    found, plan = PairedGroups(values, pair, groups), ResamplingPlan(groups.count, RESAMPLES, seed)
    check = report_check(run, fill("Comparing {first} and {second}", first.system, second.system))
    resampled = resampled_differences(values, pair, plan, check, groups.shared)[:, 0]
    mean = float(mean_differences(values, pair)[0])
    if inference.interval == "percentile":
        limits = percentile_interval(resampled, LEVEL) if groups.count > 1 else None
        bootstrap = SignificanceTest(
            translatable("paired bootstrap"), bootstrap_p(resampled, mean), plan.resamples
        )
    else:
        (limits,) = difference_intervals(found, plan, inference.interval, check=check)
        p = studentized_p(found, plan, check)
        bootstrap = SignificanceTest(BOOTSTRAP, p, plan.resamples)
    randomised, lowest = _randomisation_test(found, values, seed, check, unit, inference)
    is_same = not np.any(items.differences)
    others = (
        bootstrap,
        SignificanceTest(
            translatable("paired bootstrap as sacreBLEU counts it"),
            sacrebleu_bootstrap_p(resampled, mean),
            plan.resamples,
            ONE_SIDED,
        ),
        SignificanceTest(translatable("paired t"), float(group_t_test(found)[0])),
        SignificanceTest(
            translatable("Wilcoxon signed rank"), _wilcoxon(found, values, groups), note=SYMMETRY
        ),
    )
    floor = 1.0 if is_same else 2.0 ** (1 - groups.effective)
    tests = (randomised, *(_bounded(one, floor) for one in others))
    return MetricComparison(
        metric,
        first,
        second,
        mean,
        unit.name(limits, difference_range(metric.range)),
        tests,
        items,
        len(values),
        seed,
        groups=groups.count,
        group_noun=unit.noun,
        lowest=lowest,
        effective=groups.effective,
        inequality=groups.described_inequality,
        is_skewed=is_studentized(limits) and abs(float(found.skewness[0])) > SKEWED,
    )


def _bounded(test: SignificanceTest, floor: float) -> SignificanceTest:
    """Return the test with no p value below what this number of groups can show."""
    is_degenerate = floor == 1 and math.isnan(test.p)  # identical systems have no variance
    p = 1.0 if is_degenerate else max(test.p, floor) if math.isfinite(test.p) else test.p
    return replace(test, p=p)


def _randomisation_test(
    found: PairedGroups,
    values: FloatArray,
    seed: int,
    check: Callable[[int], None],
    unit: ResamplingUnit,
    inference: Inference,
) -> tuple[SignificanceTest, float]:
    """Return approximate randomisation, and its lowest possible p value."""
    grouped = unit.noun is not None
    if inference.correction == "romano-wolf":
        tests = randomise_groups(found, seed, check=check)
        name = randomisation_name(grouped=grouped, exact=tests.rounds == 0)
        test = SignificanceTest(name, float(tests.p[0]), tests.rounds, EXCHANGEABLE)
        return test, tests.lowest
    swaps = RandomisationPlan(unit.groups.count, seed=seed)
    p = float(randomisation_test(values, [(0, 1)], swaps, check, unit.groups.shared)[0])
    name = randomisation_name(grouped=grouped, exact=False)
    lowest = max(2.0 ** (1 - swaps.items), 1 / (swaps.rounds + 1))
    return SignificanceTest(name, p, swaps.rounds, EXCHANGEABLE), lowest


def _wilcoxon(found: PairedGroups, values: FloatArray, groups: Groups) -> float:
    """Return the p value over the items, or over the groups' mean differences."""
    if groups.shared is None:
        return float(wilcoxon(values, [(0, 1)])[0])
    means = group_means(found)
    return float(wilcoxon(np.column_stack([means, np.zeros(len(means))]), [(0, 1)])[0])

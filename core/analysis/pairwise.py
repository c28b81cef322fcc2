"""Two systems, item by item: by how much they differ, and whether the difference is real."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.significance import compare_all_pairs
from jurydesk.core.analysis.significance_methods import (
    UNIT_RESAMPLES,
    Entrant,
    align_tables,
    bootstrap_drawn_units,
    randomisation_name,
)
from jurydesk.core.analysis.units import ResamplingUnits, resampling_units
from jurydesk.core.competition.task import Task
from jurydesk.core.model.defects import counted
from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval, MetricInfo, Units
from jurydesk.core.statistics.approximate_randomisation import RandomisationPlan
from jurydesk.core.statistics.bootstrap import (
    LEVEL,
    RESAMPLES,
    SEED,
    ResamplingPlan,
    percentile_interval,
)
from jurydesk.core.statistics.group_tests import (
    PairedGroups,
    difference_intervals,
    group_means,
    group_t_test,
    randomise_groups,
    studentized_p,
)
from jurydesk.core.statistics.groups import FEW_GROUPS, FEWEST_GROUPS, Groups
from jurydesk.core.statistics.inference import Inference, ResamplingUnit, resampling_unit
from jurydesk.core.statistics.paired_tests import (
    bootstrap_p,
    paired_differences,
    randomisation_test,
    resampled_differences,
    sacrebleu_bootstrap_p,
    t_test,
    wilcoxon,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

ONE_SIDED = "finds a difference between equal systems in 11 % of cases at p < 0.05"
SYMMETRY = "asks whether the differences are symmetric about 0, not whether their mean is 0"
SAME = 1e-12
"""Items whose values are nearer than this are ties."""


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """A test by its name, its two-sided p value, and how many rounds it took (0 for exact ones).

    `note` says what it tests, where that is not whether the mean difference is 0.
    """

    name: str
    p: float
    rounds: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PairedItems:
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
class MetricComparison:
    """One metric of two systems; without `items` where the number is made of no per-item values.

    `difference` is the first less the second, over the items that both know.
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
    """What `n` counts (`images`), where that is not the items."""
    groups: int = 0
    group_noun: tuple[str, str] | None = None
    """What the `n` items were resampled by (`keyword`, `keywords`), where that is not the items."""
    lowest: float = 0.0
    """No p value of the first test can be lower."""

    def size(self, noun: tuple[str, str]) -> str:
        """`38 keywords (320 queries)`, or `320 queries` where those were resampled."""
        items = f"{self.n:,} {self.unit or noun[self.n != 1]}"
        return f"{counted(self.groups, *self.group_noun)} ({items})" if self.group_noun else items

    def remarks(self, noun: tuple[str, str]) -> tuple[str, ...]:
        """What so few groups cannot show, and which of test and interval decides."""
        if not self.tests or self.items is None:
            return ()
        groups, percent = counted(self.groups, *(self.group_noun or noun)), f"{100 * LEVEL:g} %"
        are, found = "is" if self.groups == 1 else "are", []
        if self.lowest >= 1 - LEVEL:
            found.append(
                f"{groups} {are} too few to tell two systems apart at {percent}: no p value can "
                f"be below {self.lowest:.2g}."
            )
        if self.groups < FEWEST_GROUPS and self.interval is None:
            found.append(
                f"There is no interval, which takes {FEWEST_GROUPS} "
                f"{(self.group_noun or noun)[1]} or more."
            )
        elif self.groups < FEW_GROUPS:
            found.append(f"The interval comes from only {groups}: read it with care.")
        limits = self.interval
        if limits is not None and (limits.low <= 0 <= limits.high) == (self.p < 1 - LEVEL):
            holds = "holds" if limits.low <= 0 <= limits.high else "does not hold"
            finds = "a" if self.p < 1 - LEVEL else "no"
            found.append(
                f"The {percent} interval {holds} 0, but the test finds {finds} difference: "
                "the test decides."
            )
        return tuple(found)

    @property
    def p(self) -> float:
        """The p value of the first test; NaN where none could be made."""
        return self.tests[0].p if self.tests else math.nan


def pair_items(
    metric: MetricInfo, first: ResamplingUnits, second: ResamplingUnits
) -> PairedItems | None:
    """Both systems' values of what both know; None where the metric has no number for each item.

    The number of a unit is what the metric would be if the unit were the only one.
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
    """All that is known of the difference of two systems by one metric. Raises Cancelled.

    A mean is tested five ways; another number by the bootstrap of its rows or units. Where it
    cannot be tested, `difference` is that of the scores.
    """
    items = pair_items(
        metric, *(resampling_units(task, one.items, profile) for one in (first, second))
    )
    if metric.aggregate == "mean" and items is not None and items.ids:
        unit = resampling_unit(task, [first.items, second.items], items.ids, inference)
        return _of_items(metric, first, second, items, run, seed, unit, inference)
    separation = compare_all_pairs(task, metric, profile, [first, second], run, seed, inference)
    if separation is None or not math.isfinite(separation.pairs[0].p):
        apart = first.value - second.value
        return MetricComparison(metric, first, second, apart, None, (), items, 0, seed)
    (pair,) = separation.pairs
    turned = pair.first != first.system
    limits = pair.interval
    if turned and limits is not None:
        limits = Interval(-limits.high, -limits.low, limits.level, limits.method)
    difference = -pair.difference if turned else pair.difference
    tests = (SignificanceTest(separation.method, pair.p, separation.rounds),)
    return MetricComparison(
        metric,
        first,
        second,
        difference,
        limits,
        tests,
        items,
        separation.items,
        seed,
        separation.unit,
        separation.groups,
        separation.group_noun,
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
    """The difference of two systems by the resamples of their units. Raises Cancelled."""
    values = np.array([first.value, second.value])
    found = bootstrap_drawn_units(metric, values, units, seed, run, resamples)
    apart = first.value - second.value
    if found is None or not math.isfinite(found.p[0]):
        return MetricComparison(metric, first, second, apart, None, (), None, 0, seed)
    tests = (SignificanceTest(found.method, float(found.p[0]), found.rounds),)
    limits = found.apart[0]
    count, unit = found.items, found.unit
    return MetricComparison(metric, first, second, apart, limits, tests, None, count, seed, unit)


def _of_items(
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
    check = _check(run, f"comparing {first.system} and {second.system}")
    resampled = resampled_differences(values, pair, plan, check, groups.shared)[:, 0]
    mean = float(paired_differences(values, pair).mean[0])
    if inference.interval == "percentile":
        limits = percentile_interval(resampled, LEVEL) if groups.count > 1 else None
        bootstrap = SignificanceTest(
            "paired bootstrap", bootstrap_p(resampled, mean), plan.resamples
        )
    else:
        (limits,) = difference_intervals(found, plan, inference.interval, check=check)
        p = studentized_p(found, plan, check)
        bootstrap = SignificanceTest("studentized bootstrap", p, plan.resamples)
    randomised, lowest = _randomised(found, values, seed, check, unit, inference)
    tests = (
        randomised,
        bootstrap,
        SignificanceTest(
            "paired bootstrap as sacreBLEU counts it",
            sacrebleu_bootstrap_p(resampled, mean),
            plan.resamples,
            ONE_SIDED,
        ),
        SignificanceTest("paired t", _t_test(found, values, groups)),
        SignificanceTest("Wilcoxon signed rank", _wilcoxon(found, values, groups), note=SYMMETRY),
    )
    return MetricComparison(
        metric,
        first,
        second,
        mean,
        unit.name(limits, (-math.inf, math.inf)),
        tests,
        items,
        len(values),
        seed,
        groups=groups.count,
        group_noun=unit.noun,
        lowest=lowest,
    )


def _randomised(
    found: PairedGroups,
    values: FloatArray,
    seed: int,
    check: Callable[[int], None],
    unit: ResamplingUnit,
    inference: Inference,
) -> tuple[SignificanceTest, float]:
    """Return approximate randomisation, and its lowest p value."""
    grouped = unit.noun is not None
    if inference.correction == "romano-wolf":
        tests = randomise_groups(found, seed, check=check)
        name = randomisation_name(grouped=grouped, exact=tests.rounds == 0)
        return SignificanceTest(name, float(tests.p[0]), tests.rounds), tests.lowest
    swaps = RandomisationPlan(unit.groups.count, seed=seed)
    p = float(randomisation_test(values, [(0, 1)], swaps, check, unit.groups.shared)[0])
    name = randomisation_name(grouped=grouped, exact=False)
    return SignificanceTest(name, p, swaps.rounds), max(
        2.0 ** (1 - swaps.items), 1 / (swaps.rounds + 1)
    )


def _t_test(found: PairedGroups, values: FloatArray, groups: Groups) -> float:
    if groups.shared is None:
        return float(t_test(paired_differences(values, [(0, 1)]))[0])
    return float(group_t_test(found)[0])


def _wilcoxon(found: PairedGroups, values: FloatArray, groups: Groups) -> float:
    """Return the p value for the items, or for the groups' mean differences."""
    if groups.shared is None:
        return float(wilcoxon(values, [(0, 1)])[0])
    means = group_means(found)
    return float(wilcoxon(np.column_stack([means, np.zeros(len(means))]), [(0, 1)])[0])


def _check(run: Run, text: str) -> Callable[[int], None]:
    def check(done: int) -> None:
        run.report(done, 0, text)

    return check

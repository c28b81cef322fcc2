"""Planning of a competition: how many items or groups are needed to tell systems apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.equal_rules import under_equal_rules
from jurydesk.core.analysis.leaderboard import headline_metric
from jurydesk.core.analysis.significance.leaderboard_significance import load_entrants
from jurydesk.core.analysis.significance.significance_methods import align_tables
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import Axis, Curve, FloatArray, MetricInfo
from jurydesk.core.statistics.group_tests import PairedGroups
from jurydesk.core.statistics.groups import FEWEST_GROUPS, Groups
from jurydesk.core.statistics.inference import resampling_unit
from jurydesk.core.statistics.paired_tests import all_pairs
from jurydesk.core.statistics.power import (
    POWER,
    PlannedTest,
    comparisonwise_level,
)

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference

UNCERTAINTY = 0.8
"""Coverage of the range that the pilot's uncertainty gives."""
STEPS = (1, 2, 5)
SHOWN_DIFFERENCES = 6
FEWEST_SHOWN, MOST_SHOWN = 10, 20_000
"""Limits on the numbers of groups of the differences that are shown by default."""
CURVE_POINTS, CURVE_REACH = 40, 10
"""Number of points of the curve, which ends at so many times the pilot's groups."""


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """Variation of the differences between a pilot's systems by one metric.

    `deviation` is that of a group's difference, for the median pair of systems, with these
    `degrees` of freedom; `largest` that of the least precise pair. The variance of the median pair
    is `between` groups, and `within` them that of an item. `covariance` (systems, systems) is that
    of the groups' results. `noun` is that of the groups, or of items.
    """

    metric: MetricInfo
    profile: str
    noun: tuple[str, str]
    systems: int
    groups: int
    items: int
    deviation: float
    largest: float
    degrees: float
    between: float
    within: float
    covariance: FloatArray

    @property
    def share(self) -> float:
        """Degrees of freedom as a share of the groups less one."""
        return self.degrees / (self.groups - 1)

    def deviation_in_groups_of(self, items: int) -> float:
        """Return the deviation of a group's difference with so many items in a group; 0: as is."""
        return math.sqrt(self.between + self.within / items) if items else self.deviation

    @property
    def uncertainty(self) -> tuple[float, float]:
        """Factors of the deviation between which it lies with a probability of 80 %."""
        from scipy.special import chdtri

        tail = (1 - UNCERTAINTY) / 2
        low, high = (
            math.sqrt(self.degrees / float(chdtri(self.degrees, one))) for one in (tail, 1 - tail)
        )
        return low, high


@dataclass(frozen=True, slots=True)
class PlannedSize:
    """Numbers of groups that find a difference; None if none does.

    `low` and `high` are those of the pilot's uncertainty, `least_precise` that of its least precise
    pair, and `bound` that of Bonferroni's correction, which is an upper bound.
    """

    difference: float
    groups: int | None
    low: int | None
    high: int | None
    least_precise: int | None
    bound: int | None


@dataclass(frozen=True, slots=True, eq=False)
class ItemPlan:
    """Groups that a competition of so many systems needs for each difference, with its power."""

    pilot: Pilot
    systems: int
    power: float
    group_size: int
    sizes: tuple[PlannedSize, ...]
    curve: Curve
    """Difference that is found, over the number of groups, with the pilot's uncertainty."""


def assess_pilot(
    desk: Desk, task: AnyTask, profile: str, run: Run, inference: Inference | None = None
) -> Pilot | None:
    """Return the variation in a desk by its ranking metric, or by the first that is a mean.

    None with fewer than two systems, with too few groups, or without any difference.
    """
    alike, _ = under_equal_rules(task, desk.evaluations())
    summaries = [one for one in alike if one.profile == profile and one.id]
    settings = load_inference(desk) if inference is None else inference
    first = headline_metric(task, summaries, settings.rank_by)
    for metric in dict.fromkeys(filter(None, (first, *task.headlines))):
        run.check()
        if metric.aggregate != "mean":
            continue
        entrants = load_entrants(desk, task, metric, summaries)
        if len(entrants) < 2 or any(metric.name not in one.items.columns for one in entrants):
            continue
        ids, values = align_tables(
            [(one.items.ids, one.items.columns[metric.name]) for one in entrants]
        )
        unit = resampling_unit(task, [one.items for one in entrants], ids, settings)
        return pilot_of_values(metric, profile, values, unit.groups, unit.noun or task.item_noun)
    return None


def pilot_of_values(
    metric: MetricInfo, profile: str, values: FloatArray, groups: Groups, noun: tuple[str, str]
) -> Pilot | None:
    """Return the variation of values (items, systems); None if it cannot be estimated."""
    pairs = all_pairs(values.shape[1])
    paired = PairedGroups(values, pairs, groups)
    deviations = np.sqrt(paired.groups) * paired.robust
    usable = np.flatnonzero((paired.groups >= FEWEST_GROUPS) & (deviations > 0))
    if not len(usable):
        return None
    ordered = usable[np.argsort(deviations[usable], kind="stable")]
    median = int(ordered[(len(ordered) - 1) // 2])
    one, other = pairs[median]
    between, within = _variance_parts(values[:, one] - values[:, other], groups)
    sums, sizes = groups.totals(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        residuals = sums - sums.sum(axis=0) / sizes.sum(axis=0) * sizes
    return Pilot(
        *(metric, profile, noun, values.shape[1], int(paired.groups[median]), len(values)),
        float(deviations[median]),
        float(deviations[ordered[-1]]),
        float(paired.degrees[median]),
        between,
        within,
        np.cov(residuals, rowvar=False).reshape(values.shape[1], -1),
    )


def _variance_parts(differences: FloatArray, groups: Groups) -> tuple[float, float]:
    """Return the variances of differences (items,) between groups and within them.

    They are those of a one-way analysis of variance; of groups of one item, all is within.
    """
    known = np.isfinite(differences)
    values, codes = differences[known], groups.codes[known]
    sizes = np.bincount(codes, minlength=groups.count).astype(np.float64)
    means = np.bincount(codes, values, minlength=groups.count) / np.maximum(sizes, 1)
    count, total = int((sizes > 0).sum()), float(sizes.sum())
    if total <= count:
        return 0.0, float(values.var(ddof=1))
    within = float(((values - means[codes]) ** 2).sum()) / (total - count)
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (count - 1)
    typical = (total - float((sizes**2).sum()) / total) / (count - 1)
    return max(0.0, (between - within) / typical), within


def plan_items(
    pilot: Pilot,
    systems: int = 0,
    differences: Sequence[float] = (),
    *,
    power: float = POWER,
    group_size: int = 0,
) -> ItemPlan:
    """Return the groups that are needed, by the rule of a board of `systems` (default: pilot's).

    `differences` are by default of the series 1, 2, 5, as far as they need from 10 to 20,000
    groups. `group_size` items in a group replace the sizes of the pilot's groups.
    """
    systems = systems or pilot.systems
    covariance = pilot.covariance if systems == pilot.systems else np.eye(systems)
    deviation = pilot.deviation_in_groups_of(group_size)
    share = 1.0 if group_size else pilot.share
    planned = PlannedTest(deviation, share, comparisonwise_level(covariance))
    # Bonferroni's bound holds whatever the correlations of the pairs are.
    pairs = systems * (systems - 1) / 2
    bonferroni = PlannedTest(deviation, share, comparisonwise_level(np.eye(2)) / pairs)
    least = PlannedTest(
        deviation * pilot.largest / pilot.deviation, share, comparisonwise_level(covariance)
    )
    low, high = (
        PlannedTest(deviation * factor, share, planned.alpha) for factor in pilot.uncertainty
    )
    sizes = [
        PlannedSize(
            one,
            *(test.groups(one, power) for test in (planned, low, high, least, bonferroni)),
        )
        for one in differences or _round_differences(planned, power)
    ]
    return ItemPlan(
        *(pilot, systems, power, group_size, tuple(sizes)),
        _curve(pilot, planned, power, [one.groups for one in sizes]),
    )


def _round_differences(planned: PlannedTest, power: float) -> list[float]:
    """Return differences of the series 1, 2, 5 that need some groups, but not too many."""
    exponent = math.floor(math.log10(planned.detectable(MOST_SHOWN, power)))
    series = [step * 10.0**place for place in range(exponent, exponent + 4) for step in STEPS]
    largest = planned.detectable(FEWEST_SHOWN, power)
    smallest = planned.detectable(MOST_SHOWN, power)
    return [one for one in series if smallest <= one <= largest][-SHOWN_DIFFERENCES:]


def _curve(pilot: Pilot, planned: PlannedTest, power: float, groups: Sequence[int | None]) -> Curve:
    wanted = max([pilot.groups, 2 * FEWEST_SHOWN, *filter(None, groups)])
    most = min(wanted, CURVE_REACH * max(pilot.groups, FEWEST_SHOWN))
    counts = np.unique(np.geomspace(FEWEST_SHOWN, most, CURVE_POINTS).round())
    found = np.array([planned.detectable(int(one), power) for one in counts])
    low, high = pilot.uncertainty
    noun = pilot.noun[1]
    return Curve(
        "planning",
        fill("Difference found in {percent:.0f} % of boards", 100 * power),
        Axis(fill("{noun:capital}", Message(noun)), limits=(0.0, float(counts[-1]))),
        Axis(translatable("Difference"), limits=(0.0, float(high * found[0]))),
        counts,
        found,
        low * found,
        high * found,
    )

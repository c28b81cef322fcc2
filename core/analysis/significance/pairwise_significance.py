"""Pairwise significance tests between all systems of a competition, and their ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.significance.significance_methods import (
    BOOTSTRAP,
    RANDOMISATION,
    Entrant,
    PairDifferences,
    bootstrap_rows,
    bootstrap_units,
    randomize_means,
)
from jurydesk.core.competition.task import Task
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.evaluation import Interval, MetricInfo
from jurydesk.core.statistics.bootstrap import LEVEL, SEED
from jurydesk.core.statistics.groups import FEW_GROUPS, FEWEST_GROUPS
from jurydesk.core.statistics.inference import Correction, Inference
from jurydesk.core.statistics.paired_tests import Pair, pairs_to_test
from jurydesk.core.statistics.rank_intervals import RankInterval, ranks

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

AnyTask = Task[Any, Any, Any]


SIZE = translatable("{groups} ({items})")
"""Number of groups with their items, as `PairwiseSignificance.size` makes it."""


@dataclass(frozen=True, slots=True)
class PairTest:
    """Difference of two systems (first minus second).

    `interval` and `p` are of this pair alone, `corrected` and `corrected_interval` for all pairs.
    """

    first: str
    second: str
    difference: float
    interval: Interval | None
    p: float
    corrected: float
    corrected_interval: Interval | None = None
    is_overruled: bool = False
    """True if the differences are lopsided, and the p value is the studentized bootstrap's."""

    def at_least(self, p: float) -> PairTest:
        """Return the test with a corrected p value of `p` or more, and its interval."""
        limits = self.corrected_interval
        if limits is not None and p >= 1 - limits.level:
            limits = replace(limits, low=min(limits.low, 0.0), high=max(limits.high, 0.0))
        return replace(self, corrected=max(self.corrected, p), corrected_interval=limits)


@dataclass(frozen=True, slots=True)
class PairwiseSignificance:
    """Pairwise tests between the systems of one metric and profile, ordered by name.

    `detectable` is the minimum detectable difference: the test finds it in four of five cases (NaN
    if there is none), for the pair of median precision; `largest_detectable` is that of the least
    precise pair. `items` is the number of items (or units); `groups` are what they were
    resampled by, and no corrected p value is below `lowest`.
    """

    metric: MetricInfo
    systems: tuple[str, ...]
    ranks: tuple[RankInterval, ...]
    pairs: tuple[PairTest, ...]
    detectable: float
    items: int
    method: str
    rounds: int
    seed: int = SEED
    level: float = LEVEL
    unit: str = ""
    """Plural noun of what was resampled (`images`), if not items."""
    correction: Correction = "romano-wolf"
    groups: int = 0
    group_noun: tuple[str, str] | None = None
    lowest: float = 0.0
    unknown_groups: tuple[str, str] | None = None
    """Nouns of the groups to resample, if the results do not record them."""
    largest_detectable: float = math.nan
    effective: float = 0.0
    """Effective number of groups, which unequal sizes make smaller."""
    inequality: str = ""
    """How unequal sizes make groups few, as `Groups.described_inequality` says it."""
    slices: int = 1
    """Number of slices over which the corrected p values are corrected as well."""

    @property
    def untested(self) -> int:
        """Number of pairs that were not tested, since there are too many."""
        return len(self.systems) * (len(self.systems) - 1) // 2 - len(self.pairs)

    @property
    def incomparable(self) -> int:
        """Number of pairs whose systems share fewer than two of the board's items or groups."""
        is_swapped = self.method in RANDOMISATION.values()
        return len(self.pairs) - self.tested if is_swapped and self.groups > 1 else 0

    @property
    def tested(self) -> int:
        """Number of pairs that were tested, as there were items or groups enough."""
        return sum(not math.isnan(one.corrected) for one in self.pairs)

    @property
    def overruled(self) -> int:
        """Number of pairs with lopsided differences in which the bootstrap decides."""
        return sum(one.is_overruled for one in self.pairs)

    def method_of(self, test: PairTest) -> str:
        """Return the name of the method that decides a pair."""
        return BOOTSTRAP if test.is_overruled else self.method

    @property
    def has_few_groups(self) -> bool:
        """True if so few groups were resampled that intervals need caution."""
        return self.effective < FEW_GROUPS

    @property
    def is_underpowered(self) -> bool:
        """True if the groups are too few for any significant difference."""
        return self.lowest >= 1 - self.level and bool(self.pairs)

    @property
    def claims_ranks(self) -> bool:
        """True if there are effectively enough groups to claim an order of the systems."""
        return self.effective >= FEWEST_GROUPS

    @property
    def groups_needed(self) -> int:
        """Fewest groups with which the test can find a difference."""
        if self.metric.aggregate == "own":
            return self.metric.fewest_groups
        tests = len(self.pairs) if self.correction == "holm" else 1
        return 2 + math.floor(math.log2(tests / (1 - self.level)))

    @property
    def differing(self) -> list[tuple[str, str]]:
        """Pairs that differ significantly: the better system and the worse one."""
        sign = 1 if self.metric.better == "higher" else -1
        return [
            (one.first, one.second) if sign * one.difference > 0 else (one.second, one.first)
            for one in self.pairs
            if self.tells_apart(one)
        ]

    def tells_apart(self, test: PairTest) -> bool:
        """Return whether the systems of a pair differ significantly; not without ranks."""
        is_significant = test.corrected < 1 - self.level and test.difference != 0
        return is_significant and self.claims_ranks

    @property
    def smallest_p(self) -> float:
        """The smallest corrected p value; NaN without a test."""
        known = [one.corrected for one in self.pairs if math.isfinite(one.corrected)]
        return min(known, default=math.nan)

    def at_least(self, p: float, slices: int) -> PairwiseSignificance:
        """Return the tests with no corrected p value below `p`, as a family of slices demands."""
        tests = tuple(one.at_least(p) for one in self.pairs)
        made = replace(self, pairs=tests, slices=slices)
        if not self.claims_ranks:
            return made
        return replace(made, ranks=tuple(made.ranks_at(1 - self.level)))

    def size(self, noun: tuple[str, str]) -> str:
        """Return `38 keywords (320 queries)`, or `320 queries` if those were resampled."""
        noun = (self.unit.removesuffix("s"), self.unit) if self.unit else noun
        items = counted(self.items, *noun)
        if not self.group_noun:
            return items
        return fill("{groups} ({items})", counted(self.groups, *self.group_noun), items)

    def rank(self, system: str) -> RankInterval | None:
        """Return the rank of a system; None if it was not compared."""
        return self.ranks[self.systems.index(system)] if system in self.systems else None

    def ranks_at(self, alpha: float) -> list[RankInterval]:
        """Return the rank of each system if corrected p below `alpha` are significant."""
        sign = 1 if self.metric.better == "higher" else -1
        place = {name: number for number, name in enumerate(self.systems)}
        return ranks(
            len(self.systems),
            [(place[one.first], place[one.second]) for one in self.pairs],
            sign * np.array([one.difference for one in self.pairs]),
            np.array([one.corrected for one in self.pairs]),
            alpha,
        )


def required_columns(task: AnyTask, metric: MetricInfo) -> tuple[str, ...] | None:
    """Return the columns that a comparison of the metric needs: None for all, empty for none.

    Sums, counts, and scores that do not follow from items cannot be compared.
    """
    if metric.better == "neither":
        return ()
    if metric.aggregate == "mean":
        return (metric.name,)
    if metric.aggregate == "own" and metric.combine is not None:
        return metric.statistics
    return None if metric.aggregate == "own" and task.scoring.units is not None else ()


def compare_all_pairs(
    task: AnyTask,
    metric: MetricInfo,
    profile: str,
    entrants: Sequence[Entrant],
    run: Run,
    seed: int = SEED,
    inference: Inference = Inference(),  # noqa: B008 - frozen
    *,
    power: bool = True,
) -> PairwiseSignificance | None:
    """Test all pairs of systems; None if fewer than two can be compared by this metric.

    Without `power` no detectable differences of means are computed.

    Systems are sorted by name, so that the given order changes no number. Raises Cancelled.
    """
    ordered = sorted(
        (one for one in entrants if math.isfinite(one.value)), key=lambda one: one.system
    )
    of_units = metric.aggregate == "own" and metric.combine is None
    if len(ordered) < 2 or required_columns(task, metric) == ():
        return None
    pairs = _pairs(metric, ordered)
    if metric.aggregate == "mean":
        found = randomize_means(task, metric, ordered, pairs, seed, run, inference, power=power)
    elif of_units:
        found = bootstrap_units(task, metric, profile, ordered, pairs, seed, run, inference)
    else:
        found = bootstrap_rows(task, metric, ordered, pairs, seed, run, inference)
    return None if found is None else _to_significance(metric, ordered, found, seed, inference)


def _pairs(metric: MetricInfo, ordered: Sequence[Entrant]) -> list[Pair]:
    return pairs_to_test([one.value for one in ordered], higher=metric.better == "higher")


def _to_significance(
    metric: MetricInfo,
    ordered: Sequence[Entrant],
    found: PairDifferences,
    seed: int,
    inference: Inference,
) -> PairwiseSignificance:
    pairs, corrected, resampled = _pairs(metric, ordered), found.corrected, found.resampled
    effective = resampled.groups.effective if resampled else float(found.items)
    # Too few groups, effectively, claim no order, whatever their number.
    claims_ranks = effective >= FEWEST_GROUPS
    claimed = corrected if claims_ranks else np.ones_like(corrected)
    better = found.difference if metric.better == "higher" else -found.difference
    tests = tuple(
        PairTest(
            ordered[one].system,
            ordered[other].system,
            float(found.difference[number]),
            found.pair_intervals[number],
            float(found.p[number]),
            float(corrected[number]),
            # Too few groups for an interval of the pair are too few for this one.
            found.pair_intervals[number] and found.corrected_intervals[number],
            number in found.overruled,
        )
        for number, (one, other) in enumerate(pairs)
    )
    return PairwiseSignificance(
        metric,
        tuple(one.system for one in ordered),
        tuple(ranks(len(ordered), pairs, better, claimed, 1 - LEVEL)),
        tests,
        found.detectable if claims_ranks else math.nan,
        found.items,
        found.method,
        found.rounds,
        seed,
        unit=found.unit,
        correction=inference.correction,
        groups=resampled.groups.count if resampled else found.items,
        group_noun=resampled.noun if resampled else None,
        lowest=found.lowest,
        unknown_groups=resampled.unknown if resampled else None,
        largest_detectable=found.largest_detectable if claims_ranks else math.nan,
        effective=effective,
        inequality=resampled.groups.described_inequality if resampled else "",
    )

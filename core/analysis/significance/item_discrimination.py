"""Items that decide: how well each item agrees with the ranking, and suspects of a wrong reference.

Sources: Lord and Novick, Statistical Theories of Mental Test Scores (1968), chapter 15, for the
item-rest correlation; Rodriguez et al., Evaluation Examples Are Not Equally Informative (2021).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.equal_rules import under_equal_rules
from jurydesk.core.analysis.leaderboard import find_score, headline_metric
from jurydesk.core.analysis.significance.leaderboard_significance import (
    load_entrants,
    significance_by_profile,
)
from jurydesk.core.analysis.significance.significance_methods import align_tables
from jurydesk.core.analysis.units import ResamplingUnits, resampling_units
from jurydesk.core.competition.task import GROUP
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.item_queries import load_item_columns
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray, MetricInfo
from jurydesk.core.statistics.bootstrap import SEED
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.inference import resampling_unit

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference

FEWEST_SYSTEMS = 6
"""Fewer systems have no correlation: items are compared with the board's differences."""
EXACT_SYSTEMS = 7
"""Maximum number of systems of which all permutations are tried."""
PERMUTATIONS, FIRST_PERMUTATIONS = 9_999, 499
"""Permutations of more systems; an item that the first of them clear needs no others."""
CHANCE = 0.01
"""Significance level of an item that disagrees with the ranking."""
TOLERANCE = 1e-9
"""Values as near to an end of a metric's range are at it."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """Item whose reference may be wrong, by its row, with the reason."""

    row: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class ItemDiscrimination:
    """Discrimination of each item (items,) among the systems of a profile.

    `discrimination` is the item-rest correlation over at least six systems, with the permutation
    `p` (items,) of one at most as large; of fewer systems the agreement with the `differing` pairs
    of the board, from -1 to 1. Both are NaN where undefined. `mean` is the mean of the systems'
    values. `suspects` are in the order in which they should be looked at.
    """

    metric: MetricInfo
    profile: str
    systems: tuple[str, ...]
    noun: tuple[str, str]
    ids: tuple[str, ...]
    mean: FloatArray
    discrimination: FloatArray
    p: FloatArray
    differing: int
    suspects: tuple[Suspect, ...]

    @property
    def is_correlation(self) -> bool:
        """True if there are enough systems for a correlation."""
        return len(self.systems) >= FEWEST_SYSTEMS

    @property
    def measure(self) -> str:
        """Name of the discrimination."""
        if self.is_correlation:
            return translatable("item-rest correlation")
        return translatable("agreement with the board")

    @property
    def expected(self) -> float:
        """Number of items that would disagree with the ranking by chance; NaN without a test."""
        return CHANCE * int(np.isfinite(self.p).sum()) if self.is_correlation else math.nan

    @property
    def places(self) -> FloatArray:
        """Place of each item (items,) among the suspects, from 1; NaN for others."""
        places = np.full(len(self.ids), np.nan)
        places[[one.row for one in self.suspects]] = 1 + np.arange(len(self.suspects))
        return places


def assess_items(
    desk: Desk, task: AnyTask, profile: str, run: Run, inference: Inference | None = None
) -> ItemDiscrimination | None:
    """Return how each item agrees with the ranking of a profile; None without values by item.

    The metric is the ranking one, or the first headline metric with values by item. Raises
    Cancelled.
    """
    alike, _ = under_equal_rules(task, desk.evaluations())
    summaries = [one for one in alike if one.profile == profile and one.id]
    settings = load_inference(desk) if inference is None else inference
    first = headline_metric(task, summaries, settings.rank_by)
    if first is None or len(summaries) < 2:
        return None
    others = [info for info in task.headlines if info.better != "neither" and info != first]
    for metric in (first, *others):
        found = _load_values(desk, task, profile, metric, summaries, run)
        if found is not None:
            return _assess(desk, task, metric, found, summaries, run, settings)
    return None


def _load_values(
    desk: Desk,
    task: AnyTask,
    profile: str,
    metric: MetricInfo,
    summaries: Sequence[Summary],
    run: Run,
) -> list[ResamplingUnits] | None:
    """Return the items of each system, or their units, if they have values of the metric."""
    names = None if task.scoring.units is not None else (metric.name, GROUP)
    found = []
    for one in summaries:
        run.check()
        items = load_item_columns(desk, one.id, names)
        found.append(resampling_units(task, items, profile))
    is_known = all(metric.name in one.columns and len(one.ids) for one in found)
    return found if is_known else None


def _assess(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    found: Sequence[ResamplingUnits],
    summaries: Sequence[Summary],
    run: Run,
    inference: Inference,
) -> ItemDiscrimination:
    ids, values = align_tables([(one.ids, one.columns[metric.name]) for one in found])
    groups = Groups.singletons(len(ids))
    noun = task.item_noun
    if found[0].noun:
        noun = (found[0].noun.removesuffix("s"), found[0].noun)
    else:
        tables = [load_item_columns(desk, one.id, (GROUP,)) for one in summaries]
        groups = resampling_unit(task, tables, ids, inference).groups
    higher = metric.better == "higher"
    systems = tuple(one.system for one in summaries)
    differing: list[tuple[int, int]] = []
    discrimination, p = np.full((2, len(ids)), np.nan)
    if len(systems) >= FEWEST_SYSTEMS:
        discrimination, p = item_rest_correlations(values, groups, run)
    else:
        load = partial(load_entrants, desk, task)
        tests = significance_by_profile(task, summaries, load, run, inference, power=False)
        place = {system: number for number, system in enumerate(systems)}
        differing = [
            (place[better], place[worse])
            for one in tests.values()
            for better, worse in one.differing
        ]
        discrimination = agreement_with_pairs(values if higher else -values, differing)
    with np.errstate(invalid="ignore"):
        mean = np.nansum(values, axis=1) / np.isfinite(values).sum(axis=1)
    scores = [find_score(one, metric.name) for one in summaries]
    totals = np.array([math.nan if one is None else one.value for one in scores])
    common = np.isfinite(values).all(axis=1)
    if not common.all() and common.any():  # scores of different items give no order
        totals = values[common].mean(axis=0)
    suspects = [
        *_never_right(values, metric, groups),
        *_contrary(discrimination, p, values, differing, higher=higher),
        *_right_alone(
            values,
            metric,
            totals if higher else -totals,
            systems,
            by_score=bool(common.all() or not common.any()),
        ),
    ]
    first = {one.row: one for one in reversed(suspects)}
    return ItemDiscrimination(
        *(metric, summaries[0].profile, systems, noun, tuple(ids), mean, discrimination, p),
        len(differing),
        tuple(first[row] for row in dict.fromkeys(one.row for one in suspects)),
    )


def item_rest_correlations(
    values: FloatArray, groups: Groups, run: Run | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the correlation (items,) of each item with the other groups' items, and its p value.

    The correlation is over the systems of `values` (items, systems), NaN where a system lacks an
    item; it is NaN with fewer than six systems or without variation. The p value (items,) is the
    share of permutations of the systems with a correlation at most as large; 1 where it was not
    needed, as the correlation is not negative.
    """
    sums, counts = groups.totals(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        rest = ((sums.sum(axis=0) - sums) / (counts.sum(axis=0) - counts))[groups.codes]
    known = np.isfinite(values) & np.isfinite(rest)
    own, others = _centred(values, known), _centred(rest, known)
    spread = np.sqrt((own**2).sum(axis=1) * (others**2).sum(axis=1))
    products = (own * others).sum(axis=1)
    defined = (spread > 0) & (known.sum(axis=1) >= FEWEST_SYSTEMS)
    found = np.full(len(values), np.nan)
    found[defined] = products[defined] / spread[defined]
    p = np.where(defined, 1.0, np.nan)
    plans: dict[int, list[IntArray]] = {}
    for row in np.flatnonzero(defined & (found < 0)).tolist():
        if run is not None:
            run.check()
        there = known[row]
        systems = int(there.sum())
        if systems not in plans:
            plans[systems] = list(_permutations(systems))
        p[row] = _share_as_low(own[row][there], others[row][there], plans[systems])
    return found, p


def _centred(values: FloatArray, known: BoolArray) -> FloatArray:
    """Return values (items, systems) less their means over the known ones; 0 elsewhere."""
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    kept = np.where(known, values, 0.0)
    mean = kept.sum(axis=1, keepdims=True) / count
    centred = np.where(known, kept - mean, 0.0)
    size = np.abs(kept).max(axis=1, keepdims=True)
    return np.where(np.abs(centred) <= TOLERANCE * size, 0.0, centred)


def _permutations(systems: int) -> Iterator[IntArray]:
    """Yield all permutations (rows, systems), or random ones in a small and a large block."""
    if systems <= EXACT_SYSTEMS:
        yield np.array(list(itertools.permutations(range(systems))), dtype=np.int64)
        return
    generator = np.random.Generator(np.random.PCG64(SEED))
    rows = np.tile(np.arange(systems), (PERMUTATIONS, 1))
    drawn = generator.permuted(rows, axis=1)
    yield drawn[:FIRST_PERMUTATIONS]
    yield drawn[FIRST_PERMUTATIONS:]


def _share_as_low(own: FloatArray, others: FloatArray, blocks: Sequence[IntArray]) -> float:
    """Return the p value of one item's product with the others under permutations of systems."""
    observed = float(own @ others)
    limit = observed + TOLERANCE * abs(observed)
    low, tried = 0, 0
    for block in blocks:
        low += int((others[block] @ own <= limit).sum())
        tried += len(block)
        if low > 5 * CHANCE * tried:
            break
    extra = 0 if len(own) <= EXACT_SYSTEMS else 1
    return (low + extra) / (tried + extra)


def agreement_with_pairs(values: FloatArray, pairs: Sequence[tuple[int, int]]) -> FloatArray:
    """Return the mean over pairs (better, worse) of 1 where an item orders them so, -1 reversed.

    `values` (items, systems) are larger for better ones; ties count 0. NaN (items,) without a pair
    whose systems both have the item.
    """
    if not pairs:
        return np.full(len(values), np.nan)
    better, worse = ([pair[side] for pair in pairs] for side in (0, 1))
    apart = values[:, better] - values[:, worse]
    known = np.isfinite(apart)
    with np.errstate(invalid="ignore"):
        order = np.where(known & (np.abs(apart) > TOLERANCE), np.sign(apart), 0.0)
        return np.asarray(order.sum(axis=1) / known.sum(axis=1))


def _ends(metric: MetricInfo) -> tuple[float, float]:
    """Return the worst and the best value of a metric's range."""
    low, high = metric.range
    return (low, high) if metric.better == "higher" else (high, low)


def _never_right(values: FloatArray, metric: MetricInfo, groups: Groups) -> Iterator[Suspect]:
    """Yield the items that every system gets wrong, unless all others of their group are so."""
    worst = _ends(metric)[0]
    if not math.isfinite(worst):
        return
    known = np.isfinite(values)
    wrong = (known.sum(axis=1) > 1) & ~(known & (np.abs(values - worst) > TOLERANCE)).any(axis=1)
    others = groups.sizes[groups.codes] - 1
    wrong_others = groups.sums(wrong.astype(np.float64)[:, np.newaxis])[groups.codes, 0] - wrong
    for row in np.flatnonzero(wrong & ((others == 0) | (wrong_others < others))).tolist():
        yield Suspect(row, translatable("no system is right"))


def _contrary(
    discrimination: FloatArray,
    p: FloatArray,
    values: FloatArray,
    differing: Sequence[tuple[int, int]],
    *,
    higher: bool,
) -> Iterator[Suspect]:
    """Yield the items that disagree with the ranking, those that do so most first."""
    contrary = discrimination < 0
    strength = discrimination
    if differing:
        better, worse = ([pair[side] for pair in differing] for side in (0, 1))
        apart = values[:, better] - values[:, worse]
        strength = np.nansum(apart if higher else -apart, axis=1)
    else:
        contrary &= p < CHANCE
    rows = np.flatnonzero(contrary)
    for row in rows[np.lexsort((strength[rows], discrimination[rows]))].tolist():
        yield Suspect(row, translatable("disagrees with the ranking"))


def _right_alone(
    values: FloatArray,
    metric: MetricInfo,
    totals: FloatArray,
    systems: Sequence[str],
    *,
    by_score: bool,
) -> Iterator[Suspect]:
    """Yield the items on which one system of the lower half is right, and no other half right.

    `totals` (systems,), larger for better ones, are the scores if `by_score`, else the means over
    common items.
    """
    worst, best = _ends(metric)
    if len(systems) < 3 or not (math.isfinite(worst) and math.isfinite(best)):
        return
    share = (values - worst) / (best - worst)
    right = share >= 1 - TOLERANCE
    alone = (right.sum(axis=1) == 1) & ((share > 0.5).sum(axis=1) == 1)
    place = 1 + (totals[np.newaxis, :] > totals[:, np.newaxis]).sum(axis=1)
    for row in np.flatnonzero(alone).tolist():
        system = int(np.argmax(right[row]))
        if place[system] > len(systems) / 2:
            named = systems[system], int(place[system])
            if by_score:
                reason = fill("only {system} is right, which has rank {place} by score", *named)
            else:
                reason = fill(
                    "only {system} is right, which has rank {place} on common items", *named
                )
            yield Suspect(row, reason)

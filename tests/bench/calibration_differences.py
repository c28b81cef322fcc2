"""Cells of the calibration on differences of systems: lopsided ones, and competitions as planned.

Parts for `tests/bench/calibration.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from jurydesk.core.analysis.significance.item_planning import pilot_of_values
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairwiseSignificance,
    compare_all_pairs,
)
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.analysis.slice_leaderboard import corrected_over_slices
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.results.rating_planning import items_needed
from jurydesk.core.model.evaluation import FloatArray, ItemTable, MetricInfo
from jurydesk.core.statistics.group_tests import PairedGroups, randomise_groups
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.statistics.paired_tests import all_pairs
from jurydesk.core.statistics.power import PlannedTest, comparisonwise_level
from jurydesk.core.statistics.raters.two_way import VarianceComponents, two_way_mean

ALPHA = 0.05
ROUNDS = 999
METRIC = MetricInfo("value", "Value", "", (-math.inf, math.inf), "higher", "")


def _board(values: FloatArray) -> PairwiseSignificance:
    """Return the board's tests of values (items, systems), NaN where a system has no answer."""
    task = find_competition("keyword-spotting")
    ids = tuple(f"{row:05d}" for row in range(len(values)))
    entrants = [
        Entrant(f"s{number:02d}", float(np.nanmean(column)), ItemTable(ids, {"value": column}))
        for number, column in enumerate(values.T)
    ]
    inference = Inference(grouped=False)
    board = compare_all_pairs(
        task, METRIC, "published", entrants, Run(), inference=inference, power=False
    )
    assert board is not None
    return board


def _boards_differ(values: FloatArray) -> tuple[bool, bool]:
    """Return whether randomisation alone, and the board, find any difference (items, systems)."""
    board = _board(values)
    pairs = all_pairs(values.shape[1])
    paired = PairedGroups(values, pairs, Groups.singletons(len(values)))
    alone = randomise_groups(paired, rounds=ROUNDS)
    return bool((alone.corrected < ALPHA).any()), board.smallest_p < ALPHA


def lopsided(trials: int, seed: int) -> Iterator[str]:
    """Yield how often boards of equal means, half of whose systems fail rarely, claim anything."""
    yield f"## Lopsided differences\n\n{trials:,} repetitions a cell; a tenth for ten systems. Half"
    yield "of the systems fail on a share of the items, but are as good on average. `normal`: no"
    yield "failures. How often any difference is claimed, and `all fail`: by boards in which each"
    yield "of the systems that fail does so at least once.\n"
    yield "| systems | items | failures | randomisation alone | board | all fail |"
    yield "|--:|--:|---|--:|--:|--:|"
    for systems, items, share in (
        *((2, items, 0.2) for items in (20, 40, 100)),
        *((2, items, 0.1) for items in (40, 100)),
        *((2, items, 0.05) for items in (20, 40, 100, 400)),
        *((2, items, 0.0) for items in (20, 100)),
        *((10, items, 0.2) for items in (20, 40, 100)),
        (10, 100, 0.05),
    ):
        repetitions = trials if systems == 2 else trials // 10
        found, known = np.zeros(3), np.full(3, repetitions)
        for trial in range(repetitions):
            values, all_fail = _lopsided_board(seed, systems, items, share, trial)
            alone, board = _boards_differ(values)
            found += alone, board, board and all_fail
            known[2] -= not all_fail
        kind = f"{share:.0%}" if share else "normal"
        cells = " | ".join(f"{100 * one:.1f}" for one in found / known)
        yield f"| {systems} | {items} | {kind} | {cells} |"


def _lopsided_board(
    seed: int, systems: int, items: int, share: float, trial: int
) -> tuple[FloatArray, bool]:
    """Return values (items, systems) of equal means, and whether all failing systems do fail."""
    rng = np.random.default_rng([seed, 51, systems, items, int(100 * share), trial])
    values = rng.normal(0.7, 0.05, (items, 1)) + rng.normal(0, 0.05, (items, systems))
    fails = rng.random((items, systems // 2)) < share
    values[:, : systems // 2] += np.where(fails, -0.6, 0.6 * share / (1 - share))
    return values, bool(fails.any(axis=0).all()) or not share


def _results(systems: int, groups: int, size: int, rng: np.random.Generator) -> FloatArray:
    """Return values (items, systems) of groups of equal size, whose items are correlated by 0.3."""
    shape = (groups * size, systems)
    codes = np.repeat(np.arange(groups), size)
    own = 0.3 * rng.standard_normal((groups, systems))[codes]
    return rng.standard_normal((groups * size, 1)) + own + 0.45 * rng.standard_normal(shape)


def planned(trials: int, seed: int) -> Iterator[str]:
    """Yield how often boards of the planned size find the difference that they were planned for."""
    yield f"## Planned competitions\n\n{trials:,} repetitions a cell, a fifth for several systems."
    yield "A pilot is drawn, the groups for a difference are planned from it, and a board of that"
    yield "size is drawn, where one system is better by the difference. `found`: its pairs.\n"
    yield "| systems | pilot's groups | size | difference | groups planned (median) | found |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for systems in (2, 5, 10):
        for groups, size in ((20, 1), (50, 1), (200, 1), (50, 8)):
            for difference in (0.15, 0.3, 0.6):
                repetitions = trials if systems == 2 else trials // 5
                found, sizes = 0.0, []
                for trial in range(repetitions):
                    rng = np.random.default_rng([seed, 52, systems, groups, size, trial])
                    units = Groups(np.repeat(np.arange(groups), size), groups)
                    values = _results(systems, groups, size, rng)
                    pilot = pilot_of_values(METRIC, "", values, units, ("group", "groups"))
                    alpha = comparisonwise_level(pilot.covariance)
                    test = PlannedTest(pilot.deviation, pilot.share, alpha)
                    needed = test.groups(difference)
                    drawn = _results(systems, needed, size, rng)
                    drawn[:, 0] += difference
                    groups_of = Groups(np.repeat(np.arange(needed), size), needed)
                    paired = PairedGroups(drawn, all_pairs(systems), groups_of)
                    p = randomise_groups(paired, trial, ROUNDS).corrected
                    found += float((p[: systems - 1] < ALPHA).mean())
                    sizes.append(needed)
                share = f"{100 * found / repetitions:.1f}"
                yield (
                    f"| {systems} | {groups} | {size} | {difference} | {np.median(sizes):.0f} "
                    f"| {share} |"
                )


def planned_ratings(trials: int, seed: int) -> Iterator[str]:
    """Yield how often studies of the planned size find a difference of two systems."""
    yield f"## Planned ratings\n\n{trials:,} repetitions a cell. Ratings of two systems with the"
    yield "components of the plan, tested by two-way random effects.\n"
    yield "| raters' variance | raters | difference | items planned | power planned | found |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for of_raters in (0.0, 0.045):
        components = VarianceComponents(of_raters, 0.18, 1.28)
        for raters in (3, 5, 8, 12):
            for difference in (0.3, 0.5):
                items = items_needed(components, difference, raters, ALPHA, 0.8)
                if items is None:
                    continue
                found = 0
                for trial in range(trials):
                    rng = np.random.default_rng([seed, 53, raters, int(1000 * of_raters), trial])
                    table = difference + math.sqrt(1.28) * rng.standard_normal((raters, items))
                    table += math.sqrt(of_raters) * rng.standard_normal((raters, 1))
                    table += math.sqrt(0.18) * rng.standard_normal((1, items))
                    found += two_way_mean(table).p < ALPHA
                power = components.power(difference, raters, items, ALPHA)
                yield (
                    f"| {of_raters} | {raters} | {difference} | {items} | {100 * power:.1f} "
                    f"| {100 * found / trials:.1f} |"
                )


def missing(trials: int, seed: int) -> Iterator[str]:
    """Yield what boards claim of a system that answers the easy half, by its gain on that half."""
    yield f"## Missing items\n\n{trials:,} repetitions a cell. One of two systems answers the easy"
    yield "half alone. `gain`: how much better it is there, in standard deviations of a difference;"
    yield "how often either system is claimed to be ahead, and which.\n"
    yield "| items | gain | any claimed | ahead: who answers half | ahead: who answers all |"
    yield "|--:|--:|--:|--:|--:|"
    for items in (20, 60):
        half = items // 2
        for gain in (0.0, 1.0, -1.0):
            found = np.zeros(2)
            for trial in range(trials):
                rng = np.random.default_rng([seed, 54, items, int(10 * gain) + 20, trial])
                values = rng.normal(0, 0.1, (items, 1)) + rng.normal(0, 0.1, (items, 2))
                values[:half] += 0.5
                values[:, 0] += gain * 0.1 * math.sqrt(2)
                values[half:, 0] = np.nan
                ahead = [better for better, _ in _board(values).differing]
                found += "s00" in ahead, "s01" in ahead
            shares = (found.sum(), *found)
            cells = " | ".join(f"{100 * one / trials:.1f}" for one in shares)
            yield f"| {items} | {gain:g} | {cells} |"


def slices(trials: int, seed: int) -> Iterator[str]:
    """Yield how often any of several slices of two equal systems claims a difference."""
    yield f"## Slices\n\n{trials:,} repetitions a cell. Two equal systems, independent slices of 20"
    yield "items. How often any slice claims a difference, by itself and corrected over slices:\n"
    yield "| slices | by itself | corrected |"
    yield "|--:|--:|--:|"
    counts = (1, 6, 12, 24)
    found = np.zeros((len(counts), 2))
    for trial in range(trials):
        rng = np.random.default_rng([seed, 55, trial])
        boards = [_board(rng.normal(0.7, 0.1, (20, 2))) for _ in range(max(counts))]
        for row, count in enumerate(counts):
            together = corrected_over_slices(boards[:count])
            found[row] += (
                any(one.differing for one in boards[:count]),
                any(one.differing for one in together if one is not None),
            )
    for count, shares in zip(counts, found / trials, strict=True):
        yield f"| {count} | {100 * shares[0]:.1f} | {100 * shares[1]:.1f} |"


PARTS: dict[str, Callable[[int, int], Iterator[str]]] = {
    "lopsided": lopsided,
    "missing": missing,
    "slices": slices,
    "planned": planned,
    "planned-ratings": planned_ratings,
}

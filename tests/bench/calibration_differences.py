"""Cells of the calibration on differences of systems: lopsided ones, and competitions as planned.

Parts for `tests/bench/calibration.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import FloatArray, ItemTable, MetricInfo
from jurydesk.core.statistics.group_tests import PairedGroups, randomise_groups
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.statistics.paired_tests import all_pairs

ALPHA = 0.05
ROUNDS = 999
METRIC = MetricInfo("value", "Value", "", (-math.inf, math.inf), "higher", "")


def _boards_differ(values: FloatArray) -> tuple[bool, bool]:
    """Return whether randomisation alone, and the board, find any difference (items, systems)."""
    task = find_competition("keyword-spotting")
    ids = tuple(f"{row:05d}" for row in range(len(values)))
    entrants = [
        Entrant(f"s{number:02d}", float(column.mean()), ItemTable(ids, {"value": column}))
        for number, column in enumerate(values.T)
    ]
    board = compare_all_pairs(
        task, METRIC, "published", entrants, Run(), inference=Inference(grouped=False)
    )
    pairs = all_pairs(values.shape[1])
    paired = PairedGroups(values, pairs, Groups.singletons(len(values)))
    alone = randomise_groups(paired, rounds=ROUNDS)
    return bool((alone.corrected < ALPHA).any()), board is not None and board.smallest_p < ALPHA


def lopsided(trials: int, seed: int) -> Iterator[str]:
    """Yield how often boards of equal means, half of whose systems fail rarely, claim anything."""
    yield f"## Lopsided differences\n\n{trials:,} repetitions a cell; a tenth for ten systems. Half"
    yield "of the systems fail on a share of the items, but are as good on average. `normal`: no"
    yield "failures. How often any difference is claimed:\n"
    yield "| systems | items | failures | randomisation alone | board |"
    yield "|--:|--:|---|--:|--:|"
    for systems, items, share in (
        *((2, items, 0.2) for items in (20, 40, 100)),
        *((2, items, 0.1) for items in (40, 100)),
        *((2, items, 0.05) for items in (20, 40, 100, 400)),
        *((2, items, 0.0) for items in (20, 100)),
        *((10, items, 0.2) for items in (20, 40, 100)),
        (10, 100, 0.05),
    ):
        repetitions = trials if systems == 2 else trials // 10
        found = np.zeros(2)
        for trial in range(repetitions):
            rng = np.random.default_rng([seed, 51, systems, items, int(100 * share), trial])
            values = rng.normal(0.7, 0.05, (items, 1)) + rng.normal(0, 0.05, (items, systems))
            fails = rng.random((items, systems // 2)) < share
            values[:, : systems // 2] += np.where(fails, -0.6, 0.6 * share / (1 - share))
            found += _boards_differ(values)
        kind = f"{share:.0%}" if share else "normal"
        cells = " | ".join(f"{100 * one / repetitions:.1f}" for one in found)
        yield f"| {systems} | {items} | {kind} | {cells} |"


PARTS: dict[str, Callable[[int, int], Iterator[str]]] = {"lopsided": lopsided}

"""How long it takes to compare every two of 50 systems on 5,000 items.

    python tests/bench/board.py [SYSTEMS] [ITEMS] [MISSING]

MISSING is the share of items that each system lacks, its own ones (0).

The peer is SciPy's permutation test with as many rounds, for one pair at a time; it gets a few
pairs, and its time is taken as many times as there are pairs. Wall and CPU seconds.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.stats

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.model import ItemTable, MetricInfo
from core.run.run import Run
from core.separating import Entrant
from core.separation import separate
from core.stats.swaps import rounds_for
from core.tasks.keyword_spotting.task import TASK

PEER_PAIRS = 2
AP = MetricInfo("ap", "AP", "", (0.0, 1.0), "higher", "", headline=True)


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU seconds of some work."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    """Measure, and print a table."""
    given = dict(enumerate(sys.argv[1:]))
    systems, items = int(given.get(0, 50)), int(given.get(1, 5000))
    missing = float(given.get(2, 0.0))
    pairs = systems * (systems - 1) // 2
    rng = np.random.default_rng(0)
    values = rng.beta(1.2, 1.2, (items, 1)) * 0.6 + rng.random((items, systems)) * 0.4
    values[rng.random(values.shape) < missing] = np.nan
    ids = tuple(f"q{number:05d}" for number in range(items))
    entrants = [
        Entrant(f"s{n:02d}", float(np.nanmean(values[:, n])), ItemTable(ids, {"ap": values[:, n]}))
        for n in range(systems)
    ]

    def ours() -> None:
        separate(TASK, AP, "published", entrants, Run())

    def peer() -> None:
        for pair in range(PEER_PAIRS):
            scipy.stats.permutation_test(
                np.nan_to_num(values[:, pair : pair + 2]).T,
                lambda one, other, axis: (one - other).mean(axis=axis),
                permutation_type="samples",
                n_resamples=rounds_for(pairs),
                vectorized=True,
                batch=200,
                rng=0,
            )

    rows = [("jurydesk", seconds(ours)), ("SciPy", seconds(peer))]
    print(f"{systems} systems, {items:,} items, {pairs:,} pairs, {rounds_for(pairs):,} rounds")
    for name, (wall, cpu) in rows:
        times = 1.0 if name == "jurydesk" else pairs / PEER_PAIRS
        print(f"{name:10} {wall * times:10.1f} s wall {cpu * times:10.1f} s CPU")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()

"""Time to compare all pairs of 50 systems on 5,000 items.

    python tests/bench/board.py [SYSTEMS] [ITEMS] [MISSING]

MISSING is the share of items that each system lacks, different ones for each (default 0).

The peer is SciPy's permutation test with as many rounds, one pair at a time; it is timed on a few
pairs, and its time is extrapolated to all pairs. Times are wall and CPU seconds.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.stats

sys.path.insert(0, str(Path(__file__).parents[1]))

import large_desk

from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ItemTable, MetricInfo
from jurydesk.core.statistics.paired_tests import rounds_for
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK

ROOT = Path(__file__).parents[2]
PEER_PAIRS = 2
WINDOW = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from jurydesk.app.state.settings import Settings
from jurydesk.app.style.theme import theme
from jurydesk.app.window.main_window import Window
app = QApplication([])
theme().install(app, "light", 1.0)
window = Window(Settings())
window.show()
window.files.open(Path(sys.argv[1]))
window.show_page("board")
end = time.monotonic() + 120
while not (window.page.board and window.page.board.significance_tests):
    assert time.monotonic() < end
    app.processEvents()
    time.sleep(0.005)
window.grab()
window.close()
"""
AP = MetricInfo("ap", "AP", "", (0.0, 1.0), "higher", "", headline=True)


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return the wall and CPU seconds of an action."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def whole_way(systems: int, items: int) -> list[tuple[str, tuple[float, float]]]:
    """Measure a saved desk with the command and in the window, each in a separate process."""
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as home:
        desk = Path(home) / "many.jurydesk"
        large_desk.write(desk, systems, items)
        more = {"QT_QPA_PLATFORM": "offscreen", "JURYDESK_HOME": home}
        commands = {
            "jurydesk board": ["-m", "jurydesk", "board", str(desk)],
            "window to ranks": ["-c", WINDOW, str(desk)],
        }
        return [
            (name, child_seconds([sys.executable, *arguments], {**os.environ, **more}))
            for name, arguments in commands.items()
        ]


def child_seconds(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Return the wall and CPU seconds of a child process."""
    before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - wall
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
        compare_all_pairs(TASK, AP, "published", entrants, Run())

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
    for name, (wall, cpu) in whole_way(systems, items):
        print(f"{name:24} {wall:6.1f} s wall {cpu:10.1f} s CPU")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()

"""Memory of one window over many desks: `python tests/bench/soak.py [--cycles N] [TASK...]`.

A cycle scores an example into a new desk, saves, closes and opens it, shows every page, and closes
it again; the examples take turns. All runs in the window's own event loop, as in the program. After
cycle WARM the resident memory may grow by GROWTH_MB, and no widget, thread, open file or file in
the data folder may be left over. The exit code is 1 if a limit is exceeded.
Recorded figures: `soak.md`.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from responsiveness import LOOP

from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import theme
from jurydesk.app.window.main_window import Window
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.system.memory import limit_arenas
from support.windows.workloads import prepared_window

CYCLES, WARM = 300, 50
GROWTH_MB = 20.0
PAGE_MS = 60
TASKS = ("keyword-spotting", "vist", "densecap")


@dataclass(frozen=True)
class Footprint:
    """Resources of the process: resident MB, widgets, open files, threads, stored files."""

    memory: float
    widgets: int
    windows: int
    open_files: int
    threads: int
    stored_files: int


def footprint(home: Path) -> Footprint:
    """Measure this process and its data folder."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Footprint(
        pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
        len(QApplication.allWidgets()),
        len(QApplication.topLevelWidgets()),
        len(list(Path("/proc/self/fd").iterdir())),
        threading.active_count(),
        sum(path.is_file() for path in (home / "unsaved").rglob("*")),
    )


def cycle(window: Window, task: AnyTask, path: Path) -> None:
    """Score an example into a new desk, save, close and open it, show every page, close it."""
    window.files.open_example(task)
    LOOP.waitUntil(lambda: window.evaluator.checked and window.jobs.idle)
    window.evaluator.score()
    LOOP.waitUntil(lambda: window.evaluator.scoring is None and window.jobs.idle)
    window.files.save_to(path)
    window.files.close()
    window.files.open(path)
    LOOP.waitUntil(lambda: window.session.has_desk and window.jobs.idle)
    if not window.session.scored_systems:
        raise RuntimeError(f"Nothing of {task.id} was scored.")
    for page in PAGES:
        window.show_page(page.id)
        LOOP.wait(PAGE_MS)
        LOOP.waitUntil(lambda: window.jobs.idle)
    window.files.close()
    window.show_page("home")
    LOOP.waitUntil(lambda: window.jobs.idle)
    path.unlink()


def main() -> int:
    """Run the cycles and print the footprint; return 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK")
    parser.add_argument("--cycles", type=int, default=CYCLES)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jurydesk-soak-") as name:
        home = Path(name) / "home"
        os.environ["JURYDESK_HOME"] = str(home)
        return soak(chosen.tasks or TASKS, chosen.cycles, home, Path(name))


def soak(tasks: Sequence[str], cycles: int, home: Path, folder: Path) -> int:
    """Run the cycles in one window; return 1 if a limit is exceeded."""
    limit_arenas()  # as the start of the program does
    application = QApplication([])
    theme().install(application, "light")
    began, found = time.monotonic(), []
    with prepared_window(LOOP, folder) as window:
        print("cycle   RSS MB  widgets  windows  files  threads  stored", flush=True)
        for number in range(1, cycles + 1):
            task = registry().tasks[tasks[number % len(tasks)]]
            cycle(window, task, folder / "cycle.jurydesk")
            LOOP.wait(50)
            found.append(footprint(home))
            if number % 10 == 0 or number < 4:
                memory, *counts = astuple(found[-1])
                print(f"{number:5} {memory:8.1f}", *(f"{n:7}" for n in counts), flush=True)
    return verdict(found, time.monotonic() - began)


def verdict(found: Sequence[Footprint], seconds: float) -> int:
    """Print the growth after the warm-up; return 1 if it exceeds the limits."""
    if len(found) < WARM + 12:
        return 0
    # A single reading depends on recently freed memory: use medians over a few rounds.
    warm, last = found[WARM - 6 : WARM + 6], found[-12:]
    before = statistics.median(one.memory for one in warm)
    grown = statistics.median(one.memory for one in last) - before
    left = {
        name: max(getattr(one, name) for one in last) - max(getattr(one, name) for one in warm)
        for name in ("widgets", "windows", "open_files", "threads", "stored_files")
    }
    print(f"{len(found)} cycles in {seconds:.0f} s, {len(gc.get_objects()):,} Python objects")
    print(f"grown by {grown:+.1f} MB after cycle {WARM} (limit {GROWTH_MB:g})")
    print("left over:", ", ".join(f"{name} {count:+}" for name, count in left.items()))
    return int(grown > GROWTH_MB or any(count > 0 for count in left.values()))


if __name__ == "__main__":
    sys.exit(main())

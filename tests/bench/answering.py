"""Pauses of the window while two result files of 125 MB are checked and scored.

`python tests/bench/answering.py [--rounds 5] [--every 0.3] [--words 5000]` opens the window
offscreen and gives it the relevance file of ICFHR 2014 (or one of its size) with two generated
result files. It changes the page every `--every` seconds (0: never) and prints the longest times
between ticks of a timer that is due every 5 ms: wall time, wall time without waiting for a free
processor (where the system reports it), and CPU time of the thread. Every round is a process.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from icfhr import BENTHAM, same_words, write_results, written_relevance

from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import read_word_judgements

TICK_MS, LIMIT_MS, SHOWN = 5, 50, 8
QUEUE = Path("/proc/thread-self/schedstat")
Clocks = tuple[float, float, float]
"""Milliseconds: wall time, waiting for a processor, CPU time of the thread."""


def main() -> None:
    """Generate, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--every", type=float, default=0.3)
    parser.add_argument("--words", type=int, default=5000)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.folder is not None:
        watch(sorted(chosen.folder.glob("*.xml")), chosen.every)
        return
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as name:
        generate(Path(name), chosen.words)
        again = [sys.executable, __file__, "--folder", name, "--every", str(chosen.every)]
        settings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "JURYDESK_HOME": f"{name}/home"}
        for _ in range(chosen.rounds):
            subprocess.run(again, env=settings, check=True)


def generate(folder: Path, words: int) -> None:
    """Write a relevance file and the results of two systems."""
    relevance = folder / "relevance.xml"
    if BENTHAM.exists():
        relevance.write_bytes(BENTHAM.read_bytes())
    else:
        written_relevance(folder, 320)
    judgements = read_word_judgements(relevance, Run()).data
    assert judgements is not None
    for system in ("one", "other"):
        pages = same_words(judgements, words)
        write_results(folder / f"{system}.xml", judgements.queries[:320], pages, words)


@dataclass
class Ticks:
    """Times between the ticks of a timer, with the action that ran between them."""

    doing: str = ""
    found: list[tuple[Clocks, str]] = field(default_factory=list)
    _last: Clocks | None = None

    def __call__(self) -> None:
        now = clocks()
        if self._last is not None:
            clock, queued, own = (b - a for a, b in zip(self._last, now, strict=True))
            self.found.append(((clock, clock - queued, own), self.doing))
        self._last = now

    def tell(self) -> None:
        """Print the longest times and the number of ticks."""
        longest = sorted(self.found, reverse=True)[:SHOWN]
        late, kept = (sum(one[n] > LIMIT_MS for one, _ in self.found) for n in (0, 1))
        print(f"{len(self.found):,} ticks, longer than {LIMIT_MS} ms: {late}")
        print(f"  without waiting for a processor: {kept}")
        for (clock, free, own), doing in longest:
            print(f"  {clock:5.0f} ms, processor at hand {free:5.0f}, own work {own:5.0f}: {doing}")


def clocks() -> Clocks:
    """Return the clocks of this thread."""
    queued = int(QUEUE.read_text().split()[1]) / 1e6 if QUEUE.exists() else 0.0
    return 1000 * time.perf_counter(), queued, 1000 * time.thread_time()


def watch(files: Sequence[Path], every: float) -> None:
    """Check and score these files in a window, and score them again, while pages are changed."""
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.pages import PAGES
    from jurydesk.app.state.settings import Settings
    from jurydesk.app.style.theme import theme
    from jurydesk.app.window.main_window import Window

    application = QApplication([])
    theme().install(application, "light")
    window = Window(Settings(files[0].with_name("window.ini")))
    window.show()
    pages = itertools.cycle(page.id for page in PAGES)
    ticks, timer = Ticks(), QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(ticks)

    def until(done: Callable[[], bool], title: str = "") -> None:
        due = time.monotonic() + every
        ticks.doing = title
        while not done():
            application.processEvents()
            time.sleep(0.0005)
            if title and every and time.monotonic() > due:
                page = next(pages)
                ticks.doing, due = f"{title}, {page}", time.monotonic() + every
                window.show_page(page)

    until(lambda: window.jobs.idle)
    window.build_ahead()
    until(lambda: window.jobs.idle and len(window.pages) == len(PAGES))
    timer.start(TICK_MS)
    window.files.open_paths(list(files))
    until(lambda: window.evaluator.checked and window.jobs.idle, "checking")
    for title in ("scoring", "scoring again"):
        window.evaluator.score()
        until(lambda: window.evaluator.scoring is None and window.jobs.idle, title)
    end = time.monotonic() + len(PAGES) * every
    until(lambda: time.monotonic() > end, "at rest")
    ticks.tell()
    window.close()


if __name__ == "__main__":
    main()

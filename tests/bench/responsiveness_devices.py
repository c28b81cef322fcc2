"""Effect of each measure of `app/jobs/responsiveness`, switched off one at a time.

`python tests/bench/responsiveness_devices.py [--rounds 3] [--only NAME ...]` takes in, checks and
scores a dense captioning competition in an offscreen window, and opens every page for the first
time beside a job. Every round is a process; runs without a measure alternate with full runs. For
each it prints the medians over the rounds of the longest pause of the window, the number of pauses
over 50 ms, the mean wait of a timer's tick for the interpreter, and the sum of all parts' longest
pauses, measured as in `pauses`: without the delays of the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

LIMIT = 0.05
NO_WAIT = 0.0002


def main() -> None:
    """Run all variants alternately and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--without", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.without is not None:
        print(json.dumps(measured(chosen.without)))
        return
    names = ["nothing", *(chosen.only or DEVICES)]
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(chosen.rounds):
        for name in names:
            found[name].append(in_a_process(name))
    print(f"{'without':24} longest ms  pauses over 50 ms  mean wait ms  all pauses ms")
    for name, rounds in found.items():
        longest, many, wait, total = (
            statistics.median(one[key] for one in rounds)
            for key in ("longest", "pauses", "wait", "total")
        )
        row = f"{1000 * longest:10.0f}  {many:17.0f}  {1000 * wait:12.2f}  {1000 * total:13.0f}"
        print(f"{name:24} {row}", flush=True)


def in_a_process(name: str) -> dict[str, float]:
    """Measure without one measure, in a child process."""
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as home:
        settings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "JURYDESK_HOME": home}
        root = str(Path(__file__).parents[2])
        settings["PYTHONPATH"] = os.pathsep.join([root, f"{root}/tests"])
        command = [sys.executable, __file__, "--without", name]
        done = subprocess.run(command, env=settings, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measured(without: str) -> dict[str, float]:
    """Return the pauses of a window without one measure."""
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.jobs.job import Job
    from jurydesk.app.pages import PAGES
    from jurydesk.app.state.settings import Settings
    from jurydesk.app.style.theme import theme
    from jurydesk.app.window.main_window import Window
    from support.responsiveness.pauses import Pauses, slowness
    from support.windows import workloads

    application = QApplication([])
    theme().install(application, "light")
    DEVICES.get(without, lambda: None)()
    folder = Path(tempfile.mkdtemp(dir=os.environ["JURYDESK_HOME"]))
    window = Window(Settings(folder / "window.ini"))

    def until(done: Callable[[], bool], least: float = 0.0) -> None:
        end = time.monotonic() + least
        while not done() or time.monotonic() < end:
            application.processEvents()
            time.sleep(0.0005)

    window.show()
    until(lambda: window.jobs.idle, 0.5)
    window.build_ahead()
    until(lambda: window.jobs.idle, 1.5)
    pauses = Pauses()
    long: list[float] = []
    waits: list[float] = []

    def part(do: Callable[[], object], done: Callable[[], bool], least: float = 0.2) -> None:
        pauses.forget()
        do()
        until(done, least)
        long.append(pauses.seconds)
        waits.extend(wait for wait in pauses.waits if wait > NO_WAIT)

    files = workloads.dense_captions(folder)
    part(
        partial(window.files.open_paths, files),
        lambda: window.evaluator.checked and window.jobs.idle,
    )
    part(window.evaluator.score, lambda: window.evaluator.scoring is None and window.jobs.idle)
    over = threading.Event()
    window.jobs.start(Job("Working", partial(count_until, over)))
    for page in PAGES:
        part(partial(window.show_page, page.id), lambda: True, 0.6)
        if page.id == "items":
            part(window.pages["items"].next_item, lambda: True)
            part(window.pages["items"].open_item, lambda: True)
    over.set()
    until(lambda: window.jobs.idle)
    scale = max(1.0, slowness())
    window.close()
    return {
        "longest": max(long),
        "pauses": sum(one > LIMIT for one in long),
        "wait": statistics.fmean(waits) / scale if waits else 0.0,
        "total": sum(long),
    }


def count_until(over: threading.Event, run: object, notify: object) -> None:
    """Hold the interpreter, create objects, and check for a cancel as rarely as a slow reader."""
    while not over.is_set():
        run.check()  # type: ignore[attr-defined]
        end = time.thread_time() + 0.01
        held = []
        while time.thread_time() < end:
            held.append([sum(range(100))])


def no_collection() -> None:
    """Restore Python's own garbage collection."""
    from jurydesk.app.jobs.responsiveness.garbage_collection import GarbageCollection

    GarbageCollection.start = GarbageCollection.freeze = lambda self: None  # type: ignore[method-assign]


def no_short_turns() -> None:
    """Keep Python's switch interval."""
    from jurydesk.app.jobs.responsiveness.gui_priority import GuiPriority

    GuiPriority.start = lambda self: None  # type: ignore[method-assign]


def no_reserved_moments() -> None:
    """Let jobs continue while something is shown."""
    from jurydesk.app.jobs.responsiveness.gui_priority import GuiPriority

    GuiPriority.pause = lambda self: 0.0  # type: ignore[method-assign]


def no_frames() -> None:
    """Show all parts of a page in one frame."""
    from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue

    FrameQueue.add = lambda self, name, do: do()  # type: ignore[assignment,method-assign,misc]


def no_pages_ahead() -> None:
    """Build pages when they are first shown; import views when an item is shown."""
    from jurydesk.app.jobs.responsiveness.preload import Preload

    Preload.start = lambda self: None  # type: ignore[method-assign]


def no_imports_ahead() -> None:
    """Build pages in advance; import views when an item is shown."""
    from jurydesk.app.jobs.responsiveness.preload import Preload

    Preload._import_views = lambda self: None  # type: ignore[method-assign]


DEVICES: dict[str, Callable[[], None]] = {
    "garbage collection": no_collection,
    "short turns": no_short_turns,
    "reserved moments": no_reserved_moments,
    "frame queue": no_frames,
    "pages ahead": no_pages_ahead,
    "imports ahead": no_imports_ahead,
}


if __name__ == "__main__":
    main()

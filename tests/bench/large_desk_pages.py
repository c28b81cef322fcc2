"""Time to open Board, Items, an item and Compare on a desk of 60 systems and 5,000 queries.

    python tests/bench/large_desk_pages.py [SYSTEMS] [ITEMS] [COMPETITION]

Of another competition than keyword spotting, the example's results are repeated.
The desk is opened in an offscreen window, which builds its pages ahead as the program does. Each
page is opened for the first time, then items are opened one after the other, and Compare with other
pairs. Times run from the command to the painted page with its table, its plot and the views of
items; significance tests run in the background. Last, zoom and theme change with every page built.
CPU seconds are those of the window's thread.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import large_desk

PATIENCE_SECONDS = 180
PAIRS = ITEMS = 5


def main() -> None:
    """Measure, and print a table."""
    given = dict(enumerate(sys.argv[1:]))
    systems, items = int(given.get(0, 60)), int(given.get(1, 5000))
    competition = given.get(2, "keyword-spotting")
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as home:
        os.environ["JURYDESK_HOME"] = home
        desk = Path(home) / "many.jurydesk"
        if competition == "keyword-spotting":
            large_desk.write(desk, systems, items)
        else:
            large_desk.write_example(desk, competition, systems, items)
        size = desk.stat().st_size / 2**20
        print(f"{competition}: {systems} systems, {items:,} items, {size:.0f} MB")
        measure(desk)


def measure(desk: Path) -> None:
    """Open the desk in a window, and its pages."""
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.pages import PAGES
    from jurydesk.app.state.settings import Settings
    from jurydesk.app.style.theme import theme
    from jurydesk.app.window.main_window import Window

    app = QApplication([])
    theme().install(app, "light", 1.0)
    window = Window(Settings())
    window.resize(1280, 828)
    window.show()
    window.files.open(desk)
    wait(lambda: bool(window.session.systems))
    print(f"{'':34} wall s    CPU s")

    def board() -> None:
        window.show_page("board")
        window.grab()  # at once: other pages are built in what is processed next

    def items() -> None:
        window.show_page("items")
        wait(lambda: window.page.view.table.table_model.total > 0)
        painted(window)

    timed("Board, first opened", board)
    window.build_ahead()
    wait(lambda: all(page.id in window.page_stack.pages for page in PAGES))
    quiet(window)
    timed("Items, first opened", items)
    quiet(window)
    for number in range(ITEMS):

        def item() -> None:
            window.page.next_item()
            painted(window)

        timed(f"an item ({number + 1})", item)

    def opened() -> None:
        window.show_page("compare")
        painted(window)

    timed("Compare, first opened", opened)
    page = window.page
    timed("its tests, in the background", lambda: wait(lambda: page.comparison is not None))

    def other(number: int) -> None:
        page.pair.second.setCurrentIndex(2 + number)
        page.pair.second.activated.emit(2 + number)
        painted(window)

    for number in range(PAIRS):
        timed(f"another pair ({number + 1})", lambda number=number: other(number))
        wait(lambda: page.comparison is not None)

    def everyone() -> None:
        page.toggle_all()
        wait(lambda: page.view.table.table_model.columns[-1].title not in ("Difference", "Size"))
        painted(window)

    timed("all systems beside the two", everyone)
    timed("and only the two again", lambda: (page.toggle_all(), painted(window)))
    for name in ("home", "check", "rate", "why"):
        timed(f"{name}, first opened", lambda name=name: (window.show_page(name), painted(window)))
        wait(lambda: window.jobs.idle)
    for name in ("home", "check", "board", "items", "compare", "rate", "why"):
        window.show_page(name)
        painted(window)
        for title, change in (
            ("zoom", lambda: theme().set_zoom(1.1)),
            ("zoom back", lambda: theme().set_zoom(1.0)),
            ("theme", lambda: theme().set_mode("dark")),
            ("theme back", lambda: theme().set_mode("light")),
        ):
            timed(f"{title}, {name} in front", lambda change=change: (change(), painted(window)))
    window.close()


def painted(window: Any) -> None:
    """Process what is due until nothing is queued, which paints the window as on a screen.

    A grab would paint all of it once more.
    """
    from PySide6.QtCore import QCoreApplication

    QCoreApplication.processEvents()
    queues = frame_queues(window)
    wait(lambda: all(one.is_empty for one in queues), pause=0.001)
    QCoreApplication.processEvents()


@cache
def frame_queues(window: Any) -> list[Any]:
    """Return the queues of all pages, found once: a search takes as long as a frame."""
    from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue

    return window.findChildren(FrameQueue)


def quiet(window: Any) -> None:
    """Process events until nothing has been at work for half a second."""
    end = time.monotonic() + 0.5

    def is_quiet() -> bool:
        nonlocal end
        if not window.jobs.idle or not all(one.is_empty for one in frame_queues(window)):
            end = time.monotonic() + 0.5
        return time.monotonic() > end

    wait(is_quiet)


def timed(name: str, work: Callable[[], object]) -> None:
    """Print the wall seconds of an action and the CPU seconds of the window's thread."""
    wall, cpu = time.perf_counter(), time.thread_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
    print(f"{name:34} {wall:6.3f} {cpu:8.3f}")


def wait(done: Callable[[], bool], pause: float = 0.005) -> None:
    """Process events until a condition holds, with a pause in seconds between looks."""
    from PySide6.QtCore import QCoreApplication

    end = time.monotonic() + PATIENCE_SECONDS
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("the window did not finish its work")
        QCoreApplication.processEvents()
        time.sleep(pause)


if __name__ == "__main__":
    main()

"""Whatever is opened for the first time while a job runs, the window goes on answering.

What a busy machine adds is taken off (`pauses`), and a part counts with the best of a few tries.
Pages that show all at once are found out by the same measure, which is a test as well.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from busy import COMPETITIONS, dense_captions, ready, scored, with_files
from pauses import Pauses

from app.jobs import Job
from app.pages import PAGES
from app.turns import Turns
from app.views.named import Named
from app.window import Window
from core.run.run import Run

LONGEST = 0.05
TRIES = 12
CHECKED_EVERY = 0.01


class Opened:
    """How long each part of the window kept it from answering when it was opened first.

    A part counts with its best try, since what the rest of the machine does hits any of them.
    """

    def __init__(self, qtbot, files: list[Path], folder: Path, tries: int = TRIES) -> None:
        self._qtbot, self._files, self._folder, self._tries = qtbot, files, folder, tries
        self.seconds: dict[str, float] = {}

    def longer_than(self, allowed: float) -> dict[str, float]:
        """The parts that took so many seconds in every try; a few tries are made."""
        found: dict[str, float] = {}
        for _ in range(self._tries):
            self._try()
            found = {name: s for name, s in self.seconds.items() if s > allowed}
            if not found:
                break
        return found

    def _try(self) -> None:
        with ready(self._qtbot, self._folder) as window:
            self._measure("checking", lambda: with_files(self._qtbot, window, self._files))
            self._measure("scoring", lambda: scored(self._qtbot, window))
            window.show_page("home")
            self._settle(window)
            over = threading.Event()
            job = window.jobs.start(Job("Working", partial(counting_until, over)))
            for name, do in parts_of(window):
                self._measure(name, lambda do=do: (do(), self._settle(window)))
            over.set()
            self._qtbot.waitUntil(job.isFinished, timeout=60_000)
            self._qtbot.waitUntil(lambda: window.jobs.idle, timeout=60_000)

    def _settle(self, window: Window) -> None:
        """Let everything have its turn, and what is read in the background arrive."""
        items, compare = window.pages["items"], window.pages["compare"]
        self._qtbot.wait(60)
        turns = items.view.turns, compare.view.turns
        self._qtbot.waitUntil(lambda: not compare._sides.is_pending, timeout=30_000)
        self._qtbot.waitUntil(lambda: all(each.idle for each in turns), timeout=30_000)
        self._qtbot.wait(30)

    def _measure(self, name: str, do: Callable[[], object]) -> None:
        pauses = Pauses()
        do()
        self.seconds[name] = min(pauses.seconds, self.seconds.get(name, math.inf))
        pauses.stop()


def parts_of(window: Window) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every page, an item opened, and another item of the two that are compared."""
    for page in PAGES:
        yield page.id, partial(window.show_page, page.id)
        if page.id == "items":
            yield "another item", window.pages["items"].next_item
            yield "an opened item", window.pages["items"].open_item
            yield "the items again", window.pages["items"].close_item
        if page.id == "compare":
            table = window.pages["compare"].view.table
            yield "another item of both", partial(table.step, 1)
            yield "the systems swapped", window.pages["compare"].swap


def counting_until(over: threading.Event, run: Run, tell: object) -> None:
    """A job that never waits for anything but its turn, and checks as seldom as a slow reader."""
    while not over.is_set():
        run.check()
        end = time.thread_time() + CHECKED_EVERY
        while time.thread_time() < end:
            sum(range(1000))


@pytest.mark.parametrize("competition", COMPETITIONS)
def test_nothing_opened_for_the_first_time_beside_a_job_stops_the_window(
    qtbot, tmp_path, competition
):
    opened = Opened(qtbot, COMPETITIONS[competition](tmp_path), tmp_path)
    assert opened.longer_than(LONGEST) == {}
    assert len(opened.seconds) > len(PAGES)


def test_pages_that_show_all_at_once_would_stop_it(qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(Turns, "ask", lambda self, name, do: do())
    monkeypatch.setattr(Named, "is_loaded", lambda self, name: False)
    opened = Opened(qtbot, dense_captions(tmp_path), tmp_path, tries=1)
    assert {"items", "compare"} <= set(opened.longer_than(LONGEST))

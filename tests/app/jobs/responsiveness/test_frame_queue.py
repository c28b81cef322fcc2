"""Queue of a page's work, each part in a separate frame."""

from __future__ import annotations

import itertools
import time
from functools import partial

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.responsiveness import frame_queue
from jurydesk.app.jobs.responsiveness.frame_queue import (
    FRAME_MS,
    MOMENT_MS,
    REST_MS,
    FrameQueue,
)


@pytest.fixture
def frames(qapp: QApplication) -> FrameQueue:
    return FrameQueue()


def test_work_is_done_in_the_order_of_requests_one_at_a_time(
    qtbot: QtBot, frames: FrameQueue
) -> None:
    done: list[str] = []

    def do(name: str) -> None:
        done.append(name)
        QTimer.singleShot(0, lambda: done.append("events"))

    with qtbot.waitSignal(frames.emptied):
        for name in ("table", "plot", "item"):
            frames.add(name, partial(do, name))
        assert done == []
        assert not frames.is_empty
    assert done == ["table", "events", "plot", "events", "item"]
    assert frames.is_empty


def test_a_repeated_request_is_done_in_its_first_place_with_its_latest_function(
    qtbot: QtBot, frames: FrameQueue
) -> None:
    done: list[str] = []
    with qtbot.waitSignal(frames.emptied):
        frames.add("item", lambda: done.append("first item"))
        frames.add("plot", lambda: done.append("plot"))
        frames.add("item", lambda: done.append("second item"))
    assert done == ["second item", "plot"]


def test_urgent_work_is_done_at_once_and_only_once(qtbot: QtBot, frames: FrameQueue) -> None:
    done: list[str] = []
    with qtbot.waitSignal(frames.emptied):
        frames.add("table", lambda: done.append("table"))
        frames.do_now("table")
        frames.do_now("table")
        assert done == ["table"]
    assert done == ["table"]


def test_work_queued_during_a_frame_gets_a_frame_of_its_own(
    qtbot: QtBot, frames: FrameQueue
) -> None:
    done: list[str] = []

    def make() -> None:
        done.append("made")
        frames.add("show", lambda: done.append("shown"))
        assert done == ["made"]

    with qtbot.waitSignal(frames.emptied):
        frames.add("make", make)
    assert done == ["made", "shown"]


def test_work_of_two_pages_is_never_done_in_one_frame(qtbot: QtBot, qapp: QApplication) -> None:
    moments: list[float] = []
    pages = [FrameQueue(), FrameQueue()]

    def work() -> None:
        moments.append(time.monotonic())
        time.sleep(2 * MOMENT_MS / 1000)

    for name in ("table", "plot"):
        for frames in pages:
            frames.add(name, work)
    qtbot.waitUntil(lambda: all(frames.is_empty for frames in pages))
    assert len(moments) == 4
    assert min(b - a for a, b in itertools.pairwise(moments)) >= FRAME_MS / 1000


class StubTimer:
    """Timer that only records for how many milliseconds it was started."""

    def __init__(self) -> None:
        self.waits: list[int] = []

    def isActive(self) -> bool:
        return bool(self.waits)

    def start(self, milliseconds: int) -> None:
        self.waits.append(milliseconds)


def test_the_window_rests_after_long_work_and_needs_no_frame_for_none(
    frames: FrameQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, timer = [100.0], StubTimer()
    monkeypatch.setattr(frame_queue.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(frames, "_timer", timer)
    monkeypatch.setattr(FrameQueue, "_next", 0.0)

    def work(seconds: float) -> None:
        now[0] += seconds

    for name, seconds in (("long", 0.03), ("short", 0.01), ("none", 0.0), ("last", 0.0)):
        frames.add(name, partial(work, seconds))
    while not frames.is_empty:
        now[0] += timer.waits[-1] / 1000
        frames._run_next()
    assert timer.waits == pytest.approx([FRAME_MS, REST_MS, FRAME_MS - 10, 0], abs=1)  # rounding


def test_forgotten_work_is_not_done(qtbot: QtBot, frames: FrameQueue) -> None:
    done: list[str] = []
    frames.add("plot", lambda: done.append("plot"))
    frames.clear()
    assert frames.is_empty
    qtbot.wait(60)
    assert done == []


def test_an_error_in_one_piece_of_work_does_not_stop_the_others(
    qtbot: QtBot, frames: FrameQueue
) -> None:
    done: list[str] = []

    def fail() -> None:
        raise RuntimeError("broken")

    with qtbot.captureExceptions() as faults, qtbot.waitSignal(frames.emptied):
        frames.add("plot", fail)
        frames.add("item", lambda: done.append("item"))
    assert done == ["item"]
    assert [str(fault) for _, fault, _ in faults] == ["broken"]

"""Jobs pause while something is being drawn, but get half of the time in the long run."""

from __future__ import annotations

import sys
import threading
import time
from itertools import pairwise

import pytest

from jurydesk.app.jobs.job import Job
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.jobs.responsiveness.gui_priority import (
    LONGEST_SECONDS,
    RESERVED_SECONDS,
    SWITCH_SECONDS,
    GuiPriority,
    gui_priority,
)


class Clock:
    """Clock that advances only when a test advances it."""

    def __init__(self) -> None:
        self.now = time.monotonic()

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("jurydesk.app.jobs.responsiveness.gui_priority.time", clock)
    return clock


@pytest.fixture
def priority(clock):
    return GuiPriority()


def test_no_job_pauses_while_nothing_is_drawn(priority):
    assert priority.pause() == 0.0


def test_jobs_pause_briefly(priority, clock):
    priority.reserve()
    assert priority.pause() == pytest.approx(RESERVED_SECONDS)
    clock.now += RESERVED_SECONDS
    assert priority.pause() == 0.0


def test_the_next_drawing_extends_the_pause(priority, clock):
    priority.reserve()
    clock.now += RESERVED_SECONDS / 2
    priority.reserve()
    assert priority.pause() == pytest.approx(RESERVED_SECONDS)


def test_two_reservations_at_once_last_no_longer_than_one(priority):
    priority.reserve()
    priority.reserve()
    assert priority.pause() == pytest.approx(RESERVED_SECONDS)


@pytest.mark.parametrize(
    "every",
    [RESERVED_SECONDS / 8, RESERVED_SECONDS / 2, 1.1 * RESERVED_SECONDS, 1.9 * RESERVED_SECONDS],
)
def test_jobs_get_half_of_the_time_whatever_the_window_does(priority, clock, every):
    rested, steps, step = 0.0, 20_000, RESERVED_SECONDS / 16
    due = clock.now
    for _ in range(steps):
        if clock.now >= due:
            priority.reserve()
            due += every
        rested += min(step, priority.pause())
        clock.now += step
    assert rested <= 0.5 * steps * step + LONGEST_SECONDS


def test_no_pause_is_longer_than_a_quarter_of_a_second(priority, clock):
    step, rested, longest = RESERVED_SECONDS / 16, 0.0, 0.0
    for _ in range(1000):
        priority.reserve()
        rested = rested + step if priority.pause() > step / 2 else 0.0
        longest = max(longest, rested)
        clock.now += step
    assert longest <= LONGEST_SECONDS + step


def steps(made, end, run, notify):
    while not end.is_set():
        run.check()
        made.append(time.monotonic())
        time.sleep(0.0005)


@pytest.fixture
def of_the_window(clock):
    """Return the window's priority without reservations; its clock does not advance."""
    gui_priority.cache_clear()
    yield gui_priority()
    gui_priority.cache_clear()


def least_gap(moments) -> float:
    return min(after - before for before, after in pairwise(moments))


def test_a_job_pauses_while_frames_are_queued(qtbot, window, clock, of_the_window):
    made, end = [], threading.Event()
    job = window.jobs.start(Job("Working", lambda run, notify: steps(made, end, run, notify)))
    qtbot.waitUntil(lambda: len(made) > 10 and least_gap(made) < RESERVED_SECONDS / 2)
    frames = FrameQueue(window)
    frames.add("something", lambda: None)
    before = len(made) + 1  # one step may have been on its way
    qtbot.waitUntil(lambda: len(made) > before + 5)
    assert least_gap(made[before:]) > 0.9 * RESERVED_SECONDS
    before = len(made)

    def goes_on() -> bool:
        clock.now += LONGEST_SECONDS
        return len(made) > before + 1 and least_gap(made[before:]) < RESERVED_SECONDS / 2

    qtbot.waitUntil(goes_on)
    end.set()
    qtbot.waitUntil(job.isFinished)


def test_a_pausing_job_is_cancelled_at_once(qtbot, window, monkeypatch):
    monkeypatch.setattr(GuiPriority, "pause", lambda self: 60.0)
    job = window.jobs.start(Job("Working", lambda run, notify: run.check()))
    with qtbot.waitSignal(job.stopped):
        job.cancel()
    qtbot.waitUntil(job.isFinished)


def test_the_settings_of_python_are_restored():
    priority = GuiPriority()
    priority.start()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
    priority.stop()
    assert sys.getswitchinterval() == pytest.approx(0.005)

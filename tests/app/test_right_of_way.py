"""While something is being shown, jobs rest; in the long run they have as much time as is taken."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import pytest

from app.jobs import Job
from app.right_of_way import LONGEST, MOMENT, RightOfWay, right_of_way
from app.turns import Turns


class Clock:
    """A clock that goes on when it is told."""

    def __init__(self) -> None:
        self.now = time.monotonic()

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("app.right_of_way.time", clock)
    return clock


@pytest.fixture
def way(clock):
    return RightOfWay()


def test_nobody_rests_while_nothing_is_shown(way):
    assert way.rest() == 0.0


def test_jobs_rest_for_a_moment(way, clock):
    way.take()
    assert way.rest() == pytest.approx(MOMENT)
    clock.now += MOMENT
    assert way.rest() == 0.0


def test_what_is_shown_next_makes_the_moment_longer(way, clock):
    way.take()
    clock.now += MOMENT / 2
    way.take()
    assert way.rest() == pytest.approx(MOMENT)


def test_taking_it_twice_at_once_makes_it_no_longer(way):
    way.take()
    way.take()
    assert way.rest() == pytest.approx(MOMENT)


@pytest.mark.parametrize("every", [MOMENT / 8, MOMENT / 2, 1.1 * MOMENT, 1.9 * MOMENT])
def test_jobs_have_half_of_the_time_whatever_the_window_does(way, clock, every):
    rested, steps, step = 0.0, 20_000, MOMENT / 16
    due = clock.now
    for _ in range(steps):
        if clock.now >= due:
            way.take()
            due += every
        rested += min(step, way.rest())
        clock.now += step
    assert rested <= 0.5 * steps * step + LONGEST


def test_no_rest_is_longer_than_a_quarter_of_a_second(way, clock):
    step, rested, longest = MOMENT / 16, 0.0, 0.0
    for _ in range(1000):
        way.take()
        rested = rested + step if way.rest() > step / 2 else 0.0
        longest = max(longest, rested)
        clock.now += step
    assert longest <= LONGEST + step


def steps(made, end, run, tell):
    while not end.is_set():
        run.check()
        made.append(time.monotonic())
        time.sleep(0.0005)


@pytest.fixture
def of_the_window(clock):
    """A right of way for the window that nobody has taken yet; its moments do not pass by."""
    right_of_way.cache_clear()
    yield right_of_way()
    right_of_way.cache_clear()


def least_gap(moments) -> float:
    return min(after - before for before, after in pairwise(moments))


def test_a_job_rests_while_the_window_has_turns(qtbot, window, clock, of_the_window):
    made, end = [], threading.Event()
    job = window.jobs.start(Job("Working", lambda run, tell: steps(made, end, run, tell)))
    qtbot.waitUntil(lambda: len(made) > 10 and least_gap(made) < MOMENT / 2)
    turns = Turns(window)
    turns.ask("something", lambda: None)
    before = len(made) + 1  # one step may have been on its way
    qtbot.waitUntil(lambda: len(made) > before + 5)
    assert least_gap(made[before:]) > 0.9 * MOMENT
    before = len(made)

    def goes_on() -> bool:
        clock.now += LONGEST
        return len(made) > before + 1 and least_gap(made[before:]) < MOMENT / 2

    qtbot.waitUntil(goes_on)
    end.set()
    qtbot.waitUntil(job.isFinished)


def test_a_job_that_rests_is_cancelled_at_once(qtbot, window, monkeypatch):
    monkeypatch.setattr(RightOfWay, "rest", lambda self: 60.0)
    job = window.jobs.start(Job("Working", lambda run, tell: run.check()))
    with qtbot.waitSignal(job.stopped):
        job.cancel()
    qtbot.waitUntil(job.isFinished)

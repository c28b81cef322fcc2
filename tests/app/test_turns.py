"""What a page shows bit by bit."""

from __future__ import annotations

import itertools
import time
from functools import partial

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.turns import FRAME_MS, Turns


@pytest.fixture
def turns(qapp: QApplication) -> Turns:
    return Turns()


def test_things_are_done_one_at_a_time_in_the_order_they_were_asked_for(
    qtbot: QtBot, turns: Turns
) -> None:
    done: list[str] = []

    def do(name: str) -> None:
        done.append(name)
        QTimer.singleShot(0, lambda: done.append("events"))

    with qtbot.waitSignal(turns.ended):
        for name in ("table", "plot", "item"):
            turns.ask(name, partial(do, name))
        assert done == []
        assert not turns.idle
    assert done == ["table", "events", "plot", "events", "item"]
    assert turns.idle


def test_the_newest_wish_counts_in_the_place_of_the_first(qtbot: QtBot, turns: Turns) -> None:
    done: list[str] = []
    with qtbot.waitSignal(turns.ended):
        turns.ask("item", lambda: done.append("first item"))
        turns.ask("plot", lambda: done.append("plot"))
        turns.ask("item", lambda: done.append("second item"))
    assert done == ["second item", "plot"]


def test_what_is_hurried_is_done_at_once_and_once(qtbot: QtBot, turns: Turns) -> None:
    done: list[str] = []
    with qtbot.waitSignal(turns.ended):
        turns.ask("table", lambda: done.append("table"))
        turns.hurry("table")
        turns.hurry("table")
        assert done == ["table"]
    assert done == ["table"]


def test_what_is_asked_for_in_a_turn_has_a_turn_of_its_own(qtbot: QtBot, turns: Turns) -> None:
    done: list[str] = []

    def make() -> None:
        done.append("made")
        turns.ask("show", lambda: done.append("shown"))
        assert done == ["made"]

    with qtbot.waitSignal(turns.ended):
        turns.ask("make", make)
    assert done == ["made", "shown"]


def test_what_two_pages_ask_for_is_never_done_within_a_frame(
    qtbot: QtBot, qapp: QApplication
) -> None:
    moments: list[float] = []
    pages = [Turns(), Turns()]
    for name in ("table", "plot"):
        for turns in pages:
            turns.ask(name, lambda: moments.append(time.monotonic()))
    qtbot.waitUntil(lambda: all(turns.idle for turns in pages))
    assert len(moments) == 4
    assert min(b - a for a, b in itertools.pairwise(moments)) >= FRAME_MS / 1000


def test_what_is_forgotten_is_not_done(qtbot: QtBot, turns: Turns) -> None:
    done: list[str] = []
    turns.ask("plot", lambda: done.append("plot"))
    turns.forget()
    assert turns.idle
    qtbot.wait(60)
    assert done == []


def test_a_fault_in_one_does_not_stop_the_others(qtbot: QtBot, turns: Turns) -> None:
    done: list[str] = []

    def fail() -> None:
        raise RuntimeError("broken")

    with qtbot.captureExceptions() as faults, qtbot.waitSignal(turns.ended):
        turns.ask("plot", fail)
        turns.ask("item", lambda: done.append("item"))
    assert done == ["item"]
    assert [str(fault) for _, fault, _ in faults] == ["broken"]

"""The window's thread does little at a time, and a cancelled job ends at its next check.

Work is counted here, in calls per turn of the event loop; seconds are measured by
`tests/bench/responsiveness.py`.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable

import pytest

from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.pages import PAGES
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Cancelled, Run
from support.responsiveness.turn_work import counted_turns
from support.windows.parts import parts_of, settle
from support.windows.workloads import (
    COMPETITIONS,
    dense_captions,
    keyword_spotting,
    ready,
    scored,
    with_files,
)

MOST_CALLS = 80_000
"""In one turn; some 0.05 s of Python. Measured: at most 42,000."""


@pytest.fixture
def window(qtbot, tmp_path):
    with ready(qtbot, tmp_path) as window:
        yield window


@pytest.mark.parametrize("competition", COMPETITIONS)
def test_no_turn_of_the_event_loop_does_much_work_whatever_is_opened_first(
    qtbot, window, tmp_path, competition
):
    most = {}
    files = COMPETITIONS[competition](tmp_path)
    with counted_turns() as work:
        with_files(qtbot, window, files)
    most["checking"] = work.most
    for page in ("home", "board", "items"):
        window.show_page(page)
        with counted_turns() as work:
            scored(qtbot, window)
        most[f"scoring, {page} in front"] = work.most
    for name, do in parts_of(window):
        with counted_turns() as work:
            do()
            settle(qtbot, window)
        most[name] = work.most
    assert {name: calls for name, calls in most.items() if calls > MOST_CALLS} == {}
    assert min(most.values()) > 100
    assert len(most) > len(PAGES)


def test_scoring_on_the_window_s_thread_would_be_counted(qtbot, window, tmp_path):
    with_files(qtbot, window, dense_captions(tmp_path))
    session = window.session
    detections = [tmp_path / "one.json", tmp_path / "other.json"]
    inputs = {"ground-truth": [tmp_path / "people.json"], "detections": detections}
    with counted_turns() as work:
        found = score_submissions(session.task, inputs, session.options, Run(jobs=1))
    assert len(found.evaluations) == 2
    assert work.most > MOST_CALLS


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        ("items", {"evaluation", "figure", "item"}),
        ("compare", {"pair", "table", "plot", "item", "other item"}),
    ],
)
def test_a_page_shows_its_parts_in_separate_turns(
    qtbot, window, tmp_path, monkeypatch, page, parts
):
    with_files(qtbot, window, keyword_spotting(tmp_path))
    scored(qtbot, window)
    asked, add = [], FrameQueue.add

    def noted(frames: FrameQueue, name: str, do: Callable[[], object]) -> None:
        asked.append(name)
        add(frames, name, do)

    monkeypatch.setattr(FrameQueue, "add", noted)
    window.show_page(page)
    settle(qtbot, window)
    assert parts <= set(asked)


# There are 120 to 260 checks, as the threads take turns; on a slow machine fewer than 100.
@pytest.mark.parametrize("passed", [1, 3, 10, 30, 60])
def test_a_cancellation_at_any_check_ends_the_scoring(qtbot, window, tmp_path, monkeypatch, passed):
    with_files(qtbot, window, keyword_spotting(tmp_path))
    check, lock, checks = Run.check, threading.Lock(), itertools.count(1)
    refused = []

    def cancelling(run: Run) -> None:
        try:
            check(run)
        except Cancelled:
            refused.append(run)
            raise
        scoring = window.evaluator.scoring
        if scoring is None or run.cancel is not scoring._cancel:
            return  # of another job
        with lock:
            if next(checks) == passed:
                scoring.cancel()

    monkeypatch.setattr(Run, "check", cancelling)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None)
    qtbot.waitUntil(lambda: window.jobs.idle)
    assert refused
    assert "Cancelled" in window.toast.text.text()
    assert len(window.session.systems) < 3
    monkeypatch.undo()
    scored(qtbot, window)
    assert len(window.session.systems) == 3

"""The window's thread does little at a time, and a cancelled job ends at its next check.

Work is counted here, in calls per turn of the event loop; seconds are measured by
`tests/bench/responsiveness.py`.
"""

from __future__ import annotations

import functools
import itertools
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.pages import PAGES
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Cancelled, Run
from jurydesk.core.model.input_file import files_by_role
from support.responsiveness.turn_work import counted_turns
from support.suite.samples import sample
from support.windows.parts import parts_of, wait_for_parts
from support.windows.workloads import (
    COMPETITIONS,
    prepared_window,
    score_systems,
    with_files,
)

MOST_CALLS = 80_000
"""In one turn; some 0.05 s of Python. Measured: at most 73,000, with five programs on two cores.

So many where a short run ends in the turn of its only result.
"""
MOST_TO_OPEN = {"items": 50_000, "compare": 66_000}
"""Calls to open a page of stories first. Measured: at most 44,800 and 61,100, on a busy machine."""
MOST_AHEAD = 39_000
"""Calls to open items that are filled. Measured: at most 34,500, on a busy machine."""
LONG_MS = 60_000
"""Longer than any machine needs to fill a page."""
PARTS = {
    "items": {"listing", "evaluation", "figure", "item"},
    "compare": {"pair", "table", "plot", "item", "other item"},
}
"""Parts that pages show in turns of their own."""


@pytest.fixture
def window(qtbot, tmp_path):
    with prepared_window(qtbot, tmp_path) as window:
        yield window


@pytest.fixture(scope="module")
def files_of(tmp_path_factory) -> Callable[[str], list[Path]]:
    """Return a function that returns the files of a competition, written once."""

    @functools.cache
    def files(competition: str) -> list[Path]:
        return COMPETITIONS[competition](tmp_path_factory.mktemp("files"))

    return files


@pytest.mark.parametrize("competition", sample(COMPETITIONS, 2))
def test_no_turn_of_the_event_loop_does_much_work_whatever_is_opened_first(
    qtbot, window, files_of, competition
):
    most = {}
    files = files_of(competition)
    with counted_turns() as work:
        with_files(qtbot, window, files)
    most["checking"] = work.most
    for page in sample(("home", "board", "items"), 2):
        window.show_page(page)
        with counted_turns() as work:
            score_systems(qtbot, window)
        most[f"scoring, {page} in front"] = work.most
    for name, do in parts_of(window):
        with counted_turns() as work:
            do()
            wait_for_parts(qtbot, window)
        most[name] = work.most
    assert {name: calls for name, calls in most.items() if calls > MOST_CALLS} == {}
    assert min(most.values()) > 100
    assert len(most) > len(PAGES)


def test_a_page_is_opened_first_with_few_calls(qtbot, window, files_of, nothing_ahead):
    # How often parts are painted that arrive late depends on how busy the machine is: here, once.
    with_files(qtbot, window, files_of("stories"))
    score_systems(qtbot, window)
    window.show_page("board")
    wait_for_parts(qtbot, window)
    opened = {}
    for page in MOST_TO_OPEN:
        view = window.pages[page].view
        view.held._timer.setInterval(LONG_MS)
        view.frames.emptied.disconnect(view.held.end)
        with counted_turns() as work:
            window.show_page(page)
            wait_for_parts(qtbot, window)
            assert not view.updatesEnabled()
            view.held.end()
            qtbot.wait(30)
        opened[page] = work.total
    assert {page: calls for page, calls in opened.items() if calls > MOST_TO_OPEN[page]} == {}


def test_items_that_were_filled_ahead_open_with_fewer_calls(qtbot, window, files_of):
    with_files(qtbot, window, files_of("stories"))
    window.show_page("board")
    score_systems(qtbot, window)
    view = window.pages["items"].view
    qtbot.waitUntil(lambda: view.frames.is_empty and view.table.table_model.rowCount() > 0)
    with counted_turns() as work:
        window.show_page("items")
        assert view.frames.is_empty
        wait_for_parts(qtbot, window)
    assert view.item.inspector.isVisible()
    assert 100 < work.total < MOST_AHEAD


def test_scoring_on_the_window_s_thread_would_be_counted(qtbot, window, files_of):
    people, *detections = files_of("dense captions")
    with_files(qtbot, window, [people, *detections])
    session = window.session
    inputs = {"ground-truth": [people], "detections": detections}
    with counted_turns() as work:
        found = score_submissions(session.task, files_by_role(inputs), session.options, Run(jobs=1))
    assert len(found.evaluations) == 2
    assert work.most > MOST_CALLS


def test_results_that_arrive_in_one_turn_are_shown_once(qtbot, window, files_of, monkeypatch):
    with_files(qtbot, window, files_of("keyword spotting"))
    score_systems(qtbot, window)
    shown, session, evaluator = [], window.session, window.evaluator
    monkeypatch.setattr(session, "set_results", shown.append)
    found = [replace(session.state.results) for _ in range(3)]
    for one in found:
        evaluator._keep_partial_score(one)
    assert shown == []
    qtbot.waitUntil(lambda: bool(shown))
    assert shown == found[-1:]
    evaluator._keep_partial_score(found[0])
    window.files.close()
    qtbot.wait(20)
    assert shown == found[-1:]


def test_a_page_shows_its_parts_in_separate_turns(
    qtbot, window, files_of, monkeypatch, nothing_ahead
):
    with_files(qtbot, window, files_of("keyword spotting"))
    score_systems(qtbot, window)
    asked, add = [], FrameQueue.add

    def noted(frames: FrameQueue, name: str, do: Callable[[], object]) -> None:
        asked.append(name)
        add(frames, name, do)

    monkeypatch.setattr(FrameQueue, "add", noted)
    for page, parts in PARTS.items():
        asked.clear()
        window.show_page(page)
        wait_for_parts(qtbot, window)
        assert parts <= set(asked), page


def test_a_cancellation_at_any_check_ends_the_scoring(
    qtbot, window, files_of, tmp_path, monkeypatch
):
    check, lock = Run.check, threading.Lock()
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

    # There are 120 to 260 checks, as the threads take turns; on a slow machine fewer than 100.
    for passed in sample((1, 3, 10, 30, 60), 2):
        # What was read of a file is kept: each scoring has files of its own.
        folder = tmp_path / str(passed)
        folder.mkdir()
        files = files_of("keyword spotting")
        with_files(qtbot, window, [Path(shutil.copy(file, folder)) for file in files])
        checks = itertools.count(1)
        refused.clear()
        window.toast.text.clear()
        with monkeypatch.context() as patches:
            patches.setattr(Run, "check", cancelling)
            window.evaluator.score()
            qtbot.waitUntil(lambda: window.evaluator.scoring is None)
            qtbot.waitUntil(lambda: window.jobs.idle)
        assert refused, passed
        assert "Cancelled" in window.toast.text.text(), passed
        assert len(window.session.systems) < 3, passed
        score_systems(qtbot, window)
        assert len(window.session.systems) == 3, passed
        window.files.close()

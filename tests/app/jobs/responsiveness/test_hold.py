"""Nobody sees a part of a page alone that is opened for the first time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from jurydesk.app.jobs.responsiveness import hold
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.jobs.responsiveness.hold import Hold
from jurydesk.app.plots.curve import CurveView
from support.windows.workloads import keyword_spotting, prepared_window, score_systems, with_files

LONG_MS = 60_000
"""Longer than any machine needs to fill a page."""


class PaintedRows(QObject):
    """Numbers of rows in a table whenever it was painted."""

    def __init__(self, table) -> None:
        super().__init__()
        self.found: list[int] = []
        self._table = table
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.found.append(self._table.table_model.rowCount())
        return False


@pytest.mark.parametrize("name", ["items", "compare"])
def test_the_table_of_a_page_is_first_painted_with_its_rows_and_the_view_around_it(
    qtbot, tmp_path, name, nothing_ahead
):
    with prepared_window(qtbot, tmp_path) as window:
        with_files(qtbot, window, keyword_spotting(tmp_path))
        score_systems(qtbot, window)
        window.show_page("board")
        view = window.pages[name].view
        qtbot.waitUntil(lambda: view.frames.is_empty)
        view.held._timer.setInterval(LONG_MS)
        painted, queued = PaintedRows(view.table), []
        window.show_page(name)
        while not view.frames.is_empty:
            queued.append(len(painted.found))
            qtbot.wait(2)
        qtbot.waitUntil(lambda: bool(painted.found))
        assert set(queued) == {0}
        assert view.updatesEnabled()
        assert painted.found[0] == view.table.table_model.rowCount() > 0


class PaintedAxes(QObject):
    """Widths of the left axis of a plot whenever it was painted."""

    def __init__(self, plot: CurveView) -> None:
        super().__init__()
        self.found: list[float] = []
        self._plot = plot
        plot.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.found.append(self._plot.getAxis("left").width())
        return False


def test_curves_are_first_painted_when_their_axes_have_their_room(qtbot, tmp_path):
    with prepared_window(qtbot, tmp_path) as window:
        with_files(qtbot, window, keyword_spotting(tmp_path))
        score_systems(qtbot, window)
        window.show_page("board")
        view = window.pages["items"].view
        qtbot.waitUntil(lambda: view.frames.is_empty)
        view.held._timer.setInterval(LONG_MS)
        (curves,) = view.figures.findChildren(CurveView)
        before = curves.getAxis("left").width()
        painted = PaintedAxes(curves)
        window.show_page("items")
        qtbot.waitUntil(lambda: bool(painted.found))
        qtbot.wait(100)
        assert set(painted.found) == {curves.getAxis("left").width()}
        assert painted.found[0] != before


def test_a_view_that_is_not_complete_in_time_is_painted_as_it_is(qtbot, monkeypatch):
    monkeypatch.setattr(hold, "HELD_MS", 20)
    view = QWidget()
    qtbot.addWidget(view)
    held = Hold(view, FrameQueue(view))
    held.begin()
    assert not view.updatesEnabled()
    qtbot.waitUntil(view.updatesEnabled)


def test_a_view_is_painted_again_as_soon_as_the_queue_is_empty(qtbot, monkeypatch):
    monkeypatch.setattr(hold, "HELD_MS", LONG_MS)
    view = QWidget()
    qtbot.addWidget(view)
    frames = FrameQueue(view)
    held, done = Hold(view, frames), []
    held.begin()
    frames.add("part", lambda: done.append(view.updatesEnabled()))
    qtbot.waitUntil(view.updatesEnabled)
    assert done == [False]

"""The board shows name and ranking metric without scrolling sideways, also beside the facts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from jurydesk.app.pages.leaderboard.leaderboard_model import INTERVAL
from jurydesk.app.pages.leaderboard.leaderboard_table import BoardView
from jurydesk.app.tables.left_out_label import LeftOutLabel
from jurydesk.core.competition.task_registry import registry
from support.windows.layout_states import OWN, State, score_example, write_desk
from support.windows.waiting import until_quiet, use_desk

SIZES = [(1024, 700), (1366, 768), (1440, 900)]
COMPETITIONS = ("captions", "keyword-spotting", "vist", "visdial")
"""Boards of many metrics, of long names, of one metric, and without intervals."""


@pytest.fixture
def only_the_toy() -> None:
    """Keep all competitions."""


@pytest.fixture(params=COMPETITIONS)
def window(request, qtbot, make_real_window, tmp_path):
    """Return a window with the scored example of a competition, and its board in front."""
    task = registry().tasks[request.param]
    example = score_example(task, tmp_path / "example")
    state = State(task.id, 12, OWN, OWN, (1024, 700), 1.0, "light")
    window = make_real_window()
    use_desk(window, write_desk(tmp_path / "desk" / "spring.jurydesk", example, state))
    window.show_page("board")
    until_quiet(qtbot, window)
    return window


def titles(view: BoardView) -> list[str]:
    """Return the names of the columns in sight."""
    bar, width = view.horizontalScrollBar(), view.viewport().width()
    assert bar.maximum() == 0
    return [
        column.name
        for n, column in enumerate(view.board_model.columns)
        if not view.isColumnHidden(n)
        and view.columnViewportPosition(n) + view.columnWidth(n) <= width + 1
    ]


def test_name_and_ranking_metric_are_in_sight_beside_the_facts_at_every_size(qtbot, window):
    page = window.page
    view, headline = page.view, page.board.headline.name
    for size in SIZES:
        window.resize(*size)
        for opened in (True, False):
            page.facts_button.setChecked(opened)
            qtbot.waitUntil(lambda is_open=opened: page.drawer.isVisible() == is_open)
            qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() == 0, timeout=2000)
            assert {"system", headline} <= {*titles(view)}
            columns = view.board_model.columns
            assert [one.name for one in view.board_model.left_out] == [
                column.name for n, column in enumerate(columns) if view.isColumnHidden(n)
            ]
            note = page.findChild(LeftOutLabel)
            assert note.isVisible() == bool(view.board_model.left_out)
            assert not view.isColumnHidden(view.currentIndex().column())
    wide = [INTERVAL] if any(one.name == INTERVAL for one in view.board_model.columns) else []
    assert wide == [name for name in titles(view) if name == INTERVAL]


@pytest.mark.parametrize("window", ["captions"], indirect=True)
def test_columns_that_the_user_chose_are_not_left_out(qtbot, window):
    page = window.page
    window.resize(1024, 700)
    page.facts_button.setChecked(True)
    others = [info.name for info in page.board.metrics if info is not page.board.headline]
    page.columns.store_names(others)
    assert page.view.board_model.left_out == ()
    QTest.keyClick(page.view, Qt.Key.Key_End)
    page.columns.store_names([])
    qtbot.waitUntil(lambda: page.view.horizontalScrollBar().maximum() == 0, timeout=2000)
    assert not page.view.isColumnHidden(page.view.currentIndex().column())

"""Rank plot and significance map in the place of the board's table; p values of the window."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QWidget

from jurydesk.app.pages.compare import compare_model
from jurydesk.app.pages.leaderboard.robustness_sheet import RobustnessSheet
from jurydesk.app.plots.heatmap import HeatmapView
from jurydesk.app.plots.rank_plot import RankPlot, SignificanceMap
from support.desks.close_systems import FAMILY, LOWEST, PRINTED, SYSTEMS, write_close_systems
from support.windows.keyboard import press
from support.windows.waiting import until_checked

SCORES, SAMPLES, PAIRS = range(3)


@pytest.fixture
def close(qtbot, window, tmp_path):
    """Return a window with seven scored systems, and its Board page in front."""
    truth, guesses = write_close_systems(tmp_path)
    window.files.open_paths([truth, *guesses])
    until_checked(qtbot, window)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None and window.page.id == "board")
    qtbot.waitUntil(lambda: window.jobs.idle and bool(window.page.board.significance_tests))
    return window


def shown_map(qtbot, page, part):
    page.maps.part.choose(part)
    qtbot.waitUntil(lambda: page.maps.view is not None)
    return page.maps.view


def test_the_board_is_shown_as_a_rank_plot(qtbot, close):
    page = close.page
    view = shown_map(qtbot, page, SAMPLES)
    assert isinstance(view, RankPlot)
    assert view.isVisible()
    assert not page.table.isVisible()
    names = [row.summary.system for row in page.board.rows]
    assert view.heatmap.y_axis.labels[0] == names[0] == "s0"
    assert view.value((0, 0)) == 100.0  # by far the best in every sample
    assert "Ranks by score in other samples of 10 numbers" in page.maps.note.text()


def test_the_board_is_shown_as_a_significance_map_and_as_its_table_again(qtbot, close):
    page = close.page
    view = shown_map(qtbot, page, PAIRS)
    assert isinstance(view, SignificanceMap)
    (tests,) = page.board.significance_tests.values()
    apart = sum(one.corrected < 0.05 for one in tests.pairs)
    assert view.accessibleDescription() == f"{apart} of 21 pairs differ significantly."
    page.maps.part.choose(SCORES)
    assert page.table.isVisible()
    assert not page.maps.isVisible()


def test_the_maps_follow_the_results(qtbot, close):
    page = close.page
    shown_map(qtbot, page, PAIRS)
    close.evaluator.remove_system("s6")
    qtbot.waitUntil(lambda: close.jobs.idle and page.maps.view.heatmap.values.shape == (6, 6))


def test_a_board_without_ranks_offers_no_maps(qtbot, close):
    page = close.page
    shown_map(qtbot, page, PAIRS)
    page.maps.offer(replace(page.board, rows=[replace(one, place=None) for one in page.board.rows]))
    assert not page.maps.part.isVisible()
    assert not page.maps.is_chosen
    page.maps.offer(page.board)
    assert page.maps.part.isVisible()


def test_the_form_is_chosen_with_the_keyboard(qtbot, close):
    page = close.page
    page.maps.part.choose(SCORES)
    page.maps.part.setFocus()
    for button in page.maps.part.findChildren(QWidget):
        if button.isVisible() and button.focusPolicy() & Qt.FocusPolicy.TabFocus:
            button.setFocus()
            break
    press(qtbot, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: isinstance(page.maps.view, RankPlot))


def texts(root):
    """Yield the texts, tool tips, descriptions and headings of a widget and its parts."""
    for one in (root, *root.findChildren(QWidget)):
        yield from (one.toolTip(), one.accessibleDescription())
        if isinstance(one, QLabel):
            yield one.text()
        if isinstance(one, HeatmapView):
            rows, columns = one.heatmap.values.shape
            yield from (
                one.describe((row, column)) for row in range(rows) for column in range(columns)
            )
        if isinstance(one, QAbstractItemView) and one.model() is not None:
            model = one.model()
            for column in range(model.columnCount()):
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                    yield str(model.headerData(column, Qt.Orientation.Horizontal, role))
                    yield from (
                        str(model.index(row, column).data(role)) for row in range(model.rowCount())
                    )


def assert_families(found):
    """Check that every p value names its family and can be given by the data; count them."""
    values = []
    for text in found:
        here = [float(value) for value in re.findall(PRINTED, text)]
        assert not here or re.search(FAMILY, text), text
        values += here
    assert all(value >= LOWEST for value in values)
    return len(values)


def test_every_p_of_the_window_names_its_family_and_can_be_given_by_the_data(qtbot, close):
    board = close.page
    board.facts_button.setChecked(True)
    qtbot.waitUntil(lambda: not board.drawer.isHidden())
    assert assert_families(texts(board)) > 0
    shown_map(qtbot, board, PAIRS)
    assert assert_families(texts(board.maps)) == SYSTEMS * (SYSTEMS - 1)
    board.show_robustness()
    (sheet,) = close.findChildren(RobustnessSheet)
    qtbot.waitUntil(lambda: "(published)" in sheet.finding.text())
    assert assert_families(texts(sheet)) == SYSTEMS * (SYSTEMS - 1)
    sheet.close()
    close.show_page("compare")
    qtbot.waitUntil(lambda: close.page.comparison is not None and close.jobs.idle)
    assert assert_families([*texts(close.page), compare_model.tests_tip(close.page.comparison)]) > 2
    for name in ("items", "why"):
        close.show_page(name)
        qtbot.waitUntil(lambda: close.jobs.idle)
        assert_families(texts(close.page))

"""Legends of plots, the button that resets the zoom, and export."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

from jurydesk.app.widgets.page_export import Export


@pytest.fixture
def page(qtbot, scored):
    scored.show_page("items")
    page = scored.page
    qtbot.waitUntil(lambda: page.view.frames.is_empty and page.view.figures.view is not None)
    return page


def test_every_line_of_a_curve_has_a_name(page):
    entries = page.view.figures.legend.entries
    assert [entry.text for entry in entries] == ["mean"]
    assert page.view.figures.legend.accessibleName() == "Legend: mean"


def test_bars_name_the_marked_item(qtbot, page):
    figures = page.view.figures
    figures.segments.choose(1)
    qtbot.waitUntil(lambda: len(figures.legend.entries) == 2)
    ids = page.evaluation.items.ids
    assert figures.legend.entries[1].text == ids[page.view.table.current_row]


def test_reset_shows_everything_again(qtbot, page):
    figures = page.view.figures
    before = figures.view.getViewBox().viewRange()
    figures.view.getViewBox().scaleBy((0.1, 0.1))
    assert figures.view.getViewBox().viewRange() != before
    qtbot.mouseClick(figures.reset, Qt.MouseButton.LeftButton)
    shown = figures.view.getViewBox().viewRange()
    assert [pytest.approx(one) for one in before] == shown


def test_a_zoomed_axis_has_plain_numbers(page):
    figures = page.view.figures
    figures.view.getViewBox().setRange(xRange=(0.0001, 0.0003), padding=0)
    bottom = figures.view.getPlotItem().getAxis("bottom")
    assert bottom.autoSIPrefixScale == 1.0
    assert "x0." not in bottom.labelString()


def test_a_right_click_chooses_nothing(qtbot, page):
    figures = page.view.figures
    figures.segments.choose(1)
    view = figures.view
    middle = QPoint(view.width() // 2, view.height() // 2)
    with qtbot.assertNotEmitted(view.item_chosen):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=middle)


def test_the_figure_can_be_saved_in_three_formats_from_its_own_menu(qtbot, page, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *arguments: ("", ""))
    figures = page.view.figures
    figures.fill_menu()
    titles = [action.text() for action in figures.menu.actions()]
    assert titles == ["Given as PNG", "Given as SVG", "Given as CSV"]
    with qtbot.waitSignal(figures.save_requested) as wanted:
        figures.menu.actions()[2].trigger()
    assert isinstance(wanted.args[0], Export)
    assert wanted.args[0].pattern == "*.csv"

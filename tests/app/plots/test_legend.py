"""Legends of plots, the button that resets the zoom, brushing, and export."""

from __future__ import annotations

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from jurydesk.app.widgets.page_export import Export
from support.language import shown_in


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
    qtbot.waitUntil(lambda: len(figures.legend.entries) == 3)
    ids = page.evaluation.items.ids
    assert figures.legend.entries[2].text == ids[page.view.table.current_row]


def test_reset_shows_everything_again(qtbot, page):
    figures = page.view.figures
    before = figures.view.getViewBox().viewRange()
    figures.view.getViewBox().scaleBy((0.1, 0.1))
    assert figures.view.getViewBox().viewRange() != before
    qtbot.mouseClick(figures.tools.reset, Qt.MouseButton.LeftButton)
    shown = figures.view.getViewBox().viewRange()
    assert [pytest.approx(one) for one in before] == shown


def test_a_zoomed_axis_has_plain_numbers(page):
    figures = page.view.figures
    figures.view.getViewBox().setRange(xRange=(0.0001, 0.0003), padding=0)
    bottom = figures.view.getPlotItem().getAxis("bottom")
    assert bottom.autoSIPrefixScale == 1.0
    assert "x0." not in bottom.labelString()


def test_the_numbers_of_an_axis_are_written_as_those_of_a_table(page):
    axis = page.view.figures.view.getPlotItem().getAxis("left")
    assert axis.tickStrings([-0.2, 0.0, 0.2], 1.0, 0.2) == ["\u22120.2", "0", "0.2"]
    with shown_in("ru"):
        assert axis.tickStrings([-0.2, 0.2], 1.0, 0.2) == ["\u22120,2", "0,2"]


def test_a_rectangle_by_mouse_or_key_filters_the_table_until_its_chip_is_removed(
    qtbot, page, monkeypatch
):
    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)  # each move counts, however quick
    figures, listed = page.view.figures, page.view.list
    figures.segments.choose(1)
    qtbot.waitUntil(lambda: len(figures.legend.entries) == 3)
    view, model = figures.view, page.view.table.table_model
    box, all_of_them = view.getViewBox(), model.rowCount()

    def at(x: float, y: float) -> QPoint:
        return view.mapFromScene(box.mapViewToScene(QPointF(x, y)))

    drag(view.viewport(), at(0.6, 0.1), at(2.4, 0.4))
    assert set(model.rows.tolist()) == set(view.order[:2].tolist())
    assert listed.line.brush_chip.text() == "brushed: 2  ×"
    assert listed.line.counted.text() == f"2 of {all_of_them}"
    qtbot.mouseClick(listed.line.brush_chip, Qt.MouseButton.LeftButton)
    assert model.rowCount() == all_of_them
    assert not view.has_brush
    drag(view.viewport(), at(0.6, 0.1), at(2.4, 0.4), Qt.KeyboardModifier.ShiftModifier)
    assert model.rowCount() == all_of_them  # Shift moves the view
    assert box.viewRect().left() < -0.5

    view.setFocus()
    view.getViewBox().setRange(xRange=(0.5, 1.5), yRange=(0, 1), padding=0)
    qtbot.keyClick(view, Qt.Key.Key_B)
    assert model.rows.tolist() == view.order[:1].tolist()
    for _ in range(10):
        qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(view, Qt.Key.Key_B)
    assert model.rows.tolist() == view.order[1:2].tolist()
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert model.rowCount() == all_of_them
    assert page.view.list.line.brush_chip.isHidden()


def drag(
    widget: QWidget,
    start: QPoint,
    end: QPoint,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Drag with the left button from one point to another."""
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(widget, left, keys, start)
    for part in (0.5, 1.0):
        point = start + (end - start) * part
        event = QMouseEvent(
            QEvent.Type.MouseMove, QPointF(point), QPointF(widget.mapToGlobal(point)),
            Qt.MouseButton.NoButton, left, keys,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)
    QTest.mouseRelease(widget, left, keys, end)


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
    figures.tools.fill_menu()
    titles = [action.text() for action in figures.tools.menu.actions()]
    assert titles == ["Given as PNG", "Given as SVG", "Given as CSV"]
    with qtbot.waitSignal(figures.tools.save_requested) as wanted:
        figures.tools.menu.actions()[2].trigger()
    assert isinstance(wanted.args[0], Export)
    assert wanted.args[0].pattern == "*.csv"

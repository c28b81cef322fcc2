"""The table of a plot's numbers, which a screen reader reads cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from jurydesk.app.plots.curve import CurveView
from jurydesk.app.plots.heatmap import HeatmapView
from jurydesk.app.plots.plot import Plot
from jurydesk.app.plots.plot_description import describe_pairs
from jurydesk.app.sheets.numbers_sheet import NumbersSheet
from jurydesk.core.model.evaluation import Axis, Curve, Heatmap

AXES = Axis("METEOR", labels=("0", "0.1")), Axis("IoU", labels=("0.3", "0.5"))
HEATMAP = Heatmap("ap", "AP", *AXES, np.array([[60.0, 50.0], [np.nan, 20.0]]))
CURVE = Curve("pr", "PR", Axis("recall"), Axis("precision"), np.arange(2.0), np.array([1, 0.5]))


def open_table(qtbot, below: QWidget, plot: QWidget) -> list[list[str]]:
    """Press T on a plot and return its table as a screen reader reads it, heads first."""
    QVBoxLayout(below).addWidget(plot)
    plot.show()
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key.Key_T)
    sheet = below.findChild(NumbersSheet)
    assert sheet.isVisible()
    assert sheet.table.hasFocus()
    read = QAccessible.queryAccessibleInterface(sheet.table)
    parts = [read.child(n) for n in range(read.childCount())]
    heads, cells = (
        [one.text(QAccessible.Text.Name) for one in parts if one.role() == role]
        for role in (QAccessible.Role.ColumnHeader, QAccessible.Role.Cell)
    )
    width = len(heads)
    return [heads, *(cells[n : n + width] for n in range(0, len(cells), width))]


def test_a_heat_map_has_the_role_of_a_chart_and_a_table_of_its_cells(qtbot, below):
    view = HeatmapView(HEATMAP)
    assert QAccessible.queryAccessibleInterface(view).role() == QAccessible.Role.Chart
    heads, first, second = open_table(qtbot, below, view)
    assert heads == ["IoU", "METEOR 0", "METEOR 0.1"]
    assert first == ["IoU: 0.3", "METEOR 0: 60.0", "METEOR 0.1: 50.0"]
    assert second == ["IoU: 0.5", "METEOR 0: –", "METEOR 0.1: 20.0"]


def test_a_curve_has_the_role_of_a_chart_and_its_sheet_returns_to_it(qtbot, below):
    view = CurveView(CURVE)
    view.numbers = lambda: [("recall", [0.0, 1.0]), ("mean", [1.0, 0.5])]
    for part in (view, view.viewport()):
        assert QAccessible.queryAccessibleInterface(part).role() == QAccessible.Role.Chart
    table = open_table(qtbot, below, view)
    assert table[1:] == [["recall: 0.0", "mean: 1.0"], ["recall: 1.0", "mean: 0.5"]]
    sheet = below.findChild(NumbersSheet)
    QTest.keyClick(sheet.table, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    assert view.hasFocus()


def test_pages_show_the_numbers_of_their_plots_by_keyboard(qtbot, scored):
    for page in ("items", "compare"):
        scored.show_page(page)
        qtbot.waitUntil(lambda: any(one.isVisible() for one in scored.page.findChildren(Plot)))
        buttons = [one for one in scored.page.findChildren(QPushButton) if one.text() == "Table"]
        (button,) = (one for one in buttons if one.isVisible())
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        (sheet,) = (one for one in scored.findChildren(NumbersSheet) if one.isVisible())
        model = sheet.table.table_model
        assert model.rowCount() > 1
        values = [column.values for column in model.columns[1:]]
        assert len(values) == (3 if page == "compare" else 1)
        QTest.keyClick(sheet.table, Qt.Key.Key_Escape)
    assert values[2] == pytest.approx(values[0] - values[1])


def test_pairs_are_described_by_how_often_each_system_is_better():
    x, y = np.array([0.5, 0.5, 1.0, np.nan]), np.array([0.25, 0.5, 0.5, 1.0])
    assert describe_pairs(("a", "b"), x, y) == (
        "a is higher for 2, b for 0, equal for 1; means 0.6667 and 0.4167."
    )

"""Scatter plots: items without a value are neither drawn nor found."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF

from jurydesk.app.plots.scatter import ScatterView
from jurydesk.core.model.evaluation import Axis


def test_items_without_one_of_the_values_are_left_out(qtbot):
    x, y = np.array([0.1, np.nan, 0.9, np.inf]), np.array([0.2, 0.5, 0.8, 0.5])
    view = ScatterView("", Axis("x"), Axis("y"), x, y)
    qtbot.addWidget(view)
    view.resize(300, 300)
    view.show()
    assert view.row_near(0.9, 0.8) == 2
    assert view.row_near(0.5, 0.5) is None
    view.set_current(1)  # has no place in the plot
    view.set_current(2)
    assert view.rows_in(QRectF(0.0, 0.0, 1.0, 1.0)).tolist() == [0, 2]
    assert not view.grab().isNull()


def test_nothing_is_found_where_no_item_has_both_values(qtbot):
    nothing = np.full(3, np.nan)
    view = ScatterView("", Axis("x"), Axis("y"), nothing, nothing)
    qtbot.addWidget(view)
    assert view.row_near(0.0, 0.0) is None


def test_named_points_have_their_names_and_each_axis_its_own_range(qtbot):
    x, y = np.array([0.2, 0.6]), np.array([100.0, 500.0])
    view = ScatterView("", Axis("x"), Axis("y"), x, y, ["one", "two"])
    qtbot.addWidget(view)
    view.resize(300, 300)
    view.show()
    assert [item.toPlainText().strip() for item in view.named] == ["one", "two"]
    (left, right), (low, high) = view.getViewBox().viewRange()
    assert left < 0.2 < 0.6 < right < 1
    assert low < 100 < 500 < high
    assert view.row_near(0.6, 500.0) == 1
    assert not view.grab().isNull()


def test_many_names_are_not_written_and_equal_points_have_a_range(qtbot):
    same = np.full(21, 0.5)
    view = ScatterView("", Axis("x"), Axis("y"), same, same, [str(n) for n in range(21)])
    qtbot.addWidget(view)
    assert view.named == []
    assert view.getViewBox().viewRange()[0][0] < 0.5

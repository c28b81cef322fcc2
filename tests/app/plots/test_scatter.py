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

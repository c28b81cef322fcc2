from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.models.histogram import BINS, histogram
from app.views.distribution import DistributionView
from core.model import Axis

VALUES = np.array([0.0, 0.52, np.nan, 0.5, 1.0, 0.12])


@pytest.fixture
def view(qtbot: QtBot) -> DistributionView:
    made = DistributionView("meteor spread", VALUES, Axis("METEOR", limits=(0.0, 1.0)), "stories")
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_every_defined_value_is_counted_once():
    shape = histogram(VALUES, (0.0, 1.0))
    assert shape.counts.sum() == 5
    assert (len(shape.counts), shape.edges[0], shape.edges[-1]) == (BINS, 0.0, 1.0)
    assert shape.counts[10] == 2


@pytest.mark.parametrize(
    ("values", "limits", "edges"),
    [
        ([2.0, 6.0], (0.0, np.inf), (0.0, 6.0)),
        ([-0.5, 1.5], (0.0, 1.0), (-0.5, 1.5)),
        ([], (0.0, np.inf), (0.0, 1.0)),
        ([np.nan], None, (0.0, 1.0)),
        ([3.0, 3.0], None, (3.0, 4.0)),
    ],
)
def test_the_edges_hold_every_value(values, limits, edges):
    shape = histogram(np.array(values), limits)
    assert (shape.edges[0], shape.edges[-1]) == pytest.approx(edges)


def test_a_point_finds_the_item_of_its_bar(view):
    assert view.row_near(0.51, 1.0) == 3
    assert view.row_near(0.54, 0.5) == 1
    assert view.row_near(0.3, 0.5) is None
    assert view.row_near(2.0, 0.5) is None


def test_keys_go_to_the_next_larger_value(view, qtbot):
    view.set_current(5)
    with qtbot.waitSignal(view.item_chosen) as chosen:
        QTest.keyClick(view, Qt.Key.Key_Right)
    assert chosen.args == [3]


def test_the_current_item_has_a_line_at_its_value(view):
    view.set_current(1)
    assert view._current.value() == 0.52
    assert view._current.isVisible()
    view.set_current(2)
    assert not view._current.isVisible()


def test_nothing_at_all_is_drawn_empty(qtbot):
    made = DistributionView("meteor spread", np.array([np.nan]), Axis("METEOR"), "stories")
    qtbot.addWidget(made)
    assert made.row_beside(1) is None
    assert not made.grab().toImage().isNull()


def test_bars_stand_side_by_side(view):
    bars = view._bars.boundingRect()
    assert (bars.left(), bars.right()) == pytest.approx((0, 1), abs=0.01)

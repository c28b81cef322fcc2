"""Every item's curve lies within the axes, whatever the mean's limits are."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.app.plots.curve import CurveView
from jurydesk.core.model.evaluation import Axis, Curve

X = np.array([1.0, 2.0, 3.0])


def curve(members: np.ndarray | None, limits: tuple[float, float] | None) -> Curve:
    axis = Axis("score", limits=limits)
    return Curve(
        "c", "Curve", Axis("answers"), axis, X, np.array([0.3, 0.4, 0.45]), members=members
    )


@pytest.mark.parametrize("limits", [None, (0.2, 0.5)])
def test_an_item_far_from_the_mean_is_in_the_axes(qtbot, limits):
    members = np.array([[0.77, 0.7, 0.6], [0.1, np.nan, np.nan], [0.3, 0.4, 0.45]])
    view = CurveView(curve(members, limits))
    qtbot.addWidget(view)
    (left, right), (low, high) = view.getViewBox().viewRange()
    assert (left <= 1.0, right >= 3.0) == (True, True)
    assert low <= 0.1
    assert high >= 0.77


@pytest.mark.parametrize("members", [None, np.empty((0, 3)), np.full((2, 3), np.nan)])
def test_without_items_the_declared_limits_are_shown(qtbot, members):
    view = CurveView(curve(members, (0.2, 0.5)))
    qtbot.addWidget(view)
    low, high = view.getViewBox().viewRange()[1]
    assert (low, high) == pytest.approx((0.2, 0.5), abs=0.02)

"""Every item's curve lies within the axes, whatever the mean's limits are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from jurydesk.app.plots.curve import CurveView, leave_corners
from jurydesk.core.model.evaluation import Axis, Curve, CurveMark

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


def steps(members: np.ndarray | None = None) -> Curve:
    axis = Axis("precision", limits=(0.0, 1.0))
    mean = np.array([0.9, 0.5, 0.2])
    return Curve(
        "p", "Interpolated", Axis("recall"), axis, X, mean, mean - 0.1, mean + 0.1,
        members=members, form="steps", marks=(CurveMark("largest F1", 2.0, 0.5),), diagonal="R = P",
    )  # fmt: skip


def test_a_value_of_steps_holds_from_the_point_before_it(qtbot):
    view = CurveView(steps())
    qtbot.addWidget(view)
    x, y = view._mean.getData()
    assert x.tolist() == [1, 1, 2, 2, 3]
    assert y.tolist() == [0.9, 0.5, 0.5, 0.2, 0.2]


def test_a_rectangle_between_two_points_has_the_items_whose_step_is_there(qtbot):
    view = CurveView(steps(np.array([[1.0, 0.6, 0.0], [1.0, 0.3, 0.3]])))
    qtbot.addWidget(view)
    assert view.rows_in(QRectF(1.2, 0.55, 0.3, 0.1)).tolist() == [0]
    assert view.rows_in(QRectF(1.2, 0.25, 0.3, 0.1)).tolist() == [1]
    assert view.row_near(1.5, 0.6) == 0


def test_the_points_of_an_item_are_drawn_beside_the_marks(qtbot):
    view = CurveView(steps(np.ones((1, 3))))
    qtbot.addWidget(view)
    assert view.marks.texts == ("largest F1", "R = P")
    view.show_points((np.array([1.5, 2.5]), np.array([0.5, 0.4])))
    assert view.marks.points == 2
    view.show_points(None)
    assert view.marks.points == 0


@pytest.mark.parametrize(("members", "bands"), [(None, [0]), (np.ones((1, 3)), [])])
def test_other_systems_have_a_mean_and_a_band_where_no_items_have_curves(qtbot, members, bands):
    view = CurveView(steps(members))
    qtbot.addWidget(view)
    view.show_others("own", {"other": steps(), "without": curve(None, (0.0, 1.0))})
    assert view.key.texts == ("own", "other", "without")
    assert [number for number, _ in view._other_bands] == bands
    assert view._lines[0].getData()[1].tolist() == [0.9, 0.5, 0.5, 0.2, 0.2]


def test_a_line_of_steps_keeps_its_corners_and_gaps_alone():
    nan = np.nan
    x = np.array([0, 1, 1, 1, 2, 3, 4, nan, 0, 1, 2, 3.0])
    y = np.array([2, 2, 1, 0, 0, 0, 1, nan, 1, 1, 1, 0.0])
    kept_x, kept_y = leave_corners(x, y)
    assert kept_x.tolist()[:5] == [0, 1, 1, 3, 4]
    assert kept_y.tolist()[:5] == [2, 2, 0, 0, 1]
    assert np.isnan(kept_x[5])
    assert [kept_x.tolist()[6:], kept_y.tolist()[6:]] == [[0, 2, 3], [1, 1, 0]]


def test_a_key_of_many_long_names_stands_beside_the_axes_and_covers_no_curve(qtbot):
    view = CurveView(steps(np.ones((1, 3))))
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show()
    qtbot.waitExposed(view)
    box = view.getViewBox()
    view.show_others("own", {f"{number}: {'a long name ' * 9}": steps() for number in range(9)})
    qtbot.waitUntil(lambda: box.width() < 0.8 * view.width())
    key = view.key.mapRectToScene(view.key.boundingRect())
    assert len(view.key.texts) == 6
    assert key.left() >= box.sceneBoundingRect().right()
    assert key.right() <= view.sceneRect().right()
    assert box.width() > 0.5 * view.width()
    view.show_others("", {})
    qtbot.waitUntil(lambda: box.width() > 0.9 * view.width())


def test_curves_of_other_systems_are_in_the_axes(qtbot):
    own = curve(None, (0.2, 0.5))
    view = CurveView(own)
    qtbot.addWidget(view)
    longer = replace(own, x=np.array([1.0, 2.0, 9.0]), mean=np.array([0.9, 0.1, np.nan]))
    view.show_others("own", {"other": longer})
    (_, right), (low, high) = view.getViewBox().viewRange()
    assert (right >= 9, low <= 0.1, high >= 0.9) == (True, True, True)


@pytest.mark.parametrize(("x", "least"), [([6.0, 7.0, 10.0], 1.0), ([0.0, 0.5, 1.0], 0.0)])
def test_an_axis_of_counts_has_ticks_at_whole_numbers_alone(qtbot, x, least):
    counted = replace(curve(None, (0.0, 1.0)), x=np.array(x), x_axis=Axis("answers"))
    view = CurveView(counted)
    qtbot.addWidget(view)
    assert view.getAxis("bottom").finest == least

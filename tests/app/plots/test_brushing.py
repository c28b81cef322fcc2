"""Items in a brushed rectangle of a plot, calculated by hand."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from jurydesk.app.plots.curve import crossing_rows
from jurydesk.app.plots.scatter import thin_points

X = np.array([0.0, 0.5, 1.0])
CURVES = np.array([[1.0, 0.0, 0.0], [0.2, 0.2, 0.2], [0.0, 1.0, 0.0], [np.nan, 0.4, 0.4]])


@pytest.mark.parametrize(
    ("left", "right", "low", "high", "rows"),
    [
        (0.4, 0.6, 0.9, 1.0, [2]),  # the peak of the third curve
        (0.1, 0.2, 0.7, 0.9, [0]),  # between two values of x: the first is 0.8 to 0.6 there
        (0.0, 1.0, 0.1, 0.3, [0, 1, 2]),  # the second lies inside, two cross it
        (0.6, 0.9, 0.35, 0.45, [2, 3]),
        (2.0, 3.0, 0.0, 0.1, [0, 2]),  # beyond the axis: the last values
    ],
)
def test_curves_that_cross_a_rectangle_are_in_it(left, right, low, high, rows):
    brush = QRectF(left, low, right - left, high - low)
    assert crossing_rows(X, CURVES, brush).tolist() == rows


def test_without_points_there_is_nothing_to_brush():
    assert crossing_rows(np.empty(0), np.empty((2, 0)), QRectF(0, 0, 1, 1)).tolist() == []


def test_of_very_many_points_one_is_drawn_in_each_cell_of_the_view():
    rng = np.random.default_rng(3)
    x, y = rng.random(50_000), rng.random(50_000)
    x[7] = np.nan
    rows = thin_points(x, y, (0.0, 0.5), (0.0, 0.5))
    assert ((x[rows] < 0.5) & (y[rows] < 0.5)).all()
    cells = {(int(a * 240), int(b * 240)) for a, b in zip(x[rows], y[rows], strict=True)}
    inside = (x < 0.5) & (y < 0.5)
    assert len(cells) == len(rows)
    assert cells == {
        (int(a * 240), int(b * 240)) for a, b in zip(x[inside], y[inside], strict=True)
    }

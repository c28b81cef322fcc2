"""Curve of the differences between two systems."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.neighbour_differences import GainCurve
from jurydesk.app.pages.leaderboard.neighbour_card import GainsCurve


@pytest.fixture
def curve(qtbot: QtBot) -> GainsCurve:
    curve = GainsCurve()
    qtbot.addWidget(curve)
    curve.resize(300, 68)
    curve.show()
    return curve


@pytest.mark.parametrize("gains", [(0.4, 0.1, -0.2), (0.4, 0.3), (-0.1, -0.2), (0.0,), (0.3,)])
def test_the_curve_and_its_zero_line_are_inside(
    curve: GainsCurve, gains: tuple[float, ...]
) -> None:
    curve.show_gains(GainCurve(1, 1, 1, gains), "items sorted by difference")
    points = curve.points()
    assert len(points) == len(gains)
    assert all(0 <= point.x() <= 300 and 20 <= point.y() <= 68 for point in points)
    assert 20 <= curve.height_of(0.0) <= 68
    grabbed = curve.grab().toImage()
    assert not grabbed.isNull()


def test_better_is_higher(curve: GainsCurve) -> None:
    curve.show_gains(GainCurve(2, 1, 0, (0.4, 0.1, -0.2)), "items sorted by difference")
    heights = [point.y() for point in curve.points()]
    assert heights == sorted(heights)
    assert heights[1] < curve.height_of(0.0) < heights[2]


def test_a_click_asks_for_the_comparison(qtbot: QtBot, curve: GainsCurve) -> None:
    with qtbot.waitSignal(curve.clicked):
        qtbot.mouseClick(curve, Qt.MouseButton.LeftButton)


def test_without_gains_there_is_no_description(curve: GainsCurve) -> None:
    curve.show_gains(None, "")
    assert curve.toolTip() == ""
    assert len(curve.points()) == 0

"""Titles and ticks of a plot fit into it, and are never markup."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from pytestqt.qtbot import QtBot

from jurydesk.app.plots.bars import BarsView
from jurydesk.core.model.evaluation import Axis


@pytest.fixture
def bars(qtbot: QtBot) -> BarsView:
    title = "<b>a system</b> with a long name better ↑ · another one better ↓"
    made = BarsView("Gains", np.array([0.5, -0.5]), Axis(title, limits=(-1.0, 1.0)), "items")
    qtbot.addWidget(made)
    made.resize(240, 110)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_a_long_title_does_not_widen_the_plot(bars: BarsView) -> None:
    plot = bars.getPlotItem()
    assert plot.size().width() <= bars.viewport().width()
    assert plot.titleLabel.item.toPlainText().endswith("…")
    assert "another one better" in plot.titleLabel.toolTip()


def test_a_title_is_no_markup(bars: BarsView) -> None:
    assert bars.getPlotItem().titleLabel.item.toPlainText().startswith("<b>a system</b>")


def test_labels_of_a_low_axis_do_not_overlap(bars: BarsView) -> None:
    axis = bars.getAxis("left")
    steps = [step for step, _ in axis.tickSpacing(-1.0, 1.0, 40.0)]
    assert 2.0 / min(steps) <= 4


def test_a_plot_that_is_pictured_at_once_has_its_axes_in_place(qtbot: QtBot) -> None:
    limits = (0.0, 98_765_432.0)  # their numbers need more room than pyqtgraph gives at first
    made = BarsView("Counts", np.linspace(*limits, 5), Axis("Count", limits=limits), "items")
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its border would be another picture
    qtbot.addWidget(made)
    made.resize(480, 300)
    made.show()
    first = made.grab().toImage()
    qtbot.wait(50)
    assert first == made.grab().toImage()


def test_another_range_is_painted_once_and_with_the_axes_in_place(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths = []

    def paint(plot: BarsView, event: QPaintEvent) -> None:
        paint_plot(plot, event)
        widths.append(plot.getAxis("left").width())

    paint_plot = BarsView.paintEvent
    monkeypatch.setattr(BarsView, "paintEvent", paint)
    made = BarsView("Counts", np.linspace(0, 1, 5), Axis("Count", limits=(0.0, 1.0)), "items")
    qtbot.addWidget(made)
    made.resize(480, 300)
    made.show()
    qtbot.waitUntil(lambda: bool(widths))
    qtbot.wait(50)
    before = widths[-1]
    widths.clear()
    made.getViewBox().setRange(xRange=(0, 4), yRange=(0.5, 0.5002), padding=0)
    qtbot.waitUntil(lambda: bool(widths))
    qtbot.wait(50)
    assert widths == [made.getAxis("left").width()]
    assert widths[0] > before + 10

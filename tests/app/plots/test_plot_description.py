"""Description of a plot for screen readers."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QAccessible

from jurydesk.app.plots.curve import CurveView
from jurydesk.app.plots.plot_description import describe_curve, describe_heatmap, describe_values
from jurydesk.core.model.evaluation import Axis, Curve, Heatmap
from support.language import shown_in

CURVE = Curve(
    "pr",
    "Precision and recall",
    Axis("recall"),
    Axis("precision"),
    np.array([0.0, 0.5, 1.0]),
    np.array([0.9, 1.0, 0.25]),
)


def test_a_curve_is_described_by_its_ends_and_its_highest_point():
    assert describe_curve(CURVE) == (
        "precision: 0.9000 at 0.00, 0.2500 at 1.00; highest 1.0000 at 0.50."
    )


def test_values_are_described_by_range_mean_and_number():
    values = np.array([0.25, np.nan, 0.75])
    assert describe_values(values) == "Values from 0.2500 to 0.7500, mean 0.5000; 2 in all."
    assert describe_values(np.array([np.nan])) == "There are no values."


def test_a_heat_map_is_described_by_its_highest_cell():
    axes = Axis("METEOR", labels=("0", "0.1")), Axis("IoU", labels=("0.3", "0.5"))
    heatmap = Heatmap("ap", "AP", *axes, np.array([[60.0, 50.0], [np.nan, 20.0]]))
    assert describe_heatmap(heatmap) == ("Highest value 60.0 at METEOR 0, IoU 0.3; lowest 20.0.")


def test_the_description_is_in_the_language_of_the_window():
    with shown_in("ru"):
        assert "наибольшее 1,0000" in describe_curve(CURVE)


def test_a_screen_reader_finds_name_and_description_of_the_viewport(qtbot):
    view = CurveView(CURVE)
    qtbot.addWidget(view)
    for widget in (view, view.viewport()):
        read = QAccessible.queryAccessibleInterface(widget)
        assert read.text(QAccessible.Text.Name) == "Precision and recall"
        assert read.text(QAccessible.Text.Description) == describe_curve(CURVE)

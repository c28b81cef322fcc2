"""Difference map, and the costs of error kinds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.densecap.cell_card import ErrorCosts, points_lost
from jurydesk.app.inspectors.densecap.difference_map import (
    DifferenceMap,
    blend_colors,
    difference_sentence,
)
from jurydesk.app.inspectors.densecap.precision_recall import PrecisionRecall
from jurydesk.app.style.theme import DARK, LIGHT
from jurydesk.core.metrics.detection.error_analysis import KINDS
from jurydesk.core.metrics.detection.system_differences import ObjectDifferences
from jurydesk.core.model.evaluation import Axis, Heatmap
from jurydesk.core.tasks.densecap.threshold_tables import heatmap_difference

ONE = Heatmap(
    "ap", "AP", Axis("METEOR"), Axis("IoU"), np.array([[5.0, 2.0]]), np.array([9.0]), "any"
)
OTHER = replace(ONE, values=np.array([[1.0, 6.0]]), lead=np.array([9.0]))


@pytest.fixture
def view(qtbot: QtBot) -> DifferenceMap:
    made = DifferenceMap(heatmap_difference(ONE, OTHER))
    qtbot.addWidget(made)
    made.resize(300, 200)
    return made


def test_cells_contain_the_first_system_minus_the_second(view: DifferenceMap) -> None:
    assert view.heatmap.values.tolist() == [[4.0, -4.0]]
    assert view.heatmap.lead.tolist() == [0.0]
    assert [view.cell_text(value) for value in (4.0, -4.0, 0.0)] == ["+4.0", "−4.0", "0.0"]
    assert view.largest() == 4.0


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_gains_are_blue_losses_orange_and_zero_has_no_colour(view: DifferenceMap, colours) -> None:
    won, lost, even = (view.ground(share, colours) for share in (1.0, -1.0, 0.0))
    assert won.blue() > won.red()
    assert lost.red() > lost.blue()
    assert even.name() == colours.hover


def test_colours_are_blended_evenly() -> None:
    assert blend_colors(QColor("#000000"), QColor("#ffffff"), 0.5).name() == "#808080"


def test_the_map_is_painted(view: DifferenceMap) -> None:
    assert not view.grab().isNull()


def moved(gained: list[int], lost: list[int]) -> ObjectDifferences:
    places = np.arange(len(gained))
    return ObjectDifferences(places, np.array(gained), np.array(lost), np.empty((0, 2), np.int64))


def test_changes_are_stated_in_a_line() -> None:
    assert difference_sentence(moved([2, 1], [0, 4]), "grid") == (
        "3 objects found that grid misses, 4 lost"
    )
    assert difference_sentence(moved([1], [0]), "grid") == "1 object found that grid misses, 0 lost"
    assert difference_sentence(moved([], []), "grid") == "Both find the same objects as grid."


@pytest.mark.parametrize(
    ("lost", "text"), [(0.039, "−0.0390"), (0.0, "0.0000"), (0.00003, "0.0000"), (-0.01, "0.0100")]
)
def test_costs_are_on_the_scale_of_the_scores(lost: float, text: str) -> None:
    assert points_lost(lost) == text


def test_the_most_expensive_kind_is_first_and_arrows_move_down(qtbot: QtBot) -> None:
    costs = ErrorCosts()
    qtbot.addWidget(costs)
    costs.show_costs({kind: place / 100 for place, kind in enumerate(KINDS)})
    assert [row[0] for row in costs.texts()] == list(reversed(KINDS))
    costs.show()
    qtbot.waitActive(costs)
    first, second = (costs.names[row[0]] for row in costs.texts()[:2])
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Down)
    assert costs.focusWidget() is second
    with qtbot.waitSignal(costs.kind_chosen) as chosen:
        qtbot.keyClick(second, Qt.Key.Key_Space)
    assert chosen.args == [costs.texts()[1][0]]


def test_unknown_costs_are_dashes_with_a_note(qtbot: QtBot) -> None:
    costs = ErrorCosts()
    qtbot.addWidget(costs)
    costs.show_costs(None)
    costs.show_note("METEOR is not there.")
    assert {row[3] for row in costs.texts()} == {"–"}
    assert not costs.note.isHidden()


def test_a_curve_of_many_points_is_thinned_but_keeps_its_ends(qtbot: QtBot) -> None:
    curve = PrecisionRecall()
    qtbot.addWidget(curve)
    recall = np.linspace(0, 0.9, 100_000)
    curve.show_points((recall, 1 - recall), {"other": (recall, recall)})
    across, down = curve._curve.getData()
    assert len(across) < 2000
    assert (across[0], across[-1], down[-1]) == (0, recall[-1], 1 - recall[-1])
    assert not curve.grab().isNull()

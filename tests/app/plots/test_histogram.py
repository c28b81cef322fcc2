from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from jurydesk.app.plots.histogram import DistributionView, count_ticks, step_outline
from jurydesk.app.style.theme import current, theme
from jurydesk.core.export.tables.histogram_bins import BINS, histogram, histograms
from jurydesk.core.model.evaluation import Axis

VALUES = np.array([0.0, 0.52, np.nan, 0.5, 1.0, 0.12])


@pytest.fixture
def view(qtbot: QtBot) -> DistributionView:
    axis = Axis("METEOR", limits=(0.0, 1.0))
    made = DistributionView("meteor spread", VALUES, axis, "stories", "mine")
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
def test_the_edges_contain_every_value(values, limits, edges):
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


def test_a_histogram_without_values_is_drawn_empty(qtbot):
    made = DistributionView("meteor spread", np.array([np.nan]), Axis("METEOR"), "stories")
    qtbot.addWidget(made)
    assert made.row_beside(1) is None
    assert not made.grab().toImage().isNull()


def test_bars_are_drawn_side_by_side(view):
    bars = view._bars.boundingRect()
    assert (bars.left(), bars.right()) == pytest.approx((0, 1), abs=0.01)


OTHERS = {"other": np.array([0.92, 0.97, 0.2]), "<b>third</b>": np.full(3, np.nan)}


def test_histograms_of_several_systems_have_the_same_bins():
    one, other = histograms((np.array([1.0, 2.0]), np.array([0.5, 6.0])), (0.0, np.inf))
    assert one.edges.tolist() == other.edges.tolist()
    assert (one.edges[0], one.edges[-1]) == (0.0, 6.0)
    assert (one.counts.sum(), other.counts.sum()) == (2, 2)


def test_other_systems_are_outlined_and_named_with_their_means(view):
    assert view.key.texts == ()
    view.show_others(OTHERS)
    assert view.key.texts == ("mine mean 0.4280", "other mean 0.6967", "<b>third</b> mean –")
    x, y = view._outlines[0].getData()
    assert (y.sum() / 2, x[y.argmax()]) == (3, pytest.approx(0.2))


def test_an_outline_starts_and_ends_at_the_ground_line(view):
    view.show_others(OTHERS)
    x, y = step_outline(histogram(OTHERS["other"], (0.0, 1.0)))
    assert (x[0], x[-1], y[0], y[-1]) == (0, 1, 0, 0)
    assert np.interp(0.975, x, y) == 1


def test_bars_leave_room_for_values_of_other_systems(qtbot):
    made = DistributionView("l2", np.array([1.0, 2.0]), Axis("L2", limits=(0, np.inf)), "stories")
    qtbot.addWidget(made)
    made.show_others({"other": np.array([8.0, 8.0, 8.0])})
    assert made.shape.edges[-1] == 8
    assert made.viewRange()[1][1] >= 3
    made.show_others({})
    assert (made.shape.edges[-1], made.key.isVisible()) == (2, False)


def test_the_legend_of_many_systems_counts_those_it_leaves_out(view):
    view.show_others({f"system {number}": VALUES for number in range(9)})
    assert view.key.texts[-2:] == ("system 3 mean 0.4280", "+5 more")
    assert len(view._outlines) == 9


def test_the_legend_is_part_of_the_picture_in_the_light_palette(view):
    view.show_others(OTHERS)
    theme().set_mode("dark")
    picture = QImage(view.picture_size(), QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    view.paint_picture(painter)
    painter.end()
    place = view.mapFromScene(view.key.sceneBoundingRect().topLeft())
    assert picture.pixelColor(place.x() + 18, place.y() + 18).lightness() > 200
    assert view.colours is current()


def test_counts_of_ranks_are_on_a_logarithmic_axis_where_one_item_is_seen(qtbot):
    values = np.concatenate([np.full(1000, 1.0), np.full(10, 50.0), [100.0]])
    axis = Axis("Rank", limits=(1.0, np.inf))
    view = DistributionView("", values, axis, "rounds", "mine", log_counts=True)
    qtbot.addWidget(view)
    view.show_others({"theirs": np.full(3, 100.0)})
    bottom = view._bars.opts["y0"]
    heights = view._bars.opts["height"]
    assert (bottom + heights[[0, 10, 19]]).tolist() == pytest.approx(
        [3.0, 1.0 if values[1005] > view.shape.edges[10] else bottom, 0.0]
    )
    assert heights[5] == 0
    assert [label for _, label in count_ticks(1000)] == ["1", "10", "100", "1,000"]
    assert [label for _, label in count_ticks(7)] == ["1", "2", "5"]
    assert [label for _, label in count_ticks(0)] == ["1"]
    assert not view.grab().isNull()

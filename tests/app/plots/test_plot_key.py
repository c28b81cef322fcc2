"""Keys of systems beside the axes of curves, histograms and bars of classes."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from jurydesk.app.plots.class_bars import ClassBarsView
from jurydesk.app.plots.curve import CurveView
from jurydesk.app.plots.histogram import DistributionView
from jurydesk.app.plots.plot import Plot
from jurydesk.core.model.evaluation import Axis, Curve

NAMES = [f"{number}: {'a long name ' * 9}" for number in range(9)]
VALUE = Axis("value", limits=(0.0, 1.0))


def curves(qtbot: QtBot) -> Plot:
    one = Curve("r", "Recall", Axis("k"), VALUE, np.array([0.0, 1.0]), np.array([0.2, 0.4]))
    view = CurveView(one)
    view.show_others("own", dict.fromkeys(NAMES, one))
    return view


def bars(qtbot: QtBot) -> Plot:
    classes = Axis("", ticks=(0.0, 1.0), labels=("a (3)", "b (2)"))
    places, values = np.array([0.0, 1.0]), np.array([0.9, 0.2])
    one = Curve("t", "Types", classes, VALUE, places, values, form="bars")
    view = ClassBarsView(one, "own")
    view.show_others(dict.fromkeys(NAMES, one))
    return view


def histogram(qtbot: QtBot) -> Plot:
    values = np.array([0.2, 0.9])
    view = DistributionView("m", values, VALUE, "stories", "own")
    view.show_others(dict.fromkeys(NAMES, values))
    return view


@pytest.fixture(params=[curves, bars, histogram])
def view(request: pytest.FixtureRequest, qtbot: QtBot) -> Plot:
    made: Plot = request.param(qtbot)
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    qtbot.waitExposed(made)
    box = made.getViewBox()
    qtbot.waitUntil(lambda: box.width() < 0.8 * made.width())
    return made


def test_a_key_stands_beside_the_axes_and_covers_no_data(view: Plot) -> None:
    key = view.key.mapRectToScene(view.key.boundingRect())  # type: ignore[attr-defined]
    axes = view.getViewBox().sceneBoundingRect()
    assert key.left() >= axes.right()
    assert key.right() <= view.sceneRect().right()
    assert key.bottom() <= view.sceneRect().bottom()
    assert axes.width() > 0.5 * view.width()


def test_a_low_plot_has_fewer_lines_and_counts_the_rest(qtbot: QtBot, view: Plot) -> None:
    key = view.key  # type: ignore[attr-defined]
    all_lines = len(key.texts)
    view.setMinimumHeight(0)
    view.resize(600, 90)
    qtbot.waitUntil(lambda: len(key.texts) < all_lines)
    assert key.texts[0].startswith("own")
    assert key.texts[-1].startswith("+")
    bottom = key.mapRectToScene(key.boundingRect()).bottom()
    assert bottom <= view.sceneRect().bottom()


def test_the_tooltip_of_a_key_names_every_system_in_full(view: Plot) -> None:
    key = view.key.mapRectToScene(view.key.boundingRect())  # type: ignore[attr-defined]
    tips = [item.toolTip() for item in view.scene().items(key.center()) if item.toolTip()]
    expected = NAMES[:3] if isinstance(view, ClassBarsView) else NAMES
    assert all(name.strip() in tips[0] for name in ("own", *expected))


def test_means_are_left_to_the_tooltip_where_the_names_take_the_room(qtbot: QtBot) -> None:
    view = histogram(qtbot)
    qtbot.addWidget(view)
    key = view.key  # type: ignore[attr-defined]
    view.resize(900, 300)
    _, values = key._measures()
    assert values > 0
    view.resize(300, 300)
    names, values = key._measures()
    assert (names > 0, values) == (True, 0)

"""Bars of classes: the order, the names that have room, and other systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from jurydesk.app.plots.class_bars import ClassBarsView
from jurydesk.core.model.evaluation import Axis, Curve


def bars(labels, values, low=None, high=None):
    places = np.arange(len(labels), dtype=np.float64)
    axis = Axis("", ticks=tuple(places), labels=tuple(labels))
    ends = [None if one is None else np.array(one) for one in (low, high)]
    value = Axis("Accuracy", limits=(0.0, 1.0))
    return Curve("bars", "Types", axis, value, places, np.array(values), *ends, form="bars")


@pytest.fixture
def view(qtbot):
    curve = bars(
        ["what (9)", "how (5)", "who (2)"], [0.2, 0.9, 0.5], [0.1, 0.8, 0.4], [0.3, 1, 0.6]
    )
    made = ClassBarsView(curve, "mine")
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    QApplication.processEvents()
    return made


def test_classes_are_sorted_by_the_value_of_the_system(view):
    assert view.names == ["how (5)", "who (2)", "what (9)"]
    assert view.class_lines(0) == ["how (5)", "mine: 0.9000 (0.8000 to 1.0000)"]


def test_other_systems_are_found_by_the_names_of_the_classes(view):
    view.show_others({"theirs": bars(["who (2)", "what (9)"], [0.1, 0.3])})
    assert view.class_lines(0)[2:] == ["theirs: –"]
    assert view.class_lines(1)[2:] == ["theirs: 0.1000"]
    assert view.key.texts == ("mine", "theirs")
    assert not view.grab().isNull()


def test_as_many_systems_are_drawn_as_have_colours(view):
    view.show_others({f"system {number}": view.curve for number in range(9)})
    assert len(view.others) == 3


def test_the_class_under_the_mouse_shows_its_values(view, monkeypatch):
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *rest: shown.append(text))
    point = view.mapFromScene(view.getViewBox().mapViewToScene(QPointF(0.5, 2.0)))
    event = QHelpEvent(QEvent.Type.ToolTip, point, view.viewport().mapToGlobal(QPoint(0, 0)))
    QApplication.sendEvent(view.viewport(), event)
    assert "what (9)" in shown[0]


def test_of_many_classes_some_are_named(qtbot):
    labels = [f"question type {number}" for number in range(65)]
    made = ClassBarsView(bars(labels, np.linspace(0, 1, 65)))
    qtbot.addWidget(made)
    made.resize(500, 220)
    made.show()
    QApplication.processEvents()
    axis = made.getAxis("left")
    ((_, places),) = axis.tickValues(*axis.range, axis.size().height())  # downwards
    assert 5 < len(places) < 30
    assert axis.tickStrings(places, 1.0, 1.0)[0] == "question type 64"
    assert not made.grab().isNull()


def many(qtbot, height=300):
    count = 65
    curve = bars([f"what {n} (9)" for n in range(count)], np.linspace(1.0, 0.0, count))
    view = ClassBarsView(replace(curve, overall=0.5), "mine")
    qtbot.addWidget(view)
    view.resize(500, height)
    view.show()
    QApplication.processEvents()
    return view


def test_classes_without_room_are_scrolled_and_the_title_says_which_are_in_sight(qtbot):
    view = many(qtbot)
    shown = view.shown_classes()
    assert (shown.start, 5 < shown.stop < 30) == (0, True)
    assert f"1 to {shown.stop} of 65" in view.getPlotItem().titleLabel.text
    turn_wheel(view, -120)
    assert view.shown_classes() == range(3, shown.stop + 3)
    for _ in range(40):
        turn_wheel(view, -120)
    assert view.shown_classes().stop == 65
    QTest.keyClick(view, Qt.Key.Key_0)
    assert view.shown_classes() == shown


def test_higher_plots_show_more_classes_and_a_line_at_the_mean_of_all(qtbot):
    view = many(qtbot)
    few = len(view.shown_classes())
    view.resize(500, 600)
    QApplication.processEvents()
    assert few < len(view.shown_classes()) < 65
    assert (view._overall.value(), view._overall.isVisible()) == (0.5, True)


def test_few_classes_are_all_in_sight_without_a_line(view):
    assert view.shown_classes() == range(3)
    assert not view._overall.isVisible()


def turn_wheel(view, amount):
    middle = QPointF(view.rect().center())
    event = QWheelEvent(
        *(middle, view.mapToGlobal(middle), QPoint(), QPoint(0, amount)),
        *(Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier),
        *(Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(view.viewport(), event)

"""A wheel changes a box or slider only while that has the focus."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QSlider, QVBoxLayout, QWidget

from jurydesk.app.pages import PAGES
from jurydesk.app.widgets.controls import ChoiceBox, DecimalBox, NumberBox, Slider
from jurydesk.app.widgets.scroll import VerticalScrollArea
from support.windows.wheel import turn_wheel

KINDS = (ChoiceBox, NumberBox, DecimalBox, Slider)


@pytest.fixture(params=KINDS, ids=[kind.__name__ for kind in KINDS])
def control(request, qtbot):
    """A control in a page that is higher than its area."""
    made, long, area = request.param(), QLabel(), VerticalScrollArea()
    if isinstance(made, ChoiceBox):
        made.addItems(["one", "two", "three"])
        made.setCurrentIndex(1)
    else:
        made.setValue(50)
    long.setFixedHeight(2000)
    page = QWidget()
    column = QVBoxLayout(page)
    column.addWidget(made)
    column.addWidget(long)
    area.setWidget(page)
    area.resize(300, 200)
    qtbot.addWidget(area)
    with qtbot.waitExposed(area):
        area.show()
    area.setFocus()
    yield made
    area.hide()


def state(control: QWidget) -> float:
    return control.currentIndex() if isinstance(control, QComboBox) else control.value()


def scrolled(control: QWidget) -> int:
    return control.window().verticalScrollBar().value()


def test_without_focus_the_wheel_scrolls_the_page(control):
    before = state(control)
    turn_wheel(control)
    assert (state(control), scrolled(control) > 0) == (before, True)


def test_with_focus_the_wheel_changes_the_value(control, qtbot):
    before = state(control)
    control.setFocus()
    qtbot.waitUntil(control.hasFocus)
    turn_wheel(control)
    assert (state(control) != before, scrolled(control)) == (True, 0)


def test_no_control_of_a_window_is_changed_by_the_wheel(scored):
    """Every page is built; sheets and inspectors use the same boxes."""
    for page in PAGES:
        scored.choose_page(page.id)
    controls = scored.findChildren(QComboBox)
    controls += scored.findChildren(QAbstractSpinBox) + scored.findChildren(QSlider)
    assert len(controls) >= 10
    assert [one for one in controls if not isinstance(one, KINDS)] == []

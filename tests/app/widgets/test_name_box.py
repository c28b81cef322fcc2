"""Combo box of long names, which is never wider than its place and shows each name in full."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QHBoxLayout, QWidget

from jurydesk.app.style.theme import theme
from jurydesk.app.widgets import name_box
from jurydesk.app.widgets.name_box import WIDEST, ElidedBox, NameBox, edit_width

LONG = [f"example_team_name_of_the_year (example-submission-{n}.test)" for n in ("file", "happy")]


def test_long_names_are_shortened_to_their_distinct_parts(qtbot):
    box = NameBox("System")
    qtbot.addWidget(box)
    box.addItems(LONG)
    assert box.short_text() == "…file…"
    box.setCurrentIndex(1)
    assert box.short_text() == "…happy…"
    assert box.currentText() == LONG[1]


def test_names_with_a_long_beginning_that_few_share_differ_where_they_have_no_room(qtbot):
    box = NameBox("System")
    qtbot.addWidget(box)
    alike = [f"Institute for Visual Storytelling (late fusion, beam {n})" for n in (3, 5)]
    box.addItems([*alike, "labels", "snuvil", "NLPSA 501"])
    box.resize(200, 30)
    shown = []
    for number in range(2):
        box.setCurrentIndex(number)
        shown.append(box.elided_text())
    assert "…" in shown[0]
    assert shown[0] != shown[1]


def test_the_tooltip_has_the_whole_name(qtbot):
    box = NameBox("System")
    qtbot.addWidget(box)
    box.addItems([*LONG, "<b>bold</b>"])
    assert LONG[0] in box.toolTip()
    box.setCurrentIndex(2)
    assert "&lt;b&gt;bold&lt;/b&gt;" in box.toolTip()


def test_no_name_widens_the_box_beyond_its_place(qtbot):
    box = NameBox("System")
    qtbot.addWidget(box)
    box.addItems(["x" * 300])
    assert box.sizeHint().width() <= WIDEST
    assert box.minimumSizeHint().width() < 100


def test_names_are_measured_once_until_they_or_their_type_change(qtbot, monkeypatch):
    measured = []

    def shorten(names):
        measured.append(list(names))
        return shorten_names(names)

    shorten_names = name_box.shorten_names
    monkeypatch.setattr(name_box, "shorten_names", shorten)
    box = NameBox("System")
    qtbot.addWidget(box)
    box.addItems(["a team of usual size", "b"])
    box.show()
    qtbot.waitExposed(box)
    width = box.sizeHint().width()
    measured.clear()
    assert [box.sizeHint().width() for _ in range(3)] == [width] * 3
    assert measured == []
    theme().set_zoom(1.5)
    assert box.sizeHint().width() > width * 1.3
    theme().set_zoom(1.0)
    assert box.sizeHint().width() == width
    box.setItemText(1, "b, which is longer than the other name")
    assert box.sizeHint().width() > width
    box.removeItem(1)
    assert box.sizeHint().width() == width
    box.setItemText(0, "a")
    assert box.sizeHint().width() < width


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_open_list_has_room_for_whole_names(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    box = NameBox("System", window)
    box.addItems(LONG)
    window.show()
    box.showPopup()
    assert box.view().minimumWidth() > box.fontMetrics().horizontalAdvance(LONG[0])
    box.hidePopup()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_later_names_widen_the_box(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    box = NameBox("Metric")
    row = QHBoxLayout(window)
    row.addWidget(box)
    row.addStretch(1)
    window.resize(600, 60)
    window.show()
    narrow = box.width()
    box.addItem("Mean average precision")
    qtbot.waitUntil(lambda: box.width() > narrow)
    assert box.width() == box.sizeHint().width()
    box.clear()
    qtbot.waitUntil(lambda: box.width() == narrow)


@pytest.mark.parametrize("width", [90, 131, 200, 264, 390])
@pytest.mark.parametrize("kind", [NameBox, ElidedBox])
def test_a_shortened_text_ends_before_the_arrow(qtbot, kind, width):
    box = kind("System") if kind is NameBox else kind()
    qtbot.addWidget(box)
    box.addItems(["S: within one standard deviation of the best"])
    box.resize(width, 30)
    text = box.elided_text()
    assert text == box.currentText() or "…" in text
    assert box.fontMetrics().horizontalAdvance(text) <= edit_width(box) < width - 20


def test_a_text_is_cut_where_it_differs_from_the_other_entries(qtbot):
    box = ElidedBox()
    qtbot.addWidget(box)
    box.addItems([f"Interpolated precision ({n} points)" for n in (101, 11)])
    box.resize(130, 30)
    shown = []
    for place in range(2):
        box.setCurrentIndex(place)
        shown.append(box.elided_text())
        assert box.fontMetrics().horizontalAdvance(shown[-1]) <= edit_width(box)
    assert shown[0] != shown[1]
    assert all("…" in text for text in shown)

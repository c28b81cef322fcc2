"""Labels that shrink where there is no room, and the parts of a layout."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLayout, QLayoutItem, QWidget
from shiboken6 import delete

from jurydesk.app.widgets.parts import (
    SHORTEST_ELIDED,
    ElidedLabel,
    NameLabel,
    WrappedLabel,
    has_room,
    placed_widgets,
    row_layout,
)

NAME = "a_name_that_nobody_can_break_" * 4 + ".bin"


@pytest.fixture
def text(qtbot):
    made = WrappedLabel(f"{NAME}: SHA-256 29a6…", hint="29a6a5e3")
    qtbot.addWidget(made)
    made.resize(2000, 40)
    made.show()
    return made


def test_a_word_wider_than_the_line_is_elided_in_the_middle_and_has_a_tooltip(text):
    assert text.text() == f"{NAME}: SHA-256 29a6…"
    assert NAME not in text.toolTip()
    text.resize(200, 40)
    first, *others = text.text().split(" ")
    assert first.startswith("a_name_that")
    assert "…" in first
    assert first.endswith(".bin:")
    assert others == ["SHA-256", "29a6…"]
    assert NAME in text.toolTip()
    assert "29a6a5e3" in text.toolTip()
    assert text.minimumSizeHint().width() <= 200


def test_a_word_is_whole_again_when_there_is_room(text):
    text.resize(200, 40)
    text.resize(2000, 40)
    assert text.text().startswith(NAME)


def test_larger_type_leaves_less_room_for_a_word(text):
    text.resize(text.fontMetrics().horizontalAdvance(text.text()) + 8, 40)
    assert text.text().startswith(NAME)
    larger = text.font()
    larger.setPixelSize(2 * larger.pixelSize())
    text.setFont(larger)
    assert not text.text().startswith(NAME)


@pytest.mark.parametrize("mode", [Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight])
def test_a_text_is_whole_or_elided_or_not_painted_at_all(qtbot, mode):
    made = ElidedLabel("BLEU-1 0.8925", mode=mode)
    qtbot.addWidget(made)
    shown = []
    for width in range(200, 0, -1):
        made.setFixedWidth(width)
        shown.append(made.shown_text())
    assert shown[0] == made.text()
    assert {min(len(text), SHORTEST_ELIDED) for text in shown} == {0, SHORTEST_ELIDED}
    assert shown[-1] == ""


def test_a_name_loses_its_end_unless_the_names_beside_it_become_equal(qtbot):
    made = NameLabel()
    qtbot.addWidget(made)
    width = made.fontMetrics().horizontalAdvance
    names = ("north wind: a first run of it", "south sea: another run of it")
    made.show_name(names[0], names)
    made.resize(width("north wind: a f…"), 20)
    assert made.shown_text() == "north wind: a f…"
    made.show_name(names[0], (names[0], names[0].replace("first", "fifth")))
    assert "first" in made.shown_text()
    made.show_text("Human story 1 of 3, which is none of these names")
    assert made.shown_text().startswith("Human stor")


@pytest.fixture
def row_of_three(qtbot):
    """Return a row of three labels of 100 px, of which one is hidden, and a row of one in it."""
    whole = QWidget()
    qtbot.addWidget(whole)
    first, hidden, last, inner = (QLabel(name) for name in ("first", "hidden", "last", "inner"))
    layout = row_layout(first, None, hidden, last, spacing=0)
    layout.addLayout(row_layout(inner, spacing=0))
    whole.setLayout(layout)
    for one in (first, hidden, last, inner):
        one.setMinimumWidth(100)
    hidden.hide()
    return whole


def test_a_row_has_room_for_its_visible_parts_and_rows(row_of_three):
    row = row_of_three.layout()
    assert [one.text() for one in placed_widgets(row)] == ["first", "hidden", "last"]
    assert has_room(row, 300)
    assert not has_room(row, 299)


def layout_items() -> list[int]:
    """Return which layout items have an object of Python, but for layouts."""
    found = [one for one in gc.get_objects() if isinstance(one, QLayoutItem)]
    return [id(one) for one in found if not isinstance(one, QLayout)]


def test_no_object_of_python_outlives_the_item_of_a_deleted_widget(row_of_three):
    row, before = row_of_three.layout(), layout_items()
    has_room(row, 300)
    delete(placed_widgets(row)[0])
    assert layout_items() == before
    assert not has_room(row, 199)
    assert has_room(row, 200)

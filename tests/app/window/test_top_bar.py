"""Top bar: nothing in it is squeezed, and widgets without room wrap."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QWidget

from jurydesk.app.style.theme import px, theme
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.window.top_bar import HIGH, TopBar
from support.windows import reachability

WORDS = ("A system with a long name", "Previous", "Next")


@pytest.fixture
def bar(qtbot):
    bar = TopBar(QAction("Export"), QAction("Score"))
    qtbot.addWidget(bar)
    bar.describe("The harbour letters", ["3 systems"])
    bar.show()
    return bar


@pytest.fixture
def guest(bar):
    """Return the widgets of a page, in the bar."""
    guest = QWidget()
    guest.setLayout(FlowLayout(*map(QPushButton, WORDS)))
    bar.host(guest)
    return guest


def narrow(bar, guest):
    hints = [part.sizeHint().width() for part in (guest, bar.export, bar.score)]
    return max(hints[0], sum(hints[1:])) + px(150)


def is_below(bar, guest):
    return guest.geometry().top() >= bar.score.mapTo(bar, bar.score.rect().bottomLeft()).y()


def test_the_widgets_of_a_page_are_beside_the_title_where_there_is_room(qtbot, bar, guest):
    bar.resize(1000, bar.height())
    qtbot.waitUntil(lambda: guest.width() == guest.sizeHint().width())
    assert not is_below(bar, guest)
    assert bar.height() == px(HIGH)


@pytest.mark.parametrize("zoom", [1.0, 1.25, 1.5])
def test_the_widgets_of_a_page_wrap_below_the_title_and_return_with_the_width(
    qtbot, bar, guest, zoom
):
    theme().set_zoom(zoom)
    bar.resize(narrow(bar, guest), bar.height())
    qtbot.waitUntil(lambda: is_below(bar, guest) and not reachability.out_of_reach(bar))
    words = guest.findChildren(QPushButton)
    assert all(word.width() >= word.sizeHint().width() for word in words)
    assert bar.height() > px(HIGH)
    bar.resize(px(1000), bar.height())
    qtbot.waitUntil(lambda: not is_below(bar, guest))
    assert bar.height() == px(HIGH)


def test_the_widgets_of_a_page_take_several_rows_where_one_is_too_short(qtbot, bar):
    many = QWidget()
    many.setLayout(FlowLayout(*map(QPushButton, WORDS * 3)))
    bar.host(many)
    bar.resize(bar.minimumSizeHint().width(), bar.height())
    qtbot.waitUntil(lambda: many.height() > 2 * bar.score.height())
    qtbot.waitUntil(lambda: not reachability.out_of_reach(bar))


def test_the_names_of_a_page_give_way_to_a_title_of_usual_length(qtbot, bar):
    names = NameBox("System")
    names.addItems(["A system with a very long name indeed", "Another one with a long name"])
    bar.host(names)
    whole = px(18) * 2 + sum(
        part.sizeHint().width() + px(14) for part in (names, bar.export, bar.score)
    )
    bar.resize(whole + px(100), bar.height())
    qtbot.waitUntil(lambda: names.width() < names.sizeHint().width())
    assert bar.title.shown_text() == "The harbour letters"
    bar.describe("The harbour letters, which the organisers named at length", [])
    qtbot.waitUntil(lambda: bar.title.shown_text().endswith("…"))
    assert bar.title.shown_text().startswith("The harbour")


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_the_score_button_loses_its_key_before_it_is_cut(qtbot, zoom):
    score, window = QAction("Score"), QWidget()
    score.setShortcut("Ctrl+Alt+R")
    bar = TopBar(QAction("Export"), score, window)
    qtbot.addWidget(window)
    theme().set_zoom(zoom)
    bar.describe("The harbour letters", [])
    bar.show_pages(shown=True)
    window.show()
    texts = []
    for width in range(px(700), px(420), -px(10)):
        bar.resize(width, bar.height())
        bar.layout().activate()
        assert bar.score.width() >= bar.score.sizeHint().width()
        texts.append(bar.score.text())
    assert list(dict.fromkeys(texts)) == ["Score  Ctrl+Alt+R", "Score"]
    assert "Ctrl+Alt+R" in bar.score.toolTip()
    bar.resize(px(700), bar.height())
    assert bar.score.text() == "Score  Ctrl+Alt+R"


def test_the_bar_has_its_previous_height_after_the_widgets_are_removed(qtbot, bar, guest):
    bar.resize(narrow(bar, guest), bar.height())
    assert bar.height() > px(HIGH)
    bar.host(None)
    assert bar.height() == px(HIGH)
    assert guest.isHidden()

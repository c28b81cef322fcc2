"""List of pages in the top bar of a small window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import theme
from jurydesk.app.window.main_window import Window

SMALL = (512, 350)


@pytest.mark.parametrize(
    ("size", "zoom", "in_bar"),
    [
        ((1024, 700), 1.0, False),
        ((1440, 900), 1.5, False),
        ((1024, 700), 2.0, True),
        ((1440, 900), 2.0, True),
    ],
)
def test_a_small_window_has_its_pages_in_the_top_bar(window: Window, size, zoom, in_bar):
    window.resize(*size)
    theme().set_zoom(zoom)
    assert window.top.pages.isHidden() != in_bar
    assert window.sidebar.isHidden() == in_bar


def test_the_keyboard_chooses_a_page(qtbot: QtBot, window: Window):
    window.resize(*SMALL)
    window.top.pages.setFocus()
    qtbot.keyClick(window.top.pages, Qt.Key.Key_Down)
    assert window.page.id == PAGES[1].id


def test_the_box_follows_the_page(window: Window):
    window.resize(*SMALL)
    window.show_page("models")
    assert window.top.pages.currentText() == "Models"
    assert window.top.pages.accessibleName() == "Pages"
    assert "Ctrl+8" in window.top.pages.toolTip()


def test_the_focus_stays_in_the_list_of_pages(qtbot: QtBot, window: Window):
    qtbot.waitUntil(window.isActiveWindow)
    window.sidebar.setFocus()
    window.resize(*SMALL)
    assert window.top.pages.hasFocus()
    window.resize(1280, 800)
    assert window.sidebar.hasFocus()


def test_a_low_page_leaves_its_title_to_the_top_bar(window: Window):
    window.resize(*SMALL)
    assert window.page.heading.isHidden()
    window.resize(1280, 800)
    assert not window.page.heading.isHidden()


def test_the_list_needs_room_only_for_the_pages_in_it(window: Window):
    box = window.top.pages
    window.resize(*SMALL)
    box.hide_pages(())
    whole = box.minimumSizeHint().width()
    box.hide_pages({"references"})
    assert box.minimumSizeHint().width() == box.sizeHint().width() < whole

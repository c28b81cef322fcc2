"""Every page is usable in a small window and with large type."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QTextLayout

from jurydesk.app.pages import PAGES
from jurydesk.app.pages.page import PageLabel
from jurydesk.app.style.theme import font, px, theme
from support.windows import reachability
from support.windows.accessible_names import nameless_controls

SMALL = [
    ((640, 480), 1.0),
    ((640, 480), 1.5),
    ((800, 600), 1.25),
]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize(("size", "zoom"), SMALL)
def test_clipped_content_has_a_scroll_bar(qtbot, scored, size, zoom):
    for page in PAGES:
        scored.show_page(page.id)
    theme().set_zoom(zoom)
    scored.resize(*size)
    for page in PAGES:
        scored.show_page(page.id)
        qtbot.waitUntil(lambda: not reachability.out_of_reach(scored.page))
        qtbot.waitUntil(lambda: not reachability.out_of_reach(scored.top))
    assert (scored.width(), scored.height()) == size
    words = QFontMetrics(font(bold=True))
    widest = max(words.horizontalAdvance(page.title) for page in PAGES)
    assert widest <= scored.sidebar.viewport().width() - 2 * px(12)


@pytest.mark.parametrize("id", [page.id for page in PAGES])
def test_every_visible_control_has_an_accessible_name(qtbot, scored, id):
    scored.show_page(id)
    page = scored.page
    qtbot.waitUntil(lambda: page.isVisible())
    assert nameless_controls(page) == []


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_high_page_scrolls_by_its_keys(qtbot, scored):
    scored.show_page("references")
    scored.resize(640, 320)
    (bar,) = (
        area.verticalScrollBar()
        for area in scored.page.children()
        if hasattr(area, "verticalScrollBar")
    )
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    qtbot.keyClick(scored.page.heading, Qt.Key.Key_PageDown)
    assert bar.value() > 0


def test_a_finding_is_as_high_as_its_lines_at_any_width(qtbot):
    sentence = PageLabel("A sentence that takes several lines where there is little room. " * 3, "")
    qtbot.addWidget(sentence)
    one_line = sentence.heightForWidth(5000)
    sentence.setMaximumWidth(200)
    assert sentence.heightForWidth(5000) == sentence.heightForWidth(200) > 3 * one_line


def test_lines_have_the_height_of_every_script_in_them(qtbot):
    sentence = PageLabel("队伍 leads with 0.5", "")
    qtbot.addWidget(sentence)
    layout = QTextLayout(sentence.text(), sentence.font())
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    assert sentence.heightForWidth(900) >= line.height()


def test_a_finding_with_too_many_lines_is_in_its_tooltip(qtbot):
    sentence = PageLabel("", "")
    qtbot.addWidget(sentence)
    sentence.resize(200, 60)
    sentence.show_text("A sentence that takes several lines. " * 3, "A hint")
    assert "several" not in sentence.toolTip()
    sentence.set_most_lines(2)
    assert sentence.lines()[1].endswith("…")
    assert sentence.heightForWidth(200) == 2 * sentence.fontMetrics().lineSpacing()
    assert "several lines" in sentence.toolTip()
    assert "A hint" in sentence.toolTip()


def test_a_name_longer_than_a_line_is_broken_within(qtbot):
    sentence = PageLabel("m" * 100, "")
    qtbot.addWidget(sentence)
    sentence.resize(200, 60)
    assert "".join(sentence.lines()) == "m" * 100
    assert len(sentence.lines()) > 2

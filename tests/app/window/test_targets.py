"""Sizes of what is clicked, and the order in which Tab goes through a page."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QPushButton, QSlider, QWidget

from jurydesk.app.pages import PAGES
from support.windows.waiting import until_quiet

LEAST_TARGET = 24
"""Width and height of a target in pixels (WCAG 2.2, 2.5.8)."""
TARGETS = (QAbstractButton, QComboBox, QLineEdit, QSlider)
"""Scroll bars are not among them: the wheel and keys do the same."""


def small_targets(top: QWidget) -> list[str]:
    """Return the visible targets in `top` that are too narrow or too low."""
    shown = [one for one in top.findChildren(QWidget) if isinstance(one, TARGETS)]
    return [
        f"{describe(one)}: {one.width()} x {one.height()}"
        for one in shown
        if not one.visibleRegion().isEmpty() and min(one.width(), one.height()) < LEAST_TARGET
    ]


def describe(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or text}"


def backward_steps(page: QWidget) -> list[str]:
    """Return the steps of Tab in `page` that go up, or left in the same row."""
    stops, widget = [], page.nextInFocusChain()
    while widget is not page:
        takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if takes_tab and page.isAncestorOf(widget) and not widget.visibleRegion().isEmpty():
            stops.append((widget, QRect(widget.mapTo(page, QPoint()), widget.size())))
        widget = widget.nextInFocusChain()
    return [
        f"{describe(one)} -> {describe(following)}"
        for (one, here), (following, there) in pairwise(stops)
        if is_above(there, here) or is_left_in_row(there, here)
    ]


def is_above(one: QRect, other: QRect) -> bool:
    """Return whether a rectangle ends above another in the same column."""
    return (
        one.bottom() < other.top() and one.left() <= other.right() and other.left() <= one.right()
    )


def is_left_in_row(one: QRect, other: QRect) -> bool:
    return one.right() < other.left() and abs(one.center().y() - other.center().y()) < 8


def test_every_target_of_every_page_is_large_enough(scored, qtbot):
    found = []
    for page in PAGES:
        scored.show_page(page.id)
        until_quiet(qtbot, scored)
        found += [f"{page.id}: {one}" for one in small_targets(scored)]
    assert "\n".join(found) == ""


def test_tab_goes_down_and_right_on_every_page(scored, qtbot):
    found = []
    for page in PAGES:
        scored.show_page(page.id)
        until_quiet(qtbot, scored)
        found += [f"{page.id}: {one}" for one in backward_steps(scored.page)]
    assert "\n".join(found) == ""


def test_a_small_target_and_a_backward_step_are_found(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    lower, upper = QPushButton("lower", page), QPushButton("upper", page)
    lower.setStyleSheet("min-height: 0; max-height: 23px; padding: 0; border: 0")
    lower.setGeometry(0, 60, 80, 23)
    upper.setGeometry(0, 0, 80, 30)
    page.resize(100, 100)
    with qtbot.waitExposed(page):
        page.show()
    assert small_targets(page) == ["QPushButton lower: 80 x 23"]
    assert backward_steps(page) == ["QPushButton lower -> QPushButton upper"]

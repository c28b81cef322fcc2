"""The focus is visible: every control that Tab reaches looks different with it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import theme


def without_visible_focus(window: QWidget) -> list[str]:
    """Return the controls that look the same with and without the focus."""
    found = []
    for widget in window.findChildren(QWidget):
        by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if not by_tab or not widget.isVisible() or not widget.isEnabled() or widget.focusProxy():
            continue
        window.setFocus(Qt.FocusReason.OtherFocusReason)
        before = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if QApplication.focusWidget() is widget and widget.grab().toImage() == before:
            found.append(f"{type(widget).__name__} {widget.accessibleName()} {widget.objectName()}")
    return found


@pytest.mark.parametrize("page", [page.id for page in PAGES])
def test_every_control_of_a_page_shows_the_focus(qtbot, scored, page):
    scored.activateWindow()
    scored.show_page(page)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    # A part that is laid out meanwhile is looked at again.
    qtbot.waitUntil(lambda: without_visible_focus(scored) == [])


def test_the_focus_is_visible_in_high_contrast(qtbot, scored):
    scored.activateWindow()
    scored.show_page("board")
    theme().set_mode("contrast")
    qtbot.waitUntil(lambda: scored.jobs.idle)
    # A part that is laid out meanwhile is looked at again.
    qtbot.waitUntil(lambda: without_visible_focus(scored) == [])

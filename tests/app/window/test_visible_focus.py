"""The focus is visible: every control that Tab reaches looks different with it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import theme
from jurydesk.app.tables.table_view import Table
from support.windows.waiting import until_quiet


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


def faults_of_page(qtbot, window, page: str) -> list[str]:
    """Return the faults of a page."""
    window.show_page(page)
    until_quiet(qtbot, window)
    return [f"{page}: {one}" for one in without_visible_focus(window)]


def test_every_control_of_every_page_shows_the_focus(qtbot, scored):
    scored.activateWindow()
    found = []
    for page in PAGES:
        found += faults_of_page(qtbot, scored, page.id)
    theme().set_mode("contrast")
    found += faults_of_page(qtbot, scored, "board")
    assert found == []


def test_a_table_shows_the_focus_before_it_has_rows(below):
    table = Table("Items", below)
    table.show()
    assert without_visible_focus(below) == []

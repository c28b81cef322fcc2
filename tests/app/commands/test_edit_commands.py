"""Copying to the clipboard, of a few rows and of a million."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication


@pytest.fixture
def items(qtbot, scored):
    """Return a window whose Items page has all items selected; above two, copying is a job."""
    scored.show_page("items")
    scored.page.select_all()
    QGuiApplication.clipboard().setText("before")
    return scored


def test_many_rows_are_copied_by_a_job(qtbot, items, monkeypatch):
    items.edits.copy_with_headers()
    at_once = QGuiApplication.clipboard().text()
    monkeypatch.setattr("jurydesk.app.tables.table_view.COPIED_AT_ONCE", 2)
    QGuiApplication.clipboard().setText("before")
    items.edits.copy_with_headers()
    assert QGuiApplication.clipboard().text() == "before"
    assert items.jobs.visible().title == "Copying"
    qtbot.waitUntil(lambda: items.jobs.idle)
    assert QGuiApplication.clipboard().text() == at_once
    assert items.toast.text.text() == f"{len(at_once.splitlines())} lines copied"


def test_a_cancelled_copy_leaves_the_clipboard_alone(qtbot, items, monkeypatch):
    monkeypatch.setattr("jurydesk.app.tables.table_view.COPIED_AT_ONCE", 2)
    items.edits.copy()
    items.cancel()
    qtbot.waitUntil(lambda: items.jobs.idle)
    assert QGuiApplication.clipboard().text() == "before"

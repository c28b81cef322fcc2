"""Check of a page's part in resetting the layout."""

from __future__ import annotations

from PySide6.QtWidgets import QSplitter

from jurydesk.app.pages.check.check_page import CheckPage
from jurydesk.app.pages.compare.compare_page import ComparePage


def assert_sizes_are_reset_and_restored(page: CheckPage | ComparePage, moved: QSplitter) -> None:
    """Move a splitter, reset the layout of its page, and restore what was there."""
    first = page.view.layout_sizes()
    moved.setSizes([250, 2000])
    changed = page.view.layout_sizes()
    assert changed != first
    restore = page.layout_restorer()
    page.reset_layout()
    assert page.view.layout_sizes() == first
    restore()
    assert page.view.layout_sizes() == changed

"""The choice of rows by their verdict ends with what it belongs to."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject

from jurydesk.app.inspectors.densecap.densecap_panel import DenseRows


def test_the_filters_end_with_their_panel_although_they_have_no_parent(qtbot):
    panel = QObject()
    filters = DenseRows(panel).filters
    assert filters.parentWidget() is None
    panel.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(filters))

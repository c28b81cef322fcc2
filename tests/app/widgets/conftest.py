"""Sheets lie over a window, and here it is empty."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget


@pytest.fixture
def below(qtbot) -> QWidget:
    """A window that is shown and active."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    return window

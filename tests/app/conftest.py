"""Every test of the window sees the light theme, and leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.theme import theme


@pytest.fixture(autouse=True)
def look(qapp: QApplication) -> Iterator[None]:
    """The look of the drawings, at its own size."""
    if not qapp.styleSheet():
        theme().install(qapp, "light")
    elif (theme().mode, theme().zoom) != ("light", 1.0):
        theme().mode = "light"
        theme().set_zoom(1.0)
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

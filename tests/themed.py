"""The light theme around a test of a widget alone, and nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.theme import theme


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> Iterator[None]:
    """The look of the drawings, at its own size."""
    if not qapp.styleSheet():
        theme().install(qapp, "light")
    elif (theme().mode, theme().zoom) != ("light", 1.0):
        theme().mode = "light"
        theme().set_zoom(1.0)
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

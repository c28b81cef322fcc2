"""The mouse wheel over a widget."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

NOTCH = -120
"""Eighths of a degree that the wheel turns towards the user by a step."""


def turn_wheel(widget: QWidget, turns: int = 1) -> None:
    """Turn the wheel towards the user over the middle of a widget that is shown."""
    window = widget.window()
    place = QPointF(widget.mapTo(window, widget.rect().center()))
    QTest.wheelEvent(window.windowHandle(), place, QPoint(0, turns * NOTCH))

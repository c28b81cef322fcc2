"""Keys sent to the focused widget."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

PLAIN = Qt.KeyboardModifier.NoModifier


def press(qtbot: QtBot, code: Qt.Key, modifier: Qt.KeyboardModifier = PLAIN) -> QWidget:
    """Press a key, and return the widget with the focus afterwards."""
    qtbot.keyClick(QApplication.focusWidget(), code, modifier)
    focused = QApplication.focusWidget()
    assert focused is not None
    return focused

"""Message boxes with plain text: names from data never become rich text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget


def message_box(sentence: str, advice: str = "", parent: QWidget | None = None) -> QMessageBox:
    """Return a message box with a sentence and advice below it; the caller opens it."""
    box = QMessageBox(parent)
    box.setWindowTitle("Jurydesk")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(sentence)
    box.setInformativeText(advice)
    for label in box.findChildren(QLabel):  # the advice has no format of its own
        label.setTextFormat(Qt.TextFormat.PlainText)
    return box

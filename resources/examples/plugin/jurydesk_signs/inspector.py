"""The view of one sign: its text above the reading, with every mistake marked."""

from __future__ import annotations

from difflib import SequenceMatcher

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from jurydesk.app.inspectors.inspector import InspectedItem, Inspector


class SignInspector(Inspector):
    """Shows the evidence of `scoring.evaluate`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sign, self.reading, self.mistakes = QLabel(), QLabel(), QLabel()
        column = QVBoxLayout(self)
        for label in (self.sign, self.reading, self.mistakes):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            column.addWidget(label)
        column.addStretch(1)

    def show_item(self, item: InspectedItem) -> None:
        """Show another sign."""
        texts = item.evidence.to_json()
        self.sign.setText(f"Sign: {texts['Sign']}")
        self.reading.setText(f"Reading: {texts['Reading']}")
        self.mistakes.setText("\n".join(find_mistakes(texts["Sign"], texts["Reading"])))


def find_mistakes(sign: str, reading: str) -> list[str]:
    """Return a sentence for every stretch of characters that differs."""
    edits = SequenceMatcher(None, sign, reading, autojunk=False).get_opcodes()
    return [
        f"“{sign[start:end]}” was read as “{reading[first:last]}”."
        for kind, start, end, first, last in edits
        if kind != "equal"
    ]

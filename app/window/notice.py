"""A bar across the page that says one thing and offers what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import label, restyle

Choice = tuple[str, Callable[[], object]]


class Notice(QFrame):
    """A sentence and a few buttons; never modal. Choices are bound methods."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "notice")
        self.text = label(wrap=True)
        self.buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(px(14), px(7), px(10), px(7))
        self._row.setSpacing(px(8))
        self._row.addWidget(self.text, 1)
        self.hide()

    def say(self, text: str, choices: Sequence[Choice] = (), *, bad: bool = False) -> None:
        """Show a sentence with its choices, each of which takes the bar away."""
        self._clear()
        self.text.setText(text)
        self.setAccessibleName(text)
        restyle(self, "tone", "bad" if bad else "")
        for title, slot in choices:
            button = QPushButton(title)
            button.setProperty("kind", "small")
            button.clicked.connect(self.hide)
            button.clicked.connect(slot)
            self._row.addWidget(button)
            self.buttons.append(button)
        self.show()

    def reword(self, before: str, text: str) -> None:
        """Say something in other words, where it is still said; its choices stay."""
        if not self.isHidden() and self.text.text() == before:
            self.text.setText(text)
            self.setAccessibleName(text)

    def _clear(self) -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons.clear()

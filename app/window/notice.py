"""Notice bar above the page: a message with buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import label, restyle
from jurydesk.app.widgets.screen_reader import announce
from jurydesk.core.language import translate_text

Choice = tuple[str, Callable[[], object]]


class Notice(QFrame):
    """A non-modal message with buttons, whose slots are bound methods."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "notice")
        self.text = label(wrap=True)
        self.buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(px(14), px(7), px(10), px(7))
        self._row.setSpacing(px(8))
        self._row.addWidget(self.text, 1)
        self.hide()

    def say(self, text: str, choices: Sequence[Choice] = (), *, bad: bool = False) -> None:
        """Show a message with choices, each of which closes the bar."""
        text = translate_text(text)
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
        announce(self, text)

    def reword(self, before: str, text: str) -> None:
        """Replace the text if it is still shown, and keep the choices."""
        if not self.isHidden() and self.text.text() == before:
            self.text.setText(text)
            self.setAccessibleName(text)

    def _clear(self) -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons.clear()

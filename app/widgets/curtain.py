"""What stands in the place of scores that are hidden, and the button that opens them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.theme import px, theme
from app.widgets.parts import Card, beside, button, label

WIDTH = 460
TOLD = (
    "Until you open them no page, export or report shows a number. The desk’s file holds them, "
    "unencrypted: whoever has the file can open them, too."
)
READ_ONLY = "This desk is open for reading only: save it elsewhere, and open them there."


class Curtain(QWidget):
    """A card in the middle of the page; `open_scores` does what it says."""

    def __init__(self, open_scores: Callable[[], object]) -> None:
        super().__init__()
        self.card = Card("The scores are hidden", padding=(24, 20), spacing=12)
        self.told = label("", "muted", wrap=True)
        self.open = button("Open the scores  Ctrl+Shift+H", open_scores, "primary")
        self.card.body.addWidget(self.told)
        self.card.body.addLayout(beside(self.open, None))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        row = beside(None, self.card, None)
        row.setStretchFactor(self.card, 20)
        column.addStretch(1)
        column.addLayout(row)
        column.addStretch(2)
        self._scale()
        theme().changed.connect(self._scale)

    def tell(self, *, read_only: bool) -> None:
        """Say how the scores can be seen again."""
        self.told.setText(READ_ONLY if read_only else TOLD)
        self.open.setEnabled(not read_only)

    def _scale(self) -> None:
        self.card.setMaximumWidth(px(WIDTH))

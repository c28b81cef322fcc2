"""Card of the Home page that opens the guide at what a newcomer asks first."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from jurydesk.app.style.theme import px, theme
from jurydesk.app.widgets.parts import Card
from jurydesk.core.language import translatable, translate

PARTS = (
    translatable("Many submissions"),
    translatable("Intervals and p"),
    translatable("Saving"),
)
"""Titles of parts of the guide."""
INDENT = 7
"""Room between the edge of a link and its text."""


class GuideLink(QPushButton):
    """Link to a part of the guide, which opens where the focus is."""

    def __init__(self, part: str) -> None:
        super().__init__(translate(part))
        self.setProperty("kind", "quiet")
        self.guide_part = part


class GuideCard(Card):
    """Card with links to the guide and to the keys; `command_requested` has a command's id."""

    command_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__(translate("Guide"), padding=(16 - INDENT, 14), spacing=0)
        for part in PARTS:
            self._add(GuideLink(part)).clicked.connect(self._open_guide)
        self._add(GuideLink(translatable("Keyboard shortcuts"))).clicked.connect(self._show_keys)
        theme().follow(self._scale)

    def _add(self, link: GuideLink) -> GuideLink:
        self.body.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
        return link

    def _scale(self) -> None:
        self.title.setContentsMargins(px(INDENT), 0, 0, 0)

    def _open_guide(self) -> None:
        link = self.sender()
        if isinstance(link, GuideLink):
            link.setFocus()  # not every platform gives it to a clicked button
            self.command_requested.emit("help.guide")

    def _show_keys(self) -> None:
        self.command_requested.emit("help.keys")

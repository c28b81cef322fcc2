"""What a participant kit holds, shown before it is written."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import button, label, row_layout, scroll_area, set_spacing
from jurydesk.core.participant_kit.kit import SUFFIX, ParticipantKit

TOLD = "A checker for participants: before they send a file in, it tells them what Check tells you."
HEAD = "This leaves your computer, and nothing else of the reference data:"
UNABLE = "Only you can check:"
NO_PAGE = "For browsers there is no checker of this kind of files."
REST, LEAST = 340, 60
"""Height of what is not facts, and the least that is left for these."""


class ParticipantKitSheet(Sheet):
    """`wanted` carries the kit and the ending of the file that is to be written."""

    wanted = Signal(object, str)

    def __init__(
        self, kit: ParticipantKit, names: Mapping[str, str], has_page: bool, parent: QWidget
    ) -> None:
        super().__init__("Participant kit", parent, width=560)
        self._kit = kit
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label("Participant kit", "title"))
        self.body.addWidget(label(TOLD, "muted", wrap=True))
        self.body.addSpacing(px(6))
        self.body.addWidget(label(HEAD, "heading", wrap=True))
        self._inside = _facts(kit, names)
        self.facts = scroll_area(self._inside)
        self.facts.setAccessibleName("What the kit holds")
        self.body.addWidget(self.facts)
        made = f"Rules {kit.sha256[:12]}, made by Jurydesk {kit.program}: every checker shows that."
        self.body.addWidget(label(made, "tiny", wrap=True))
        self.program = button("For Jurydesk …", self._program, "primary", f"Write a {SUFFIX} file")
        self.page: QPushButton | None = None
        if has_page:
            self.page = button("For any browser …", self._page, hint="Write one HTML file")
        else:
            self.body.addWidget(label(NO_PAGE, "muted", wrap=True))
        pages = [self.page] if self.page else []
        self.body.addSpacing(px(6))
        self.body.addLayout(row_layout(button("Cancel", self.close), None, *pages, self.program))

    def initial_focus(self) -> QWidget:
        return self.program

    def fit(self, width: int) -> None:
        """Show all facts where there is room, else let them scroll."""
        across = width - 2 * px(24)
        needed = self._inside.heightForWidth(across - self.facts.verticalScrollBar().width())
        room = max(px(LEAST), self.parentWidget().height() - px(REST))
        self.facts.setFixedHeight(min(needed, room))
        reach = Qt.FocusPolicy.StrongFocus if needed > room else Qt.FocusPolicy.NoFocus
        self.facts.setFocusPolicy(reach)

    def _program(self) -> None:
        self._choose(SUFFIX)

    def _page(self) -> None:
        self._choose(".html")

    def _choose(self, suffix: str) -> None:
        self.close()
        self.wanted.emit(self._kit, suffix)


def _facts(kit: ParticipantKit, names: Mapping[str, str]) -> QWidget:
    inside = QWidget()
    column = QVBoxLayout(inside)
    set_spacing(column, 4)
    for sentence in kit_sentences(kit, names):
        column.addWidget(label(f"•  {sentence}", wrap=True))
    if kit.unable:
        column.addSpacing(px(6))
        column.addWidget(label(UNABLE, "heading"))
    for sentence in kit.unable:
        column.addWidget(label(f"•  {sentence}", wrap=True))
    return inside


def kit_sentences(kit: ParticipantKit, names: Mapping[str, str]) -> list[str]:
    """What leaves the organiser's computer; `names` are those of the options for people."""
    options = [f"The option “{names.get(key, key)}”: {kit.options[key]}." for key in kit.options]
    return [*(fact.says for fact in kit.facts), *options]

"""What a participant kit holds, shown before it is written."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.theme import px
from app.widgets.parts import beside, button, label
from app.widgets.popup import Popup
from core.kit.kit import SUFFIX, Kit

HEAD = "It holds of your reference data and options exactly this, and no gold:"
NO_PAGE = "There is no page for browsers for this kind of files."


class KitSheet(Popup):
    """`wanted` carries the kit and the ending of the file that is to be written."""

    wanted = Signal(object, str)

    def __init__(self, kit: Kit, has_page: bool, parent: QWidget) -> None:
        super().__init__("Participant kit", parent, width=560)
        self._kit = kit
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label("Participant kit", "title"))
        told = "A checker for participants: it tells them what your check tells you."
        self.body.addWidget(label(told, "muted", wrap=True))
        self.body.addWidget(label(HEAD, wrap=True))
        for sentence in sentences(kit):
            self.body.addWidget(label(f"•  {sentence}", wrap=True))
        for sentence in kit.unable:
            self.body.addWidget(label(f"Only you can check: {sentence}", "muted", wrap=True))
        rules = f"Rules {kit.sha256[:12]}, Jurydesk {kit.program}"
        self.body.addWidget(label(rules, "tiny"))
        self.program = button("For Jurydesk …", self._program, "primary", f"Write a {SUFFIX} file")
        self.page: QPushButton | None = None
        if has_page:
            self.page = button("For any browser …", self._page, hint="Write one HTML file")
        else:
            self.body.addWidget(label(NO_PAGE, "muted", wrap=True))
        pages = [self.page] if self.page else []
        self.body.addLayout(beside(button("Cancel", self.close), None, *pages, self.program))

    def first(self) -> QWidget:
        return self.program

    def _program(self) -> None:
        self._choose(SUFFIX)

    def _page(self) -> None:
        self._choose(".html")

    def _choose(self, suffix: str) -> None:
        self.close()
        self.wanted.emit(self._kit, suffix)


def sentences(kit: Kit) -> list[str]:
    """What leaves the organiser's machine."""
    options = [f"The option {name}: {value}." for name, value in kit.options.items()]
    return [*(fact.says for fact in kit.facts), *options]

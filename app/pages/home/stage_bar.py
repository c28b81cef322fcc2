"""Stages of a competition on the Home page: how far the open desk is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from jurydesk.app.state.next_step import STAGES
from jurydesk.app.style.theme import colour, px
from jurydesk.app.widgets.parts import ElidedLabel, restyle, set_spacing
from jurydesk.core.language import translate

BAR, ABOVE = 3, 8
"""Height of the line of a stage, and the room between it and its name."""
ROOM_FOR_DETAILS = 100
"""Width of a stage from which it says what is done."""


class Stage(QWidget):
    """Line, name and state of one stage; the line is coloured once the stage is reached."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = translate(title)
        self._is_reached = False
        self.name = ElidedLabel(self._title, "small", Qt.TextElideMode.ElideRight)
        self.detail = ElidedLabel("", "tiny", Qt.TextElideMode.ElideRight)
        column = QVBoxLayout(self)
        set_spacing(column, 1, (0, BAR + ABOVE, 0, 0))
        keeps_height = self.detail.sizePolicy()
        keeps_height.setRetainSizeWhenHidden(True)  # a change while it is resized would be lost
        self.detail.setSizePolicy(keeps_height)
        column.addWidget(self.name)
        column.addWidget(self.detail)

    def show_state(self, *, done: bool, now: bool, detail: str) -> None:
        """Show whether the stage is done or the present one, and what is known of it."""
        self._is_reached = done or now
        self.name.show_text(f"✓ {self._title}" if done else self._title)
        restyle(self.name, "kind", "heading" if now else "small")
        self.detail.show_text(detail)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.detail.setVisible(self.width() >= px(ROOM_FOR_DETAILS))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        line = colour("accent" if self._is_reached else "line")
        painter.fillRect(QRectF(0, 0, self.width(), px(BAR)), line)
        painter.end()


class StageBar(QWidget):
    """The stages side by side, of equal width."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = [Stage(title) for title in STAGES]
        row = QHBoxLayout(self)
        set_spacing(row, 8, (0, 10, 0, 0))
        for stage in self.stages:
            row.addWidget(stage, 1)

    def show_place(self, place: int, details: Sequence[str]) -> None:
        """Show which stage is the present one, and a detail of each that was reached."""
        for number, (stage, detail) in enumerate(zip(self.stages, details, strict=True)):
            stage.show_state(done=number < place, now=number == place, detail=detail)

"""The parts of the page Home: the area for files, and the rows of competitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.theme import colour, px
from app.widgets.parts import button, label, spaced

if TYPE_CHECKING:
    from core.tasks.registry import AnyTask, BrokenTask


class DropArea(QFrame):
    """A dashed frame that invites files; the whole window takes them."""

    def __init__(self, choose: Callable[[], None]) -> None:
        super().__init__()
        advice = "Reference data, submissions, or a saved desk. Each file is told by its content."
        texts = (label("Drop files or folders here", "heading"), label(advice, "muted", wrap=True))
        opener = button("Open …", choose, hint="Open files or a desk  Ctrl+O")
        row = QHBoxLayout(self)
        row.addWidget(Listed(texts, opener))
        spaced(row, 0, (20, 18, 20, 18))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colour("faint"), 1)
        pen.setDashPattern([4, 4])
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(10), px(10))


class Listed(QWidget):
    """A few lines of text, and a button beside them."""

    def __init__(self, texts: Sequence[QLabel], opener: QPushButton | None = None) -> None:
        super().__init__()
        lines = QVBoxLayout()
        spaced(lines, 2)
        for text in texts:
            lines.addWidget(text)
        row = QHBoxLayout(self)
        spaced(row, 16)
        row.addLayout(lines, 1)
        if opener is not None:
            row.addWidget(opener, 0, Qt.AlignmentFlag.AlignVCenter)


class TaskButton(QPushButton):
    """Starts the example competition of one task."""

    def __init__(self, task: AnyTask, begin: Callable[[AnyTask], object]) -> None:
        super().__init__("Try the example")
        self.setAccessibleName(f"Try the example of {task.title}")
        self._task, self._begin = task, begin
        self.clicked.connect(self._try)

    def _try(self) -> None:
        self._begin(self._task)


def broken_row(broken: BrokenTask) -> Listed:
    """A plug-in that could not be loaded, and why."""
    sentence = label(f"{broken.name} could not be loaded", "bad")
    return Listed((sentence, label(broken.error, "small", wrap=True)))

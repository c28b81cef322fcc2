"""A picture of words set in lines, whose height follows from its width."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from jurydesk.app.style.theme import colour, theme

Placed = TypeVar("Placed")


class WrappedView(QWidget, Generic[Placed]):
    """A subclass sets its words in lines, tells their height, and paints them."""

    # Of the class, since Qt asks for the height also when an object's own attributes are gone
    _placed: tuple[int, Placed] | None = None

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(name)
        theme().changed.connect(self.lay_out)

    @abstractmethod
    def set_in_lines(self, width: int) -> Placed:
        """Return where every word stands in a width."""

    @abstractmethod
    def height_of(self, placed: Placed) -> int: ...

    @abstractmethod
    def paint(self, painter: QPainter, top: int, bottom: int) -> None:
        """Paint all that lies between two heights."""

    @property
    def least_width(self) -> int:
        """The width in pixels that it asks for, where it has no other."""
        return 200

    def place(self, width: int) -> Placed:
        """Return where every word stands in a width; kept until the words or the type change."""
        if self._placed is None or self._placed[0] != width:
            self._placed = width, self.set_in_lines(width)
        return self._placed[1]

    def lay_out(self) -> None:
        """Set the words in lines again, and paint them."""
        self._placed = None
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.height_of(self.place(width))

    def sizeHint(self) -> QSize:
        width = max(self.width(), self.least_width)
        return QSize(width, self.heightForWidth(width))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint(painter, event.rect().top(), event.rect().bottom() + 1)

    def picture_size(self) -> QSize:
        """The size of the picture that is exported."""
        return self.size()

    def paint_picture(self, painter: QPainter) -> None:
        """Paint the picture that is exported."""
        painter.fillRect(self.rect(), colour("card"))
        self.paint(painter, 0, self.height())

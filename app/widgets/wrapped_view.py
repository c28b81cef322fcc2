"""Base class of views with wrapped text, whose height depends on their width."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from jurydesk.app.style.theme import colour, theme

Placed = TypeVar("Placed")

KEPT_WIDTHS = 4
"""Layouts kept at a time. Qt asks for the height at several widths in turn."""


class WrappedView(QWidget, Generic[Placed]):
    """A view of wrapped text; subclasses lay it out, return its height, and paint it."""

    # Of the class, since Qt asks for the height also when an object's own attributes are gone
    _placed: Mapping[int, Placed] = MappingProxyType({})

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(name)
        theme().changed.connect(self.lay_out)

    @abstractmethod
    def set_in_lines(self, width: int) -> Placed:
        """Return the layout for a width."""

    @abstractmethod
    def height_of(self, placed: Placed) -> int: ...

    @abstractmethod
    def paint(self, painter: QPainter, top: int, bottom: int) -> None:
        """Paint the part between two heights."""

    def tooltip_at(self, x: float, y: float) -> str | None:
        """Return the tooltip of a place; None if the whole view has one tooltip or none."""
        return None

    @property
    def least_width(self) -> int:
        """The minimum preferred width, in pixels."""
        return 200

    def place(self, width: int) -> Placed:
        """Return the layout for a width, cached until the text or the type changes."""
        if width not in self._placed:
            placed = self.set_in_lines(width)
            latest = [*self._placed.items()][1 - KEPT_WIDTHS :]
            self._placed = dict([*latest, (width, placed)])
        return self._placed[width]

    def lay_out(self) -> None:
        """Discard the cached layouts, and repaint."""
        self._placed = {}
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

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tooltip_at(event.pos().x(), event.pos().y())
            if text is not None:
                QToolTip.showText(event.globalPos(), text, self)
                return True
        return super().event(event)

    def picture_size(self) -> QSize:
        """Return the size of the exported picture."""
        return self.size()

    def paint_picture(self, painter: QPainter) -> None:
        """Paint the exported picture."""
        painter.fillRect(self.rect(), colour("card"))
        self.paint(painter, 0, self.height())

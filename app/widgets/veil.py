"""What lies over the window while files are dragged onto it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.theme import HEADING, colour, font, px


class Veil(QWidget):
    """A soft sheet with a dashed edge that says what dropping does."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def lower_onto(self, title: str, *, closed: bool = False) -> None:
        """Cover the window; nothing is added to a desk that is closed to changes."""
        self._text = f"Drop to add to {title}" if title else "Drop to look at the files"
        if closed:
            self._text = "Drop another desk to open it"
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), colour("background", 0.85))
        inside = QRectF(self.rect()).adjusted(px(16), px(16), -px(16), -px(16))
        painter.setPen(QPen(colour("accent"), px(2), Qt.PenStyle.DashLine))
        painter.setBrush(colour("accent_soft", 0.6))
        painter.drawRoundedRect(inside, px(10), px(10))
        painter.setFont(font(HEADING, bold=True))
        painter.setPen(colour("accent"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)

"""What the window consists of: top bar, sidebar, notice, pages, strip, and what lies over them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QStackedWidget, QWidget

from app.jobs import Jobs
from app.pages import PAGES
from app.theme import HEADING, colour, font, px
from app.widgets.notice import Notice
from app.widgets.sidebar import Sidebar
from app.widgets.strip import Strip
from app.widgets.toast import Toast
from app.widgets.top_bar import TopBar


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


SMALLEST = 320, 200
"""Width and height below which no page is of use; above it, what does not fit is scrolled to."""
NARROW = 820
"""Below this width the sidebar shows names alone."""


class Pages(QStackedWidget):
    """The pages; no page that was once shown makes the window larger than the screen."""

    def minimumSizeHint(self) -> QSize:
        return QSize(*SMALLEST)


class Shell(QWidget):
    """The parts in their places; the window connects them."""

    def __init__(self, export: QAction, score: QAction, jobs: Jobs) -> None:
        super().__init__()
        self.top = TopBar(export, score)
        self.sidebar = Sidebar(PAGES)
        self.notice = Notice()
        self.stack = Pages()
        self.stack.setObjectName("pages")
        self.strip = Strip(jobs)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.top, 0, 0, 1, 2)
        grid.addWidget(self.sidebar, 1, 0, 2, 1)
        grid.addWidget(self.notice, 1, 1)
        grid.addWidget(self.stack, 2, 1)
        grid.addWidget(self.strip, 3, 0, 1, 2)
        grid.setRowStretch(2, 1)
        grid.setColumnStretch(1, 1)
        self.toast = Toast(self)
        self.veil = Veil(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sidebar.set_slim(event.size().width() < px(NARROW))

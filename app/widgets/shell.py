"""What the window consists of: top bar, sidebar, notice, pages, strip, and what lies over them."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QStackedWidget, QWidget

from app.jobs import Jobs
from app.pages import PAGES
from app.theme import px
from app.widgets.notice import Notice
from app.widgets.sidebar import Sidebar
from app.widgets.strip import Strip
from app.widgets.toast import Toast
from app.widgets.top_bar import TopBar
from app.widgets.veil import Veil

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

"""Layout of the window: top bar, sidebar, notice, pages, job strip, toast and drop overlay."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QCursor,
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QListView,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from jurydesk.app.jobs.job import Jobs
from jurydesk.app.pages import PAGES, PageEntry
from jurydesk.app.style.theme import HEADING, TINY, colour, font, px, theme
from jurydesk.app.window.job_strip import JobStrip
from jurydesk.app.window.notice import Notice
from jurydesk.app.window.page_box import page_tip
from jurydesk.app.window.toast import Toast
from jurydesk.app.window.top_bar import TopBar
from jurydesk.core.language import translate

WIDTH, SLIM, ROW, GAP = 184, 144, 35, 2
TABBED = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class PageDelegate(QStyledItemDelegate):
    """Paints a page's name and key, with the current page highlighted."""

    def __init__(self, sidebar: Sidebar) -> None:
        super().__init__(sidebar)
        self._sidebar = sidebar

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(px(1), px(ROW + GAP))  # a list gives each row its own width

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        # `option.state` has all of this, but its class takes 4 ms of the time to the first window.
        shown, hovered = index == self._sidebar.currentIndex(), index == self._sidebar.hovered()
        rect: QRect = option.rect.adjusted(0, 0, 0, -px(GAP))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if shown or hovered:
            painter.setBrush(colour("accent_soft" if shown else "hover"))
            painter.drawRoundedRect(rect, px(6), px(6))
        if shown and self._sidebar.ringed and self._sidebar.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour("accent"), 1))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), px(6), px(6))
        inside = rect.adjusted(px(12), 0, -px(12), 0)
        painter.setPen(colour("accent" if shown else "muted"))
        painter.setFont(font(bold=shown))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, index.data())
        if not self._sidebar.slim:
            painter.setFont(font(TINY))
            painter.setPen(colour("accent" if shown else "muted", 0.65))
            painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, str(index.row() + 1))
        painter.restore()


class Sidebar(QListView):
    """List of pages; `chosen` carries the id of the page to show."""

    chosen = Signal(str)

    def __init__(self, pages: Sequence[PageEntry]) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setAccessibleName(translate("Pages"))
        self.ringed = False
        self.slim = False
        self._pages = pages
        self._model = QStandardItemModel(self)
        for n, page in enumerate(pages, 1):
            item = QStandardItem(translate(page.title))
            item.setEditable(False)
            item.setToolTip(page_tip(page, n))
            self._model.appendRow(item)
        self.setModel(self._model)
        self.setItemDelegate(PageDelegate(self))
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        theme().follow(self._scale)
        self.selectionModel().currentChanged.connect(self._change)

    def set_slim(self, slim: bool) -> None:
        """Show the names without their keys, for a narrow window."""
        if slim != self.slim:
            self.slim = slim
            self._scale()

    def hide_pages(self, unused: Collection[str]) -> None:
        """Hide the rows of these pages; the others keep their keys."""
        for row, page in enumerate(self._pages):
            self.setRowHidden(row, page.id in unused)

    def show_page(self, name: str) -> None:
        """Mark a page as the current one, without a signal."""
        row = next(i for i, page in enumerate(self._pages) if page.id == name)
        if self.currentIndex().row() != row:
            with QSignalBlocker(self):
                self.setCurrentIndex(self._model.index(row, 0))

    def hovered(self) -> QModelIndex:
        """Return the index under the mouse."""
        if not self.underMouse():
            return QModelIndex()
        return self.indexAt(self.viewport().mapFromGlobal(QCursor.pos()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.ringed = event.reason() in TABBED
        super().focusInEvent(event)

    def _change(self, current: QModelIndex) -> None:
        self.chosen.emit(self._pages[current.row()].id)

    def _scale(self) -> None:
        self.setFixedWidth(px(SLIM if self.slim else WIDTH))
        self.setViewportMargins(px(8), px(12), px(8), px(12))
        self.scheduleDelayedItemsLayout()


class DropOverlay(QWidget):
    """An overlay that shows what dropping files will do."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover(self, title: str, *, closed: bool = False) -> None:
        """Cover the window; with `closed` the open desk accepts no files."""
        if closed:
            self._text = translate("Drop another desk to open it")
        elif title:
            self._text = translate("Drop to add to {title}", title=title)
        else:
            self._text = translate("Drop files to add them")
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
"""Minimum width and height of a page; larger content scrolls."""
NARROW = 820
"""Below this width the sidebar shows only names."""
COMPACT = 640, 470
"""Below this width or height the top bar has the list of pages, instead of the sidebar."""


class Pages(QStackedWidget):
    """Stack of pages whose minimum size does not depend on its pages."""

    def minimumSizeHint(self) -> QSize:
        return QSize(*SMALLEST)


class WindowLayout(QWidget):
    """The parts of the window in their places; the window connects them."""

    def __init__(self, export: QAction, score: QAction, jobs: Jobs) -> None:
        super().__init__()
        self.top = TopBar(export, score)
        self.sidebar = Sidebar(PAGES)
        self.notice = Notice()
        self.stack = Pages()
        self.stack.setObjectName("pages")
        self.strip = JobStrip(jobs)
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
        self.drop_overlay = DropOverlay(self)
        self._unused: frozenset[str] = frozenset()
        theme().changed.connect(self._place_pages)

    def hide_pages(self, unused: frozenset[str]) -> None:
        """Leave these pages out of both lists."""
        if unused != self._unused:
            self._unused = unused
            self.sidebar.hide_pages(unused)
            self.top.pages.hide_pages(unused)

    def show_page(self, name: str) -> None:
        """Mark a page as the current one in both lists of pages."""
        self.sidebar.show_page(name)
        self.top.pages.show_page(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_pages()

    def _place_pages(self) -> None:
        """Show the list of pages at the left, or in the top bar of a narrow window."""
        width, height = COMPACT
        is_compact = self.width() < px(width) or self.height() < px(height)
        self.sidebar.set_slim(self.width() < px(NARROW))
        lists: tuple[QWidget, QWidget] = (self.sidebar, self.top.pages)
        shown, other = reversed(lists) if is_compact else lists
        had_focus = other.hasFocus()
        self.sidebar.setVisible(not is_compact)
        self.top.show_pages(shown=is_compact)
        if had_focus:
            shown.setFocus()

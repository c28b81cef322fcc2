"""The list of pages at the left, with the digit that opens each where there is room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QKeySequence,
    QPainter,
    QPen,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.pages import PageEntry
from app.theme import TINY, colour, font, px, theme

WIDTH, SLIM, ROW, GAP = 184, 144, 35, 2
TABBED = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class Rows(QStyledItemDelegate):
    """Paints a page's name and its key; the page shown lies on a soft accent."""

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
        shown = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        rect: QRect = option.rect.adjusted(0, 0, 0, -px(GAP))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if shown or hovered:
            painter.setBrush(colour("accent_soft" if shown else "hover"))
            painter.drawRoundedRect(rect, px(6), px(6))
        if self._sidebar.ringed and option.state & QStyle.StateFlag.State_HasFocus:
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
    """The pages; `chosen` carries the id of the one to show."""

    chosen = Signal(str)

    def __init__(self, pages: Sequence[PageEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAccessibleName("Pages")
        self.ringed = False
        self.slim = False
        self._pages = pages
        self._model = QStandardItemModel(self)
        for n, page in enumerate(pages, 1):
            item = QStandardItem(page.title)
            item.setEditable(False)
            key = QKeySequence(f"Ctrl+{n}").toString(QKeySequence.SequenceFormat.NativeText)
            item.setToolTip(f"{page.title}  {key}")
            self._model.appendRow(item)
        self.setModel(self._model)
        self.setItemDelegate(Rows(self))
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self._scale()
        theme().changed.connect(self._scale)
        self.selectionModel().currentChanged.connect(self._change)

    def set_slim(self, slim: bool) -> None:
        """Show the names alone, without their keys, where the window is narrow."""
        if slim != self.slim:
            self.slim = slim
            self._scale()

    def show_page(self, name: str) -> None:
        """Mark a page as the one that is shown; nothing is emitted."""
        row = next(i for i, page in enumerate(self._pages) if page.id == name)
        if self.currentIndex().row() != row:
            with QSignalBlocker(self):
                self.setCurrentIndex(self._model.index(row, 0))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.ringed = event.reason() in TABBED
        super().focusInEvent(event)

    def _change(self, current: QModelIndex) -> None:
        self.chosen.emit(self._pages[current.row()].id)

    def _scale(self) -> None:
        self.setFixedWidth(px(SLIM if self.slim else WIDTH))
        self.setViewportMargins(px(8), px(12), px(8), px(12))
        self.scheduleDelayedItemsLayout()

"""The table of systems: numbers with their intervals, and the interval strip."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QTableView,
    QWidget,
)

from app.models.board import CELL, BoardModel, Column
from app.theme import SMALL, colour, font, px, theme
from app.widgets.board_cells import Cells, Header, chips_width
from core.board import Row

Index = QModelIndex | QPersistentModelIndex
HEADER, TWO_LINES, TALL, LOW = 36, 48, 55, 40
RANK, SYSTEM, METRIC, WIDEST, STRIP = 64, 170, 122, 146, 190
WIDEST_NAME, LEAST_ROWS = 320, 3
BAR = 20
"""The room of a scroll bar below the rows."""
NUMBERS = ("metric", "interval")
PNG_SCALE = 2
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
MIDDLE = Qt.AlignmentFlag.AlignVCenter


class BoardView(QTableView):
    """`opened` carries a system and a metric, `looked_at` the cell that the keyboard is on."""

    opened = Signal(str, str)
    looked_at = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widest = 0
        self.board_model = BoardModel(self)
        self.setAccessibleName("Board")
        self.setModel(self.board_model)
        self._cells = Cells(self.board_model, self)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(Header(self.board_model, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.verticalHeader().hide()
        self.entered.connect(self._hover)
        self.horizontalHeader().sectionClicked.connect(self.sort_column)
        self.selectionModel().currentChanged.connect(self._current)
        self.board_model.modelReset.connect(self.fit)
        theme().changed.connect(self.fit)
        self.fit()

    def cell(self, index: Index) -> tuple[Row, Column] | None:
        """The system and the column of an index."""
        return index.data(CELL) if index.isValid() else None

    def sort_column(self, column: int) -> None:
        """Sort by a column, the best first; again turns it round."""
        if not 0 <= column < len(self.board_model.columns):
            return
        shown = self.board_model.columns[column]
        best_down = shown.metric is not None and shown.metric.better != "lower"
        descending = best_down
        if self.board_model.sorting is not None and self.board_model.sorting[0] == column:
            descending = not self.board_model.sorting[1]
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.board_model.sort(column, order)
        self.horizontalHeader().viewport().update()

    def selected_rows(self) -> list[Row]:
        """The selected systems in the order of the table; all of them where none is selected."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        rows = self.board_model.rows
        return [rows[place] for place in places] or list(rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        elif event.key() == Qt.Key.Key_S and not event.modifiers():
            self.sort_column(self.currentIndex().column())
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        cell = self.cell(index)
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        one = len(self.selectionModel().selectedRows()) == 1
        if plain and one and cell is not None and cell[1].kind in NUMBERS:
            self._open(index)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(QModelIndex())

    def picture(self) -> QImage:
        """The whole table as an image, twice as fine as on the screen."""
        paper = BoardView()
        paper.board_model.restore(self.board_model)
        size = QSize(max(self.width(), paper.minimumWidth()), paper.maximumHeight())
        paper.setFixedSize(size)
        image = QImage(size * PNG_SCALE, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(PNG_SCALE)
        image.fill(colour("card"))
        paper.render(image)
        paper.deleteLater()
        return image

    def fit(self) -> None:
        """Give rows and columns their sizes."""
        model = self.board_model
        has_strip = any(column.kind == "interval" for column in model.columns)
        height = px(TALL if model.has_intervals() else LOW)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        header = self.horizontalHeader()
        bold = QFontMetrics(font(SMALL, bold=True))
        wraps = False
        for number, column in enumerate(model.columns):
            wanted = bold.horizontalAdvance(column.title) + px(38)
            if column.kind == "system":
                wanted = self._name_width()
            if column.kind == "metric" and wanted > px(WIDEST):
                wanted, wraps = px(WIDEST), True
            least = {"rank": RANK, "system": SYSTEM, "metric": METRIC}.get(column.kind, STRIP)
            header.resizeSection(number, max(wanted, px(least)))
            if column.kind == ("interval" if has_strip else "system"):
                self._widest = number
        top = px(TWO_LINES if wraps else HEADER)
        header.setFixedHeight(top)
        rows = max(1, model.rowCount())
        self.setMinimumHeight(top + min(rows, LEAST_ROWS) * height + px(BAR))
        self.setMaximumHeight(top + rows * height + px(BAR))
        self._share_room()
        self.updateGeometry()

    def _name_width(self) -> int:
        """The width of the longest name with what stands beside it, within reason."""
        model, metrics = self.board_model, QFontMetrics(font())
        widths = (
            metrics.horizontalAdvance(row.summary.system) + chips_width(model.chips(row))
            for row in model.rows
        )
        return min(max(widths, default=0) + px(24), px(WIDEST_NAME))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Give the room that is left to the column that can use it, which keeps what it needs."""
        header, columns = self.horizontalHeader(), self.board_model.columns
        if self._widest >= len(columns):
            return
        kind = columns[self._widest].kind
        others = header.length() - header.sectionSize(self._widest)
        least = px(STRIP) if kind == "interval" else max(px(SYSTEM), self._name_width())
        header.resizeSection(self._widest, max(least, self.viewport().width() - others))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def _open(self, index: Index) -> None:
        cell = self.cell(index)
        if cell is not None:
            row, column = cell
            self.opened.emit(row.summary.system, column.metric.name if column.metric else "")

    def _hover(self, index: Index) -> None:
        self._cells.hovered = QPersistentModelIndex(index)
        cell = self.cell(index)
        opens = cell is not None and cell[1].kind in NUMBERS
        shape = Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        self.viewport().update()

    def look_again(self) -> None:
        """Emit `looked_at` anew, since what is known of the cell may be more."""
        self._current(self.currentIndex())

    def _current(self, index: QModelIndex) -> None:
        cell = self.cell(index)
        if cell is not None:
            self.looked_at.emit(cell[0], cell[1].metric)

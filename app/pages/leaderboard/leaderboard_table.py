"""The table of systems: numbers with their intervals, and the interval strip."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QLineF,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from jurydesk.app.pages.leaderboard.interval_scale import Scale, ends_of
from jurydesk.app.pages.leaderboard.leaderboard_model import CELL, BoardModel, Column
from jurydesk.app.style import numbers
from jurydesk.app.style.theme import SMALL, TINY, colour, font, px, theme
from jurydesk.core.analysis.leaderboard import Row
from jurydesk.core.model.evaluation import Score


def paint_interval(painter: QPainter, rect: QRectF, score: Score | None, scale: Scale) -> None:
    """Draw one score on the common scale, or say on which side of it the score lies."""
    ends = None if score is None else ends_of(score)
    if score is None or ends is None:
        return
    if ends[1] < scale.low or ends[0] > scale.high:
        _paint_beside(painter, rect, "left" if ends[1] < scale.low else "right")
        return
    middle = rect.center().y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour("line"), 1))
    painter.drawLine(QLineF(rect.left(), middle, rect.right(), middle))
    left, right = (_at(rect, scale, end) for end in ends)
    painter.setPen(QPen(colour("accent"), px(4), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QLineF(left, middle, right, middle))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    painter.drawEllipse(QPointF(_at(rect, scale, score.value), middle), px(5), px(5))


def _paint_beside(painter: QPainter, rect: QRectF, side: str) -> None:
    painter.setFont(font(TINY))
    painter.setPen(colour("muted"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, f"{side} of scale")


def _at(rect: QRectF, scale: Scale, value: float) -> float:
    return rect.left() + rect.width() * min(max(scale.share(value), 0.0), 1.0)


GAP = 8


class Cells(QStyledItemDelegate):
    """Paints one cell by the kind of its column."""

    def __init__(self, model: BoardModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.hovered: Index = QModelIndex()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.data(CELL)
        rect: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour("accent_soft"))
        elif index.row() == self.hovered.row():
            painter.fillRect(rect, colour("hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(
                QRect(rect.left(), rect.bottom() - px(1), rect.width(), px(2)), colour("accent")
            )
        inside = rect.adjusted(px(10), 0, -px(10), -1)
        if column.kind == "metric":
            self._number(painter, inside, row, column, under=index == self.hovered)
        elif column.kind == "interval":
            self._strip(painter, inside, row, column)
        else:
            self._name(painter, inside, row, index.data(), column)
        painter.restore()

    def _number(
        self, painter: QPainter, rect: QRect, row: Row, column: Column, *, under: bool
    ) -> None:
        if column.metric is None:
            return
        score, best = self._model.cell(row, column.metric)
        value = float("nan") if score is None else score.value
        text = numbers.number(value, column.metric.decimals)
        below = numbers.interval(score.interval if score else None, column.metric.decimals)
        upper = rect
        if below:
            half = rect.height() // 2
            upper = rect.adjusted(0, px(6), 0, -half + px(4))
            painter.setFont(font(TINY))
            painter.setPen(colour("muted"))
            painter.drawText(rect.adjusted(0, half, 0, -px(6)), RIGHT | MIDDLE, below)
        shown = font(bold=best)
        shown.setUnderline(under)
        painter.setFont(shown)
        painter.setPen(colour("accent" if under else "muted" if row.summary.stale else "text"))
        painter.drawText(upper, RIGHT | MIDDLE, text)

    def _strip(self, painter: QPainter, rect: QRect, row: Row, column: Column) -> None:
        scale = self._model.scale
        if column.metric is not None and scale is not None:
            score = self._model.score(row, column.metric)
            paint_interval(painter, QRectF(rect.adjusted(px(10), 0, -px(10), 0)), score, scale)

    def _name(self, painter: QPainter, rect: QRect, row: Row, text: str, column: Column) -> None:
        chips = self._model.chips(row) if column.kind == "system" else []
        metrics = QFontMetrics(font())
        room = max(rect.width() - chips_width(chips), rect.width() // 3)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        painter.setClipRect(rect)
        painter.setFont(font())
        painter.setPen(colour("text"))
        painter.drawText(rect, LEFT | MIDDLE, shown)
        left = rect.left() + metrics.horizontalAdvance(shown) + px(GAP)
        for chip in chips:
            _paint_chip(painter, QPoint(left, rect.center().y()), chip)
            left += _chip_width(chip) + px(GAP)


def _chip_width(text: str) -> int:
    return QFontMetrics(font(TINY)).horizontalAdvance(text) + px(16)


def chips_width(chips: Sequence[str]) -> int:
    """The room that chips take beside a name, in pixels."""
    return sum(_chip_width(chip) + px(GAP) for chip in chips)


def _paint_chip(painter: QPainter, at: QPoint, text: str) -> None:
    height = px(19)
    rect = QRectF(at.x(), at.y() - height / 2, _chip_width(text), height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour("bad"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, height / 2, height / 2)
    painter.setFont(font(TINY))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


class Header(QHeaderView):
    """Column titles; a triangle beside the one that the board is sorted by."""

    def __init__(self, model: BoardModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._model = model
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self._model
        painter.save()
        painter.fillRect(rect, colour("card"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        is_sorted = model.sorting is not None and model.sorting[0] == section
        painter.setFont(font(SMALL, bold=True))
        painter.setPen(colour("text" if is_sorted else "muted"))
        inside = rect.adjusted(px(10), 0, -px(10), 0)
        title = model.headerData(section, Qt.Orientation.Horizontal)
        align = model.headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        metrics = painter.fontMetrics()
        painter.drawText(inside, align | Qt.TextFlag.TextWordWrap, title)
        if model.sorting is not None and is_sorted:
            width = min(metrics.horizontalAdvance(title), inside.width() - px(14))
            right = align & Qt.AlignmentFlag.AlignRight
            x = inside.right() - width - px(9) if right else inside.left() + width + px(9)
            _paint_triangle(painter, QPointF(x, rect.center().y()), down=model.sorting[1])
        painter.restore()


def _paint_triangle(painter: QPainter, centre: QPointF, *, down: bool) -> None:
    half, tip = px(3), px(2) * (1 if down else -1)
    corners = [QPointF(-half, -tip), QPointF(half, -tip), QPointF(0, tip)]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))


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
            metrics.horizontalAdvance(model.short_name(row)) + chips_width(model.chips(row))
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

"""The table of systems: numbers with their intervals, and the interval strip."""

from __future__ import annotations

import math
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
    QPaintEvent,
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
from jurydesk.app.pages.leaderboard.leaderboard_model import INTERVAL, BoardModel, score_interval
from jurydesk.app.style.theme import SMALL, TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import elide, tip
from jurydesk.core.analysis.leaderboard import LeaderboardRow, find_score
from jurydesk.core.analysis.leaderboard_table import PLACE, SYSTEM
from jurydesk.core.language import localize_number, translate, translate_text
from jurydesk.core.model.evaluation import Score
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn


def paint_interval(painter: QPainter, rect: QRectF, score: Score | None, scale: Scale) -> None:
    """Paint a score with its interval; outside the scale, its value with an arrow."""
    ends = None if score is None else ends_of(score)
    if score is None or ends is None:
        return
    if ends[1] < scale.low or ends[0] > scale.high:
        is_left = ends[1] < scale.low
        _paint_beside(painter, rect, score.value, is_left=is_left)
        return
    middle = rect.center().y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    left, right = (_x_position(rect, scale, end) for end in ends)
    painter.setPen(QPen(colour("accent"), px(4), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QLineF(left, middle, right, middle))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    painter.drawEllipse(QPointF(_x_position(rect, scale, score.value), middle), px(5), px(5))


def _paint_beside(painter: QPainter, rect: QRectF, value: float, *, is_left: bool) -> None:
    painter.setFont(font(TINY))
    painter.setPen(colour("muted"))
    number = numbers.number(value, 4)
    text = translate(
        "◂ {number}, left of the axis" if is_left else "{number}, right of the axis ▸",
        number=number,
    )
    side = Qt.AlignmentFlag.AlignLeft if is_left else Qt.AlignmentFlag.AlignRight
    painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, text)


def _x_position(rect: QRectF, scale: Scale, value: float) -> float:
    return rect.left() + rect.width() * min(max(scale.share(value), 0.0), 1.0)


GAP = 8
INSET, LANE = 10, 7
"""Pixels at the ends of a strip, and between two brackets."""
MOST_TWO_LINED = 100
"""More rows than this have no second line on any screen."""
TWO_LINED = 42
"""Row height from which the interval is painted on a second line."""


class LeaderboardCellDelegate(QStyledItemDelegate):
    """Delegate that paints a cell by the kind of its column."""

    def __init__(self, model: BoardModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.hovered: Index = QModelIndex()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column, row = self._model.cell(index)
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
        if isinstance(column, NumberColumn) and column.best is not None:
            self._number(painter, inside, row, column, under=index == self.hovered)
        elif column.name == INTERVAL:
            self._strip(painter, inside, row)
        else:
            self._name(painter, inside, row, column)
            if column.name == PLACE:
                self._brackets(painter, rect, index.row())
        painter.restore()

    def _number(
        self,
        painter: QPainter,
        rect: QRect,
        row: int,
        column: NumberColumn,
        *,
        under: bool,
    ) -> None:
        is_doubtful = row in column.doubtful
        best = row in (column.best or ()) and not is_doubtful
        below = score_interval(column, row)
        upper = rect
        if below and rect.height() >= px(TWO_LINED):
            half = rect.height() // 2
            upper = rect.adjusted(0, px(6), 0, -half + px(4))
            painter.setFont(font(TINY))
            painter.setPen(colour("muted"))
            painter.drawText(rect.adjusted(0, half, 0, -px(6)), RIGHT | MIDDLE, below)
        shown = font(bold=best)
        shown.setUnderline(under)
        painter.setFont(shown)
        faded = is_doubtful or self._model.is_stale(row)
        painter.setPen(colour("accent" if under else "muted" if faded else "text"))
        painter.drawText(upper, RIGHT | MIDDLE, column.text(row))

    def _strip(self, painter: QPainter, rect: QRect, row: int) -> None:
        scale, board = self._model.scale, self._model.board
        if scale is not None and board is not None and board.headline is not None:
            score = find_score(board.rows[row].summary, board.headline.name)
            strip = QRectF(rect.adjusted(px(INSET), 0, -px(INSET), 0))
            painter.setPen(QPen(colour("line"), 1))
            for tick in scale.ticks():
                x = _x_position(strip, scale, tick)
                painter.drawLine(QLineF(x, rect.top(), x, rect.bottom() + 1))
            paint_interval(painter, strip, score, scale)

    def _brackets(self, painter: QPainter, rect: QRect, row: int) -> None:
        """Paint this row's part of each bracket in its lane, from the right."""
        painter.setClipRect(rect)
        painter.setPen(QPen(colour("text"), px(1)))
        for bracket in self._model.brackets:
            part = bracket.part(row)
            if not part:
                continue
            x = rect.right() - px(LANE) * (1 + bracket.lane)
            top = rect.top() + (px(6) if part == "top" else 0)
            bottom = rect.bottom() - (px(6) if part == "bottom" else 0)
            painter.drawLine(x, top, x, bottom)
            if part != "middle":
                y = top if part == "top" else bottom
                painter.drawLine(x, y, x + px(4), y)

    def _name(
        self,
        painter: QPainter,
        rect: QRect,
        row: int,
        column: Column,
    ) -> None:
        chips = self._model.chips(row) if column.name == SYSTEM else []
        metrics = QFontMetrics(font())
        room = max(rect.width() - chips_width(chips), rect.width() // 3)
        shown = elide(metrics, column.text(row), Qt.TextElideMode.ElideMiddle, room)
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
    """Return the width of the chips beside a name, in pixels."""
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


class LeaderboardHeader(QHeaderView):
    """Header with column titles and a triangle beside the sorted one."""

    def __init__(self, model: BoardModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._model = model
        self.setAccessibleName(translate("Column titles"))
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
HEADER, TWO_LINES, TALL, LOW = 36, 48, 50, 29
LEAST, METRIC, WIDEST = {PLACE: 66, SYSTEM: 170, INTERVAL: 176}, 116, 146
"""Minimum widths by column, of all others, and the width from which a title is broken."""
WIDEST_NAME, LEAST_ROWS = 320, 2
BAR = 20
"""Height of the scroll bar below the rows."""
PNG_SCALE, PICTURE = 2, 900
"""Scale and minimum width of an exported picture."""
AXIS = 36
"""Height of the axis below the rows."""
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
MIDDLE = Qt.AlignmentFlag.AlignVCenter


class BoardView(QTableView):
    """Table of systems and metrics.

    `opened` carries a system and a metric, `current_cell_changed` the row and metric at the cursor.
    """

    opened = Signal(str, str)
    current_cell_changed = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._growing_column = 0
        self.board_model = BoardModel(self)
        self.setAccessibleName(translate("Board"))
        self.setModel(self.board_model)
        self._cells = LeaderboardCellDelegate(self.board_model, self)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(LeaderboardHeader(self.board_model, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.verticalHeader().hide()
        self.entered.connect(self._hover_cell)
        self.horizontalHeader().sectionClicked.connect(self.sort_column)
        self.selectionModel().currentChanged.connect(self._emit_current_cell)
        self.board_model.modelReset.connect(self.fit)
        theme().changed.connect(self.fit)
        self.fit()

    def cell(self, index: Index) -> tuple[LeaderboardRow, Column] | None:
        """Return the row of the board and the column of an index; None if it is invalid."""
        board = self.board_model.board
        if board is None or not index.isValid():
            return None
        column, row = self.board_model.cell(index)
        return board.rows[row], column

    def sort_column(self, column: int) -> None:
        """Sort by a column, best first; if it is sorted already, reverse the order."""
        if not 0 <= column < len(self.board_model.columns):
            return
        model, current = self.board_model, self.currentIndex()
        metric, row = model.metric(model.columns[column]), int(model.rows[max(current.row(), 0)])
        descending = metric is not None and metric.better != "lower"
        if model.sorting is not None and model.sorting[0] == column:
            descending = not model.sorting[1]
        model.sort_by(column, descending=descending)
        self.setCurrentIndex(model.index(model.place(row) or 0, max(current.column(), 0)))

    def selected_places(self) -> list[int]:
        """Return the places of the selected systems; all of them without a selection."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        return places or list(range(self.board_model.rowCount()))

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
        if plain and one and cell is not None and self._opens(cell[1]):
            self._open(index)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover_cell(QModelIndex())

    def picture(self) -> QImage:
        """Return an image of the whole table at twice the screen's resolution."""
        paper = BoardView()
        paper.board_model.restore(self.board_model)
        size = QSize(max(self.width(), px(PICTURE)), paper.maximumHeight())
        paper.setFixedSize(size)
        image = QImage(size * PNG_SCALE, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(PNG_SCALE)
        image.fill(colour("card"))
        paper.render(image)
        paper.deleteLater()
        return image

    def fit(self) -> None:
        model = self.board_model
        names = [column.name for column in model.columns]
        height = self._max_row_height()
        # A larger minimum would change rows that Qt then no longer gives the default height.
        self.verticalHeader().setMinimumSectionSize(1)
        grows = INTERVAL if INTERVAL in names else SYSTEM
        self._growing_column = names.index(grows) if grows in names else 0
        header = self.horizontalHeader()
        bold = QFontMetrics(font(SMALL, bold=True))
        wraps = False
        for number, column in enumerate(model.columns):
            wanted = bold.horizontalAdvance(column.heading) + px(38)
            if column.name == SYSTEM:
                wanted = self._name_width()
            elif column.name not in LEAST and wanted > px(WIDEST):
                wanted, wraps = px(WIDEST), True
            wanted = max(wanted, self._interval_width(column))
            least = LEAST.get(column.name, METRIC)
            if column.name == PLACE:
                lanes = max((bracket.lane + 1 for bracket in model.brackets), default=0)
                least += LANE * lanes
            header.resizeSection(number, max(wanted, px(least)))
        top = px(TWO_LINES if wraps else HEADER)
        header.setFixedHeight(top)
        rows = max(1, model.rowCount())
        self.setMinimumHeight(top + min(rows, LEAST_ROWS) * px(LOW) + px(BAR))
        self.setMaximumHeight(top + rows * height + px(BAR))
        self._distribute_height()
        self._distribute_width()
        self.updateGeometry()

    def _interval_width(self, column: Column) -> int:
        """Return the width of the longest interval below a number of the column; else 0."""
        rows = self.board_model.rows.tolist()
        is_metric = isinstance(column, NumberColumn) and column.best is not None
        if not isinstance(column, NumberColumn) or not is_metric or len(rows) > MOST_TWO_LINED:
            return 0
        metrics = QFontMetrics(font(TINY))
        texts = (score_interval(column, row) for row in rows)
        longest = max((metrics.horizontalAdvance(text) for text in texts if text), default=0)
        return longest + 2 * px(10) + 1 if longest else 0

    def _name_width(self) -> int:
        """Return the width of the longest name with its chips, at most `WIDEST_NAME`."""
        model, metrics = self.board_model, QFontMetrics(font())
        widths = (
            metrics.horizontalAdvance(column.text(row)) + chips_width(model.chips(row))
            for column in model.columns
            if column.name == SYSTEM
            for row in model.rows.tolist()
        )
        return min(max(widths, default=0) + px(24), px(WIDEST_NAME))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._distribute_height()
        self._distribute_width()

    def _max_row_height(self) -> int:
        return px(TALL if self.board_model.has_intervals() else LOW + 8)

    def _distribute_height(self) -> None:
        """Make all rows fit, within the bounds of their height."""
        self.verticalHeader().setDefaultSectionSize(self._row_height())

    def _row_height(self) -> int:
        rows = max(1, self.board_model.rowCount())
        bar = self.horizontalScrollBar()
        below = bar.height() if bar.maximum() > 0 else 0
        room = (self.height() - self.horizontalHeader().height() - below) // rows
        return min(max(room, px(LOW)), self._max_row_height())

    def strip(self) -> QRectF:
        """Return the horizontal extent of the interval strip in the viewport; empty without one."""
        for number, column in enumerate(self.board_model.columns):
            if column.name == INTERVAL:
                left, inset = self.columnViewportPosition(number), px(10) + px(INSET)
                return QRectF(left + inset, 0, self.columnWidth(number) - 2 * inset, 1)
        return QRectF()

    def _distribute_width(self) -> None:
        """Give the remaining width to the interval column, else to the system column."""
        header, columns = self.horizontalHeader(), self.board_model.columns
        if self._growing_column >= len(columns):
            return
        grows, room = columns[self._growing_column].name, self.viewport().width()
        for number, column in enumerate(columns):
            if column.name == SYSTEM:  # shrinks as far as names stay distinct
                needed = header.length() - header.sectionSize(number)
                if grows == INTERVAL:
                    needed += px(LEAST[INTERVAL]) - header.sectionSize(self._growing_column)
                name = min(self._name_width(), room - needed)
                header.resizeSection(number, max(px(LEAST[SYSTEM]), name))
        others = header.length() - header.sectionSize(self._growing_column)
        least = px(LEAST[grows])
        header.resizeSection(self._growing_column, max(least, room - others))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def _open(self, index: Index) -> None:
        cell = self.cell(index)
        if cell is not None:
            row, column = cell
            metric = self.board_model.metric(column)
            self.opened.emit(row.summary.system, metric.name if metric else "")

    def _opens(self, column: Column) -> bool:
        """Return whether a click on a cell of the column opens its items."""
        return self.board_model.metric(column) is not None

    def _hover_cell(self, index: Index) -> None:
        self._cells.hovered = QPersistentModelIndex(index)
        cell = self.cell(index)
        opens = cell is not None and self._opens(cell[1])
        shape = Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        self.viewport().update()

    def emit_current_cell(self) -> None:
        """Emit `current_cell_changed` again, because facts about the cell may have changed."""
        self._emit_current_cell(self.currentIndex())

    def _emit_current_cell(self, index: QModelIndex) -> None:
        cell = self.cell(index)
        if cell is not None:
            self.current_cell_changed.emit(cell[0], self.board_model.metric(cell[1]))


class IntervalAxis(QWidget):
    """Axis below the intervals of a board, with a legend of brackets and parentheses."""

    def __init__(self, view: BoardView) -> None:
        super().__init__()
        self._has_room = True
        self._view = view
        self.setAccessibleName(translate("Axis of the intervals"))
        for changed in (
            view.board_model.modelReset,
            view.horizontalHeader().sectionResized,
            view.horizontalScrollBar().valueChanged,
            theme().changed,
        ):
            changed.connect(self._show)
        self._show()

    def set_room(self, *, has_room: bool) -> None:
        """Show the axis only where there is room for it."""
        if has_room != self._has_room:
            self._has_room = has_room
            self._show()

    def _show(self) -> None:
        self.setFixedHeight(px(AXIS))
        model = self._view.board_model
        has_strip = any(column.name == INTERVAL for column in model.columns)
        is_needed = bool(self.legend()) or (has_strip and model.scale is not None)
        self.setVisible(is_needed and self._has_room)
        self.setAccessibleDescription(self.legend())
        self.update()

    def legend(self) -> str:
        """Return the legend of the marks in the table; empty without marks."""
        model = self._view.board_model
        parts = [translate("[ not significantly different")] if model.brackets else []
        remarks = filter(None, (model.remarks.get(column.name) for column in model.columns))
        doubts = {remark.short for remark in remarks if not remark.is_reliable}
        if doubts:
            parts.append(
                translate("( ) not reliable: {reasons}", reasons=", ".join(sorted(doubts)))
            )
        few = model.few_groups()
        if few:
            parts.append(translate("° interval of only {groups}", groups=translate_text(few)))
        return " · ".join(parts)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(font(TINY))
        painter.setPen(colour("muted"))
        strip, scale = self._view.strip(), self._view.board_model.scale
        if strip.isEmpty() or scale is None:
            painter.drawText(self.rect().adjusted(px(10), 0, 0, 0), LEFT | MIDDLE, self.legend())
            return
        self._paint_axis(painter, strip, scale)
        room = QRect(px(10), 0, int(strip.left()) - px(30), self.height())
        metrics, right = painter.fontMetrics(), Qt.TextElideMode.ElideRight
        if room.width() > px(60):
            shown = elide(metrics, self.legend(), right, room.width())
            painter.drawText(room, LEFT | MIDDLE, shown)
            self.setToolTip(tip("" if shown == self.legend() else self.legend()))

    def _paint_axis(self, painter: QPainter, strip: QRectF, scale: Scale) -> None:
        painter.setPen(QPen(colour("border"), 1))
        painter.drawLine(QLineF(strip.left(), 0.5, strip.right(), 0.5))
        painter.setPen(colour("muted"))
        metrics = painter.fontMetrics()
        for tick in scale.ticks():
            x = _x_position(strip, scale, tick)
            painter.drawLine(QLineF(x, 0, x, px(3)))
            box = QRectF(x - px(40), px(4), px(80), metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, localize_number(f"{tick:.6g}"))
        significance = self._view.board_model.significance
        if significance is None or not math.isfinite(significance.detectable):
            return
        long = strip.width() * significance.detectable / (scale.high - scale.low)
        y, left = px(6) + metrics.height() * 1.5, strip.left()
        if long < strip.width() / 2:
            painter.setPen(QPen(colour("text"), 1))
            painter.drawLine(QLineF(left, y, left + long, y))
            for x in (left, left + long):
                painter.drawLine(QLineF(x, y - px(3), x, y + px(3)))
            painter.setPen(colour("muted"))
            text = translate("detectable: {difference:.4g}", difference=significance.detectable)
            box = QRectF(left + long + px(8), y - metrics.height() / 2, px(160), metrics.height())
            painter.drawText(box, LEFT | MIDDLE, text)

"""The table of systems: numbers with their intervals, and the interval strip."""

from __future__ import annotations

import math
from functools import partial
from typing import cast

from PySide6.QtCore import (
    QItemSelection,
    QLineF,
    QModelIndex,
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
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from jurydesk.app.pages.leaderboard.interval_scale import Scale, ends_of
from jurydesk.app.pages.leaderboard.leaderboard_model import INTERVAL, BoardModel, score_interval
from jurydesk.app.pages.leaderboard.name_cell import (
    LEFT,
    MIDDLE,
    TWO_LINED,
    chips_width,
    lay_out_name,
)
from jurydesk.app.style.theme import TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import elide, tip
from jurydesk.app.tables.table_model import AnyIndex
from jurydesk.app.tables.table_view import PADDING, Table, TableCellDelegate
from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.analysis.leaderboard_finding import two_digits
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
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


INSET, LANE = 10, 7
"""Pixels at the ends of a strip, and between two brackets."""
MOST_TWO_LINED = 100
"""More rows than this have no second line on any screen."""
TALL, LOW = 50, 29
LEAST, METRIC = {PLACE: 66, SYSTEM: 170, INTERVAL: 176}, 116
"""Minimum widths by column, and of all others."""
WIDEST_NAME, LEAST_ROWS = 320, 2
BAR = 20
"""Height of the scroll bar below the rows."""
PNG_SCALE, PICTURE = 2, 900
"""Scale and minimum width of an exported picture."""
AXIS = 36
"""Height of the axis below the rows."""
RIGHT = Qt.AlignmentFlag.AlignRight


class BoardCells(TableCellDelegate):
    """Delegate with brackets beside ranks, chips beside names, and intervals of scores."""

    table: BoardView
    _named: tuple[Column | None, tuple[str, ...]] = None, ()

    def content_width(self, column: Column, text: int) -> int:
        model, around = self.table.board_model, 2 * px(PADDING) + 2
        if column.name == INTERVAL:
            return px(LEAST[INTERVAL]) - around
        if column.name == PLACE:
            lanes = max((bracket.lane + 1 for bracket in model.brackets), default=0)
            return max(text, px(LEAST[PLACE]) - around) + px(LANE) * lanes
        if column.name == SYSTEM:
            rows = range(len(column.values))
            chips = max((chips_width(model.chips(row)) for row in rows), default=0)
            return min(text + chips, px(WIDEST_NAME) - around)
        if not isinstance(column, NumberColumn):
            return super().content_width(column, text)
        rows = range(len(column.values) if any(column.intervals) else 0)
        metrics = QFontMetrics(font(TINY))
        texts = (score_interval(column, row) for row in rows[:MOST_TWO_LINED])
        return max(text, px(METRIC) - around, *map(metrics.horizontalAdvance, texts))

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        painter.save()
        if column.name == INTERVAL:
            self._strip(painter, inside, row)
        elif isinstance(column, NumberColumn) and column.best is not None:
            self._number(painter, inside, row, column)
        elif column.name == SYSTEM:
            self._name(painter, inside, row, column)
        else:
            super().paint_cell(painter, inside, column, row)
        if column.name == PLACE:
            self._brackets(painter, inside.adjusted(-px(PADDING), 0, px(PADDING), 1), row)
        painter.restore()

    def _number(self, painter: QPainter, rect: QRect, row: int, column: NumberColumn) -> None:
        is_doubtful, under = row in column.doubtful, self.table.hovered_cell == (row, column.name)
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
        faded = is_doubtful or self.table.board_model.is_stale(row)
        painter.setPen(colour("accent" if under else "muted" if faded else "text"))
        painter.drawText(upper, RIGHT | MIDDLE, column.text(row))

    def _strip(self, painter: QPainter, rect: QRect, row: int) -> None:
        scale, board = self.table.board_model.scale, self.table.board_model.board
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
        place = self.table.board_model.place(row)
        for bracket in self.table.board_model.brackets:
            part = "" if place is None else bracket.part(place)
            if not part:
                continue
            x = rect.right() - px(LANE) * (1 + bracket.lane)
            top = rect.top() + (px(6) if part == "top" else 0)
            bottom = rect.bottom() - (px(6) if part == "bottom" else 0)
            painter.drawLine(x, top, x, bottom)
            if part != "middle":
                y = top if part == "top" else bottom
                painter.drawLine(x, y, x + px(4), y)

    def _name(self, painter: QPainter, rect: QRect, row: int, column: Column) -> None:
        chips = self.table.board_model.chips(row)
        cell = lay_out_name(column.text(row), chips, rect, partial(self._texts, column))
        cell.paint(painter)

    def _texts(self, column: Column) -> tuple[str, ...]:
        """Return all texts of a column, the same tuple until there is another column."""
        if self._named[0] is not column:
            self._named = column, tuple(map(column.text, range(len(column.values))))
        return self._named[1]


class BoardView(Table):
    """Table of systems and metrics.

    `cell_opened` carries a system and a metric, `current_cell_changed` the row and metric at the
    cursor.
    """

    cell_opened = Signal(str, str)
    head_menu_requested = Signal(object, QPoint)
    """A metric, and the point of the screen where the menu of its column's head belongs."""
    current_cell_changed = Signal(object, object)
    systems_selected = Signal(object)
    """Names of the selected systems, in the order of the table."""

    def __init__(self) -> None:
        super().__init__(translate("Board"), cells=BoardCells, model=BoardModel())
        self.hovered_cell: tuple[int, str] | None = None
        """Row and column of the score under the mouse."""
        self.growing = (INTERVAL, SYSTEM)
        self.least = {name: LEAST[name] for name in self.growing}
        self.horizontalHeader().setSectionsMovable(False)
        self.horizontalHeader().setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().customContextMenuRequested.connect(self._request_head_menu)
        self.table_model.setParent(self)

    def own_order(self) -> tuple[int, bool] | None:
        """Return the metric that ranks."""
        board = self.board_model.board
        headline = None if board is None else board.headline
        names = [column.name for column in self.board_model.columns]
        if headline is None or headline.name not in names:
            return None
        return names.index(headline.name), headline.better != "lower"

    def _request_head_menu(self, at: QPoint) -> None:
        header = self.horizontalHeader()
        section = header.logicalIndexAt(at)
        if 0 <= section < len(self.board_model.columns):
            metric = self.board_model.metric(self.board_model.columns[section])
            if metric is not None:
                self.head_menu_requested.emit(metric, header.mapToGlobal(at))

    @property
    def board_model(self) -> BoardModel:
        """The model of the table."""
        return cast(BoardModel, self.table_model)

    def cell(self, index: AnyIndex) -> tuple[LeaderboardRow, Column] | None:
        """Return the row of the board and the column of an index; None if it is invalid."""
        board = self.board_model.board
        if board is None or not index.isValid():
            return None
        column, row = self.board_model.cell(index)
        return board.rows[row], column

    def selected_places(self) -> list[int]:
        """Return the places of the selected systems; all of them without a selection."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        return places or list(range(self.board_model.rowCount()))

    def open_row(self, index: AnyIndex) -> None:
        cell = self.cell(index)
        if cell is not None:
            row, column = cell
            metric = self.board_model.metric(column)
            self.cell_opened.emit(row.summary.system, metric.name if metric else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if plain and len(self.selected_rows()) == 1 and self._opens(index):
            self.open_row(index)

    def _opens(self, index: AnyIndex) -> bool:
        """Return whether a click on a cell opens the items of a score."""
        cell = self.cell(index)
        return cell is not None and self.board_model.metric(cell[1]) is not None

    def hover(self, index: QModelIndex) -> None:
        super().hover(index)
        self.hovered_cell = None
        if self._opens(index):
            column, row = self.table_model.cell(index)
            self.hovered_cell = row, column.name
        shapes = Qt.CursorShape
        is_pointing = self.hovered_cell is not None
        self.viewport().setCursor(shapes.PointingHandCursor if is_pointing else shapes.ArrowCursor)
        self.viewport().update()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if not self.is_restoring:
            self.emit_current_cell()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if not self.is_restoring:
            rows = self.board_model.shown_rows()
            places = sorted(index.row() for index in self.selectionModel().selectedRows())
            self.systems_selected.emit([rows[place].summary.system for place in places])

    def emit_current_cell(self) -> None:
        """Emit `current_cell_changed`, also because facts about the cell may have changed."""
        cell = self.cell(self.currentIndex())
        if cell is not None:
            self.current_cell_changed.emit(cell[0], self.board_model.metric(cell[1]))

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

    def let_wait(self, *, columns: bool) -> None:
        """Let columns wait for room: metrics, the last ones first, and then drawn intervals."""
        others = reversed(self.board_model.others())
        self.dropped = (*others, INTERVAL) if columns else ()
        self.fit_columns()

    def width_beside(self, section: int, dropped: str) -> int:
        name, needed = self.table_model.columns[section].name, super().width_beside(section, "")
        return min(needed, px(self.least[name])) if name in self.least else needed

    def fit_columns(self) -> None:
        super().fit_columns()
        top, rows = self.horizontalHeader().height(), max(1, self.board_model.rowCount())
        self.setMinimumHeight(top + min(rows, LEAST_ROWS) * px(LOW) + px(BAR))
        self.setMaximumHeight(top + rows * self._max_row_height() + px(BAR))
        self._distribute_height()
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._distribute_height()

    def _max_row_height(self) -> int:
        return px(TALL if self.board_model.has_intervals() else LOW + 8)

    def _distribute_height(self) -> None:
        """Make all rows fit, within the bounds of their height."""
        rows, bar = max(1, self.board_model.rowCount()), self.horizontalScrollBar()
        below = bar.height() if bar.maximum() > 0 else 0
        room = (self.height() - self.horizontalHeader().height() - below) // rows
        height = min(max(room, px(LOW)), self._max_row_height())
        self.verticalHeader().setDefaultSectionSize(height)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def strip(self) -> QRectF:
        """Return the horizontal extent of the interval strip in the viewport; empty without one."""
        for number, column in enumerate(self.board_model.columns):
            if column.name == INTERVAL and not self.isColumnHidden(number):
                left, inset = self.columnViewportPosition(number), px(10) + px(INSET)
                return QRectF(left + inset, 0, self.columnWidth(number) - 2 * inset, 1)
        return QRectF()


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
        places = {
            localize_number(f"{tick:.6g}"): _x_position(strip, scale, tick)
            for tick in scale.ticks()
        }
        free = -math.inf
        for text, x in places.items():
            painter.drawLine(QLineF(x, 0, x, px(3)))
            half = metrics.horizontalAdvance(text) / 2
            if x - half >= free:  # others would run into it
                box = QRectF(x - px(40), px(4), px(80), metrics.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                free = x + half + px(6)
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
            shown = translate_text(two_digits(significance.detectable))
            text = translate("detectable: {difference}", difference=shown)
            box = QRectF(left + long + px(8), y - metrics.height() / 2, px(160), metrics.height())
            painter.drawText(box, LEFT | MIDDLE, text)

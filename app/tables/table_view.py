"""Table view with keyboard equivalents for all mouse actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import nlargest
from types import MappingProxyType
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
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

from jurydesk.app.style.marked_text import draw_marked_text
from jurydesk.app.style.theme import SMALL, TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import break_line, elide
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_model import AnyIndex, TableModel
from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.tables.columns import Column, TextColumn
from jurydesk.core.tables.numbers import count
from jurydesk.core.tables.table_file import tab_separated

PADDING = 10


class TableCellDelegate(QStyledItemDelegate):
    """Paints a cell with its selection, the hovered row and a hairline.

    It calls the model directly: three calls through Qt for each cell would each wait for the GIL
    while a job runs.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        self.paint_behind(painter, option, index)
        rect = self.paint_number(painter, option.rect, index)
        column, row = self.table.table_model.cell(index)
        padding = px(PADDING)
        inside = rect.adjusted(padding, 0, -padding, -1)
        painter.setFont(self.table.font())
        painter.setPen(colour((column.paint(row) if column.paint else "") or "text"))
        self.paint_cell(painter, inside, column, row)

    def paint_number(self, painter: QPainter, rect: QRect, index: AnyIndex) -> QRect:
        """Paint the number of a row in its first cell, if rows have one; return what is left."""
        gutter = self.table.gutter if index.column() == 0 else 0
        if gutter:
            painter.setFont(font(SMALL))
            painter.setPen(colour("muted"))
            box = QRect(rect.left(), rect.top(), gutter, rect.height() - 1)
            align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, align, count(index.row() + 1))
        return rect.adjusted(gutter, 0, 0, 0)

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        """Paint the content of a cell; font and pen are those of the cell."""
        cut = Qt.TextElideMode.ElideRight
        text = elide(painter.fontMetrics(), column.text(row), cut, inside.width())
        marks = column.marks(row) if isinstance(column, TextColumn) and column.marks else ()
        if marks:
            draw_marked_text(painter, inside, text, marks)
        else:
            painter.drawText(inside, self.table.table_model.alignment(column), text)

    def content_width(self, column: Column, text: int) -> int:
        """Return the width of a column's cells, whose longest text has `text` pixels."""
        return text if column.numeric else min(text, px(WIDEST_TEXT))

    def paint_behind(
        self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex
    ) -> None:
        """Paint the background: selection, focus and hairline."""
        rect: QRect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or index.row() == self.table.hovered_place:
            painter.fillRect(rect, colour("accent_soft" if selected else "hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        if self._is_focus(index):
            painter.fillRect(QRect(rect.left(), rect.bottom() - px(1), rect.width(), px(2)),
                             colour("accent"))  # fmt: skip

    def _is_focus(self, index: AnyIndex) -> bool:
        if not self.table.hasFocus():
            return False
        here = self.table.currentIndex()
        return (index.row(), index.column()) == (here.row(), here.column())


class TableHeader(QHeaderView):
    """Column titles, with a triangle beside the sorted column."""

    def __init__(self, table: Table) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._model = table.table_model
        self._table = table
        self.setAccessibleName(translate("Column titles"))
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(px(40))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        painter.save()
        painter.fillRect(rect, colour("card"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        sorting = self._model.sorting or self._table.own_order()
        is_sorted = sorting is not None and sorting[0] == section
        at_keyboard = self._table.hasFocus() and self._table.currentIndex().column() == section
        painter.setFont(self.font())
        painter.setPen(colour("text" if is_sorted or at_keyboard else "muted"))
        inside = rect.adjusted(px(PADDING) + self._gutter(section), 0, -px(PADDING), -1)
        metrics, lines = painter.fontMetrics(), self.shown_lines(section)
        align = Qt.AlignmentFlag(self._data(section, Qt.ItemDataRole.TextAlignmentRole))
        if note := self.shown_note(section):
            inside = self._paint_note(painter, inside, align, note)
        painter.drawText(inside, align, "\n".join(lines))
        if sorting is not None and is_sorted:
            width = max(map(metrics.horizontalAdvance, lines))
            size = QSize(width, 1)
            left = QStyle.alignedRect(self.layoutDirection(), align, size, inside).left()
            beside = left - px(7) if align & Qt.AlignmentFlag.AlignRight else left + width + px(7)
            middle = QPointF(beside, inside.center().y())
            self._triangle(painter, middle, descending=sorting[1])
        painter.restore()

    def _paint_note(
        self, painter: QPainter, inside: QRect, align: Qt.AlignmentFlag, note: str
    ) -> QRect:
        """Paint a note in the lower half; return the upper one, which is left for the title."""
        half = inside.adjusted(0, inside.height() // 2, 0, 0)
        painter.save()
        painter.setFont(font(TINY))
        painter.setPen(colour("muted"))
        shown = elide(painter.fontMetrics(), note, Qt.TextElideMode.ElideRight, half.width())
        painter.drawText(half.translated(0, -px(2)), align, shown)
        painter.restore()
        return inside.adjusted(0, px(2), 0, -half.height() + px(2))

    def shown_note(self, section: int) -> str:
        """Return what stands below a title; nothing where the title itself needs two lines."""
        note = self._model.notes.get(self._model.columns[section].name, "")
        return "" if self.needs_two_lines(section) else note

    def title(self, section: int) -> str:
        return str(self._data(section, Qt.ItemDataRole.DisplayRole))

    def needs_two_lines(self, section: int) -> bool:
        """Return whether a title has more words than one line of its column can hold."""
        title = self.title(section)
        return " " in title and self.fontMetrics().horizontalAdvance(title) > self._room(section)

    def shown_lines(self, section: int) -> Sequence[str]:
        """Return the title as it is painted, in one line or two.

        Where its beginning does not tell it from the title of another visible column, its end is
        shown; where that does not either, its name in files.
        """
        whole = self._lines(section)
        for cut in (Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideLeft):
            lines = self._cut(whole, section, cut)
            if lines == whole or not self._is_ambiguous(" ".join(lines), section):
                return lines
        name = [self._model.columns[section].name]
        return self._cut(name, section, Qt.TextElideMode.ElideRight)

    def _cut(self, lines: Sequence[str], section: int, cut: Qt.TextElideMode) -> list[str]:
        return [elide(self.fontMetrics(), line, cut, self._room(section)) for line in lines]

    def _is_ambiguous(self, cut: str, section: int) -> bool:
        """Return whether a cut title may also be that of another visible column."""
        first, *rest = cut.split("…")
        others = (n for n in range(self.count()) if n != section and not self.isSectionHidden(n))
        titles = (self.title(other) for other in others)
        return any(
            title.startswith(first) and _has_in_order(title[len(first) :], rest)
            if rest
            else title == cut
            for title in titles
        )

    def _room(self, section: int) -> int:
        return self.sectionSize(section) - 2 * px(PADDING) - self._gutter(section)

    def _gutter(self, section: int) -> int:
        return self._table.gutter if section == 0 else 0

    def _lines(self, section: int) -> list[str]:
        """Return the title in as many lines as the header has and the title needs."""
        title = self.title(section)
        if self.height() < px(TWO_LINES) or not self.needs_two_lines(section):
            return [title]
        return [*break_line(title, self.fontMetrics(), self._room(section))]

    def _data(self, section: int, role: Qt.ItemDataRole) -> Any:
        return self._model.headerData(section, Qt.Orientation.Horizontal, role)

    def _triangle(self, painter: QPainter, centre: QPointF, *, descending: bool) -> None:
        half, tip = px(3), px(2) * (1 if descending else -1)
        corners = [QPointF(-half, -tip), QPointF(half, -tip), QPointF(0, tip)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colour("accent"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))


Key = Qt.Key
ROW_HEIGHT = 30
TWO_LINES = 44
"""Height of a header with titles of two lines."""
SAMPLED_ROWS = 200
MEASURED_TEXTS = 5
"""Number of longest texts that are measured, since letters differ in width."""
COPIED_AT_ONCE = 10_000
WIDEST_TEXT, WIDEST_TITLE, LEAST_TITLE = 280, 112, 40


def _has_in_order(text: str, parts: Sequence[str]) -> bool:
    """Return whether a text has these parts one after the other, and ends with the last."""
    *inner, last = parts
    for part in inner:
        _, found, text = text.partition(part) if part else ("", True, text)
        if not found:
            return False
    return text.endswith(last)


class Table(QTableView):
    """A table of a `TableModel`, selected by rows.

    Rows in its signals are rows of the model's columns (`object`: a row, or None).
    """

    current_row_changed = Signal(object)
    row_hovered = Signal(object)
    opened = Signal(object)
    left_out_changed = Signal()
    """Other columns have no room."""

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        cells: Callable[[Table], TableCellDelegate] = TableCellDelegate,
        model: TableModel | None = None,
    ) -> None:
        super().__init__(parent)
        self.table_model = TableModel(parent=self) if model is None else model
        self.growing: tuple[str, ...] = ()
        """Names of columns, of which the first one shown takes the remaining width.

        Without any it is the first column of texts.
        """
        self.least: Mapping[str, int] = MappingProxyType({})
        """Minimum widths, before scaling, of the growing column and of one that gives way to it.

        The others have the width of their longest text.
        """
        self.hidden: frozenset[str] = frozenset()
        """Names of columns that are not shown."""
        self.dropped: Sequence[str] = ()
        """Names of columns that are hidden where there is no room for them, in this order.

        The tooltip of a row's first text has them, and so have screen readers.
        """
        self.row_height = ROW_HEIGHT
        """Height of a row, before scaling."""
        self.current_row: int | None = None
        self.hovered_place = -1
        """The place of the hovered row, or -1."""
        self.is_numbered = False
        """Whether the first cell of a row begins with its number in the present order."""
        self._widths: dict[int, int] = {}
        self._text_widths: dict[int, int] = {}
        self._title_widths: dict[int, int] = {}
        self._chosen_widths: dict[int, int] = {}
        self._is_unscaled = False
        """Whether the theme has changed out of sight."""
        self.is_restoring = False
        """Whether the current cell is the same at another place."""
        self.most_rows = 0
        """Maximum number of rows in sight, which the table has the height of; 0 for any height."""
        self.least_rows = 0
        """Minimum number of rows in sight; 0 for as many as `most_rows` allows."""
        self.setAccessibleName(name)
        self._cells = cells(self)
        self.setItemDelegate(self._cells)
        self._titles = TableHeader(self)
        self.setHorizontalHeader(self._titles)
        self.setModel(self.table_model)
        self._set_behavior()
        self._scale()
        self.table_model.rearranged.connect(self._restore_current)
        self.table_model.replaced.connect(self._fit_new_columns)
        self.horizontalHeader().sectionClicked.connect(self.sort_column)
        self.doubleClicked.connect(self.open_row)
        self.entered.connect(self.hover)
        theme().changed.connect(self._follow_theme)

    def _set_behavior(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        rows = self.verticalHeader()
        rows.setVisible(False)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def _scale(self) -> None:
        self.forget_widths()
        self.setFont(font())
        rows = self.verticalHeader()
        # A larger minimum would change rows that Qt then no longer gives the default height.
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(px(self.row_height))
        self.horizontalHeader().setFont(font(SMALL, bold=True))
        self.fit_columns()
        self.keep_height()
        self.updateGeometries()  # in the same size Qt keeps scroll bars of the former rows

    def _follow_theme(self) -> None:
        """Scale the table, or have it scaled when it is shown."""
        self._is_unscaled = not self.isVisible()
        if not self._is_unscaled:
            self._scale()

    def showEvent(self, event: QShowEvent) -> None:
        if self._is_unscaled:
            self._follow_theme()
        super().showEvent(event)

    def set_row_height(self, height: int) -> None:
        """Set the height of the rows, before scaling."""
        self.row_height = height
        self.verticalHeader().setDefaultSectionSize(px(height))
        self.updateGeometries()

    def keep_height(self) -> None:
        """Give the table the height of its rows, within `least_rows` and `most_rows`."""
        if not self.most_rows:
            return
        around = self._titles.height() + 2 * self.frameWidth()
        if self.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            around += self.horizontalScrollBar().sizeHint().height()
        most = min(max(self.row_count(), 1), self.most_rows)
        least = min(self.least_rows or most, most)
        self.setMinimumHeight(around + least * px(self.row_height))
        self.setMaximumHeight(around + most * px(self.row_height))
        self.updateGeometry()

    def row_count(self) -> int:
        """Return the number of rows that the height is for, also while a filter hides some."""
        return self.table_model.total

    def sizeHint(self) -> QSize:
        """Return the height of the rows in sight."""
        hint = super().sizeHint()
        return QSize(hint.width(), self.maximumHeight()) if self.most_rows else hint

    # Rows

    @property
    def gutter(self) -> int:
        """Width in pixels of the rows' numbers; 0 without them."""
        if not self.is_numbered:
            return 0
        widest = count(self.table_model.total)
        return px(PADDING) + QFontMetrics(font(SMALL)).horizontalAdvance(widest)

    def set_current_row(self, row: int | None) -> None:
        """Select and focus a row of the columns if it is visible."""
        if row is None:
            self.current_row = None
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            return
        place = self.table_model.place(row)
        if place is not None:
            column = max(self.currentIndex().column(), self._first_column())
            self.setCurrentIndex(self.table_model.index(place, column))

    def step(self, rows: int) -> None:
        """Move the focus down (or up) by a number of rows."""
        count = self.table_model.rowCount()
        if count:
            here = self.currentIndex()
            place = here.row() + rows if here.isValid() else (0 if rows > 0 else count - 1)
            column = max(here.column(), self._first_column())
            self.setCurrentIndex(self.table_model.index(min(max(place, 0), count - 1), column))

    def selected_rows(self) -> IntArray:
        """Return the selected rows of the columns, in the order of the table."""
        selected = np.zeros(self.table_model.rowCount(), dtype=bool)
        for part in self.selectionModel().selection().toList():
            selected[part.top() : part.bottom() + 1] = True
        return self.table_model.rows[selected]

    def selection_text(self, *, headers: bool) -> str | LargeCopy:
        """Return the visible columns of the selected rows as tab-separated lines."""
        columns = [self.table_model.columns[section] for section in self._shown_columns()]
        rows = self.selected_rows()
        if len(rows) > COPIED_AT_ONCE:
            return LargeCopy(columns, rows, headers)
        return tab_separated(columns, rows, headers=headers) if len(rows) else ""

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        self.horizontalHeader().viewport().update()
        if self.is_restoring or not current.isValid():
            return
        row = int(self.table_model.rows[current.row()])
        if row != self.current_row:
            self.current_row = row
            self.current_row_changed.emit(row)

    def _restore_current(self) -> None:
        """Keep the focus on its item after sorting and filtering."""
        self.hovered_place = -1
        row = self.current_row
        if row is None or row >= self.table_model.total:
            self.current_row = None
            return
        self.is_restoring = True
        self.set_current_row(row)
        self.is_restoring = False

    def open_row(self, index: QModelIndex) -> None:
        """Emit `opened` with the row of an index."""
        self.opened.emit(int(self.table_model.rows[index.row()]))

    # Columns

    def sort_column(self, section: int) -> None:
        """Sort by a column, reverse its order, or restore the order of the file."""
        if section >= 0:
            column = self.currentIndex().column()
            self.table_model.sort_next(section)
            if column >= 0 and self.currentIndex().isValid():
                self.is_restoring = True
                self.setCurrentIndex(self.currentIndex().siblingAtColumn(column))
                self.is_restoring = False

    def own_order(self) -> tuple[int, bool] | None:
        """Return the section that orders the rows before they are sorted, and if it descends."""
        return None

    def show_columns(
        self, names: frozenset[str], replacing: Sequence[Column] | None = None
    ) -> None:
        """Show the columns of these names and all text columns, of others that replace them."""
        columns = self.table_model.columns if replacing is None else replacing
        self.hidden = frozenset(
            column.name for column in columns if column.numeric and column.name not in names
        )
        if replacing is None:
            self.fit_columns()
        else:
            self.table_model.show(replacing)  # which fits them

    def hide_columns(self) -> None:
        """Hide those of `dropped` without room, the first ones first."""
        columns = self.table_model.columns
        hidden = self.hidden | set(self.dropped)
        for name in reversed(self.dropped):
            rest = hidden - {name} | self.hidden
            sections = (n for n, column in enumerate(columns) if column.name not in rest)
            if sum(self.width_beside(n, name) for n in sections) > self.viewport().width():
                break
            hidden = rest
        for section, column in enumerate(columns):
            self.setColumnHidden(section, column.name in hidden)
        left_out = tuple(one for one in columns if one.name in hidden - self.hidden)
        self.table_model.left_out, before = left_out, self.table_model.left_out
        if left_out or before:
            self.left_out_changed.emit()
        here = self.currentIndex()
        if here.isValid() and self.isColumnHidden(here.column()):
            self.setCurrentIndex(here.siblingAtColumn(self._first_column()))

    def width_beside(self, section: int, dropped: str) -> int:
        """Return the width that a column must have where one of `dropped` is shown."""
        return self._width_with(section, self._title_width(section))

    def forget_widths(self) -> None:
        """Measure the texts of the columns again, which have changed."""
        self._widths.clear()
        self._title_widths.clear()

    def _fit_new_columns(self) -> None:
        self.forget_widths()
        self.fit_columns()
        self.keep_height()

    def fit_columns(self) -> None:
        """Give each column the width it needs, and the growing column the rest.

        Titles have two lines, and are cut, if all columns then fit; their tooltips have them whole.
        """
        self.hide_columns()
        self._chosen_widths = self._choose_widths()
        for section, width in self._chosen_widths.items():
            self.setColumnWidth(section, width)
        self._fill()

    def _choose_widths(self) -> dict[int, int]:
        """Return the widths of all columns but the growing one."""
        shown = self._shown_columns()
        if not shown:
            return {}
        grows, columns = self._growing_column(shown), self.table_model.columns
        yields = [one for one in shown if one != grows and columns[one].name in self.least]
        least = {section: self._least_width(section) for section in yields}
        room = self.viewport().width() - self._least_width(grows)
        rigid = [section for section in shown if section != grows and section not in least]
        names = sum(map(self._needed_width, (*least, grows)))
        beside = self.viewport().width() - names
        widths = self._rigid_widths(rigid, room - sum(least.values()), beside)
        rest = self.viewport().width() - sum(widths.values())
        if least:
            others = min(self._needed_width(grows), rest // (len(least) + 1))
            others = max(others, self._least_width(grows))
            spare = max(0, rest - others - sum(least.values())) // len(least)
            for section, width in least.items():
                widths[section] = min(self._needed_width(section), width + spare)
        return widths

    def _rigid_widths(self, sections: Sequence[int], room: int, beside: int) -> dict[int, int]:
        """Return the widths of columns with as much of their titles as there is room for.

        Titles are on one line if there is as much room `beside` the whole texts of other columns.
        """
        whole = {section: self._needed_width(section) for section in sections}
        lined = {
            section: self._width_with(section, self._title_width(section)) for section in whole
        }
        least = {section: self._width_with(section, px(LEAST_TITLE)) for section in whole}
        share = (room - sum(least.values())) // max(len(least), 1)
        if sum(whole.values()) <= beside or share < 0:
            return whole
        if sum(lined.values()) <= room:
            return lined
        return {section: min(lined[section], width + share) for section, width in least.items()}

    def _title_width(self, section: int) -> int:
        """Return the least width in which a title has at most two lines."""
        if section not in self._title_widths:
            self._title_widths[section] = self._measure_title(section)
        return self._title_widths[section]

    def _measure_title(self, section: int) -> int:
        width_of = self._titles.fontMetrics().horizontalAdvance
        words = self.table_model.columns[section].heading.split()
        halves = ((words[:n], words[n:]) for n in range(1, len(words) + 1))
        return min((max(width_of(" ".join(half)) for half in two) for two in halves), default=0)

    def _width_with(self, section: int, title: int) -> int:
        """Return the width of a column's texts and of so much of its title."""
        needed = self._needed_width(section)
        return min(needed, max(self._text_widths[section], title + 2 * px(PADDING) + 2))

    def _least_width(self, section: int) -> int:
        """Return the width that the growing column keeps, and one that gives way to it."""
        least = self.least.get(self.table_model.columns[section].name)
        needed = self._width_with(section, self._title_width(section))
        return needed if least is None else min(needed, px(least))

    def needed_width(self) -> int:
        """Return the width at which no visible column is cut."""
        return sum(map(self._needed_width, self._shown_columns()))

    def _needed_width(self, section: int) -> int:
        if section not in self._widths:
            self._widths[section] = self._measure_width(section)
        return self._widths[section]

    def _measure_width(self, section: int) -> int:
        """Return the width of a column's title or of its longest texts among the first rows."""
        column, metrics = self.table_model.columns[section], self.fontMetrics()
        rows = column.longest(self.table_model.rows[:SAMPLED_ROWS]).tolist()
        texts = dict.fromkeys(column.text(row) for row in rows)
        longest = nlargest(MEASURED_TEXTS, texts, key=len)
        text = max(map(metrics.horizontalAdvance, longest), default=0)
        title = self.horizontalHeader().fontMetrics().horizontalAdvance(column.heading)
        title = min(title, px(WIDEST_TITLE)) + px(14)
        own = self.itemDelegateForColumn(section)
        cells = own if isinstance(own, TableCellDelegate) else self._cells
        widest = cells.content_width(column, text)
        self._text_widths[section] = widest + 2 * px(PADDING) + 2
        return max(widest, title) + 2 * px(PADDING) + 2

    def _fill(self) -> None:
        shown = self._shown_columns()
        if shown:
            grows = self._growing_column(shown)
            others = sum(self.columnWidth(section) for section in shown if section != grows)
            room = self.viewport().width() - others
            self.setColumnWidth(grows, max(self._least_width(grows), room))
        self._fit_header(shown)

    def _fit_header(self, shown: list[int]) -> None:
        """Give the header a second line if a title needs one, or has a note."""
        titles = self._titles
        has_two = any(titles.needs_two_lines(one) or titles.shown_note(one) for one in shown)
        height = px(TWO_LINES if has_two else ROW_HEIGHT + 2)
        if height != self._titles.height():
            self._titles.setFixedHeight(height)
            self.keep_height()

    def _growing_column(self, shown: list[int]) -> int:
        columns = self.table_model.columns
        sections = {columns[section].name: section for section in shown}
        named = (sections[name] for name in self.growing if name in sections)
        texts = (section for section in shown if not columns[section].numeric)
        return next(named, next(texts, shown[0]))

    def _shown_columns(self) -> list[int]:
        """Return the visible columns from left to right."""
        header = self.horizontalHeader()
        places = (header.logicalIndex(place) for place in range(header.count()))
        return [section for section in places if not self.isColumnHidden(section)]

    def _first_column(self) -> int:
        return next(iter(self._shown_columns()), 0)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() == event.oldSize().width():
            return
        if self.dropped or self._choose_widths() != self._chosen_widths:
            self.fit_columns()
        else:
            self._fill()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select a row on focus, where Qt alone would only focus it."""
        if not self.currentIndex().isValid():
            self.step(1)
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and not self.currentIndex().isValid():  # no cell shows the focus
            painter = QPainter(self.viewport())
            painter.setPen(QPen(colour("accent"), px(2)))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
            painter.end()

    def keyboardSearch(self, search: str) -> None:
        """Ignore typed letters: the filter line searches, which is fast for a million rows."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Key.Key_Return | Key.Key_Enter if self.currentIndex().isValid():
                self.open_row(self.currentIndex())
            case Key.Key_S if not event.modifiers():
                self.sort_column(self.currentIndex().column())
            case _ if event.text().isprintable() and event.text() and not event.modifiers():
                event.ignore()
            case _:
                super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hover(QModelIndex())

    def hover(self, index: QModelIndex) -> None:
        """Mark the row under the mouse, or none."""
        place = index.row()
        if place != self.hovered_place:
            self.hovered_place = place
            self.viewport().update()
            self.row_hovered.emit(int(self.table_model.rows[place]) if place >= 0 else None)

    def set_hovered_row(self, row: int | None) -> None:
        """Mark the row that is hovered in another view."""
        place = None if row is None else self.table_model.place(row)
        self.hovered_place = -1 if place is None else place
        self.viewport().update()

"""Table of files, a row for each submission; S or a click on a column title sorts these.

Enter or a click on the role opens its menu, Delete removes the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import compress
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.style.distinct_names import Part, distinct_parts, fit_name
from jurydesk.app.style.theme import SMALL, TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import break_line, elide, tip
from jurydesk.app.tables.table_filter import MANY_ROWS, filter_columns, matching_rows
from jurydesk.app.tables.table_view import TableHeader
from jurydesk.app.widgets.filter_line import FilterLine
from jurydesk.app.widgets.parts import row_layout
from jurydesk.core.intake.deadlines import duration_text
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.language.local_formats import local_date, local_moment
from jurydesk.core.language.text_direction import isolate
from jurydesk.core.model.defects import Severity
from jurydesk.core.system.paths import distinct_names
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import count, quantity, size
from jurydesk.core.workflow.files import InputFile

MIDDLE = Qt.AlignmentFlag.AlignVCenter

FILE = Qt.ItemDataRole.UserRole + 1
TONE = Qt.ItemDataRole.UserRole + 2
PART = Qt.ItemDataRole.UserRole + 3
"""Part of the name that tells it from the others, for a column that is too narrow."""
NAME, ROLE, SIZE, ARRIVED, LATE, COPY, ERRORS, WARNINGS, STATE = range(9)
HEADERS = (
    translatable("File"),
    translatable("Role"),
    translatable("Size"),
    translatable("Arrived"),
    translatable("Late by"),
    translatable("Copy of"),
    translatable("Errors"),
    translatable("Warnings"),
    translatable("State"),
)
NUMBERS = (SIZE, ERRORS, WARNINGS)
FILTERED = {
    NAME: "file",
    ROLE: "role",
    COPY: "copy_of",
    ERRORS: "errors",
    WARNINGS: "warnings",
    STATE: "state",
}
"""Names of columns in the filter language."""
HELP = {
    ARRIVED: translatable("Time of the list of arrivals, else of the file."),
    LATE: translatable("Time after the deadline (Run > Submission rules)."),
    COPY: translatable("Earlier submission of another team with the same content."),
    STATE: translatable(
        "Late submissions and copies are scored: whether they count is your decision."
    ),
}
CHOOSE = translatable("Choose a role")
DECIDE = translatable("to decide")
DONE = {"ready": "good", "read": "muted", DECIDE: "bad"}
"""Tones of the states without an error."""


class FileModel(QAbstractTableModel):
    """Table model of the session's files, each available as role `FILE`."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._counts: dict[str, Counter[Severity]] = {}
        self._names: dict[str, str] = {}
        self._parts: Mapping[str, Part] = {}
        self.files: Sequence[InputFile] = ()
        self.sorting: tuple[int, bool] | None = (ERRORS, True)
        """Column and direction of the sorting of submissions; None for the order given."""
        self.query = ""
        """Filter of the files, in the filter language."""
        self.hidden: frozenset[int] = frozenset()
        """Columns that the table does not show."""
        session.subscribe(
            SessionPart.FILES | SessionPart.COMPETITION | SessionPart.DEFECTS, self.reload
        )

    def reload(self) -> None:
        """Read the session's files and the number of their defects."""
        self.beginResetModel()
        self._counts = {}
        for defect in self._session.defects:
            self._counts.setdefault(defect.place.path, Counter())[defect.severity] += 1
        self._names = distinct_names({str(file.path) for file in self._session.files})
        submissions, others = self._sort_submissions(), self._other_files()
        self._parts = self._distinct_parts(submissions) | self._distinct_parts(others)
        files = others + submissions
        found = matching_rows(self.query, self.filter_columns(files))
        self.files = files if found is None else list(compress(files, found))
        self.endResetModel()

    def _distinct_parts(self, files: Sequence[InputFile]) -> dict[str, Part]:
        """Return the part of each name that tells these files apart."""
        return dict(distinct_parts(self._names[str(file.path)] for file in files))

    def _other_files(self) -> list[InputFile]:
        return [one for one in self._session.files if not self.is_submission(one)]

    def _sort_submissions(self) -> list[InputFile]:
        """Return the submissions in the order of the sorting."""
        submissions = [one for one in self._session.files if self.is_submission(one)]
        if self.sorting is not None:
            column, descending = self.sorting
            submissions.sort(key=lambda one: self._sort_key(one, column), reverse=descending)
        return submissions

    def _sort_key(self, file: InputFile, column: int) -> tuple[Any, ...]:
        one = file.submission
        received = one.received if one is not None else None
        late = one.late if one is not None else None
        warnings = self._count(file, Severity.WARNING)
        keys: dict[int, tuple[Any, ...]] = {
            SIZE: (file.size,),
            ARRIVED: (received.timestamp() if received is not None else 0.0,),
            LATE: (late.total_seconds() if late is not None else 0.0,),
            ERRORS: (self._count(file, Severity.ERROR), warnings),
            WARNINGS: (warnings,),
        }
        return keys.get(column, (self._text(file, column).casefold(),))

    def filter_columns(self, files: Sequence[InputFile]) -> list[Column]:
        """Return the columns of files that a filter can name."""
        columns: list[Column] = []
        for column, name in FILTERED.items():
            title = HEADERS[column]
            if column in (ERRORS, WARNINGS):
                severity = Severity.ERROR if column == ERRORS else Severity.WARNING
                counts = np.array([self._count(one, severity) for one in files], np.int64)
                columns.append(NumberColumn(name, title, counts))
            else:
                columns.append(TextColumn(name, title, [self._text(one, column) for one in files]))
        return columns

    def filter(self, query: str) -> None:
        """Show the files that match `query`."""
        self.query = query
        self.reload()

    def sort_by(self, column: int) -> None:
        """Sort by a column, reverse its order, or restore the order given."""
        first = column in (*NUMBERS, ARRIVED, LATE)
        if self.sorting == (column, first):
            self.sorting = (column, not first)
        else:
            self.sorting = None if self.sorting == (column, not first) else (column, first)
        self.reload()

    def is_submission(self, file: InputFile) -> bool:
        """Return whether a file has the role of a submission."""
        task = self._session.task
        return task is not None and file.role == task.submission_input().role

    def has_entries(self, column: int) -> bool:
        """Return whether a column has any text."""
        return any(self._text(file, column) for file in self.files)

    def row_of(self, path: str) -> int | None:
        """Return the row of a file, if it is listed."""
        return next((n for n, one in enumerate(self.files) if str(one.path) == path), None)

    def _count(self, file: InputFile, severity: Severity) -> int:
        return self._counts.get(str(file.path), Counter())[severity]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.files)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - the same
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return translate(HEADERS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(
                translate(HEADERS[section]),
                translate(HELP[section]) if section in HELP else "",
                translate("Click, or press S, to sort."),
            )
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        file = self.files[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(file, index.column())
        if role == FILE:
            return file
        if role == PART:
            return self._parts[self._names[str(file.path)]]
        if role == TONE:
            return self._tone(file, index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(str(file.path), translate_text(file.mark), translate_text(file.reason))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = self._text(file, index.column()) or translate("none")
            return f"{translate(HEADERS[index.column()])}: {isolate(text)}"
        return None

    def _text(self, file: InputFile, column: int) -> str:
        texts: dict[int, Callable[[InputFile], str]] = {
            NAME: lambda one: self._names[str(one.path)],
            ROLE: self._role,
            SIZE: self._size,
            ARRIVED: _arrival_text,
            LATE: _lateness_text,
            COPY: lambda one: one.submission.twin if one.submission else "",
            ERRORS: lambda one: self._number(one, Severity.ERROR),
            WARNINGS: lambda one: self._number(one, Severity.WARNING),
            STATE: self._state,
        }
        return texts[column](file)

    def _role(self, file: InputFile) -> str:
        task = self._session.task
        known = task.inputs if task else ()
        label = next((entry.label for entry in known if entry.role == file.role), "")
        if label:
            return translate_text(label)
        return translate(CHOOSE if self._session.roles_for(file) else "Not used")

    def _size(self, file: InputFile) -> str:
        """Return the size of a file or the pictures of a folder; empty if it is missing."""
        if file.pictures:
            return quantity(file.pictures, "picture")
        return size(file.size) if file.size or file.state != "missing" else ""

    def _number(self, file: InputFile, severity: Severity) -> str:
        number = self._count(file, severity)
        return count(number) if number else ""

    def _state(self, file: InputFile) -> str:
        """Return the state in words, after the remarks whose columns are hidden."""
        one = file.submission
        if file.reason or one is None:
            return translate_text(file.reason) or translate(self.state_word(file))
        if one.counts_instead:
            return translate("{file} counts instead", file=one.counts_instead)
        remarks = []
        if one.late is not None and LATE in self.hidden:
            late = translate_text(duration_text(one.late))
            remarks.append(translate("late by {duration}", duration=late))
        if one.twin and COPY in self.hidden:
            remarks.append(translate("same as {twin}", twin=one.twin))
        return "; ".join((*remarks, translate(self.state_word(file))))

    def state_word(self, file: InputFile) -> str:
        """Return the state of a file: `ready`, `has errors`, `changed since it was read`."""
        if file.state in ("changed", "missing"):
            is_changed = file.state == "changed"
            return translatable("changed since it was read" if is_changed else "missing")
        if self._count(file, Severity.ERROR):
            return translatable("has errors")
        one = file.submission
        if one is not None and (one.late is not None or one.twin):
            return DECIDE
        if file.state != "current":
            return translatable("not read yet")
        if self.is_submission(file):
            return translatable("ready")
        return translatable("has warnings" if self._count(file, Severity.WARNING) else "read")

    def _tone(self, file: InputFile, column: int) -> str:
        if column == ROLE:
            return "accent" if not file.role and self._session.roles_for(file) else "text"
        if column == STATE:
            return DONE.get("" if file.reason else self.state_word(file), "bad")
        if column in (LATE, COPY, ERRORS):
            return "bad"
        return "text" if column == NAME else "muted"


def _arrival_text(file: InputFile) -> str:
    when = file.submission.received if file.submission is not None else None
    if when is None:
        return ""
    local, now = when.astimezone(), datetime.now().astimezone()
    if (now.date() - local.date()).days in (0, 1):
        return local_moment(local, now)
    return f"{local_date(local, now)}, {local:%H:%M}"


def _lateness_text(file: InputFile) -> str:
    late = file.submission.late if file.submission is not None else None
    return "" if late is None else translate_text(duration_text(late))


def _alignment(column: int) -> Qt.AlignmentFlag:
    across = Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
    return across | Qt.AlignmentFlag.AlignVCenter


Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT, PADDING, MARK = 30, 10, 8
LEAST_ROWS, MOST_ROWS = 1, 15
LEAST_NAME, LEAST_STATE = 130, 110
NAME_BESIDE_SIZE = 200
"""Width of long names below which the sizes are hidden."""
DROPPED = (SIZE, WARNINGS, ARRIVED, COPY, LATE)
"""Columns that are hidden if there is no room for them, the first ones first."""


class FileCellDelegate(QStyledItemDelegate):
    """Delegate that paints a cell; the state of a submission has a mark before it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour("accent_soft"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        inside = rect.adjusted(px(PADDING), 0, -px(PADDING), -1)
        text, tone = index.data(), index.data(TONE)
        painter.setFont(font())
        if index.column() == STATE and index.data(FILE).submission is not None:
            _paint_mark(painter, inside, tone, filled=translate(DECIDE) not in text)
            inside.setLeft(inside.left() + px(MARK + 6))
        painter.setPen(colour(tone))
        if index.column() == ROLE and tone == "accent":
            text = f"{text} ▾"
        # The other metrics are rounded, and the name could then be elided once more.
        width_of = QFontMetricsF(painter.font()).horizontalAdvance
        is_long = width_of(text) > inside.width()
        if index.column() == NAME:
            text = fit_name(text, index.data(PART), width_of, inside.width())
        if index.column() == STATE and is_long:
            _two_lines(painter, inside, text)
        else:
            _paint_elided(painter, inside, text, index.data(Qt.ItemDataRole.TextAlignmentRole))
        painter.restore()


def _paint_mark(painter: QPainter, rect: QRect, tone: str, *, filled: bool) -> None:
    """Paint a disc, or a ring, at the left of a cell."""
    side = px(MARK)
    box = QRectF(rect.left(), rect.center().y() - side / 2, side, side)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(tone), px(2)))
    painter.setBrush(colour(tone) if filled else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(box.adjusted(1, 1, -1, -1))


def _paint_elided(painter: QPainter, rect: QRect, text: str, align: Qt.AlignmentFlag) -> None:
    shown = elide(painter.fontMetrics(), text, Qt.TextElideMode.ElideMiddle, rect.width())
    painter.drawText(rect, align, shown)


def _two_lines(painter: QPainter, rect: QRect, text: str) -> None:
    painter.setFont(font(TINY))
    upper, lower = break_line(text, painter.fontMetrics(), rect.width())
    half = rect.height() // 2
    _paint_elided(painter, rect.adjusted(0, 1, 0, -half), upper, MIDDLE)
    _paint_elided(painter, rect.adjusted(0, half, 0, -1), lower, MIDDLE)


class FileTable(QTableView):
    """Table of files; `role_chosen` carries a file and a role, `removed` and `opened` a file.

    `current_changed` carries the file in the current row, or None.
    """

    role_chosen = Signal(object, str)
    removed = Signal(object)
    opened = Signal(object)
    current_changed = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._menu_file: InputFile | None = None
        self._current = ""
        self.files = FileModel(session, self)
        self.setAccessibleName(translate("Files"))
        self.setHorizontalHeader(TableHeader(self.files, self))
        self.setModel(self.files)
        self.setItemDelegate(FileCellDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.clicked.connect(self._click)
        self.doubleClicked.connect(self._double_click)
        self.horizontalHeader().sectionClicked.connect(self.files.sort_by)
        self.files.modelReset.connect(self._restore)
        self._scale()
        theme().changed.connect(self._scale)

    def current_file(self) -> InputFile | None:
        index = self.currentIndex()
        return index.data(FILE) if index.isValid() else None

    def roles_menu(self, file: InputFile) -> QMenu:
        """Return a menu with the possible roles and actions of a file."""
        menu = QMenu(self)
        self._menu_file = file
        for entry in () if self._session.read_only else self._session.roles_for(file):
            action = menu.addAction(translate_text(entry.label))
            action.setData(entry.role)
            action.setToolTip(tip(translate_text(entry.help)))
            action.setCheckable(True)
            action.setChecked(entry.role == file.role)
            action.triggered.connect(self._choose)
        menu.addSeparator()
        menu.addAction(translate("Open the file")).triggered.connect(self._open)
        if not self._session.read_only:
            menu.addAction(translate("Remove from the competition")).triggered.connect(self._remove)
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        file = self.current_file()
        if file is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(file)
        elif file is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pop_up(self.currentIndex())
        elif file is not None and event.key() == Qt.Key.Key_S and not event.modifiers():
            self._sort(self.currentIndex().column())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if index.isValid():
            self.roles_menu(index.data(FILE)).popup(event.globalPos())

    def _click(self, index: QModelIndex) -> None:
        if index.column() == ROLE:
            self._pop_up(index)

    def _double_click(self, index: QModelIndex) -> None:
        if index.column() != ROLE:
            self.opened.emit(index.data(FILE))

    def _pop_up(self, index: QModelIndex) -> None:
        rect = self.visualRect(self.files.index(index.row(), ROLE))
        corner = self.viewport().mapToGlobal(rect.bottomLeft() + QPoint(0, 1))
        self.roles_menu(index.data(FILE)).popup(corner)

    def _choose(self) -> None:
        action = self.sender()
        if isinstance(action, QAction) and self._menu_file is not None:
            self.role_chosen.emit(self._menu_file, action.data())

    def _open(self) -> None:
        self.opened.emit(self._menu_file)

    def _remove(self) -> None:
        self.removed.emit(self._menu_file)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        file = current.data(FILE) if current.isValid() else None
        self._current = str(file.path) if file is not None else ""
        self.horizontalHeader().viewport().update()
        self.current_changed.emit(file)

    def _sort(self, column: int) -> None:
        self.files.sort_by(column)
        self.setCurrentIndex(self.currentIndex().siblingAtColumn(column))

    def _restore(self) -> None:
        """Keep the current file after a reset of the model, and fit the columns."""
        row = self.files.row_of(self._current)
        if row is not None:
            self.selectRow(row)
        self._scale()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _scale(self) -> None:
        rows = self.verticalHeader()
        # A larger minimum would change rows that Qt then no longer gives the default height.
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(px(ROW_HEIGHT))
        self.setFont(font())
        header = self.horizontalHeader()
        header.setFont(font(SMALL, bold=True))
        header.setFixedHeight(px(32))
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        self._fit()
        rows_shown = max(1, min(self.files.rowCount(), MOST_ROWS))
        around = px(32) + px(8)  # the header, and the style sheet's padding
        self.setMinimumHeight(around + min(LEAST_ROWS, rows_shown) * px(ROW_HEIGHT))
        self.setMaximumHeight(around + rows_shown * px(ROW_HEIGHT))
        self.updateGeometry()

    def _fit(self) -> None:
        """Hide empty columns and those without room; name and state share the remaining width."""
        files, room = self.files, self.viewport().width()
        empty = {column for column in range(SIZE, STATE) if not files.has_entries(column)}
        widths = {column: self._width(column) for column in range(len(HEADERS))}
        shown = [column for column in widths if column not in empty]
        least = {NAME: px(LEAST_NAME), STATE: min(px(LEAST_STATE), widths[STATE])}
        for column in DROPPED:
            needed = sum(least.get(one, widths[one]) for one in shown)
            if column == SIZE:
                needed += max(0, min(widths[NAME], px(NAME_BESIDE_SIZE)) - least[NAME])
            if needed > room and column in shown:
                shown.remove(column)
        hidden = frozenset(widths) - frozenset(shown)
        for column in widths:
            self.setColumnHidden(column, column in hidden)
        if hidden != files.hidden:
            files.hidden = hidden
            self.viewport().update()
        fixed = sum(widths[one] for one in shown if one not in least)
        wanted = {column: max(least[column], widths[column]) for column in least}
        rest = max(room - fixed, sum(least.values()))
        name = min(wanted[NAME], max(least[NAME], rest - min(wanted[STATE], rest // 2)))
        for column in shown:
            self.setColumnWidth(column, widths[column])
        self.setColumnWidth(NAME, name)
        self.setColumnWidth(STATE, max(least[STATE], rest - name))

    def _width(self, column: int) -> int:
        """Return the width of a column's longest text, or of its title."""
        cells, titles = self.fontMetrics(), self.horizontalHeader().fontMetrics()
        texts = (self.files.index(row, column).data() for row in range(self.files.rowCount()))
        longest = max(map(cells.horizontalAdvance, texts), default=0)
        marked = px(MARK + 6) if column in (ROLE, STATE) else 0
        title = titles.horizontalAdvance(translate(HEADERS[column])) + px(14)
        return max(longest + marked, title) + 2 * px(PADDING) + 2

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())


class FilteredFiles(QWidget):
    """Table of files with its filter line above, which is shown from a number of files on."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.table = FileTable(session)
        self.line = FilterLine(translate("Find in: {table}", table=translate("Files")), live=True)
        self._head = row_layout(self.line)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addWidget(self.table, 1)
        self.line.hide()
        self.setFocusProxy(self.table)
        self.line.changed.connect(self.table.files.filter)
        self.line.leave_requested.connect(self.table.setFocus)
        self.table.files.modelReset.connect(self._offer)
        self._scale()
        theme().changed.connect(self._scale)

    def _scale(self) -> None:
        self._head.setContentsMargins(px(4), px(4), px(4), px(4))

    def _offer(self) -> None:
        """Offer the columns of all files; the line shows how many are visible."""
        model, total = self.table.files, len(self._session.files)
        has_line = total >= MANY_ROWS
        self.line.setVisible(has_line)
        if not has_line and self.line.query:
            self.line.clear()
            return
        example = translate("Find words, or {condition}", condition="errors > 0")
        self.line.offer(filter_columns(model.filter_columns(self._session.files)), example)
        shown = translate("{part} of {whole}", part=count(model.rowCount()), whole=count(total))
        self.line.count(shown if model.query else "")

"""Table of files, a row for each submission; S or a click on a column title sorts these.

Enter or a click on the role opens its menu, Delete removes the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QMenu

from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.style.distinct_names import Part, distinct_parts, fit_name
from jurydesk.app.style.theme import TINY, font, px
from jurydesk.app.style.visible_text import break_line, elide, fitted_names, tip
from jurydesk.app.tables.table_filter import MANY_ROWS
from jurydesk.app.tables.table_view import Table, TableCellDelegate
from jurydesk.app.widgets.shown_files import show_file
from jurydesk.core.intake.submission import lateness_text, remarks
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.language.local_formats import local_date, local_moment
from jurydesk.core.model.defects import Severity
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.platform_entry import entry_text
from jurydesk.core.system.paths import distinct_names
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import count, quantity, size

CHOOSE = translatable("Choose a role")
DECIDE = translatable("to decide")
DONE = {"ready": "good", "read": "muted", DECIDE: "bad"}
"""Tones of the states without an error."""
DROPPED = ("warnings", "arrived", "copy_of", "late")
"""Columns that are hidden if there is no room for them, the first ones first."""
OPTIONAL = (*DROPPED, "errors")
"""Columns that are hidden if they are empty."""
UNFILTERED = frozenset({"arrived", "late"})
"""Columns that the filter line does not offer."""
LEAST = {"role": 120, "file": 130, "state": 110}
MARK, MOST_ROWS, FILE_HEIGHT = 8, 15, 28
LOW_HEIGHT, LOW_PAGE = 24, 680
"""Height of the rows on pages lower than this, where twelve of them are then in sight."""
LEFT, MIDDLE = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter


class FileCells(TableCellDelegate):
    """Delegate with a mark before the state of a submission, and names cut where they are alike."""

    table: FileTable

    def content_width(self, column: Column, text: int) -> int:
        return text + (px(MARK + 6) if column.name in ("role", "state") else 0)

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        text, file = column.text(row), self.table.files[row]
        painter.save()
        if column.name == "state" and file.team:
            _paint_mark(painter, inside, filled=translate(DECIDE) not in text)
            inside = inside.adjusted(px(MARK + 6), 0, 0, 0)
        if column.name == "role" and self.table.lacks_role(file):
            text = f"{text} ▾"
        # The other metrics are rounded, and the name could then be elided once more.
        width_of = QFontMetricsF(painter.font()).horizontalAdvance
        names = {"file": self.table.parts, "role": self.table.teams}.get(column.name, {})
        name = str(column.values[row])  # the text has no control letters
        if name in names:
            text = fit_name(text, names[name], width_of, inside.width())
            if width_of(text) > inside.width():
                key = painter.font().toString()
                text = fitted_names(tuple(names), inside.width(), key)[name]
        if column.name == "state" and width_of(text) > inside.width():
            painter.setFont(font(TINY))
            half = inside.height() // 2
            upper, lower = break_line(text, painter.fontMetrics(), inside.width())
            _paint_elided(painter, inside.adjusted(0, 1, 0, -half), upper, LEFT | MIDDLE)
            _paint_elided(painter, inside.adjusted(0, half, 0, -1), lower, LEFT | MIDDLE)
        else:
            align = self.table.table_model.alignment(column)
            _paint_elided(painter, inside, text, align)
        painter.restore()


def _paint_mark(painter: QPainter, rect: QRect, *, filled: bool) -> None:
    """Paint a disc, or a ring, at the left of a cell."""
    side, shade = px(MARK), painter.pen().color()
    box = QRectF(rect.left(), rect.center().y() - side / 2, side, side)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(shade, px(2)))
    painter.setBrush(shade if filled else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(box.adjusted(1, 1, -1, -1))


def _paint_elided(painter: QPainter, rect: QRect, text: str, align: Qt.AlignmentFlag) -> None:
    shown = elide(painter.fontMetrics(), text, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, align, shown)


class FileTable(Table):
    """Table of files; `role_chosen` carries a file and a role, `removed` a file."""

    role_chosen = Signal(object, str)
    removed = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(translate("Files"), cells=FileCells)
        self._session = session
        self.files: Sequence[InputFile] = ()
        """The files of the rows."""
        self.folded: Sequence[InputFile] = ()
        """Reference files without defects beside submissions, which have no rows."""
        self.is_unfolded = False
        """Whether these have rows, too."""
        self.parts: Mapping[str, Part] = {}
        """Parts of the names that tell them from the others, for a column that is too narrow."""
        self.teams: Mapping[str, Part] = {}
        """Parts of the teams' names that tell them apart."""
        self.growing, self.least, self.dropped = ("state",), LEAST, DROPPED
        model = self.table_model
        model.keeps_sorting = True
        model.alignments = {"arrived": LEFT | MIDDLE, "late": LEFT | MIDDLE}
        model.describe = self._describe
        self.most_rows = MOST_ROWS
        self.set_row_height(FILE_HEIGHT)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionsMovable(False)
        self.clicked.connect(self._click)
        model.rearranged.connect(self._fit_rows)
        self._given: InputFile | None = None
        """Current file that nobody chose: the first one, as it was when the table got the focus."""
        self.current_row_changed.connect(self._note_choice)
        self.reload()
        names = [column.name for column in model.columns]
        for name in ("warnings", "errors"):
            model.sort_by(names.index(name), descending=True)
        session.subscribe(
            SessionPart.FILES | SessionPart.COMPETITION | SessionPart.DEFECTS, self.reload
        )

    # Rows

    def reload(self) -> None:
        """Read the session's files and the number of their defects; a chosen file is kept."""
        current = self.current_file()
        was_given = current is not None and current is self._given
        every = tuple(self._session.files)
        self.folded = tuple(self._foldable(every))
        hidden = () if self.is_unfolded else self.folded
        self.files = files = tuple(file for file in every if file not in hidden)
        names = distinct_names({str(file.path) for file in files})
        others = [row for row, file in enumerate(files) if not self._is_submission(file)]
        pinned = {str(files[row].path) for row in others}
        self.parts = {
            **distinct_parts(name for path, name in names.items() if path not in pinned),
            **distinct_parts(name for path, name in names.items() if path in pinned),
        }
        self.teams = distinct_parts(file.label for file in files if self._is_submission(file))
        columns = self._columns(names)
        self.set_current_row(None)
        self.table_model.show(columns, others)
        if was_given:
            self._step_to_first()
        elif current is not None:
            paths = {file.path: row for row, file in enumerate(files)}
            self.set_current_row(paths.get(current.path))
        elif self.hasFocus():
            self._step_to_first()

    def _step_to_first(self) -> None:
        self.step(1)
        self._given = self.current_file()

    def _note_choice(self) -> None:
        if self.current_file() is not self._given:
            self._given = None

    def focusInEvent(self, event: QFocusEvent) -> None:
        if not self.currentIndex().isValid():
            self._step_to_first()
        super().focusInEvent(event)

    def current_file(self) -> InputFile | None:
        """Return the file in the current row; None without one."""
        index = self.currentIndex()
        return self._file(index) if index.isValid() else None

    def _file(self, index: QModelIndex) -> InputFile:
        return self.files[self.table_model.cell(index)[1]]

    def unfold(self, is_unfolded: bool) -> None:
        """Give the reference files without defects rows of their own, or none."""
        self.is_unfolded = is_unfolded
        self.reload()

    def _foldable(self, files: Sequence[InputFile]) -> Iterator[InputFile]:
        """Yield the files beside submissions whose role and state decide nothing."""
        if not any(map(self._is_submission, files)):
            return
        troubled = {defect.place.path for defect in self._session.defects}
        for file in files:
            is_read = bool(file.role) and file.state == "current" and not file.reason
            if is_read and not self._is_submission(file) and str(file.path) not in troubled:
                yield file

    def _is_named_like_its_team(self, row: int) -> bool:
        """Return whether the name of a file says no more than its team does."""
        file, columns = self.files[row], self.table_model.columns
        name = next((one.text(row) for one in columns if one.name == "file"), "")
        return self._is_submission(file) and name.partition(".")[0] == file.label.partition(".")[0]

    def _is_submission(self, file: InputFile) -> bool:
        return file.role == self._session.task.submission_input().role

    def lacks_role(self, file: InputFile) -> bool:
        """Return whether a role can be chosen for a file without one."""
        return not file.role and bool(self._session.roles_for(file))

    def _fit_rows(self) -> None:
        """Give the table the height of its rows, and its columns the width of their texts."""
        self.least_rows = 2 if len(self.files) > MANY_ROWS else 1  # a filter line needs as much
        self.keep_height()
        self.fit_columns()

    def fit_page(self, height: int) -> None:
        """Give the rows the height that suits a page of this height in pixels."""
        wanted = LOW_HEIGHT if height < px(LOW_PAGE) else FILE_HEIGHT
        if wanted != self.row_height:
            self.set_row_height(wanted)
            self.keep_height()

    def row_count(self) -> int:
        return self.table_model.rowCount()

    def width_beside(self, section: int, dropped: str) -> int:
        name, needed = self.table_model.columns[section].name, super().width_beside(section, "")
        return min(needed, px(LEAST[name])) if name in LEAST else needed

    def hide_columns(self) -> None:
        rows = self.table_model.rows.tolist()
        optional = (one for one in self.table_model.columns if one.name in OPTIONAL)
        self.hidden = frozenset(one.name for one in optional if not any(map(one.text, rows)))
        if rows and all(map(self._is_named_like_its_team, rows)):
            self.hidden |= {"file"}
        super().hide_columns()
        self.forget_widths()  # the state has remarks of hidden columns

    # Columns

    def _columns(self, names: Mapping[str, str]) -> Sequence[Column]:
        files, found = self.files, Counter[tuple[str, Severity]]()
        for defect in self._session.defects:
            found[defect.place.path, defect.severity] += 1
        errors, warnings = (
            [found[str(file.path), severity] for file in files]
            for severity in (Severity.ERROR, Severity.WARNING)
        )
        late = [file.late.total_seconds() if file.late else 0.0 for file in files]
        times = [file.received.timestamp() if file.received else 0.0 for file in files]
        misread = {one.place.path for one in self._session.defects if one.transformation}
        words = [
            DECIDE if word == "ready" and str(file.path) in misread else word
            for file, word in (
                (parts[0], self._state_word(*parts))
                for parts in zip(files, errors, warnings, strict=True)
            )
        ]
        states = [
            translate_text(file.reason) or translate(word)
            for file, word in zip(files, words, strict=True)
        ]
        return (
            TextColumn(
                "role",
                translatable("Team"),
                list(map(self._team_or_role, files)),
                paint=lambda row: self._tone(files[row]),
            ),
            TextColumn("file", translatable("File"), [names[str(file.path)] for file in files]),
            _numbers("arrived", translatable("Arrived"), times, list(map(_arrival_text, files)),
                     translatable("Time of the list of arrivals, else of the file.")),
            _numbers("late", translatable("Late by"), late, list(map(_lateness_text, files)),
                     translatable("Time after the deadline (Run > Submission rules)."), "bad"),
            TextColumn(
                "copy_of",
                translatable("Copy of"),
                [file.twin for file in files],
                tooltip=translatable(
                    "Earlier submission of another team with the same content."
                ),
                paint=lambda row: "bad",
            ),
            _numbers("errors", translatable("Errors"), errors,
                     [count(number) if number else "" for number in errors], tone="bad"),
            _numbers("warnings", translatable("Warnings"), warnings,
                     [count(number) if number else "" for number in warnings]),
            TextColumn(
                "state",
                translatable("State"),
                states,
                tooltip=translatable(
                    "Late submissions and copies are scored: whether they count is your decision."
                ),
                show=lambda row: self._state_text(files[row], states[row]),
                paint=lambda row: DONE.get("" if files[row].reason else words[row], "bad"),
            ),
        )  # fmt: skip

    def _team_or_role(self, file: InputFile) -> str:
        """Return the team of a submission, which needs no role, and the role of another file."""
        return file.label if self._is_submission(file) and file.label else self._role(file)

    def _tone(self, file: InputFile) -> str:
        if self.lacks_role(file):
            return "accent"
        return "" if self._is_submission(file) else "muted"

    def _role(self, file: InputFile) -> str:
        known = self._session.task.inputs
        label = next((entry.label for entry in known if entry.role == file.role), "")
        if label:
            return translate_text(label)
        return translate(CHOOSE if self._session.roles_for(file) else "Not used")

    def _state_text(self, file: InputFile, state: str) -> str:
        """Return the state in words, after the remarks whose columns are hidden."""
        if file.reason or not file.team:
            return state
        if file.counts_instead:
            return translate("{file} counts instead", file=file.counts_instead)
        columns, said = self.table_model.columns, []
        hidden = {column.name for n, column in enumerate(columns) if self.isColumnHidden(n)}
        if file.late is not None and "late" in hidden:
            late = translate_text(lateness_text(file))
            said.append(translate("late by {duration}", duration=late))
        if file.twin and "copy_of" in hidden:
            said.append(translate("same as {twin}", twin=file.twin))
        return "; ".join((*said, state))

    def _state_word(self, file: InputFile, errors: int, warnings: int) -> str:
        """Return the state of a file: `ready`, `has errors`, `changed since it was read`."""
        if file.state == "changed":
            return translatable("changed since it was read")
        if file.state == "missing":
            return translatable("missing")
        if errors:
            return translatable("has errors")
        if file.late is not None or file.twin:
            return DECIDE
        if file.state != "current":
            return translatable("not read yet")
        if self._is_submission(file):
            return translatable("ready")
        return translatable("has warnings" if warnings else "read")

    def _describe(self, column: Column, row: int) -> str:
        file = self.files[row]
        recorded = entry_text(file.entry) if file.entry else ""
        about = translate_text(remarks(file)), translate_text(file.reason)
        return tip(str(file.path), _size_text(file), recorded, *about)

    # Actions

    def roles_menu(self, file: InputFile) -> QMenu:
        """Return a menu with the possible roles and actions of a file."""
        menu, is_writable = QMenu(self), not self._session.read_only
        for entry in self._session.roles_for(file) if is_writable else ():
            action = menu.addAction(translate_text(entry.label))
            action.setData(partial(self.role_chosen.emit, file, entry.role))
            action.setToolTip(tip(translate_text(entry.help)))
            action.setCheckable(True)
            action.setChecked(entry.role == file.role)
        menu.addSeparator()
        menu.addAction(translate("Open the file")).setData(partial(show_file, file.path))
        if is_writable:
            remove = menu.addAction(translate("Remove from the competition"))
            remove.setData(partial(self.removed.emit, file))
        menu.triggered.connect(self._act)
        return menu

    def _act(self, action: QAction) -> None:
        action.data()()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        file = self.current_file()
        if file is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(file)
        elif file is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pop_up(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if index.isValid():
            self.roles_menu(self._file(index)).popup(event.globalPos())

    def _opens_menu(self, index: QModelIndex) -> bool:
        """Return whether a click chooses a role; a team's menu opens by Enter or a right click."""
        is_role = self.table_model.columns[index.column()].name == "role"
        return is_role and not self._is_submission(self._file(index))

    def _click(self, index: QModelIndex) -> None:
        if self._opens_menu(index):
            self._pop_up(index)

    def open_row(self, index: QModelIndex) -> None:
        if not self._opens_menu(index):
            show_file(self._file(index).path)

    def _pop_up(self, index: QModelIndex) -> None:
        names = [column.name for column in self.table_model.columns]
        rect = self.visualRect(index.siblingAtColumn(names.index("role")))
        corner = self.viewport().mapToGlobal(rect.bottomLeft() + QPoint(0, 1))
        self.roles_menu(self._file(index)).popup(corner)


def _numbers(
    name: str,
    title: str,
    values: Sequence[float],
    texts: Sequence[str],
    tooltip: str = "",
    tone: str = "muted",
) -> NumberColumn:
    """Return a column of numbers with texts of their own."""
    text = texts.__getitem__
    numbers = np.array(values, np.float64)
    return NumberColumn(
        name, title, numbers, tooltip=tooltip, show=text, detail=text, paint=lambda row: tone
    )


def _size_text(file: InputFile) -> str:
    """Return the size of a file or the pictures of a folder; empty if it is missing."""
    if file.pictures:
        return quantity(file.pictures, "picture")
    return size(file.size) if file.size or file.state != "missing" else ""


def _arrival_text(file: InputFile) -> str:
    when = file.received
    if when is None:
        return ""
    local, now = when.astimezone(), datetime.now().astimezone()
    if file.is_day_known:
        return local_date(when, now)
    if (now.date() - local.date()).days in (0, 1):
        return local_moment(local, now)
    return f"{local_date(local, now)}, {local:%H:%M}"


def _lateness_text(file: InputFile) -> str:
    return translate_text(lateness_text(file))

"""Table of files; Enter or a click on the role opens its menu, Delete removes the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QPainter, QResizeEvent, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.style.numbers import quantity, size
from jurydesk.app.style.theme import TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.core.model.defects import Defect, Severity
from jurydesk.core.system.paths import distinct_names
from jurydesk.core.workflow.files import InputFile

FILE = Qt.ItemDataRole.UserRole + 1
TONE = Qt.ItemDataRole.UserRole + 2
NAME, ROLE, SIZE, STATE = range(4)
HEADERS = ("File", "Role", "Size", "State")
CHOOSE = "Choose a role"


class FileModel(QAbstractTableModel):
    """Table model of the session's files, each available as role `FILE`."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._worst: dict[str, Severity] = {}
        self._names: dict[str, str] = {}
        self.files: Sequence[InputFile] = ()
        session.subscribe(
            SessionPart.FILES | SessionPart.COMPETITION | SessionPart.DEFECTS, self.reload
        )

    def reload(self) -> None:
        self.beginResetModel()
        self.files = self._session.files
        self._worst = _worst(self._session.defects)
        self._names = distinct_names({str(file.path) for file in self.files})
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.files)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - the same
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return HEADERS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        file = self.files[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(file, index.column())
        if role == FILE:
            return file
        if role == TONE:
            return self._tone(file, index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(str(file.path), file.mark, file.reason)
        return None

    def _text(self, file: InputFile, column: int) -> str:
        if column == NAME:
            return self._names[str(file.path)]
        if column == ROLE:
            return self._role(file)
        if column == SIZE:
            return self._size(file)
        return self._state(file)

    def _role(self, file: InputFile) -> str:
        task = self._session.task
        known = task.inputs if task else ()
        label = next((entry.label for entry in known if entry.role == file.role), "")
        return label or (CHOOSE if self._session.roles_for(file) else "Not used")

    def _size(self, file: InputFile) -> str:
        """Return the size of a file or the pictures of a folder; empty if it is missing."""
        if file.pictures:
            return quantity(file.pictures, "picture")
        return size(file.size) if file.size or file.state != "missing" else ""

    def _state(self, file: InputFile) -> str:
        if file.reason:
            return file.reason
        read = self._read(file)
        return f"{file.mark}; {read}" if file.mark else read

    def _read(self, file: InputFile) -> str:
        if file.state in ("changed", "missing"):
            return {"changed": "changed since it was read", "missing": "missing"}[file.state]
        worst = self._worst.get(str(file.path))
        if worst in (Severity.ERROR, Severity.WARNING):
            return "has errors" if worst is Severity.ERROR else "has warnings"
        return "read" if file.state == "current" else "not read yet"

    def _tone(self, file: InputFile, column: int) -> str:
        if column == ROLE:
            return "accent" if not file.role and self._session.roles_for(file) else "text"
        if column == STATE:
            worst = self._worst.get(str(file.path))
            late = file.mark.startswith("late")
            gone = file.state in ("changed", "missing")
            bad = gone or late or worst is Severity.ERROR or not file.role
            return "bad" if bad else "muted"
        return "muted" if column == SIZE else "text"


def _worst(defects: Sequence[Defect]) -> dict[str, Severity]:
    order = list(Severity)
    worst: dict[str, Severity] = {}
    for defect in defects:
        known = worst.get(defect.place.path, Severity.NOTE)
        worst[defect.place.path] = min(known, defect.severity, key=order.index)
    return worst


def _alignment(column: int) -> Qt.AlignmentFlag:
    across = Qt.AlignmentFlag.AlignRight if column == SIZE else Qt.AlignmentFlag.AlignLeft
    return across | Qt.AlignmentFlag.AlignVCenter


Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT = 40
LEAST_ROWS, MOST_ROWS = 3, 6
NARROW = 430
"""Width below which the column of sizes is hidden."""
MIDDLE = Qt.AlignmentFlag.AlignVCenter


class FileCellDelegate(QStyledItemDelegate):
    """Delegate that paints a cell; the cell of a file's name also shows its folder."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour("accent_soft"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour("line"))
        inside = rect.adjusted(px(10), 0, -px(10), -1)
        painter.setFont(font())
        painter.setPen(colour(index.data(TONE)))
        if index.column() == NAME:
            file: InputFile = index.data(FILE)
            half = inside.height() // 2
            upper = inside.adjusted(0, px(3), 0, -half + px(3))
            _elided(painter, upper, index.data(), MIDDLE)
            painter.setFont(font(TINY))
            painter.setPen(colour("muted"))
            _elided(painter, inside.adjusted(0, half, 0, -px(3)), str(file.path.parent), MIDDLE)
        else:
            text = index.data()
            if index.column() == ROLE and index.data(TONE) == "accent":
                text = f"{text} ▾"
            if index.column() == STATE and painter.fontMetrics().horizontalAdvance(text) > (
                inside.width()
            ):
                _two_lines(painter, inside, text)
            else:
                _elided(painter, inside, text, index.data(Qt.ItemDataRole.TextAlignmentRole))
        painter.restore()


def _elided(painter: QPainter, rect: QRect, text: str, align: Qt.AlignmentFlag) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
    painter.drawText(rect, align, shown)


def _two_lines(painter: QPainter, rect: QRect, text: str) -> None:
    painter.setFont(font(TINY))
    layout = QTextLayout(text, painter.font())
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(rect.width())
    layout.endLayout()
    cut = line.textLength()
    half = rect.height() // 2
    painter.drawText(rect.adjusted(0, px(3), 0, -half), MIDDLE, text[:cut].strip())
    rest = painter.fontMetrics().elidedText(text[cut:], Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect.adjusted(0, half, 0, -px(3)), MIDDLE, rest)


class FileTable(QTableView):
    """Table of files; `role_chosen` carries a file and a role, `removed` and `opened` a file."""

    role_chosen = Signal(object, str)
    removed = Signal(object)
    opened = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._menu_file: InputFile | None = None
        self.files = FileModel(session, self)
        self.setAccessibleName("Files")
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
        self.files.modelReset.connect(self._scale)
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
            action = menu.addAction(entry.label)
            action.setData(entry.role)
            action.setToolTip(tip(entry.help))
            action.setCheckable(True)
            action.setChecked(entry.role == file.role)
            action.triggered.connect(self._choose)
        menu.addSeparator()
        menu.addAction("Open the file").triggered.connect(self._open)
        if not self._session.read_only:
            menu.addAction("Remove from the competition").triggered.connect(self._remove)
        return menu

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setColumnHidden(SIZE, self.width() < px(NARROW))

    def _scale(self) -> None:
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(px(ROW_HEIGHT))
        rows.setDefaultSectionSize(px(ROW_HEIGHT))
        header = self.horizontalHeader()
        header.setAccessibleName("Column titles")
        header.setFixedHeight(px(32))
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setStretchLastSection(False)
        for column, width in ((ROLE, 136), (SIZE, 100)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, px(width))
        for column in (NAME, STATE):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        rows_shown = max(1, min(self.files.rowCount(), MOST_ROWS))
        around = px(32) + px(8)  # the header, and the style sheet's padding
        self.setMinimumHeight(around + min(LEAST_ROWS, rows_shown) * px(ROW_HEIGHT))
        self.setMaximumHeight(around + rows_shown * px(ROW_HEIGHT))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

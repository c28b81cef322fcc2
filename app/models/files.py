"""The files of a competition as rows: name, role, size, state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.format import counted, size
from app.plain import tip
from app.session import Part, Session
from core.defects import Defect, Severity
from core.paths import names_apart

if TYPE_CHECKING:
    from core.workflow.files import InputFile

FILE = Qt.ItemDataRole.UserRole + 1
TONE = Qt.ItemDataRole.UserRole + 2
NAME, ROLE, SIZE, STATE = range(4)
HEADERS = ("File", "Role", "Size", "State")
CHOOSE = "Choose its role"
Index = QModelIndex | QPersistentModelIndex


class FileModel(QAbstractTableModel):
    """One row for each `InputFile` of the session, given under the role `FILE`."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._worst: dict[str, Severity] = {}
        self._names: dict[str, str] = {}
        self.files: Sequence[InputFile] = ()
        session.subscribe(Part.FILES | Part.COMPETITION | Part.DEFECTS, self.reload)

    def reload(self) -> None:
        """Show what the session has now."""
        self.beginResetModel()
        self.files = self._session.files
        self._worst = _worst(self._session.defects)
        self._names = names_apart({str(file.path) for file in self.files})
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
        """How large a file is, or how many pictures a folder has; nothing of one that is gone."""
        if file.pictures:
            return counted(file.pictures, "picture")
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

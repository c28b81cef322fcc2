"""The defects of all files as one list: a row for each file, its defects below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.format import counted
from core.defects import Defect, Severity, sentences
from core.paths import names_apart

ROW = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Group:
    """A file, how many defects of each severity it has, and a name that no other one has."""

    path: str
    counts: tuple[tuple[Severity, int], ...]
    name: str

    @property
    def summary(self) -> str:
        """The counts in words: `2 errors · 1 note`."""
        return " · ".join(counted(n, str(severity)) for severity, n in self.counts)


Row = Group | Defect


def grouped(defects: Sequence[Defect], shown: Collection[Severity]) -> list[Row]:
    """Files with errors first, then by their first defect; within a file, by severity and line."""
    files: dict[str, list[Defect]] = {}
    for defect in defects:
        if defect.severity in shown:
            files.setdefault(defect.place.path, []).append(defect)
    order = list(Severity)
    names = names_apart({defect.place.path for defect in defects})
    rows: list[Row] = []
    for path, found in sorted(
        files.items(), key=lambda file: min(order.index(defect.severity) for defect in file[1])
    ):
        counts = Counter(defect.severity for defect in found)
        found.sort(key=lambda d: (order.index(d.severity), d.place.line or 0))
        told = tuple((s, counts[s]) for s in order if counts[s])
        rows += [Group(path, told, names[path] or path), *found]
    return rows


def place_text(defect: Defect) -> str:
    """Where in its file a defect is: `line 12`, a JSON path, or nothing."""
    if defect.place.line is not None:
        return f"line {defect.place.line:,}"
    return defect.place.json_path or ""


def as_text(rows: Sequence[Row]) -> str:
    """The defects as plain text, as the command line prints them."""
    return "\n".join(sentences([row for row in rows if isinstance(row, Defect)]))


class DefectModel(QAbstractListModel):
    """Rows are a `Group` or a `Defect`, given under the role `ROW`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []
        self._names: Mapping[str, str] = {}

    def show(self, defects: Sequence[Defect], severities: Collection[Severity]) -> None:
        """List the defects of these severities."""
        self.beginResetModel()
        self.rows = grouped(defects, severities)
        self._names = {row.path: row.name for row in self.rows if isinstance(row, Group)}
        self.endResetModel()

    def place_of(self, defect: Defect) -> str:
        """The place of a listed defect in words."""
        return defect.place.said(self._names.get(defect.place.path, defect.place.name))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._told(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(row)
        return None

    def _told(self, row: Row) -> str:
        if isinstance(row, Defect):
            return row.said(self._names[row.place.path])
        return f"{row.name}: {row.summary}"


def _tip(row: Row) -> str:
    if isinstance(row, Group):
        return row.path
    return "\n".join(part for part in (row.found, row.expected, row.hint) if part)

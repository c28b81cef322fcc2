"""Item model of tables: columns as arrays, and a permutation of the visible rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from jurydesk.app.jobs.job import Job, Notify, view_jobs
from jurydesk.app.style.visible_text import tip
from jurydesk.core.language import translate, translate_text
from jurydesk.core.language.text_direction import isolate
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tables.columns import Column, row_indices
from jurydesk.core.tables.sort_order import sorted_rows

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

AnyIndex = QModelIndex | QPersistentModelIndex
PREPARED_ROWS = 100_000
"""From this number of rows on, sort keys of texts are computed in advance."""
_NOWHERE = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class TableCell(NamedTuple):
    """Text, alignment and colour of a painted cell; an empty `paint` is the default colour."""

    text: str
    alignment: Qt.AlignmentFlag
    paint: str


class TableModel(QAbstractTableModel):
    """Rows of `columns`, sorted and filtered without moving a cell.

    A *row* is a row of the columns; a *place* is where the table shows it. Sorting keeps the
    order of equal rows, so that sorting by a second column refines the first.
    """

    rearranged = Signal()
    """The visible rows or their order have changed."""

    replaced = Signal()
    """The columns were replaced."""

    def __init__(self, columns: Sequence[Column] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[Column, ...] = ()
        self.rows: IntArray = row_indices(())
        self.sorting: tuple[int, bool] | None = None
        self._order = self.rows
        self._mask: BoolArray | None = None
        self._known: tuple[npt.NDArray[Any], bool, IntArray] | None = None
        """Key, direction and order of the last sorting."""
        self._preparing: Job | None = None
        self.show(columns)

    def show(self, columns: Sequence[Column]) -> None:
        """Replace the columns, and show all rows in the order of the file."""
        self.beginResetModel()
        self.columns = tuple(columns)
        self._order = self.rows = row_indices(columns)
        self._mask, self.sorting = None, None
        self.endResetModel()
        self._prepare()
        self.replaced.emit()
        self.rearranged.emit()

    def _prepare(self) -> None:
        if self._preparing is not None:
            self._preparing.cancel()
            self._preparing = None
        texts = [column for column in self.columns if not column.numeric]
        if texts and self.total >= PREPARED_ROWS:
            job = Job(translate("Preparing to sort"), partial(_find_keys, texts), quiet=True)
            self._preparing = view_jobs().start(job)

    @property
    def total(self) -> int:
        """The number of rows, visible or not."""
        return len(self._order)

    def sort_by(self, column: int | None, *, descending: bool = False) -> None:
        """Sort by a column; None restores the order of the file."""
        if column is None:
            self._order = row_indices(self.columns)
        else:
            self._order = self._sort_rows(self.columns[column].key, descending=descending)
        self.sorting = None if column is None else (column, descending)
        self._rearrange()

    def _sort_rows(self, key: npt.NDArray[Any], *, descending: bool) -> IntArray:
        """Return the sorted rows, from the last sorting if the key is the same."""
        if self.sorting is not None:
            return sorted_rows(key, self._order, descending=descending)
        if self._known is None or self._known[0] is not key or self._known[1] != descending:
            self._known = key, descending, sorted_rows(key, self._order, descending=descending)
        return self._known[2]

    def sort_next(self, column: int) -> None:
        """Sort as a click on the header does: largest first, smallest first, order of the file.

        Texts are sorted from A to Z first.
        """
        first = self.columns[column].numeric
        if self.sorting == (column, first):
            self.sort_by(column, descending=not first)
        elif self.sorting == (column, not first):
            self.sort_by(None)
        else:
            self.sort_by(column, descending=first)

    def filter(self, mask: BoolArray | None) -> None:
        """Show only the rows for which `mask` (n,) is True; None shows all."""
        if mask is not None or self._mask is not None:
            self._mask = mask
            self._rearrange()

    def place(self, row: int) -> int | None:
        """Return the place of a row, or None if it is filtered out."""
        found = np.flatnonzero(self.rows == row)
        return int(found[0]) if len(found) else None

    def _rearrange(self) -> None:
        self.beginResetModel()
        order = self._order
        self.rows = order if self._mask is None else order[self._mask[order]]
        self.endResetModel()
        self.rearranged.emit()

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column, row = self.columns[index.column()], int(self.rows[index.row()])
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(row)
            case Qt.ItemDataRole.ToolTipRole:
                return tip(column.heading, column.exact(row), translate_lines(column.tooltip))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{column.heading}: {isolate(column.exact(row)) or translate('none')}"
        return None

    def cell(self, index: AnyIndex) -> TableCell:
        """Return the cell to paint."""
        column, row = self.columns[index.column()], int(self.rows[index.row()])
        paint = column.paint(row) if column.paint else ""
        return TableCell(column.text(row), _alignment(column), paint)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.heading
            case Qt.ItemDataRole.ToolTipRole:
                sort = translate("Click, or press S, to sort.")
                return tip(column.heading, translate_lines(column.tooltip), sort)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None


def translate_lines(text: str) -> str:
    """Return a text of one sentence per line in the language of the window."""
    return "\n".join(map(translate_text, text.split("\n")))


def _alignment(column: Column) -> Qt.AlignmentFlag:
    return _RIGHT if column.numeric else _LEFT


def _find_keys(columns: Sequence[Column], run: Run, notify: Notify) -> None:
    for column in columns:
        run.check()
        _ = column.key

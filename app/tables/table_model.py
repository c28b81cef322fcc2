"""Item model of tables: columns as arrays, and a permutation of the visible rows."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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
REPEATED_SORTS = 2
"""Number of sorted columns by which other columns are sorted again."""
_NOWHERE = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


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
        self.keeps_sorting = False
        """Whether other columns are sorted like those before them, by their names."""
        self.alignments: Mapping[str, Qt.AlignmentFlag] = MappingProxyType({})
        """Alignments of columns, by name; the others have numbers right and texts left."""
        self.notes: Mapping[str, str] = MappingProxyType({})
        """Notes below the titles of columns, by column name."""
        self.ascending: Container[str] = ()
        """Names of columns of numbers of which the smallest are the best."""
        self.describe: Callable[[Column, int], str] = describe_cell
        """Function that returns the tooltip of a row's cell."""
        self.spell: Callable[[Column, int], str] = spell_cell
        """Function that returns a row's cell as screen readers say it."""
        self.left_out: tuple[Column, ...] = ()
        """Columns without room, which the first text of a row tells."""
        self._pinned = self.rows
        self._sortings: dict[str, bool] = {}
        """Directions by the names of sorted columns, the last one last."""
        self._order = self.rows
        self._mask: BoolArray | None = None
        self._known: tuple[npt.NDArray[Any], bool, IntArray] | None = None
        """Key, direction and order of the last sorting."""
        self._preparing: Job | None = None
        self.show(columns)

    def show(self, columns: Sequence[Column], pinned: Sequence[int] = ()) -> None:
        """Replace the columns, and show all rows; `pinned` ones stay at the top when sorted."""
        self.beginResetModel()
        self.columns = tuple(columns)
        self._order = row_indices(columns)
        self._pinned = np.array(pinned, np.int64)
        self._mask, self.sorting = None, None
        self._sort_again()
        self.rows = self._visible_rows()
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
            self._order, self.sorting = row_indices(self.columns), None
            self._sortings.clear()
        else:
            self._sort(column, descending=descending)
        self._rearrange()

    def _sort(self, column: int, *, descending: bool) -> None:
        self._order = self._sort_rows(self.columns[column].key, descending=descending)
        self.sorting = column, descending
        name = self.columns[column].name
        self._sortings.pop(name, None)
        self._sortings[name] = descending

    def _sort_again(self) -> None:
        """Sort other columns like those before them, or not at all."""
        before, self._sortings = self._sortings if self.keeps_sorting else {}, {}
        sections = {column.name: section for section, column in enumerate(self.columns)}
        for name, descending in list(before.items())[-REPEATED_SORTS:]:
            if name in sections:
                self._sort(sections[name], descending=descending)

    def _sort_rows(self, key: npt.NDArray[Any], *, descending: bool) -> IntArray:
        """Return the sorted rows, from the last sorting if the key is the same."""
        if self.sorting is not None:
            return sorted_rows(key, self._order, descending=descending)
        if self._known is None or self._known[0] is not key or self._known[1] != descending:
            self._known = key, descending, sorted_rows(key, self._order, descending=descending)
        return self._known[2]

    def sort_next(self, column: int) -> None:
        """Sort as a click on the header does: largest first, smallest first, order of the file.

        Texts are sorted from A to Z first, and `ascending` columns the smallest first.
        """
        first = self.columns[column].numeric and self.columns[column].name not in self.ascending
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
        self.rows = self._visible_rows()
        self.endResetModel()
        self.rearranged.emit()

    def _visible_rows(self) -> IntArray:
        order = self._order
        if len(self._pinned):
            order = np.append(self._pinned, order[~np.isin(order, self._pinned)])
        return order if self._mask is None else order[self._mask[order]]

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column, row = self.cell(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(row)
            case Qt.ItemDataRole.ToolTipRole:
                return "".join([self.describe(column, row), *self._tell(tip_line, column, row)])
            case Qt.ItemDataRole.TextAlignmentRole:
                return self.alignment(column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join([self.spell(column, row), *self._tell(spell_cell, column, row)])
        return None

    def _tell(self, tell: Callable[[Column, int], str], column: Column, row: int) -> Iterator[str]:
        """Yield what a row has in columns without room, if a column is its first text."""
        if column is next((one for one in self.columns if not one.numeric), None):
            yield from (tell(one, row) for one in self.left_out)

    def cell(self, index: AnyIndex) -> tuple[Column, int]:
        """Return the column and the row of a cell."""
        return self.columns[index.column()], int(self.rows[index.row()])

    def alignment(self, column: Column) -> Qt.AlignmentFlag:
        """Return the alignment of a column's title and cells."""
        return self.alignments.get(column.name, _RIGHT if column.numeric else _LEFT)

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
                return self.alignment(column)
        return None


def describe_cell(column: Column, row: int) -> str:
    """Return the tooltip of a cell: title, all digits, and what the column means."""
    return tip(column.heading, column.exact(row), translate_lines(column.tooltip))


def tip_line(column: Column, row: int) -> str:
    """Return a cell as a line of another cell's tooltip."""
    return tip(f"{column.heading}: {column.text(row)}")


def spell_cell(column: Column, row: int) -> str:
    """Return a cell as screen readers say it."""
    return f"{column.heading}: {isolate(column.exact(row)) or translate('none')}"


def translate_lines(text: str) -> str:
    """Return a text of one sentence per line in the language of the window."""
    return "\n".join(map(translate_text, text.split("\n") if "\n" in text else [text]))


def _find_keys(columns: Sequence[Column], run: Run, notify: Notify) -> None:
    for column in columns:
        run.check()
        _ = column.key

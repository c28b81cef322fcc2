"""Filter of a table: rows that match its filter line and that are brushed in a plot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, overload

import numpy as np
from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.jobs.job import view_jobs
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.filter_line import FilterLine
from jurydesk.app.widgets.filtering import filter_name
from jurydesk.app.widgets.parts import row_layout
from jurydesk.core.analysis import item_query as language
from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.workflow.evaluation_cache import QUICK_ITEMS

if TYPE_CHECKING:
    from jurydesk.app.jobs.job import Notify
    from jurydesk.core.execution.run import Run

Texts = Mapping[str, Sequence[str]]
"""Casefolded texts (n,) that are in no column, by their name in the filter language."""
NONE: Texts = MappingProxyType({})
QUICK_TEXTS = 300
"""Number of rows up to which unread texts are read while the user types."""
MANY_ROWS = 12
"""Number of rows from which a table offers its filter line."""


class FoldedTexts(Sequence[str]):
    """Casefolded texts of `count` rows, read at the first access."""

    def __init__(self, count: int, read: Callable[[], Iterable[str]]) -> None:
        self._count, self._read = count, read

    def __len__(self) -> int:
        return self._count

    @cached_property
    def all(self) -> list[str]:
        return [text.casefold() for text in self._read()]

    @property
    def is_loaded(self) -> bool:
        """True if a search needs no reading."""
        return "all" in self.__dict__

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self.all[place]


Attributes = Mapping[str, FoldedTexts]
"""Texts (n,) that are read only where a condition names them, by name."""


def named_attributes(query: str, attributes: Attributes) -> Attributes:
    """Return the attributes that the conditions of a query name, by their names in it."""
    named = {one.name for one in language.parse_conditions(query)}
    keys = {filter_name(name).casefold(): texts for name, texts in attributes.items()}
    return {key: texts for key, texts in keys.items() if key in named}


def matching_rows(query: str, columns: Sequence[Column], texts: Texts = NONE) -> BoolArray | None:
    """Return the rows (n,) that match every part of `query`; None if it is empty.

    Columns are found by name or title without case; words also match `texts`.
    """
    if not query.strip():
        return None  # reads no texts, of which there may be a million
    rows = len(columns[0].values) if columns else 0
    found = [column for column in columns if isinstance(column, NumberColumn)]
    titles = {column.title.casefold(): column.values for column in found}
    names = {filter_name(column.name).casefold(): column.values for column in found}
    own: dict[str, Sequence[str]] = {
        filter_name(column.name).casefold(): column.folded
        for column in columns
        if isinstance(column, TextColumn)
    }
    return language.match_rows(query, rows, titles | names, {**own, **texts})


def _search(
    query: str, columns: Sequence[Column], texts: Texts, run: Run, notify: Notify
) -> BoolArray | None:
    return matching_rows(query, columns, texts)


class TableFilter(QObject):
    """Shows the rows of a table that match a filter line, are brushed, and are in `subset`.

    Many rows are searched in a job.
    """

    applied = Signal()
    """The visible rows are up to date."""
    brush_removed = Signal()

    def __init__(self, table: Table, line: FilterLine) -> None:
        super().__init__(table)
        self.table, self.line = table, line
        self.subset: BoolArray | None = None
        """Rows (n,) that the owner shows; None for all."""
        self.texts: Texts = NONE
        self.attributes: Attributes = MappingProxyType({})
        self.quick_rows = QUICK_ITEMS
        """Number of rows up to which a search needs no job."""
        self.omitted: frozenset[str] = frozenset()
        """Names of columns that the line does not offer."""
        self._brushed: BoolArray | None = None
        self._finding = LatestJob[str, "BoolArray | None"](self, view_jobs())
        self._finding.arrived.connect(self._show)
        line.changed.connect(self.apply)
        line.brush_removed.connect(self._brush_removed)
        line.leave_requested.connect(self._to_table)
        table.table_model.replaced.connect(self._replaced)

    def offer(self, example: str) -> None:
        """Offer the table's columns in the line, and show the rows that match it."""
        attributes = [TextColumn(name, "", ()) for name in self.attributes]
        self.line.offer([*self.columns, *attributes], example)
        self.apply()

    @property
    def columns(self) -> list[Column]:
        """The columns by which the line filters."""
        return [one for one in self.table.table_model.columns if one.name not in self.omitted]

    @property
    def is_whole(self) -> bool:
        """True if nothing is filtered."""
        model = self.table.table_model
        unfiltered = self.subset is None and self._brushed is None and not self.line.in_force
        return unfiltered and model.rowCount() == model.total

    def brush(self, rows: IntArray | None) -> None:
        """Show only these rows (n,) of the columns; None for all."""
        self._brushed = None
        if rows is not None:
            self._brushed = np.zeros(self.table.table_model.total, dtype=bool)
            self._brushed[rows] = True
        shown = (
            "" if rows is None else translate("brushed: {count}", count=numbers.count(len(rows)))
        )
        self.line.show_brush(shown)
        self.apply()

    def _brush_removed(self) -> None:
        self._brushed = None
        self.brush_removed.emit()
        self.apply()

    def _replaced(self) -> None:
        """Other columns may have other rows."""
        if self._brushed is not None:
            self._brushed = None
            self.line.show_brush("")
            self.brush_removed.emit()

    def apply(self) -> None:
        """Show the matching rows."""
        query, model = self.line.in_force, self.table.table_model
        named = named_attributes(query, self.attributes)
        texts = {**self.texts, **named}
        is_read = all(one.is_loaded for one in named.values())
        most = self.quick_rows if is_read else min(self.quick_rows, QUICK_TEXTS)
        if model.total <= most or not query.strip():
            self._finding.cancel()
            self._show(matching_rows(query, self.columns, texts))
        else:
            work = partial(_search, query, self.columns, texts)
            self._finding.start(query, translate("Finding items"), work)

    def _show(self, found: BoolArray | None) -> None:
        model = self.table.table_model
        masks = [one for one in (found, self.subset, self._brushed) if one is not None]
        model.filter(np.logical_and.reduce(masks) if masks else None)
        is_filtered = found is not None or self._brushed is not None
        shown, total = numbers.count(model.rowCount()), numbers.count(model.total)
        self.line.count(
            translate("{part} of {whole}", part=shown, whole=total) if is_filtered else ""
        )
        self.applied.emit()

    def _to_table(self) -> None:
        self.table.setFocus()
        if not self.table.currentIndex().isValid():
            self.table.step(1)


class FilteredTable(QWidget):
    """Table with its filter line above, which is shown from a number of rows on.

    Where there is no room for both, the line is hidden unless it has a query.
    """

    def __init__(
        self,
        name: str,
        table: Table | None = None,
        *,
        least_rows: int = MANY_ROWS,
        inset: int = 9,
    ) -> None:
        super().__init__()
        self._least_rows = least_rows
        self.line = FilterLine(translate("Find in: {table}", table=name), live=True)
        self.table = table or Table(name)
        self.filter = TableFilter(self.table, self.line)
        self.head = row_layout(self.line, margins=(inset, inset, inset, 3))
        """The row of the line, to which the owner may add controls."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.head)
        column.addWidget(self.table, 1)
        self.line.hide()
        self.setFocusProxy(self.table)
        self.table.table_model.replaced.connect(self._offer)

    def choose(self, row: int) -> None:
        """Select a row of the columns, or the first visible one if the filter hides it.

        A filter that leaves no row is cleared.
        """
        if self.table.table_model.rowCount() == 0:
            self.line.clear()
        self.table.set_current_row(row)
        if not self.table.currentIndex().isValid():
            self.table.step(1)

    def reveal(self, row: int | None) -> None:
        """Select a row that was chosen elsewhere; a filter that hides it is cleared."""
        model = self.table.table_model
        if row is not None and row < model.total and model.place(row) is None:
            self.line.clear()
        self.table.set_current_row(row)

    def minimumSizeHint(self) -> QSize:
        """Return the table's minimum height: the line needs none."""
        own = super().minimumSizeHint()
        return QSize(own.width(), min(own.height(), self._table_height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_line()

    @property
    def _has_line(self) -> bool:
        return self.table.table_model.total >= self._least_rows

    @property
    def _table_height(self) -> int:
        return max(self.table.minimumSizeHint().height(), self.table.minimumHeight())

    def _place_line(self) -> None:
        needed = self.head.minimumSize().height() if self.line.isVisibleTo(self) else 0
        needed = max(needed, self.line.minimumSizeHint().height())
        has_room = self.height() >= needed + self._table_height
        self.line.setVisible(self._has_line and (has_room or bool(self.line.query)))

    def _offer(self) -> None:
        if not self._has_line and self.line.query:
            self.line.clear()
        self._place_line()
        number = next((c for c in self.filter.columns if c.numeric), None)
        self.filter.offer(
            translate("Find words")
            if number is None
            else translate(
                "Find words, or {condition}", condition=f"{filter_name(number.name)} > 0"
            )
        )

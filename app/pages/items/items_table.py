"""Table of the Items page, with its filter line and the number of visible items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from jurydesk.app.pages.items.items_listing import (
    ListedCells,
    Listing,
    listed_column,
)
from jurydesk.app.plots.plot_export import Marks
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.table_filter import TableFilter
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.filter_line import FilterLine
from jurydesk.app.widgets.filtering import filter_name
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, button, label, row_layout
from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import Evaluation, FloatArray, Source
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, TextColumn

LEAST_NAME, LEAST_LISTED = 120, 200
"""Minimum widths of the name column, so that numbers stay visible in a small window."""


class ItemsTable(Card):
    """Card with the filter line, the table of items and their number."""

    columns_chosen = Signal()
    """The user chose other columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, padding=(1, 1))
        self.line = FilterLine(translate("Find items"), live=True)
        self.search = self.line.field
        self.table = Table(translate("Items"))
        self.table.least = {"item": LEAST_NAME}
        self.table.table_model.keeps_sorting = True
        self.count_label = label("", "small")
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        self.chooser = button(
            translate("Columns"),
            self.choose_columns,
            hint=translate("Choose the columns  (Ctrl+K)"),
        )
        self.chosen: frozenset[str] = frozenset()
        self.extra: Sequence[Column] = ()
        """Columns that follow the name of the item, such as discrimination."""
        self._columns: Sequence[Column] = ()
        self._listing = ListedCells(self.table)
        self._nouns = ("item", "items")
        top = row_layout(self.line, self.chooser, margins=(9, 9, 9, 3))
        top.setAlignment(self.chooser, Qt.AlignmentFlag.AlignTop)
        self._top = top
        self._filter_bar: QWidget | None = None
        self.filter = TableFilter(self.table, self.line)
        bottom = row_layout(self.count_label, margins=(11, 6, 11, 8))
        self.body.addLayout(top)
        self.body.addWidget(self.table, 1)
        self.body.addLayout(bottom)
        self.filter.applied.connect(self.count)
        self.menu.triggered.connect(self._column_toggled)

    @property
    def least_width(self) -> int:
        """Width in pixels that it needs without conditions, which come and go."""
        parts = [one for one in (self._filter_bar, self.chooser) if one is not None]
        widths = [self.line.least_width, *(one.minimumSizeHint().width() for one in parts)]
        margins = self._top.contentsMargins()
        return sum(widths) + len(parts) * self._top.spacing() + margins.left() + margins.right()

    def show_columns(
        self,
        columns: Sequence[Column],
        chosen: frozenset[str],
        nouns: tuple[str, str],
        *,
        fitting: bool = False,
    ) -> None:
        """Show other items; of their number columns, show those in `chosen`.

        If `fitting`, the last ones wait for room for their titles.
        """
        self._nouns, self._columns = nouns, columns
        if fitting:
            names = [column.name for column in columns if column.name in chosen]
            self.table.dropped = names[:0:-1]
        self.chosen = chosen | {column.name for column in self.extra}
        listing = self.listing
        if listing is not None:
            columns = [
                listed_column(one, listing)
                if one.name == "item" and isinstance(one, TextColumn)
                else one
                for one in columns
            ]
        self.table.show_columns(self.chosen, [*columns[:1], *self.extra, *columns[1:]])
        self.filter.offer(self._example(columns))

    def add_columns(self, extra: Sequence[Column]) -> None:
        """Show these columns after the items' names, in the place of others added before."""
        row = self.table.current_row
        self.extra = extra
        self.show_columns(self._columns, self.chosen, self._nouns)
        self.table.set_current_row(row)

    def show_listing(self, listing: Listing | None) -> None:
        """Show a text and thumbnail of each item instead of its id; None shows the ids.

        It applies to the columns that are shown next.
        """
        self._listing.show_listing(listing, self.filter)
        self.table.least = {"item": LEAST_NAME if listing is None else LEAST_LISTED}
        self.table.growing, self.table.dropped = (), ()

    @property
    def listing(self) -> Listing | None:
        """List entries of the items, if they are listed by texts."""
        return self._listing.listing

    def clear(self) -> None:
        self.show_listing(None)
        self.line.clear()
        self.filter.subset = None
        self.filter.attributes = {}
        self.extra = self._columns = ()
        self.table.table_model.show(())
        self.count_label.setText("")

    def set_filter_bar(self, bar: QWidget | None) -> None:
        """Place another widget's control between the filter line and the column chooser."""
        if self._filter_bar is not None:
            self._top.removeWidget(self._filter_bar)
            self._filter_bar.setParent(None)
        self._filter_bar = bar
        if bar is not None:
            self._top.insertWidget(1, bar)

    def sort_again(self, name: str | None, descending: bool) -> None:
        """Sort by the column of that name, if there is one."""
        model = self.table.table_model
        for section, column in enumerate(model.columns):
            if column.name == name:
                model.sort_by(section, descending=descending)

    def _example(self, columns: Sequence[Column]) -> str:
        first = next((c for c in columns if c.numeric and c.name in self.chosen), None)
        noun = translate(self._nouns[1])
        if first is None:
            return translate("Find {noun}", noun=noun)
        return translate(
            "Find {noun}, or {condition}", noun=noun, condition=f"{filter_name(first.name)} < 0.2"
        )

    def show_metric(self, name: str) -> None:
        if name not in self.chosen or name in self.table.dropped:
            self.chosen |= {name}
            self.table.dropped = [one for one in self.table.dropped if one != name]
            self.table.show_columns(self.chosen)
        self.sort_again(name, True)

    def shown_columns(self) -> list[Column]:
        hidden = self.table.isColumnHidden
        return [c for i, c in enumerate(self.table.table_model.columns) if not hidden(i)]

    def count(self) -> None:
        """Show how many items are visible."""
        model = self.table.table_model
        shown = model.rowCount()
        all_of_them = numbers.quantity(model.total, *self._nouns)
        several = translate("{part} of {whole}", part=numbers.count(shown), whole=all_of_them)
        self.count_label.setText(all_of_them if shown == model.total else several)

    def choose_columns(self) -> None:
        """Open the menu of columns."""
        self.menu.clear()
        for column in self.table.table_model.columns:
            if column.numeric:
                action = self.menu.addAction(column.title.replace("&", "&&"))
                action.setData(column.name)
                action.setToolTip(tip(column.tooltip))
                action.setCheckable(True)
                action.setChecked(column.name in self._in_sight())
        corner = self.chooser.rect().bottomLeft()
        self.menu.popup(self.chooser.mapToGlobal(corner))

    def _in_sight(self) -> frozenset[str]:
        return self.chosen & {column.name for column in self.shown_columns()}

    def _column_toggled(self, action: object) -> None:
        self.chosen = self._in_sight() ^ {action.data()}  # type: ignore[attr-defined]
        self.table.dropped = ()
        self.table.show_columns(self.chosen)
        self.columns_chosen.emit()

    def exports(
        self, noun: str, evaluation: Evaluation, ratings: Callable[[], Source | None], marks: Marks
    ) -> list[Export]:
        """Return exports of the visible items with every column, as CSV and JSON."""
        parts = evaluation, ratings, marks
        title = translate(noun).capitalize()
        table = translate("{title} as table", title=title)
        return [
            Export(table, "*.csv", partial(self._write, "item table csv", *parts)),
            Export(
                translate("{title} as JSON", title=title),
                "*.json",
                partial(self._write, "item table json", *parts),
            ),
        ]

    def _write(
        self,
        kind: str,
        evaluation: Evaluation,
        ratings: Callable[[], Source | None],
        marks: Marks,
        path: Path,
    ) -> None:
        from jurydesk.core.export.export_settings import table_origin
        from jurydesk.core.tables.table_file import table_file

        rows, known = self.table.table_model.rows, evaluation.items.columns
        shown = [column for column in self.table.table_model.columns if _is_stored(column, known)]
        names = [column.name for column in shown if column.numeric]
        is_completed = not all(
            np.array_equal(column.values, known[column.name], equal_nan=True)
            for column in shown
            if column.numeric
        )
        ids = [evaluation.items.ids[row] for row in rows.tolist()]
        columns = [
            (column.name, ids if column.name == "item" else column.data(rows)) for column in shown
        ]
        origin = table_origin(
            *(kind, evaluation.task, [evaluation.stamp], rows, len(evaluation.items)),
            ratings(),
            columns=names,
            completed=is_completed,
            **marks([evaluation.system]),
        )
        write_atomically(path, table_file(kind, columns, origin.cells() if origin else {}))


def _is_stored(column: Column, known: Mapping[str, FloatArray]) -> bool:
    """Return whether a column is text or of the items; a panel may repeat one by another name."""
    return not column.numeric or column.name in known

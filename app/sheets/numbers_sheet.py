"""Sheet with the numbers of a plot as a table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.widgets.parts import button, row_layout
from jurydesk.core.language import translate
from jurydesk.core.tables.columns import Column, DataColumn, make_column

LEAST_ROWS, MOST_ROWS = 3, 12
"""A longer table scrolls."""


class NumbersSheet(Sheet):
    """Table of the numbers that a plot draws, to be read cell by cell."""

    def __init__(self, title: str, columns: Sequence[DataColumn | Column], parent: QWidget) -> None:
        super().__init__(title, parent, width=760)
        self.numbers = FilteredTable(title)
        self.table = self.numbers.table
        self.table.least_rows, self.table.most_rows = LEAST_ROWS, MOST_ROWS
        self.table.table_model.show(
            [make_column(*one) if isinstance(one, tuple) else one for one in columns]
        )
        self.add_head()
        self.body.addWidget(self.numbers)
        self.body.addLayout(row_layout(None, button(translate("Close"), self.close)))

    def initial_focus(self) -> QWidget:
        return self.table


def show_numbers(plot: QWidget, columns: Sequence[DataColumn | Column]) -> None:
    """Open the table of a plot over its window."""
    sheet = NumbersSheet(plot.accessibleName(), columns, plot.window())
    sheet.closed.connect(sheet.deleteLater)
    sheet.open()

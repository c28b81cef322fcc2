"""The two cards of the Items page that are not figures: the table, and the opened item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from app import format
from app.models.columns import Column
from app.pages.page import Export
from app.theme import px
from app.views.export import csv_writer, json_writer
from app.views.inspectors import INSPECTORS, InspectedItem, Inspector
from app.widgets.parts import Card, Elided, beside, button, label
from app.widgets.table import Table
from app.widgets.tips import tip

if TYPE_CHECKING:
    from core.model import Evaluation


class SearchLine(QLineEdit):
    """Where one types what to find; Down goes to the table, Esc empties the line."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setClearButtonEnabled(True)
        self.setAccessibleName("Find items")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.left.emit()
            case Qt.Key.Key_Escape if self.text():
                self.clear()
            case Qt.Key.Key_Escape:
                self.left.emit()
            case _:
                super().keyPressEvent(event)


class ItemsTable(Card):
    """The search line, the table of items and how many of them are in sight."""

    columns_chosen = Signal()
    """The user wants other columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, padding=(1, 1))
        self.search = SearchLine()
        self.table = Table("Items")
        self.counted = label("", "small")
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        self.chooser = button("Columns", self.choose_columns, hint="Choose the columns  (Ctrl+K)")
        self.chosen: frozenset[str] = frozenset()
        self._nouns = ("item", "items")
        top = beside(self.search, self.chooser)
        top.setContentsMargins(px(9), px(9), px(9), px(3))
        self._top = top
        self._filter_bar: QWidget | None = None
        bottom = beside(self.counted)
        bottom.setContentsMargins(px(11), 0, px(11), px(8))
        self.body.addLayout(top)
        self.body.addWidget(self.table, 1)
        self.body.addLayout(bottom)
        self.search.left.connect(self._to_table)
        self.menu.triggered.connect(self._column_toggled)
        self.setMinimumWidth(px(260))

    def show_columns(
        self, columns: Sequence[Column], chosen: frozenset[str], nouns: tuple[str, str]
    ) -> None:
        """Show other items, and of their number columns those in `chosen`."""
        self._nouns = nouns
        self.chosen = chosen
        model = self.table.table_model
        sorted_by = None if model.sorting is None else model.columns[model.sorting[0]].name
        descending = model.sorting is not None and model.sorting[1]
        model.show(columns)
        self.sort_again(sorted_by, descending)
        self.table.show_columns(self.chosen)
        self.search.setPlaceholderText(self._example(columns))
        self.count()

    def set_filter_bar(self, bar: QWidget | None) -> None:
        """Put a control of somebody else's between the search and the columns."""
        if self._filter_bar is not None:
            self._top.removeWidget(self._filter_bar)
            self._filter_bar.setParent(None)
        self._filter_bar = bar
        if bar is not None:
            self._top.insertWidget(1, bar)

    def sort_again(self, name: str | None, descending: bool) -> None:
        """Sort by the column of that name, where there is one."""
        model = self.table.table_model
        for section, column in enumerate(model.columns):
            if column.name == name:
                model.sort_by(section, descending=descending)

    def _example(self, columns: Sequence[Column]) -> str:
        first = next((c for c in columns if c.numeric and c.name in self.chosen), None)
        words = f"Find {self._nouns[1]}"
        return f"{words}, or {first.name} < 0.2" if first else words

    def show_metric(self, name: str) -> None:
        """Show a column and sort by it, the largest first."""
        self.chosen |= {name}
        self.table.show_columns(self.chosen)
        self.sort_again(name, True)

    def shown_columns(self) -> list[Column]:
        """The columns in sight."""
        hidden = self.table.isColumnHidden
        return [c for i, c in enumerate(self.table.table_model.columns) if not hidden(i)]

    def count(self) -> None:
        """Say how many items are in sight, of how many."""
        model = self.table.table_model
        shown = model.rowCount()
        all_of_them = format.counted(model.total, *self._nouns)
        several = f"{format.count(shown)} of {all_of_them}"
        self.counted.setText(all_of_them if shown == model.total else several)

    def choose_columns(self) -> None:
        """Open the list of columns, each with a tick."""
        self.menu.clear()
        for column in self.table.table_model.columns:
            if column.numeric:
                action = self.menu.addAction(column.title.replace("&", "&&"))
                action.setData(column.name)
                action.setToolTip(tip(column.tooltip))
                action.setCheckable(True)
                action.setChecked(column.name in self.chosen)
        corner = self.chooser.rect().bottomLeft()
        self.menu.popup(self.chooser.mapToGlobal(corner))

    def _column_toggled(self, action: object) -> None:
        self.chosen ^= {action.data()}  # type: ignore[attr-defined]
        self.table.show_columns(self.chosen)
        self.columns_chosen.emit()

    def _to_table(self) -> None:
        self.table.setFocus()
        if not self.table.currentIndex().isValid():
            self.table.step(1)

    def exports(self, noun: str) -> list[Export]:
        """The items in sight, with every column, as CSV and JSON."""
        return [
            Export(f"{noun.capitalize()} as table", "*.csv", csv_writer(self._data)),
            Export(f"{noun.capitalize()} as JSON", "*.json", json_writer(self._data)),
        ]

    def _data(self) -> list[tuple[str, Sequence[object]]]:
        model = self.table.table_model
        return [(column.name, column.cells(model.rows)) for column in model.columns]


class ItemCard(Card):
    """One item in its inspector, below its name and its first numbers."""

    asked_open = Signal()
    asked_close = Signal()
    told = Signal(str)
    item_wanted = Signal(str)
    evidence_stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, padding=(14, 12))
        self.inspector: Inspector | None = None
        self.opened = False
        self.name = label("", "heading")
        self.in_short = Elided("", "muted", Qt.TextElideMode.ElideRight)
        self.toggle = button("Open", self._toggled, "small", "Give it the whole page  (Enter)")
        self.nothing = label("", "muted", wrap=True)
        self._inspector_name = ""
        self._shown: tuple[Evaluation, int, object] | None = None
        row = beside(self.name, self.in_short, self.toggle, spacing=12)
        row.setStretch(1, 1)
        self.body.addLayout(row)
        self.body.addWidget(self.nothing, 1, Qt.AlignmentFlag.AlignTop)
        self.setMinimumHeight(px(150))

    def shows(self, evaluation: Evaluation, row: int, context: object = None) -> bool:
        """Whether this item is shown already, with what it should know of its panel."""
        if self._shown is None:
            return False
        shown, item, known = self._shown
        return shown is evaluation and item == row and known == context

    def show_item(
        self, evaluation: Evaluation, row: int, item: InspectedItem, view: str, in_short: str
    ) -> None:
        """Show an item in the inspector of that name."""
        self._shown = (evaluation, row, item.context)
        self.name.setText(item.id)
        self.in_short.setText(in_short)
        self._use(view)
        has_view = self.inspector is not None and item.evidence is not None
        self.nothing.setVisible(not has_view)
        self.nothing.setText("" if has_view else "This desk keeps no details of its items.")
        if self.inspector is not None:
            self.inspector.setVisible(has_view)
            if has_view:
                self.inspector.show_item(item)

    def _use(self, view: str) -> None:
        if view == self._inspector_name:
            return
        if self.inspector is not None:
            self.inspector.hide()
            self.body.removeWidget(self.inspector)
            self.inspector.deleteLater()
        self._inspector_name = view
        self.inspector = INSPECTORS.make(view)
        if self.inspector is not None:
            self.inspector.told.connect(self.told)
            self.inspector.item_wanted.connect(self.item_wanted)
            self.inspector.evidence_stepped.connect(self.evidence_stepped)
            self.body.addWidget(self.inspector, 1)

    def set_opened(self, opened: bool) -> None:
        """Say whether the item has the whole page."""
        self.opened = opened
        self.toggle.setText("Close" if opened else "Open")
        self.toggle.setToolTip(
            "Back to the table  (Esc)" if opened else "Give it the whole page  (Enter)"
        )

    def take_keyboard(self) -> None:
        """Give the keyboard to what shows the item."""
        if self.inspector is not None:
            self.inspector.setFocus()

    def _toggled(self) -> None:
        (self.asked_close if self.opened else self.asked_open).emit()

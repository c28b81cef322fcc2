"""Sheet of a new competition without a program: its title, and the metric of each column."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.app.widgets.flow_layout import FieldGrid
from jurydesk.app.widgets.parts import button, label, row_layout
from jurydesk.core.language import translate, translate_text
from jurydesk.core.tables.columns import TextColumn
from jurydesk.core.tasks.declared.competition_folder import TableOutline
from jurydesk.core.tasks.declared.declaration import (
    MISSING_TITLES,
    Declaration,
    DeclaredMetric,
    Missing,
    ResultColumn,
)
from jurydesk.core.tasks.declared.declaration_reader import LONGEST
from jurydesk.core.tasks.declared.measures import MEASURES

MOST_COLUMNS = 12
"""Columns that the sheet offers; competition.toml takes more."""


class CompetitionSheet(Sheet):
    """Columns of a table of references; `make` is called with the declaration."""

    def __init__(
        self, outline: TableOutline, make: Callable[[Declaration], None], parent: QWidget
    ) -> None:
        super().__init__(translate("New competition"), parent, width=780)
        self._outline, self._make = outline, make
        self.title = QLineEdit(outline.path.stem)
        self.title.setMaxLength(LONGEST)
        self.title.setAccessibleName(translate("Title"))
        self.table = Table(translate("First rows"))
        self.table.most_rows = len(outline.shown)
        self.table.table_model.show(_first_rows(outline))
        self.item = ChoiceBox()
        self.item.setAccessibleName(translate("Names of items"))
        for name in outline.names:
            self.item.addItem(name, name)
        self.item.setCurrentIndex(max(0, self.item.findData(outline.item)))
        self.missing = ChoiceBox()
        self.missing.setAccessibleName(translate("Missing results"))
        for value, shown in MISSING_TITLES.items():
            self.missing.addItem(translate(shown), value)
        shown_names = outline.names[:MOST_COLUMNS]
        self.metrics = {name: self._choice(name) for name in shown_names}
        self.item.currentIndexChanged.connect(self._leave_item_out)
        self._leave_item_out()
        cancel = button(translate("Cancel"), self.close)
        self.keep = button(translate("Make the folder …"), self.accept, "primary")
        self.reason = label("", "bad", wrap=True)
        self.reason.hide()
        self._lay_out()
        self.body.addWidget(self.reason)
        self.body.addLayout(row_layout(None, cancel, self.keep))

    def _lay_out(self) -> None:
        advice = translate(
            "Choose a metric for each column that results have, too; more are chosen in "
            "competition.toml."
        )
        left_out = len(self._outline.names) - MOST_COLUMNS
        self.add_head()
        self.body.addLayout(row_layout(label(translate("Title")), self.title))
        self.body.addWidget(self.table)
        self.body.addWidget(label(advice, "muted", wrap=True))
        rows: list[tuple[str, ChoiceBox]] = [
            (translate("Names of items"), self.item),
            (translate("Missing results"), self.missing),
            *self.metrics.items(),
        ]
        self._fields = FieldGrid(rows, 2)
        self.body.addWidget(self._fields)
        if left_out > 0:
            text = translate("{count} more columns are not shown here.", count=left_out)
            self.body.addWidget(label(text, "small", wrap=True))

    def _leave_item_out(self) -> None:
        """Offer no metric of the column with the names of items."""
        for name, box in self.metrics.items():
            box.setEnabled(name != self.item.currentData())
            if not box.isEnabled():
                box.setCurrentIndex(0)

    def _choice(self, name: str) -> ChoiceBox:
        """Return the choice of a column's metric, of which the first means none."""
        box = ChoiceBox()
        box.setAccessibleName(translate("Metric of {name}", name=name))
        box.addItem("—", "")
        for key, measure in MEASURES.items():
            if self._outline.kinds[name] in measure.kinds:
                box.addItem(translate_text(measure.title), key)
        return box

    def initial_focus(self) -> QWidget:
        return self.title

    def fit(self, width: int) -> None:
        """Place the choices in the columns that there is room for."""
        self._fields.fit(self.inner_width)

    def declaration(self) -> Declaration | None:
        """Return what was chosen; None without a title and a metric."""
        item, kinds = self.item.currentData(), self._outline.kinds
        chosen = {name: box.currentData() for name, box in self.metrics.items()}
        metrics = tuple(DeclaredMetric(key, name) for name, key in chosen.items() if key)
        title = " ".join(self.title.text().split())
        missing: Missing = self.missing.currentData()
        columns = tuple(
            ResultColumn(one.column, kinds[one.column], (one.column,)) for one in metrics
        )
        is_empty = missing == "empty" and any(one.kind == "number" for one in columns)
        if not title or not metrics or item in {one.column for one in metrics} or is_empty:
            return None
        texts = (name for name in self._outline.names if kinds[name] == "text")
        shown = tuple(name for name in texts if name != item and not chosen.get(name))
        return Declaration(title, item, columns, metrics, missing, shown=shown)

    def accept(self) -> None:
        """Make the competition, and close; say what is missing."""
        declared = self.declaration()
        if declared is None:
            self.reason.setText(
                translate(
                    "A title and a metric of a column other than the names of items are needed; "
                    "numbers cannot be empty texts."
                )
            )
            self.reason.show()
            self.fit_again(self.reason)
            return
        self.close()
        self._make(declared)


def _first_rows(outline: TableOutline) -> tuple[TextColumn, ...]:
    columns = zip(*outline.shown, strict=True)
    return tuple(
        TextColumn(name, name, list(cells))
        for name, cells in list(zip(outline.names, columns, strict=True))[:MOST_COLUMNS]
    )

"""Sheet before ratings of another program are taken: first rows and columns, to change them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.app.widgets.parts import button, clear_layout, label, row_layout
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.human_evaluation.imported.ratings_preview import (
    MOST_LETTERS,
    MOST_ROWS,
    MOST_STATEMENTS,
    RatingsPreview,
)
from jurydesk.core.language import translatable, translate

ROLES = (
    ("rater", translatable("Rater")),
    ("item", translatable("Item")),
    ("system", translatable("System")),
    ("statement", translatable("Statement")),
)


class RatingsSheet(Sheet):
    """First rows of a table and a choice for each role; `take` is called with the options."""

    def __init__(
        self, preview: RatingsPreview, take: Callable[[RatingsOptions], None], parent: QWidget
    ) -> None:
        super().__init__(translate("Ratings of another program"), parent, width=780)
        self._preview, self._take = preview, take
        self.table = Table(translate("First rows"))
        self.table.most_rows = MOST_ROWS
        self.table.table_model.show(preview.rows)
        self.choices = {role: self._choice(role, name) for role, name in ROLES}
        found = translate(
            "{file}: no rater signed these ratings, and boards say so.", file=preview.path.name
        )
        answers = ", ".join((preview.columns.values or preview.columns.questions)[:8])
        self.answers = label(translate("Answers: {names}", names=answers or "—"), wrap=True)
        self.add_head(found)
        self.body.addWidget(self.table)
        grid = QGridLayout()
        for place, (role, name) in enumerate(ROLES):
            grid.addWidget(label(translate(name)), place // 2, 2 * (place % 2))
            grid.addWidget(self.choices[role], place // 2, 2 * (place % 2) + 1)
        for column in (1, 3):
            grid.setColumnStretch(column, 1)
        self.body.addLayout(grid)
        self.body.addWidget(self.answers)
        self.body.addWidget(label(translate("Less is better:")))
        self.less_grid = QGridLayout()
        self.body.addLayout(self.less_grid)
        self.less: dict[str, QCheckBox] = {}
        self.choices["statement"].activated.connect(lambda _: self._show_statements())
        self._show_statements()
        cancel = button(translate("Cancel"), self.close)
        self.keep = button(translate("Import"), self.accept, "primary")
        self.body.addLayout(row_layout(None, cancel, self.keep))

    def _show_statements(self) -> None:
        """Show a box for each statement, by which less may be better."""
        clear_layout(self.less_grid)
        columns = self._preview.columns
        named = self._preview.texts.get(self.choices["statement"].currentData(), ())
        names = named or columns.values or columns.questions
        self.less = {name: QCheckBox(name[:MOST_LETTERS]) for name in names[:MOST_STATEMENTS]}
        for place, (name, box) in enumerate(self.less.items()):
            box.setAccessibleName(translate("Less is better: {name}", name=name))
            self.less_grid.addWidget(box, place // 3, place % 3)

    def initial_focus(self) -> QWidget:
        return next((box for box in self.choices.values() if box.isEnabled()), self.keep)

    def _choice(self, role: str, name: str) -> ChoiceBox:
        """Return the choice of a column, of which the first means none."""
        box = ChoiceBox()
        box.setAccessibleName(translate(name))
        box.addItem("—", "")
        for column in self._preview.names:
            box.addItem(column, column)
        box.setCurrentIndex(max(0, box.findData(self._found(role))))
        box.setEnabled(not self._is_fixed(role))
        return box

    def _is_fixed(self, role: str) -> bool:
        """Return whether several columns have a role, which the sheet does not change."""
        columns = self._preview.columns
        return bool(columns.questions) or (role == "system" and len(columns.systems) > 1)

    def _found(self, role: str) -> str:
        columns = self._preview.columns
        if role == "system":
            return next(iter(columns.systems), "")
        return {"rater": columns.rater, "item": columns.item}.get(role, columns.statement)

    def options(self) -> RatingsOptions:
        """Return the options of the choices that differ from what was recognized."""
        chosen = {role: box.currentData() for role, box in self.choices.items()}
        changed = {role: "" if name == self._found(role) else name for role, name in chosen.items()}
        return RatingsOptions(
            rater=changed["rater"],
            item=changed["item"],
            system=(changed["system"],) if changed["system"] else (),
            statement=changed["statement"],
            lower=tuple(name for name, box in self.less.items() if box.isChecked()),
        )

    def accept(self) -> None:
        """Take the ratings, and close."""
        self._take(self.options())
        self.close()

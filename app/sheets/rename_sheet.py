"""Sheet with the name of the competition, to change it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.widgets.parts import button, label, row_layout
from jurydesk.core.language import translate

MOST_LETTERS = 120


class RenameSheet(Sheet):
    """Field of the name; `chosen` carries another name that is not empty."""

    chosen = Signal(str)

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(translate("Rename the competition"), parent, width=420)
        self._title = title
        self.name = QLineEdit(title)
        self.name.setAccessibleName(translate("Name of the competition"))
        self.name.setMaxLength(MOST_LETTERS)
        self.name.selectAll()
        cancel = button(translate("Cancel"), self.close)
        self.keep = button(translate("Rename"), self.accept, "primary")
        self.name.textChanged.connect(self._changed)
        self.body.addWidget(label(translate("Rename the competition"), "heading"))
        self.body.addWidget(self.name)
        self.body.addWidget(
            label(
                translate("Exports and reports use this name. The desk's file keeps its own."),
                "small",
                wrap=True,
            )
        )
        self.body.addLayout(row_layout(None, cancel, self.keep))

    def initial_focus(self) -> QWidget:
        return self.name

    def _changed(self) -> None:
        self.keep.setEnabled(bool(self.name.text().strip()))

    def accept(self) -> None:
        """Emit the name and close; an empty name stays."""
        title = " ".join(self.name.text().split())
        if not title:
            return
        self.close()
        if title != self._title:
            self.chosen.emit(title)

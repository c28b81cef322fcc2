"""Sheet with the name of a competition, system or rater, to change it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtWidgets import QLineEdit, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.widgets.parts import button, label, row_layout
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.look_alikes import first_look_alike

MOST_LETTERS = 120


class RenameSheet(Sheet):
    """Field of a name; `rename` is called with another one that is not empty.

    A name that looks like one of `others` is warned of while it is typed. The sheet stays open with
    the reason if `rename` raises DeskError.
    """

    def __init__(
        self,
        title: str,
        name: str,
        note: str,
        rename: Callable[[str], None],
        parent: QWidget,
        others: Collection[str] = (),
    ) -> None:
        super().__init__(title, parent, width=420)
        self._before, self._rename, self._others = name, rename, others
        self.name = QLineEdit(name)
        self.name.setAccessibleName(translate("Name"))
        self.name.setMaxLength(MOST_LETTERS)
        self.name.selectAll()
        self.reason = label("", "bad", wrap=True)
        self.reason.hide()
        cancel = button(translate("Cancel"), self.close)
        self.keep = button(translate("Rename"), self.accept, "primary")
        self.name.textChanged.connect(self._enable_keep)
        self.body.addWidget(label(title, "heading"))
        self.body.addWidget(self.name)
        self.body.addWidget(self.reason)
        self.body.addWidget(label(note, "small", wrap=True))
        self.body.addLayout(row_layout(None, cancel, self.keep))

    def initial_focus(self) -> QWidget:
        return self.name

    def _enable_keep(self) -> None:
        self.keep.setEnabled(bool(self.name.text().strip()))
        alike = first_look_alike((*self._others, self.name.text().strip()))
        self.reason.setText(translate_text(alike))
        self.reason.setVisible(bool(alike))

    def accept(self) -> None:
        """Rename and close; an empty name stays."""
        name = " ".join(self.name.text().split())
        if not name:
            return
        try:
            if name != self._before:
                self._rename(name)
        except DeskError as refusal:
            self.reason.setText(translate_text(str(refusal)))
            self.reason.show()
            return
        self.close()

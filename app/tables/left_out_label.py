"""Sentence below a table about its columns without room."""

from __future__ import annotations

from PySide6.QtCore import Qt

from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.parts import ElidedLabel
from jurydesk.core.language import name_list, translate, translate_text


class LeftOutLabel(ElidedLabel):
    """Line that names the columns without room; hidden while all have it."""

    def __init__(self, table: Table) -> None:
        super().__init__("", "small", Qt.TextElideMode.ElideRight)
        self._table = table
        self.setContentsMargins(px(10), 0, px(10), px(4))
        table.left_out_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        titles = [display_text(one.heading) for one in self._table.table_model.left_out]
        self.show_text(
            translate(
                "No room for: {columns}. The tooltip of a row's name has them.",
                columns=translate_text(name_list(titles)),
            )
        )
        self.setVisible(bool(titles))

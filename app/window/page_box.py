"""List of pages as a combo box, for windows without room for the sidebar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QComboBox, QWidget

from jurydesk.app.pages import PageEntry
from jurydesk.core.language import translate


def page_tip(page: PageEntry, number: int) -> str:
    """Return the title of a page with its key."""
    key = QKeySequence(f"Ctrl+{number}").toString(QKeySequence.SequenceFormat.NativeText)
    return f"{translate(page.title)}  {key}"


class PageBox(QComboBox):
    """Combo box of pages; `chosen` carries the id of the page to show."""

    chosen = Signal(str)

    def __init__(self, pages: Sequence[PageEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(translate("Pages"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for n, page in enumerate(pages, 1):
            self.addItem(translate(page.title), page.id)
            self.setItemData(n - 1, page_tip(page, n), Qt.ItemDataRole.ToolTipRole)
        self.setMaxVisibleItems(len(pages))
        self.activated.connect(self._choose)

    def show_page(self, name: str) -> None:
        """Mark a page as the current one, without a signal."""
        row = self.findData(name)
        self.setCurrentIndex(row)
        self.setToolTip(self.itemData(row, Qt.ItemDataRole.ToolTipRole))

    def _choose(self, row: int) -> None:
        self.chosen.emit(self.itemData(row))

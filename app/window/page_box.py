"""List of pages as a combo box, for windows without room for the sidebar."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QComboBox

from jurydesk.app.pages import PageEntry
from jurydesk.app.style.theme import px
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.core.language import translate


def page_tip(page: PageEntry, number: int) -> str:
    """Return the title of a page with its key."""
    key = QKeySequence(f"Ctrl+{number}").toString(QKeySequence.SequenceFormat.NativeText)
    return f"{translate(page.title)}  {key}"


ROUNDING = 2
"""Unscaled pixels by which Qt's width of a list can be short of its longest text."""


class PageBox(ChoiceBox):
    """Combo box of pages; `chosen` carries the id of the page to show."""

    chosen = Signal(str)

    def __init__(self, pages: Sequence[PageEntry]) -> None:
        super().__init__()
        self.setAccessibleName(translate("Pages"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._pages = pages
        self._current = ""
        self.setMaxVisibleItems(len(pages))
        self.hide_pages(())
        self.activated.connect(self._choose)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(px(ROUNDING), 0)

    def minimumSizeHint(self) -> QSize:
        """Return the room that the pages in the list need; Qt remembers that of longer lists."""
        return self.sizeHint()

    def hide_pages(self, unused: Collection[str]) -> None:
        """List the other pages only, with the keys that they always have."""
        self.clear()
        for number, page in enumerate(self._pages, 1):
            if page.id not in unused:
                self.addItem(translate(page.title), page.id)
                tip = page_tip(page, number)
                self.setItemData(self.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.show_page(self._current)

    def show_page(self, name: str) -> None:
        """Mark a page as the current one, without a signal."""
        self._current = name
        row = self.findData(name)
        self.setCurrentIndex(row)
        self.setToolTip(self.itemData(row, Qt.ItemDataRole.ToolTipRole) or "")

    def _choose(self, row: int) -> None:
        self.chosen.emit(self.itemData(row))

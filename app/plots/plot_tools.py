"""Buttons of a plot: show everything again, show its numbers, and save it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import button, row_layout
from jurydesk.core.language import translate


class PlotTools(QWidget):
    """Reset, Table and Save of the visible plot; `save_requested` carries the chosen export."""

    save_requested = Signal(object)

    def __init__(
        self, view: Callable[[], QWidget | None], exports: Callable[[], Sequence[Export]]
    ) -> None:
        super().__init__()
        self._view, self._exports = view, exports
        self.reset = button(
            translate("Reset"), self.show_all, "small", translate("Show everything again  (0)")
        )
        self.table = button(
            translate("Table"),
            self.show_table,
            "small",
            translate("Show the numbers as a table  (T)"),
        )
        self.save = button(
            translate("Save …"), self.choose_format, "small", translate("Save as PNG, SVG or CSV")
        )
        self.menu = QMenu(self)
        self.setLayout(row_layout(self.reset, self.table, self.save, spacing=12))

    def update_reset(self) -> None:
        """Show Reset if the visible plot can be zoomed, and Table if it has one."""
        self.reset.setVisible(hasattr(self._view(), "show_all"))
        self.table.setVisible(hasattr(self._view(), "show_table"))

    def show_all(self) -> None:
        """Undo every zoom of the visible plot."""
        show_all = getattr(self._view(), "show_all", None)  # avoids importing the plot's module
        if show_all is not None:
            show_all()

    def show_table(self) -> None:
        """Show the numbers of the visible plot as a table."""
        show_table = getattr(self._view(), "show_table", None)
        if show_table is not None:
            show_table()

    def choose_format(self) -> None:
        """Open the menu of formats."""
        self.fill_menu()
        self.menu.popup(self.save.mapToGlobal(self.save.rect().bottomLeft()))

    def fill_menu(self) -> None:
        """Offer the formats of the visible plot."""
        self.menu.clear()
        for number, export in enumerate(self._exports()):
            action = self.menu.addAction(export.title)
            action.setData(number)
            action.triggered.connect(self._save)

    def _save(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.save_requested.emit(self._exports()[action.data()])

"""The place of a panel above the table of items: whichever stands there, its wishes come here."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.inspectors.panel import Panel
from app.inspectors.registry import PANELS, BrokenViewError


class PanelPlace(QObject):
    """Makes the panel that a competition names, and removes it; signals are the panel's own."""

    rows_changed = Signal()
    columns_changed = Signal()
    retold = Signal()
    left = Signal()
    told = Signal(str)
    option_changed = Signal(str, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.panel: Panel | None = None
        self._name = ""
        self._ready: tuple[str, Panel | None] = ("", None)

    def get_ready(self, name: str, keeper: QWidget) -> None:
        """Make the panel of that name, which `use` takes; a widget keeps it until then."""
        if name not in (self._name, self._ready[0]):
            made = self._take(name)
            self._ready = (name, made)
            if made is not None:
                made.hide()
                made.setParent(keeper)

    def complete(self) -> None:
        """Let the panel that is ready make what it left out."""
        made = self._ready[1]
        if made is not None:
            made.get_ready()

    def _take(self, name: str) -> Panel | None:
        """The panel of that name that is ready, else a new one."""
        ready, made = self._ready
        self._ready = ("", None)
        if ready == name:
            return made
        if made is not None:
            made.deleteLater()
        try:
            return PANELS.make(name)
        except BrokenViewError as error:
            self.told.emit(str(error))
            return None

    def use(self, name: str) -> bool:
        """Have the panel of that name, or none; whether that is another one."""
        if name == self._name:
            return False
        self._name = name
        if self.panel is not None:
            self.panel.hide()
            self.panel.setParent(None)
            self.panel.deleteLater()
        self.panel = self._take(name)
        if self.panel is not None:
            self._connect(self.panel)
        return True

    def _connect(self, panel: Panel) -> None:
        panel.rows_changed.connect(self.rows_changed)
        panel.columns_changed.connect(self.columns_changed)
        panel.retold.connect(self.retold)
        panel.left.connect(self.left)
        panel.told.connect(self.told)
        panel.option_changed.connect(self.option_changed)

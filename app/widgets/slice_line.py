"""The line above the board that says which items count: all, those of a query, or a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QMenu, QWidget

from app.plain import tip
from app.theme import px
from app.widgets.parts import beside, button

if TYPE_CHECKING:
    from app.models.attributes import Sliceable
    from core.slices import Slice

ALL = "All items"


class QueryLine(QLineEdit):
    """Where a query is typed; Esc empties the line and then leaves it."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
                self.returnPressed.emit()
            else:
                self.left.emit()
            return
        super().keyPressEvent(event)


class SliceLine(QWidget):
    """Emits what the user wishes: `asked` a query, `asked_by` a column, `chose` a group or None."""

    asked = Signal(str)
    asked_by = Signal(str)
    chose = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns: Mapping[str, tuple[str, str]] = {}
        self._slices: Sequence[Slice] = ()
        self.query = QueryLine()
        self.query.setAccessibleName("Slice")
        self.query.setClearButtonEnabled(True)
        self.query.setToolTip("Only the items that fit count on the board.  (Ctrl+F)")
        self.by = button("By …", self.choose_column, hint="One board for each value of a column")
        self.by.setAccessibleName("Slice by a column")
        self.by.hide()  # until it is known what there is to choose
        self.groups = QComboBox()
        self.groups.setAccessibleName("Group")
        self.groups.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.groups.hide()
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        self.setLayout(beside(self.query, self.groups, self.by))
        self.query.returnPressed.connect(self._ask)
        self.query.textChanged.connect(self._emptied)
        self.query.left.connect(self.left)
        self.groups.activated.connect(self._choose)

    def offer(self, sliceable: Sliceable) -> None:
        self._columns = sliceable.columns
        example = f", or {sliceable.example}" if sliceable.example else ""
        self.query.setPlaceholderText(f"Slice: {sliceable.noun[1]} with these words{example}")
        self.by.setVisible(bool(self._columns))

    def show_groups(self, slices: Sequence[Slice]) -> None:
        """Offer the groups of a column, the first of them chosen."""
        self._slices = slices
        self.groups.clear()
        self.groups.addItem(ALL)
        for one in slices:
            self.groups.addItem(f"{one.title} ({one.size})")
        self.groups.show()
        self.query.clear()
        if slices:
            self.groups.setCurrentIndex(1)
            self._choose(1)

    def reset(self) -> None:
        self.groups.hide()
        self._slices = ()
        self.query.clear()

    def choose_column(self) -> None:
        self.menu.clear()
        for name, (title, hint) in self._columns.items():
            action = self.menu.addAction(title.replace("&", "&&"))
            action.setData(name)
            action.setToolTip(tip(*hint.splitlines()))
            action.triggered.connect(self._by)
        corner = self.by.rect().bottomLeft() + QPoint(0, px(4))
        self.menu.popup(self.by.mapToGlobal(corner))

    def _by(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.asked_by.emit(action.data())

    def _ask(self) -> None:
        self.groups.hide()
        self.asked.emit(self.query.text())

    def _emptied(self, text: str) -> None:
        if not text and not self.groups.isVisible():
            self.asked.emit("")

    def _choose(self, index: int) -> None:
        if index == 0:
            self.groups.hide()
            self.chose.emit(None)
        else:
            self.chose.emit(self._slices[index - 1])

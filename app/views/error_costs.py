"""What each kind of error costs: how many there are at a cell, and what each kind takes away."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app.format import count, exact, number
from app.plain import tip
from app.theme import px, theme
from app.widgets.parts import hairline, label
from core.metrics.dense_errors import KINDS, Kind

NOTHING = "–"
HEADS = ("here", "AP here", "mAP")
HINTS = (
    "Detections (or missed objects) of this kind at the chosen thresholds.",
    "Average precision at the chosen thresholds that would be won back if only these were right.",
    "Mean average precision over the 30 cells that would be won back if only these were right.",
)


class ErrorCosts(QWidget):
    """A row for each kind, the dearest first; choosing one asks for its items."""

    kind_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setColumnStretch(0, 1)
        self.note = label("", "small", wrap=True)
        self.names: dict[Kind, QPushButton] = {}
        self._cells: dict[Kind, tuple[QLabel, QLabel, QLabel]] = {}
        self._lines = [hairline() for _ in KINDS]
        self._order: tuple[Kind, ...] = tuple(KINDS)
        for kind in KINDS:
            self._add_row(kind)
        self._grid.addWidget(label("What each error costs", "heading"), 0, 0)
        for column, (text, hint) in enumerate(zip(HEADS, HINTS, strict=True), start=1):
            head = label(text, "tiny")
            head.setToolTip(tip(hint))
            self._grid.addWidget(head, 0, column, Qt.AlignmentFlag.AlignRight)
        self._place()
        self._scale()
        theme().changed.connect(self._scale)

    def _add_row(self, kind: Kind) -> None:
        name = QPushButton(kind)
        name.setProperty("kind", "entry")
        name.setToolTip(tip(KINDS[kind], "Click to see them in the table."))
        name.setCursor(Qt.CursorShape.PointingHandCursor)
        name.clicked.connect(self._choose)
        self.names[kind] = name
        cells = label(NOTHING), label(NOTHING), label(NOTHING)
        for cell, kind_of_text in zip(cells, ("muted", "muted", ""), strict=True):
            cell.setProperty("kind", kind_of_text)
            cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._cells[kind] = cells

    def _choose(self) -> None:
        sender = self.sender()
        for kind, name in self.names.items():
            if name is sender:
                self.kind_chosen.emit(kind)

    # Numbers

    def show_counts(self, counts: Mapping[Kind, int] | None) -> None:
        """Show how many there are of each kind; None while it is not known."""
        for kind, cells in self._cells.items():
            cells[0].setText(NOTHING if counts is None else count(counts[kind]))

    def show_lost(self, lost: Mapping[Kind, float] | None) -> None:
        """Show what each kind costs at the chosen thresholds; None while it is not known."""
        self._write(1, lost)

    def show_costs(self, costs: Mapping[Kind, float] | None) -> None:
        """Show what each kind costs over all cells, the dearest first; None while unknown."""
        self._write(2, costs)
        if costs is not None:
            self._order = tuple(sorted(KINDS, key=lambda kind: -costs[kind]))
            self._place()

    def _write(self, column: int, values: Mapping[Kind, float] | None) -> None:
        for kind, cells in self._cells.items():
            value = None if values is None else values[kind]
            cells[column].setText(NOTHING if value is None else points_lost(value))
            cells[column].setToolTip("" if value is None else tip(kind, exact(-100 * value)))

    def show_note(self, text: str) -> None:
        """Say why numbers are missing; nothing where they are not."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def texts(self) -> list[tuple[str, str, str, str]]:
        """The rows as they are read."""
        rows = []
        for kind in self._order:
            here, lost, costs = (cell.text() for cell in self._cells[kind])
            rows.append((str(kind), here, lost, costs))
        return rows

    # Places

    def _place(self) -> None:
        for row, kind in enumerate(self._order):
            for column, widget in enumerate((self.names[kind], *self._cells[kind])):
                self._grid.addWidget(widget, 2 * row + 1, column)
            self._grid.addWidget(self._lines[row], 2 * row + 2, 0, 1, 4)
        for kind, following in zip(self._order, self._order[1:], strict=False):
            QWidget.setTabOrder(self.names[kind], self.names[following])
        self._grid.addWidget(self.note, 2 * len(self._order) + 1, 0, 1, 4)

    def _scale(self) -> None:
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(18))
        self._grid.setVerticalSpacing(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        here = next((i for i, kind in enumerate(self._order) if self.names[kind].hasFocus()), None)
        if step is None or here is None:
            super().keyPressEvent(event)
            return
        place = min(max(here + step, 0), len(self._order) - 1)
        self.names[self._order[place]].setFocus(Qt.FocusReason.TabFocusReason)


def points_lost(value: float) -> str:
    """What is lost, in points of a hundred, with a minus."""
    return number(-100 * value, 1) if round(1000 * value) else "0.0"

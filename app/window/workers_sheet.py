"""Sheet of a cluster's workers: current state, chunks done, and speed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import ElidedLabel, button, label, row_layout, scroll_area
from jurydesk.core.execution.workers.worker import Worker
from jurydesk.core.language import translatable, translate, translate_plural, translate_text
from jurydesk.core.tables import numbers

COLUMNS = (
    translatable("Worker"),
    translatable("Now"),
    translatable("Chunks done"),
    translatable("Seconds a chunk"),
)
SHOWN = 16
"""Maximum number of listed workers."""
HEIGHT = 420
"""Height of the workers."""


class WorkersSheet(Sheet):
    """A line for each worker, updated by `show_workers`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(translate("Workers"), parent, width=620)
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label(translate("Workers of the cluster"), "title"))
        self._cells: dict[tuple[int, int], QLabel] = {}
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setHorizontalSpacing(px(24))
        self._grid.setVerticalSpacing(px(6))
        self._grid.setContentsMargins(0, px(8), 0, px(8))
        self._grid.setColumnStretch(0, 1)
        for column, title in enumerate(COLUMNS):
            self._grid.addWidget(label(translate(title), "small"), 0, column, _side(column))
        self._rows = scroll_area(inside)
        self._rows.setAccessibleName(translate("Workers"))
        self.body.addWidget(self._rows)
        self.more = label("", "muted")
        self.body.addWidget(self.more)
        self.done = button(translate("Close"), self.close, "primary")
        self.body.addLayout(row_layout(None, self.done))

    def initial_focus(self) -> QWidget:
        return self.done

    def show_workers(self, workers: tuple[Worker, ...]) -> None:
        for row, worker in enumerate(workers[:SHOWN], start=1):
            for column, text in enumerate(_cells(worker)):
                self._cell(row, column, text)
        left = len(workers) - SHOWN
        self.more.setText(
            translate_plural("and {count} more worker", "and {count} more workers", left)
            if left > 0
            else ""
        )
        self.more.setVisible(left > 0)
        self.fit_again()

    def fit(self, width: int) -> None:
        """Let the workers scroll where the window has no room for all."""
        self.fit_rows(self._rows, HEIGHT)

    def _cell(self, row: int, column: int, text: str) -> None:
        if (row, column) not in self._cells:
            self._cells[row, column] = ElidedLabel() if column == 0 else label("")
            side = Qt.AlignmentFlag(0) if column == 0 else _side(column)
            self._grid.addWidget(self._cells[row, column], row, column, side)
        self._cells[row, column].setText(text)
        self._cells[row, column].setToolTip(tip(text))

    def texts(self) -> list[list[str]]:
        cells = [cell.text() for cell in self._cells.values()]
        return [cells[start : start + len(COLUMNS)] for start in range(0, len(cells), len(COLUMNS))]


def _cells(worker: Worker) -> tuple[str, ...]:
    each = numbers.number(worker.seconds / worker.chunks, 2) if worker.chunks else ""
    return worker.name, translate_text(worker.doing), numbers.count(worker.chunks), each


def _side(column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignLeft if column < 2 else Qt.AlignmentFlag.AlignRight

"""Views of one cell of dense captions: precision-recall curve and cost of each error kind."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from jurydesk.app.inspectors.densecap.densecap_panel_model import KIND_NAMES, DenseItems
from jurydesk.app.inspectors.densecap.precision_recall import PrecisionRecall, RankedDetections
from jurydesk.app.plots.heatmap import LEAD, Cell
from jurydesk.app.plots.legend import Legend, LegendEntry
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import ElidedLabel, hairline, label
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.metrics.detection import error_analysis
from jurydesk.core.metrics.detection.average_precision import (
    IOU_THRESHOLDS,
    METEOR_THRESHOLDS,
    cell_name,
)
from jurydesk.core.metrics.detection.error_analysis import KINDS, Kind
from jurydesk.core.metrics.detection.threshold_what_if import (
    Claims,
    Thresholds,
    precision_recall_curve,
)
from jurydesk.core.tables.numbers import count, exact, number

NOTHING = "–"
HEADS = ("n", translatable("AP lost"), translatable("mAP lost"))
HINTS = (
    translatable("Number of detections (or missed objects) of this kind at the chosen thresholds."),
    translatable(
        "Average precision at the chosen thresholds that correcting only these would regain."
    ),
    translatable(
        "Mean average precision over the 30 cells that correcting only these would regain."
    ),
)


class ErrorCosts(QWidget):
    """Table of error kinds, the most expensive first; choosing one requests its items."""

    kind_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setColumnStretch(0, 1)
        self.note = label("", "small", wrap=True)
        self.names: dict[Kind, QPushButton] = {}
        self._cells: dict[Kind, tuple[QLabel, QLabel, QLabel]] = {}
        self._lines = [hairline() for _ in KINDS]
        self._order: tuple[Kind, ...] = tuple(KINDS)
        for kind in KINDS:
            self._add_row(kind)
        title = translate("Cost of errors")
        heading = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        heading.show_text(title)
        self._grid.addWidget(heading, 0, 0)
        for column, (text, hint) in enumerate(zip(HEADS, HINTS, strict=True), start=1):
            head = label(translate(text), "tiny")
            head.setToolTip(tip(translate(hint)))
            self._grid.addWidget(head, 0, column, Qt.AlignmentFlag.AlignRight)
        self._place()
        theme().follow(self._scale)

    def _add_row(self, kind: Kind) -> None:
        name = QPushButton(translate(KIND_NAMES[kind]))
        name.setProperty("kind", "entry")
        name.setToolTip(
            tip(translate_text(KINDS[kind]), translate("Click to show them in the table."))
        )
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

    def show_counts(self, counts: Mapping[Kind, int] | None) -> None:
        """Show the number of errors of each kind; None while unknown."""
        for kind, cells in self._cells.items():
            cells[0].setText(NOTHING if counts is None else count(counts[kind]))

    def show_lost(self, lost: Mapping[Kind, float] | None) -> None:
        """Show the loss at the chosen thresholds by kind; None while unknown."""
        self._write(1, lost)

    def show_costs(self, costs: Mapping[Kind, float] | None) -> None:
        """Show the loss over all cells by kind, largest first; None while unknown."""
        self._write(2, costs)
        if costs is not None:
            self._order = tuple(sorted(KINDS, key=lambda kind: -costs[kind]))
            self._place()

    def _write(self, column: int, values: Mapping[Kind, float] | None) -> None:
        for kind, cells in self._cells.items():
            value = None if values is None else values[kind]
            cells[column].setText(NOTHING if value is None else points_lost(value))
            cells[column].setToolTip(
                "" if value is None else tip(translate(KIND_NAMES[kind]), exact(-value))
            )

    def show_note(self, text: str) -> None:
        """Explain why numbers are missing; empty if they are not."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def texts(self) -> list[tuple[str, str, str, str]]:
        rows = []
        for kind in self._order:
            n, lost, costs = (cell.text() for cell in self._cells[kind])
            rows.append((str(kind), n, lost, costs))
        return rows

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
        self._grid.setHorizontalSpacing(px(12))
        self._grid.setVerticalSpacing(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        current = next(
            (i for i, kind in enumerate(self._order) if self.names[kind].hasFocus()), None
        )
        if step is None or current is None:
            super().keyPressEvent(event)
            return
        place = min(max(current + step, 0), len(self._order) - 1)
        self.names[self._order[place]].setFocus(Qt.FocusReason.TabFocusReason)


def points_lost(value: float) -> str:
    """Return a loss of average precision, with a minus sign."""
    return number(-value) if round(10_000 * value) else number(0)


class CellView(QWidget):
    """Curve and error costs at the chosen thresholds, with other systems' curves behind.

    Signals carry rows of the item table, as those of a plot.
    """

    row_hovered = Signal(object)
    row_chosen = Signal(object)
    rows_brushed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._curve: PrecisionRecall | None = None
        self.legend = Legend()
        """Legend of the curve, which the owner places above it."""
        self.costs = ErrorCosts()
        """Costs of the errors, which the owner places beside the curve."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        theme().follow(self._scale)

    def prepare(self) -> None:
        """Create the plot in advance."""
        _ = self.curve

    @property
    def curve(self) -> PrecisionRecall:
        """The plot, created at its first use because that is slow."""
        if self._curve is None:
            self._curve = PrecisionRecall()
            self._curve.item_hovered.connect(self.row_hovered)
            self._curve.item_chosen.connect(self.row_chosen)
            self._curve.rows_brushed.connect(self.rows_brushed)
            self._column.insertWidget(0, self._curve, 1)
        return self._curve

    def _scale(self) -> None:
        self._column.setSpacing(px(4))

    def show_cell(
        self, items: DenseItems, thresholds: Thresholds, others: Mapping[str, Claims]
    ) -> None:
        """Show the system's curve and errors at these thresholds; `others` are other systems'."""
        claims, evaluation = items.claims, items.evaluation
        detections = RankedDetections(
            items.ranked_rows, claims.hits(thresholds), evaluation.items.ids
        )
        self.curve.show_points(
            precision_recall_curve(claims, thresholds),
            {name: precision_recall_curve(other, thresholds) for name, other in others.items()},
            detections,
            evaluation.system,
        )
        own = LegendEntry("line", "accent", evaluation.system)
        self.legend.show_entries([] if others else [own])  # else the plot's key names it, too
        known = items.is_complete or thresholds.meteor is None
        self.costs.show_counts(error_analysis.error_counts(claims, thresholds) if known else None)
        self.costs.show_lost(error_analysis.ap_lost(claims, thresholds) if known else None)


def thresholds_of(cell: Cell) -> Thresholds:
    """Return the thresholds of a cell; the lead column is detection alone."""
    row, column = cell
    return Thresholds(IOU_THRESHOLDS[row], None if column == LEAD else METEOR_THRESHOLDS[column])


def cell_of(thresholds: Thresholds) -> Cell | None:
    """Return the cell of these thresholds, if there is one."""
    meteor = thresholds.meteor
    if thresholds.overlap not in IOU_THRESHOLDS or thresholds.score > -math.inf:
        return None
    if meteor is not None and meteor not in METEOR_THRESHOLDS:
        return None
    row = IOU_THRESHOLDS.index(thresholds.overlap)
    return row, LEAD if meteor is None else METEOR_THRESHOLDS.index(meteor)


def cell_of_metric(name: str) -> Cell | None:
    """Return the cell whose average precision has this name."""
    for row, overlap in enumerate(IOU_THRESHOLDS):
        if name == cell_name(overlap):
            return row, LEAD
        for column, meteor in enumerate(METEOR_THRESHOLDS):
            if name == cell_name(overlap, meteor):
                return row, column
    return None

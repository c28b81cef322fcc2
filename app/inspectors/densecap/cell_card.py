"""One cell of dense captions: its precision-recall curve, and what each error costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from jurydesk.app.inspectors.densecap.densecap_panel_model import DenseItems
from jurydesk.app.plots.heatmap import LEAD, Cell
from jurydesk.app.plots.plot import Plot, pen, tint
from jurydesk.app.style.numbers import count, exact, number
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import hairline, label
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
from jurydesk.core.model.evaluation import Axis, FloatArray

EXACT, DRAWN = 300, 900
"""The first points are drawn all, and so many of the others: no screen shows more."""

Points = tuple[FloatArray, FloatArray]
"""Recall and precision (n,)."""


class PrecisionRecall(Plot):
    """Draws one curve over its area, which follows a slider without being made anew."""

    def __init__(self) -> None:
        super().__init__(
            Axis("recall", limits=(0.0, 1.0)),
            Axis("precision over recall", limits=(0.0, 1.0)),
            "Precision over recall",
        )
        self.points: Points = (np.empty(0), np.empty(0))
        self._curve = pg.PlotCurveItem(antialias=True, fillLevel=0)
        self._others = pg.PlotCurveItem(antialias=True, connect="finite")
        self._others.setZValue(-1)
        for item in (self._curve, self._others):
            self.addItem(item)
        self.getViewBox().setMouseEnabled(False, False)
        self.setMinimumHeight(px(90))
        self.restyle(self.colours)
        self.show_all()

    def show_points(self, points: Points, others: Sequence[Points] = ()) -> None:
        """Show another curve, and those of other systems."""
        self.points = points
        self._curve.setData(*_thinned(points))
        gap = (np.array([np.nan]), np.array([np.nan]))
        pieces = [piece for other in others for piece in (_thinned(other), gap)]
        if pieces:
            across, down = (np.concatenate(side) for side in zip(*pieces, strict=True))
            self._others.setData(across, down)
        else:
            self._others.setData([], [])

    def show_all(self) -> None:
        """Show the whole range of both axes."""
        self.getViewBox().setRange(xRange=(0, 1), yRange=(0, 1), padding=0.02)

    def draw(self) -> None:
        """Give every part its pen and brush; the title above names both axes."""
        self.getPlotItem().getAxis("bottom").showLabel(False)
        self._curve.setPen(pen(self.colours, "accent", 2))
        self._curve.setBrush(tint(self.colours, "accent", 0.08))
        self._others.setPen(pen(self.colours, "muted", 1, 0.5))

    def mark(self) -> None:
        """Nothing: a curve is made of all items."""

    def row_near(self, x: float, y: float) -> int | None:
        """No item: a curve is made of all of them."""
        return None


def _thinned(points: Points) -> Points:
    """The points that can be told apart on a screen."""
    count = len(points[0])
    if count <= EXACT + DRAWN:
        return points
    later = np.linspace(EXACT, count - 1, DRAWN).astype(int)
    kept = np.concatenate([np.arange(EXACT), later])
    return points[0][kept], points[1][kept]


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


class CellView(QWidget):
    """Follows the thresholds; other systems are drawn behind where they are given."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curve: PrecisionRecall | None = None
        self.costs = ErrorCosts()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.costs)
        self._scale()
        theme().changed.connect(self._scale)

    def get_ready(self) -> None:
        """Make the plot before anybody waits for it."""
        _ = self.curve

    @property
    def curve(self) -> PrecisionRecall:
        """The plot, which takes as long to make as everything else here."""
        if self._curve is None:
            self._curve = PrecisionRecall()
            self._column.insertWidget(0, self._curve, 1)
        return self._curve

    def _scale(self) -> None:
        self._column.setSpacing(px(4))

    def show_cell(
        self, items: DenseItems, thresholds: Thresholds, others: Iterable[Claims] = ()
    ) -> None:
        """Show what the system comes to at these thresholds."""
        claims = items.claims
        self.curve.show_points(
            precision_recall_curve(claims, thresholds),
            [precision_recall_curve(other, thresholds) for other in others],
        )
        known = items.is_complete or thresholds.meteor is None
        self.costs.show_counts(error_analysis.error_counts(claims, thresholds) if known else None)
        self.costs.show_lost(error_analysis.ap_lost(claims, thresholds) if known else None)


def thresholds_of(cell: Cell) -> Thresholds:
    """The thresholds of a cell; the lead column is detection alone."""
    row, column = cell
    return Thresholds(IOU_THRESHOLDS[row], None if column == LEAD else METEOR_THRESHOLDS[column])


def cell_of(thresholds: Thresholds) -> Cell | None:
    """The cell of these thresholds, where there is one."""
    meteor = thresholds.meteor
    if thresholds.overlap not in IOU_THRESHOLDS or thresholds.score > -math.inf:
        return None
    if meteor is not None and meteor not in METEOR_THRESHOLDS:
        return None
    row = IOU_THRESHOLDS.index(thresholds.overlap)
    return row, LEAD if meteor is None else METEOR_THRESHOLDS.index(meteor)


def cell_of_metric(name: str) -> Cell | None:
    """The cell whose average precision has this name."""
    for row, overlap in enumerate(IOU_THRESHOLDS):
        if name == cell_name(overlap):
            return row, LEAD
        for column, meteor in enumerate(METEOR_THRESHOLDS):
            if name == cell_name(overlap, meteor):
                return row, column
    return None

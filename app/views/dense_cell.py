"""One cell of dense captions: its precision-recall curve, and what each error costs."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.models.dense import DenseItems
from app.theme import px, theme
from app.views.error_costs import ErrorCosts
from app.views.heatmap import LEAD, Cell
from app.views.precision_recall import PrecisionRecall
from core.metrics import dense_errors
from core.metrics.dense_cuts import Claims, Thresholds, precision_recall
from core.metrics.dense_map import METEOR_THRESHOLDS, OVERLAP_THRESHOLDS, cell_name


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
            precision_recall(claims, thresholds),
            [precision_recall(other, thresholds) for other in others],
        )
        known = items.is_complete or thresholds.meteor is None
        self.costs.show_counts(dense_errors.counts(claims, thresholds) if known else None)
        self.costs.show_lost(dense_errors.lost(claims, thresholds) if known else None)


def thresholds_of(cell: Cell) -> Thresholds:
    """The thresholds of a cell; the lead column is detection alone."""
    row, column = cell
    return Thresholds(
        OVERLAP_THRESHOLDS[row], None if column == LEAD else METEOR_THRESHOLDS[column]
    )


def cell_of(thresholds: Thresholds) -> Cell | None:
    """The cell of these thresholds, where there is one."""
    meteor = thresholds.meteor
    if thresholds.overlap not in OVERLAP_THRESHOLDS or thresholds.score > -math.inf:
        return None
    if meteor is not None and meteor not in METEOR_THRESHOLDS:
        return None
    row = OVERLAP_THRESHOLDS.index(thresholds.overlap)
    return row, LEAD if meteor is None else METEOR_THRESHOLDS.index(meteor)


def cell_of_metric(name: str) -> Cell | None:
    """The cell whose average precision has this name."""
    for row, overlap in enumerate(OVERLAP_THRESHOLDS):
        if name == cell_name(overlap):
            return row, LEAD
        for column, meteor in enumerate(METEOR_THRESHOLDS):
            if name == cell_name(overlap, meteor):
                return row, column
    return None

"""Cells of the heat map of dense captions, and the thresholds and metrics that they stand for."""

from __future__ import annotations

import math

from app.views.heatmap_layout import LEAD, Cell
from core.metrics.dense_cuts import Thresholds
from core.metrics.dense_map import METEOR_THRESHOLDS, OVERLAP_THRESHOLDS, cell_name


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

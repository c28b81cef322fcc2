"""The precision-recall curve of one cell, with those of other systems faintly behind it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg

from app.theme import px
from app.views.plot import Plot, pen, tint
from core.model import Axis, FloatArray

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

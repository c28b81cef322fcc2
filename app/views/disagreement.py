"""Two systems item by item: their differences sorted, and their values against each other."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg

from app.views.bars import BarsView
from app.views.plot import REACH, Plot, pen, tint
from core.model import Axis, FloatArray

DOT, MARKED_DOT = 5, 10


class DifferencesView(BarsView):
    """The gains of one system over the other as bars, the largest first; at first there are none.

    It is made before the systems are known, and shows one pair after the other.
    """

    def __init__(self) -> None:
        super().__init__("Differences", np.empty(0), Axis("", limits=(-1.0, 1.0)), "items")

    def show_gains(self, first: str, second: str, gains: FloatArray, noun: str) -> None:
        """Show the gains (items,) of the first system over the second."""
        largest = float(np.nanmax(np.abs(gains), initial=0.0)) or 1.0
        up = Axis(f"{first} better ↑ · {second} better ↓", limits=(-largest, largest))
        self.show_values(gains, Axis(f"{noun}, sorted by difference"), up)


class AgainstView(Plot):
    """Every item as a dot: what the first system has across, what the second has upwards."""

    def __init__(self, first: str, second: str, x: FloatArray, y: FloatArray) -> None:
        super().__init__(Axis(first), Axis(second), "Values against each other")
        self._x, self._y = x, y
        self._equal = pg.InfiniteLine(angle=45)
        self._dots = pg.ScatterPlotItem(x=x, y=y, size=DOT)
        self._hovered = pg.ScatterPlotItem(size=MARKED_DOT)
        self._current = pg.ScatterPlotItem(size=MARKED_DOT)
        for depth, item in enumerate((self._equal, self._dots, self._current, self._hovered)):
            item.setZValue(depth)
            self.addItem(item)
        self.show_all()
        self.restyle(self.colours)

    def show_all(self) -> None:
        """Show all dots, with the same scale both ways."""
        both = np.concatenate([self._x, self._y])
        low, high = float(both.min(initial=0.0)), float(both.max(initial=0.0))
        high = high if high > low else low + 1.0
        self.getViewBox().setRange(xRange=(low, high), yRange=(low, high), padding=0.04)

    def draw(self) -> None:
        self._equal.setPen(pen(self.colours, "muted", 1, 0.6))
        self._dots.setPen(None)
        self._dots.setBrush(tint(self.colours, "accent", 0.45))

    def mark(self) -> None:
        for item, row, name in (
            (self._current, self.current_row, "bad"),
            (self._hovered, self.hovered_row, "accent"),
        ):
            rows = [] if row is None else [row]
            item.setData(x=self._x[rows], y=self._y[rows], pen=None, brush=tint(self.colours, name))

    def row_near(self, x: float, y: float) -> int | None:
        """The nearest dot, where one is in reach."""
        if not len(self._x):
            return None
        wide, high = self._pixel()
        distance = np.hypot((self._x - x) / wide, (self._y - y) / high)
        row = int(distance.argmin())
        return row if distance[row] <= REACH else None

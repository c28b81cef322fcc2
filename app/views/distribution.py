"""How the items' values are spread: a histogram, with the mean and the item that is looked at."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg

from app.models.histogram import histogram
from app.views.plot import Plot, pen, tint
from core.model import Axis, FloatArray, IntArray


class DistributionView(Plot):
    """Draws the histogram of a column's values (items,); items are found by their value."""

    def __init__(self, title: str, values: FloatArray, x_axis: Axis, items: str) -> None:
        super().__init__(x_axis, Axis(items), title)
        defined = np.flatnonzero(np.isfinite(values))
        self.order: IntArray = defined[np.argsort(values[defined], kind="stable")]
        self.values = values
        self.shape = histogram(values, x_axis.limits)
        self._bars = pg.BarGraphItem(x0=[], height=[], width=1)
        self._mean = pg.InfiniteLine(angle=90)
        self._current = pg.InfiniteLine(angle=90)
        self._hovered = pg.InfiniteLine(angle=90)
        for depth, item in enumerate((self._bars, self._mean, self._current, self._hovered)):
            item.setZValue(depth)
            self.addItem(item)
        self._fill()
        self.restyle(self.colours)

    def _fill(self) -> None:
        edges = self.shape.edges
        self._bars.setOpts(x0=edges[:-1], width=edges[1] - edges[0], height=self.shape.counts)
        self._mean.setVisible(len(self.order) > 0)
        if len(self.order):
            self._mean.setPos(float(self.values[self.order].mean()))
        self.show_all()

    def show_all(self) -> None:
        """Show all bars, from zero."""
        edges, top = self.shape.edges, max(int(self.shape.counts.max(initial=0)), 1)
        self.getViewBox().setRange(
            xRange=(float(edges[0]), float(edges[-1])), yRange=(0, top), padding=0.02
        )

    def draw(self) -> None:
        """Give every part its brush."""
        colours = self.colours
        self._bars.setOpts(
            brush=tint(colours, "accent", 0.3), pen=pen(colours, "card", 1), name=None
        )
        self._mean.setPen(pen(colours, "muted", 1, 0.9))
        self._current.setPen(pen(colours, "bad", 2))
        self._hovered.setPen(pen(colours, "text", 1.5))

    def mark(self) -> None:
        """Put a line at the value of each marked item."""
        for line, row in ((self._current, self.current_row), (self._hovered, self.hovered_row)):
            value = np.nan if row is None else self.values[row]
            line.setVisible(bool(np.isfinite(value)))
            if np.isfinite(value):
                line.setPos(float(value))

    def row_beside(self, step: int) -> int | None:
        """The item with the next larger value, or the next smaller one."""
        found = np.flatnonzero(self.order == self.current_row)
        place = int(found[0]) + step if len(found) else 0
        return int(self.order[place]) if 0 <= place < len(self.order) else None

    def row_near(self, x: float, y: float) -> int | None:
        """The item of the bar at a point whose value is nearest to it."""
        edges = self.shape.edges
        inside = self.values[self.order]
        if not len(inside) or not edges[0] <= x <= edges[-1]:
            return None
        nearest = int(np.abs(inside - x).argmin())
        bins = np.clip(np.searchsorted(edges, (x, inside[nearest]), "right"), 1, len(edges) - 1)
        return int(self.order[nearest]) if bins[0] == bins[1] else None

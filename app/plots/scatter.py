"""Scatter plot of the items' values in two columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from jurydesk.app.plots.plot import REACH, Plot, pen, tint, within
from jurydesk.app.style.distinct_names import fit_names
from jurydesk.app.style.theme import TINY, font
from jurydesk.app.style.visible_text import display_text
from jurydesk.core.model.evaluation import Axis, FloatArray, IntArray

DOT, MARKED_DOT = 5, 10
DRAWN_AT_MOST, CELLS = 20_000, 120
"""Number of points that are all drawn; of more, one in each cell of a square grid of the view."""
MOST_NAMES, LONGEST_NAME = 20, 32
ROOM = 0.15
"""Part of the range of named points that is free around them."""


class ScatterView(Plot):
    """Scatter plot of items with values `x` and `y` (items,) of one scale, and their diagonal.

    Items without one of the values are not drawn. Items with `names` (items,), such as systems, all
    have values; few names stand beside the points, and each axis has the range of its values.
    """

    def __init__(
        self,
        title: str,
        x_axis: Axis,
        y_axis: Axis,
        x: FloatArray,
        y: FloatArray,
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(x_axis, y_axis, title)
        self._x, self._y = x, y
        self._rows = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        self._is_thinned = len(self._rows) > DRAWN_AT_MOST
        self._equal = pg.InfiniteLine(angle=45)
        self._dots = pg.ScatterPlotItem(size=DOT)
        self._hovered = pg.ScatterPlotItem(size=MARKED_DOT)
        self._current = pg.ScatterPlotItem(size=MARKED_DOT)
        for depth, item in enumerate((self._equal, self._dots, self._current, self._hovered)):
            item.setZValue(depth)
            self.addItem(item)
        self._draw_points()
        self._is_named = bool(names)
        shown = names if len(names) <= MOST_NAMES else ()
        short = fit_names(shown, len, LONGEST_NAME)
        self.named = [self._name_point(row, short[name]) for row, name in enumerate(shown)]
        self._equal.setVisible(not self._is_named)
        if self._is_thinned:
            self.getViewBox().sigRangeChanged.connect(self._draw_points)
        self.show_all()
        self.restyle(self.colours)

    def _draw_points(self) -> None:
        """Draw the points; of very many, one for each dot that can be told apart in the view."""
        rows = self._rows
        if self._is_thinned:
            (left, right), (low, high) = self.getViewBox().viewRange()
            rows = rows[thin_points(self._x[rows], self._y[rows], (left, right), (low, high))]
        self._dots.setData(x=self._x[rows], y=self._y[rows])

    def _name_point(self, row: int, name: str) -> pg.TextItem:
        """Write a name beside its point, on the side with more room."""
        middle = (self._x[self._rows].min() + self._x[self._rows].max()) / 2
        text = f"  {display_text(name, LONGEST_NAME)}  "  # blanks, since the point has a width
        item = pg.TextItem(text, anchor=(float(self._x[row] > middle), 0.5))
        item.setPos(float(self._x[row]), float(self._y[row]))
        self.addItem(item, ignoreBounds=True)
        return item

    def show_all(self) -> None:
        """Show all points, with the same scale on both axes unless points have names."""
        if self._is_named:
            across, down = (_spread(values[self._rows]) for values in (self._x, self._y))
            self.getViewBox().setRange(xRange=across, yRange=down, padding=ROOM)
            return
        both = np.concatenate([self._x[self._rows], self._y[self._rows]])
        low, high = float(both.min(initial=0.0)), float(both.max(initial=0.0))
        high = high if high > low else low + 1.0
        self.getViewBox().setRange(xRange=(low, high), yRange=(low, high), padding=0.04)

    def draw(self) -> None:
        self._equal.setPen(pen(self.colours, "muted", 1, 0.6))
        self._dots.setPen(None)
        self._dots.setBrush(tint(self.colours, "accent", 0.45))
        for item in self.named:
            item.setFont(font(TINY))
            item.setColor(tint(self.colours, "text"))

    def mark(self) -> None:
        for item, row, name in (
            (self._current, self.current_row, "bad"),
            (self._hovered, self.hovered_row, "accent"),
        ):
            rows = np.intersect1d(self._rows, [] if row is None else [row]).astype(np.int64)
            item.setData(x=self._x[rows], y=self._y[rows], pen=None, brush=tint(self.colours, name))

    def row_near(self, x: float, y: float) -> int | None:
        """Return the nearest point within reach."""
        if not len(self._rows):
            return None
        wide, high = self._pixel()
        across, down = self._x[self._rows] - x, self._y[self._rows] - y
        distance = np.hypot(across / wide, down / high)
        nearest = int(distance.argmin())
        return int(self._rows[nearest]) if distance[nearest] <= REACH else None

    def rows_in(self, brush: QRectF) -> IntArray:
        """Return the points in a rectangle."""
        return np.intersect1d(
            within(self._x, brush.left(), brush.right()),
            within(self._y, brush.top(), brush.bottom()),
        )


def _spread(values: FloatArray) -> tuple[float, float]:
    """Return the ends of the values; of equal ones, an interval around them."""
    low, high = float(values.min()), float(values.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def thin_points(
    x: FloatArray, y: FloatArray, across: tuple[float, float], down: tuple[float, float]
) -> IntArray:
    """Return one of the points (n,) in each occupied cell of a grid of `CELLS` over an interval."""
    columns = np.floor((x - across[0]) / (across[1] - across[0]) * CELLS)
    lines = np.floor((y - down[0]) / (down[1] - down[0]) * CELLS)
    inside = (columns >= 0) & (columns < CELLS) & (lines >= 0) & (lines < CELLS)
    rows = np.flatnonzero(inside)
    found = np.full(CELLS * CELLS, -1, np.int64)
    found[(columns[rows] * CELLS + lines[rows]).astype(np.int64)] = rows
    return found[found >= 0]

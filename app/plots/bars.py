"""Bar plot of the items' values, sorted with the best first."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from jurydesk.app.plots.plot import Plot, pen, tint, within
from jurydesk.app.plots.plot_description import describe_values
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.evaluation import Axis, FloatArray, IntArray

SEPARATE_AT_MOST = 80
"""More bars than this are drawn without gaps, as one outline."""
BAR_WIDTH = 0.72
MOSTLY_EMPTY, HEADROOM = 0.5, 1.05
"""Share of the range below which the axis ends at the highest bar, and its length beyond that."""
STEPS_AT_MOST = 2000
"""Maximum number of steps of the outline: no screen shows more."""


class BarsView(Plot):
    """Sorted bars of the defined values (items,) of a column."""

    brushes_columns = True

    def __init__(self, title: str, values: FloatArray, y_axis: Axis, items: str) -> None:
        self._sort(values, y_axis)
        super().__init__(
            Axis(translate("{items}, the best first", items=translate_text(items))), y_axis, title
        )
        self.getAxis("bottom").finest = 1.0
        self._outline = pg.PlotCurveItem([0, 1], [0], stepMode="center", fillLevel=0)
        self._bars = pg.BarGraphItem(x=[], height=[], width=BAR_WIDTH)
        self._mean = pg.InfiniteLine(angle=0)
        self._current = pg.BarGraphItem(x=[], height=[], width=1)
        self._hovered = pg.BarGraphItem(x=[], height=[], width=1)
        parts = (self._outline, self._bars, self._mean, self._current, self._hovered)
        for depth, item in enumerate(parts):
            item.setZValue(depth)
            self.addItem(item)
        self._fill()
        self.restyle(self.colours)

    def show_values(self, values: FloatArray, x_axis: Axis, y_axis: Axis) -> None:
        """Draw other values, which takes a third of the time of creating a view."""
        self.current_row = self.hovered_row = None
        self.clear_brush()
        self._sort(values, y_axis)
        self._fill()
        self.name_axes(x_axis, y_axis)

    def _sort(self, values: FloatArray, y_axis: Axis) -> None:
        defined = np.flatnonzero(~np.isnan(values))
        self.order: IntArray = defined[np.argsort(-values[defined], kind="stable")]
        self.values = values
        self._limits = y_axis.limits
        self._few = len(self.order) <= SEPARATE_AT_MOST

    def _fill(self) -> None:
        heights = self.values[self.order]
        self.setAccessibleDescription(describe_values(heights))
        self._outline.setVisible(not self._few)
        self._bars.setVisible(self._few)
        if self._few:
            self._bars.setOpts(x=np.arange(len(heights)) + 1.0, height=heights)
        else:
            edges = np.unique(np.linspace(0, len(heights), STEPS_AT_MOST + 1).astype(int))
            self._outline.setData(edges + 0.5, heights[edges[:-1]])
        self._mean.setVisible(len(heights) > 0)
        if len(heights):
            self._mean.setPos(float(heights.mean()))
        self.show_all()

    def show_all(self) -> None:
        """Show all bars, from zero; of the metric's range the part that they reach."""
        heights = self.values[self.order]
        least, most = float(heights.min(initial=0)), float(heights.max(initial=0))
        low, high = self._limits or (0.0, most or 1.0)
        if not np.isfinite(high) or 0 < most < MOSTLY_EMPTY * high:
            high = most * HEADROOM or 1.0
        if not np.isfinite(low) or least > MOSTLY_EMPTY * low:
            low = least
        low, high = min(low, least), max(high, most)
        self.getViewBox().setRange(
            xRange=(0.5, max(len(heights), 1) + 0.5), yRange=(low, high), padding=0.02
        )

    def draw(self) -> None:
        colours = self.colours
        self._outline.setPen(pen(colours, "accent", 1, 0.55))
        self._outline.setBrush(tint(colours, "accent", 0.22))
        brush = tint(colours, "accent", 0.3)
        self._bars.setOpts(brush=brush, pen=pen(colours, "accent", 1, 0.0))
        self._mean.setPen(pen(colours, "muted", 1, 0.6))

    def mark(self) -> None:
        """Move the marked bars to the current and the hovered item."""
        self._mark(self._current, self.current_row, "bad")
        self._mark(self._hovered, self.hovered_row, "accent")

    def _mark(self, item: pg.BarGraphItem, row: int | None, name: str) -> None:
        place = None if row is None else self.place(row)
        item.setVisible(place is not None)
        if place is not None and row is not None:
            # A bar narrower than two pixels could not be seen among a thousand.
            width = BAR_WIDTH if self._few else max(1.0, 2 * self._pixel()[0])
            brush = tint(self.colours, name)
            item.setOpts(
                x=[place + 1], height=[self.values[row]], width=width, brush=brush, pen=brush
            )

    def place(self, row: int) -> int | None:
        """Return the index of an item's bar, or None if its value is undefined."""
        found = np.flatnonzero(self.order == row)
        return int(found[0]) if len(found) else None

    def row_beside(self, step: int) -> int | None:
        """Return the item of the bar `step` bars to the right of the current one."""
        place = None if self.current_row is None else self.place(self.current_row)
        beside = 0 if place is None else place + step
        return int(self.order[beside]) if 0 <= beside < len(self.order) else None

    def row_near(self, x: float, y: float) -> int | None:
        """Return the item of the bar at `x`, whatever its height: low bars matter most."""
        place = round(x) - 1
        return int(self.order[place]) if 0 <= place < len(self.order) else None

    def rows_in(self, brush: QRectF) -> IntArray:
        """Return the items whose bars are between the sides of a rectangle."""
        places = np.arange(1, len(self.order) + 1, dtype=np.float64)
        return self.order[within(places, brush.left(), brush.right())]

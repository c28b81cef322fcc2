"""Histogram of the items' values, with outlines for the other systems."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPen

from jurydesk.app.plots.plot import Plot, pen, tint, within
from jurydesk.app.plots.plot_description import describe_values
from jurydesk.app.plots.plot_key import PlotKey, PlotKeyEntry, other_pen
from jurydesk.core.export.tables.histogram_bins import Histogram, histograms
from jurydesk.core.language import translatable, translate
from jurydesk.core.model.evaluation import Axis, FloatArray, IntArray
from jurydesk.core.tables.numbers import count, number

LOGARITHMIC = translatable("logarithmic")
LEAST_COUNT = 0.5
"""Count at the foot of a logarithmic axis, so that a bar of one item is seen."""
FEW_COUNTS = 100


def filled_part(edges: FloatArray, counts: IntArray) -> tuple[float, float]:
    """Return the range of a histogram, without an end that is empty and half of it or more."""
    filled = np.flatnonzero(counts)
    first, last = (filled[0], filled[-1] + 1) if len(filled) else (0, len(counts))
    half = len(counts) / 2
    low, high = first if first >= half else 0, last if last <= half else len(counts)
    return float(edges[low]), float(edges[high])


class DistributionView(Plot):
    """Histogram of a column's values (items,), in which an item is found by its value.

    The values of other systems are outlines over the same bins, and a key names all systems. With
    `log_counts` the axis of counts is logarithmic, and an empty bin has half an item.
    """

    brushes_columns = True

    def __init__(
        self,
        title: str,
        values: FloatArray,
        x_axis: Axis,
        items: str,
        system: str = "",
        *,
        log_counts: bool = False,
    ) -> None:
        super().__init__(x_axis, Axis(items, LOGARITHMIC if log_counts else ""), title)
        self._log_counts = log_counts
        defined = np.flatnonzero(np.isfinite(values))
        self.order: IntArray = defined[np.argsort(values[defined], kind="stable")]
        self.values = values
        self.system = system
        self.others: dict[str, FloatArray] = {}
        self._limits = x_axis.limits
        self._outlines: list[pg.PlotCurveItem] = []
        self._bars = pg.BarGraphItem(x0=[], height=[], width=1)
        self._mean = pg.InfiniteLine(angle=90)
        self._current = pg.InfiniteLine(angle=90)
        self._hovered = pg.InfiniteLine(angle=90)
        self.key = PlotKey(self)
        for depth, item in zip((0, 2, 3, 4), self._parts(), strict=True):
            item.setZValue(depth)
            self.addItem(item)
        self._fill()
        self.restyle(self.colours)

    def _parts(self) -> tuple[pg.GraphicsObject, ...]:
        return self._bars, self._mean, self._current, self._hovered

    def show_others(self, others: Mapping[str, FloatArray]) -> None:
        """Show the values of other systems by name, behind the marks."""
        self.others = dict(others)
        for outline in self._outlines:
            self.removeItem(outline)
        self._outlines = [pg.PlotCurveItem(antialias=True) for _ in others]
        for outline in self._outlines:
            outline.setZValue(1)
            self.addItem(outline)
        self._fill()
        self.draw()

    def _fill(self) -> None:
        self.setAccessibleDescription(describe_values(self.values))
        self.shape, *shapes = histograms((self.values, *self.others.values()), self._limits)
        edges = self.shape.edges
        floor = float(self._scaled(0.0))
        heights = self._scaled(self.shape.counts) - floor
        self._bars.setOpts(x0=edges[:-1], width=edges[1] - edges[0], y0=floor, height=heights)
        for outline, shape in zip(self._outlines, shapes, strict=True):
            x, y = step_outline(shape)
            # Segments on the x axis are not drawn.
            connect = ((y > 0) | (np.roll(y, -1) > 0)).astype(np.int32)
            outline.setData(x, self._scaled(y), connect=connect)
        self._heights: IntArray = np.max([one.counts for one in (self.shape, *shapes)], axis=0)
        if self._log_counts:
            self.getAxis("left").setTicks([count_ticks(int(self._heights.max()))])
        self._mean.setVisible(len(self.order) > 0)
        if len(self.order):
            self._mean.setPos(float(self.values[self.order].mean()))
        self.show_all()

    def _scaled(self, counts: npt.ArrayLike) -> FloatArray:
        """Return the heights of counts in the plot."""
        found = np.asarray(counts, np.float64)
        return np.log10(np.maximum(found, LEAST_COUNT)) if self._log_counts else found

    def show_all(self) -> None:
        """Show all bars, from zero; of the metric's range the part that they reach."""
        edges, top = self.shape.edges, max(int(self._heights.max()), 1)
        low, high = self._scaled([0, top]).tolist()
        left, right = filled_part(edges, self._heights)
        self.getViewBox().setRange(xRange=(left, right), yRange=(low, high), padding=0.02)

    def draw(self) -> None:
        colours = self.colours
        self._bars.setOpts(
            brush=tint(colours, "accent", 0.3), pen=pen(colours, "card", 1), name=None
        )
        self._mean.setPen(pen(colours, "muted", 1, 0.9))
        current = pen(colours, "bad", 2)
        current.setStyle(Qt.PenStyle.DashLine)
        self._current.setPen(current)
        self._hovered.setPen(pen(colours, "text", 1.5))
        pens = [other_pen(colours, number) for number in range(len(self._outlines))]
        for outline, line in zip(self._outlines, pens, strict=True):
            outline.setPen(line)
        self._show_key(pens)

    def _show_key(self, pens: list[QPen]) -> None:
        """Name all systems with their means, the selected one first."""
        systems = {self.system: self.values, **self.others} if self.others else {}
        lines = [pen(self.colours, "accent", 6, 0.45), *pens]
        entries = [
            PlotKeyEntry(name, line, translate("mean {mean}", mean=_mean(values)))
            for (name, values), line in zip(systems.items(), lines, strict=False)
        ]
        self.key.show_entries(entries, self.colours)

    def mark(self) -> None:
        """Draw a line at the value of each marked item."""
        for line, row in ((self._current, self.current_row), (self._hovered, self.hovered_row)):
            value = np.nan if row is None else self.values[row]
            line.setVisible(bool(np.isfinite(value)))
            if np.isfinite(value):
                line.setPos(float(value))

    def row_beside(self, step: int) -> int | None:
        """Return the item `step` places further in the order of the values."""
        found = np.flatnonzero(self.order == self.current_row)
        place = int(found[0]) + step if len(found) else 0
        return int(self.order[place]) if 0 <= place < len(self.order) else None

    def row_near(self, x: float, y: float) -> int | None:
        """Return the item nearest to `x` in the bar at `x`."""
        edges = self.shape.edges
        inside = self.values[self.order]
        if not len(inside) or not edges[0] <= x <= edges[-1]:
            return None
        nearest = int(np.abs(inside - x).argmin())
        bins = np.clip(np.searchsorted(edges, (x, inside[nearest]), "right"), 1, len(edges) - 1)
        return int(self.order[nearest]) if bins[0] == bins[1] else None

    def rows_in(self, brush: QRectF) -> IntArray:
        """Return the items with a value between the sides of a rectangle."""
        return within(self.values, brush.left(), brush.right())


def count_ticks(most: int) -> list[tuple[float, str]]:
    """Return places and labels of a logarithmic axis of counts; of few counts with 2 and 5."""
    steps = (1, 2, 5) if most < FEW_COUNTS else (1,)
    powers = range(len(str(most)))
    counts = [step * 10**power for power in powers for step in steps]
    return [(math.log10(one), count(one)) for one in counts if one <= max(most, 1)]


def step_outline(shape: Histogram) -> tuple[FloatArray, FloatArray]:
    """Return the outline of a histogram, which begins and ends at zero: x and y (2 bins + 2,)."""
    heights = np.concatenate([[0.0], np.repeat(shape.counts, 2), [0.0]])
    return np.repeat(shape.edges, 2), heights


def _mean(values: FloatArray) -> str:
    defined = values[np.isfinite(values)]
    return number(float(defined.mean()) if len(defined) else float("nan"))

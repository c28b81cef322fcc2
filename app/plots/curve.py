"""Plot of a mean curve with its band, in front of the faint curves of all items."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from jurydesk.app.plots.plot import REACH, Plot, finite_limits, pen, tint
from jurydesk.app.plots.plot_description import describe_curve
from jurydesk.app.plots.plot_key import HUES, PlotKey, PlotKeyEntry, other_pen
from jurydesk.app.style.theme import TINY, font, px
from jurydesk.core.export.tables.figure_tables import curve_line
from jurydesk.core.language import translate_text
from jurydesk.core.model.evaluation import Axis, Curve, FloatArray, IntArray

FAINT_AT_MOST = 250
"""Maximum number of item curves; of more, an evenly spaced selection is drawn."""
POINT, MARK = 6, 9
"""Diameter in pixels of an item's points, and of a mark."""
Points = tuple[FloatArray, FloatArray]
"""Points (n,) of an item: x and y."""


class CurveMarks:
    """Named points of a curve, the diagonal of its axes, and the points of the current item."""

    def __init__(self, plot: Plot) -> None:
        self._plot = plot
        self._labels: list[pg.TextItem] = []
        self._diagonal = pg.PlotCurveItem()
        self._marks, self._points = pg.ScatterPlotItem(), pg.ScatterPlotItem()
        for depth, item in ((2, self._diagonal), (8, self._marks), (7, self._points)):
            item.setZValue(depth)
            plot.addItem(item, ignoreBounds=True)

    def show_curve(self, curve: Curve) -> None:
        """Show the marks of a curve, and its diagonal if it has one."""
        for text in self._labels:
            self._plot.removeItem(text)
        marks = curve.marks
        self._marks.setData([one.x for one in marks], [one.y for one in marks])
        ends = [0.0, 1.0] if curve.diagonal else []
        self._diagonal.setData(ends, ends)
        places = [(translate_text(one.title), one.x, one.y) for one in marks]
        if curve.diagonal:
            places.append((translate_text(curve.diagonal), 1.0, 1.0))
        self._labels = [self._label(*place) for place in places]
        self.show_points(None)

    def _label(self, text: str, x: float, y: float) -> pg.TextItem:
        label = pg.TextItem(text, anchor=(1, 0) if x > 0.5 else (0, 1))
        label.setPos(x, y)
        label.setZValue(9)
        self._plot.addItem(label, ignoreBounds=True)
        return label

    def show_points(self, points: Points | None) -> None:
        """Show the points of the current item, or none."""
        x, y = ([], []) if points is None else points
        self._points.setData(x, y)

    @property
    def texts(self) -> tuple[str, ...]:
        """Labels of the marks and of the diagonal."""
        return tuple(one.textItem.toPlainText() for one in self._labels)

    @property
    def points(self) -> int:
        """Number of points of the current item."""
        return len(self._points.data)

    def draw(self) -> None:
        """Use the colours of the plot."""
        colours = self._plot.colours
        diagonal = pen(colours, "muted", 1)
        diagonal.setStyle(Qt.PenStyle.DotLine)
        self._diagonal.setPen(diagonal)
        self._marks.setSize(px(MARK))
        self._marks.setPen(pen(colours, "text", 1.5))
        self._marks.setBrush(tint(colours, "card"))
        self._points.setSize(px(POINT))
        self._points.setPen(pen(colours, "bad", 1))
        self._points.setBrush(tint(colours, "bad", 0.5))
        for text in self._labels:
            text.setColor(tint(colours, "text"))
            text.setFont(font(TINY))


SMOOTH_LINES = 400
"""Number of lines up to which their edges are smooth."""


class CurveView(Plot):
    """Plot of a `Curve`, with the curves of the hovered and the current item highlighted."""

    def __init__(self, curve: Curve) -> None:
        super().__init__(curve.x_axis, curve.y_axis, translate_text(curve.title))
        self.curve = curve
        self.system = ""
        self.others: dict[str, Curve] = {}
        self._lines: list[pg.PlotCurveItem] = []
        self._other_bands: list[tuple[int, pg.FillBetweenItem]] = []
        self._shown_points: Points | None = None
        self.key = PlotKey(self)
        self.marks = CurveMarks(self)
        self._faint = pg.PlotCurveItem(connect="finite", antialias=True)
        self._edges = [pg.PlotCurveItem(), pg.PlotCurveItem()]
        self._band = pg.FillBetweenItem(*self._edges)
        self._mean, self._current, self._hovered = (
            pg.PlotCurveItem(connect="finite", antialias=True) for _ in range(3)
        )
        # Hundreds of translucent lines are drawn once, and not whenever another item is marked.
        self._faint.setCacheMode(pg.GraphicsObject.CacheMode.DeviceCoordinateCache)
        for depth, item in enumerate(
            (self._faint, *self._edges, self._band, self._mean, self._current, self._hovered)
        ):
            item.setZValue(depth)
            self.addItem(item)
        self._fill()
        self.restyle(self.colours)

    @classmethod
    def empty(cls) -> CurveView:
        """Create a view without a curve."""
        axis, nothing = Axis("", limits=(0.0, 1.0)), np.empty(0)
        return cls(Curve("", "", axis, axis, nothing, nothing))

    def fits(self, curve: Curve) -> bool:
        """Return whether this view can show `curve`: named ticks of an axis cannot change."""
        axes = (self.curve.x_axis, curve.x_axis), (self.curve.y_axis, curve.y_axis)
        return all(mine == its or not (mine.ticks or its.ticks) for mine, its in axes)

    def show_curve(self, curve: Curve) -> None:
        """Draw another curve that fits, which takes a third of the time of creating a view."""
        self.curve = curve
        self.current_row = self.hovered_row = None
        self.show_others("", {})
        self.clear_brush()
        self.setAccessibleName(translate_text(curve.title))
        self._fill()
        self.name_axes(curve.x_axis, curve.y_axis)

    def show_others(self, system: str, others: Mapping[str, Curve]) -> None:
        """Show the same curve of other systems by name, in a key with `system`, whose this is."""
        before = self._full_range()
        self.system, self.others = system, dict(others)
        for old in (*self._lines, *(band for _, band in self._other_bands)):
            self.removeItem(old)
        self._lines = [
            pg.PlotCurveItem(*curve_line(one, one.x, one.mean), connect="finite", antialias=True)
            for one in others.values()
        ]
        # Behind the items' own curves, the bands of several systems would mix into grey.
        banded = list(others.values())[: len(HUES)] if self.curve.members is None else []
        self._other_bands = [
            (number, band_of(one)) for number, one in enumerate(banded) if one.low is not None
        ]
        for line in self._lines:
            line.setZValue(3)
            self.addItem(line)
        for _, band in self._other_bands:
            band.setZValue(2)
            self.addItem(band)
        if self._full_range() != before:  # else a zoom is kept
            self.show_all()
        self._draw_others()

    def _draw_others(self) -> None:
        pens = [other_pen(self.colours, number) for number in range(len(self._lines))]
        for line, drawn in zip(self._lines, pens, strict=True):
            line.setPen(drawn)
        for number, band in self._other_bands:
            band.setBrush(tint(self.colours, HUES[number], 0.08))
        own = PlotKeyEntry(self.system, pen(self.colours, "accent", 2.5))
        entries = [PlotKeyEntry(*one) for one in zip(self.others, pens, strict=True)]
        shown = [own, *entries] if entries else []
        self.key.show_entries(shown, self.colours)

    def paint_picture(self, painter: QPainter) -> None:
        """Paint the curves as lines: a drawing must not hold the cached pixels."""
        self._faint.setCacheMode(pg.GraphicsObject.CacheMode.NoCache)
        super().paint_picture(painter)
        self._faint.setCacheMode(pg.GraphicsObject.CacheMode.DeviceCoordinateCache)

    def _fill(self) -> None:
        curve = self.curve
        self._axes[0].finest = float(_counts(curve))
        self.setAccessibleDescription(describe_curve(curve))
        self.marks.show_curve(curve)
        self._shown_points = None
        self._mean.setData(*curve_line(curve, curve.x, curve.mean))
        self._band.setVisible(curve.low is not None and curve.high is not None)
        if curve.low is not None and curve.high is not None:
            self._edges[0].setData(*curve_line(curve, curve.x, curve.low))
            self._edges[1].setData(*curve_line(curve, curve.x, curve.high))
        members = curve.members
        has_members = members is not None and len(members) > 0
        self._faint.setVisible(has_members)
        if members is not None and has_members:
            lines = leave_corners(
                *join_members(*curve_line(curve, curve.x, _thin_members(members)))
            )
            # So many translucent lines make an even band, for which smooth edges cost half a frame.
            self._faint.setData(*lines, antialias=len(members) <= SMOOTH_LINES)
        self.show_all()

    def show_all(self) -> None:
        """Show the axes' whole range, every item's curve, and those of the other systems."""
        across, up = self._full_range()
        self.getViewBox().setRange(xRange=across, yRange=up, padding=0.02)

    def _full_range(self) -> tuple[tuple[float, float], tuple[float, float]]:
        curves = (self.curve, *self.others.values())
        drawn = (self.curve.members, *(one for c in curves for one in (c.mean, c.low, c.high)))
        across = finite_limits(self.curve.x_axis, self.curve.x.tolist())
        up = finite_limits(self.curve.y_axis, self.curve.mean.tolist())
        return _around(across, *(one.x for one in curves)), _around(up, *drawn)

    def draw(self) -> None:
        colours = self.colours
        self._faint.setPen(pen(colours, "muted", 1, self._opacity))
        self._band.setBrush(tint(colours, "accent", 0.14))
        for edge in self._edges:
            edge.setPen(pen(colours, "accent", 1, 0.25))
        self._mean.setPen(pen(colours, "accent", 2.5))
        current = pen(colours, "bad", 2)
        current.setStyle(Qt.PenStyle.DashLine)  # it differs from the mean not by its colour alone
        self._current.setPen(current)
        self._hovered.setPen(pen(colours, "text", 1.5))
        self.marks.draw()
        self._draw_others()

    def mark(self) -> None:
        self._mark(self._current, self.current_row)
        hovers_current = self.hovered_row == self.current_row
        self._mark(self._hovered, None if hovers_current else self.hovered_row)

    @property
    def _opacity(self) -> float:
        """Opacity of an item's curve, lower the more curves are drawn."""
        count = 0 if self.curve.members is None else len(self.curve.members)
        return min(0.5, 25 / max(min(count, FAINT_AT_MOST), 1))

    def _mark(self, item: pg.PlotCurveItem, row: int | None) -> None:
        members = self.curve.members
        item.setVisible(row is not None and members is not None)
        if row is not None and members is not None:
            item.setData(*curve_line(self.curve, self.curve.x, members[row]))

    def show_points(self, points: Points | None) -> None:
        """Show the points of the current item, such as its precision at each hit."""
        if points is not self._shown_points:
            self._shown_points = points
            self.marks.show_points(points)

    def row_near(self, x: float, y: float) -> int | None:
        """Return the item whose curve is nearest to a point, within `REACH` pixels."""
        members = self.curve.members
        if members is None or not len(members) or len(self.curve.x) < 2:
            return None
        width, height = self._pixel()
        line = curve_line(self.curve, self.curve.x, members)
        distances = squared_distances(*line, (x, y), (width, height))
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= REACH**2 else None

    def rows_in(self, brush: QRectF) -> IntArray | None:
        """Return the items whose curves cross a rectangle."""
        members = self.curve.members
        if members is None:
            return None
        return crossing_rows(*curve_line(self.curve, self.curve.x, members), brush)


def _around(limits: tuple[float, float], *drawn: FloatArray | None) -> tuple[float, float]:
    """Return limits that contain all finite numbers of these arrays, too."""
    known = [one[np.isfinite(one)] for one in drawn if one is not None]
    low, high = limits
    return (
        min([low, *(float(one.min()) for one in known if one.size)]),
        max([high, *(float(one.max()) for one in known if one.size)]),
    )


def _counts(curve: Curve) -> bool:
    """Return whether the points of a curve lie at whole numbers, and not at shares of a whole."""
    x = curve.x[np.isfinite(curve.x)]
    is_whole = len(x) > 0 and bool((x == np.round(x)).all())
    return is_whole and curve.x_axis.limits is None and float(np.ptp(x)) > 1


def band_of(curve: Curve) -> pg.FillBetweenItem:
    """Return the area between the ends of a curve's band."""
    ends = (np.empty(0) if end is None else end for end in (curve.low, curve.high))
    return pg.FillBetweenItem(*(pg.PlotCurveItem(*curve_line(curve, curve.x, end)) for end in ends))


def crossing_rows(x: FloatArray, members: FloatArray, brush: QRectF) -> IntArray:
    """Return the members (items, n) whose curve over `x` (n,) crosses a rectangle."""
    if not len(x):
        return np.empty(0, np.int64)
    left, right = (float(np.clip(side, x[0], x[-1])) for side in (brush.left(), brush.right()))
    first, last = np.searchsorted(x, left, "right"), np.searchsorted(x, right)
    inside = members[:, first:last]
    sides = [_values_at(x, members, side) for side in (left, right)]
    values = np.column_stack([sides[0], inside, sides[1]])
    low, high = np.fmin.reduce(values, axis=1), np.fmax.reduce(values, axis=1)
    return np.flatnonzero((low <= brush.bottom()) & (high >= brush.top()))


def _values_at(x: FloatArray, members: FloatArray, at: float) -> FloatArray:
    """Return the members' values (items,) at a point of the x axis, between two of `x`."""
    after = int(np.clip(np.searchsorted(x, at), 1, max(len(x) - 1, 1)))
    if len(x) < 2:
        return members[:, 0]
    width = x[after] - x[after - 1]
    part = (at - x[after - 1]) / width if width > 0 else 1.0  # a step goes up or down
    values: FloatArray = (1 - part) * members[:, after - 1] + part * members[:, after]
    return values


def join_members(x: FloatArray, members: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return all members (items, n) as a single line with a NaN after each, which draws faster."""
    gap = np.full((len(members), 1), np.nan)
    return np.tile(np.append(x, np.nan), len(members)), np.hstack((members, gap)).ravel()


def leave_corners(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a line (n,) without the points within a level or upright piece of it.

    Steps have most of their points there, and each costs time.
    """
    same_x, same_y = np.diff(x) == 0, np.diff(y) == 0
    kept = np.ones(len(x), dtype=bool)
    kept[1:-1] = ~(same_y[:-1] & same_y[1:] | same_x[:-1] & same_x[1:])
    return x[kept], y[kept]


def _thin_members(members: FloatArray) -> FloatArray:
    if len(members) <= FAINT_AT_MOST:
        return members
    thinned: FloatArray = members[np.linspace(0, len(members) - 1, FAINT_AT_MOST).astype(int)]
    return thinned


def squared_distances(
    x: FloatArray,
    members: FloatArray,
    point: tuple[float, float],
    pixel: tuple[float, float],
) -> FloatArray:
    """Return the squared distance in pixels (items,) of a point to each member's curve.

    Only segments near the point in x are considered; the distance is inf if a member has none.
    """
    at = int(np.clip(np.searchsorted(x, point[0]), 1, len(x) - 1))
    pieces = slice(max(at - 2, 0), min(at + 2, len(x)))
    xs = (x[pieces] - point[0]) / pixel[0]
    ys = (members[:, pieces] - point[1]) / pixel[1]
    step_x, step_y = np.diff(xs), np.diff(ys, axis=1)
    length = step_x**2 + step_y**2
    along = np.divide(
        -(xs[:-1] * step_x + ys[:, :-1] * step_y), length, out=np.zeros_like(length),
        where=length > 0,
    )  # fmt: skip
    along = np.clip(along, 0, 1)
    squared = (xs[:-1] + along * step_x) ** 2 + (ys[:, :-1] + along * step_y) ** 2
    nearest: FloatArray = np.where(np.isnan(squared), np.inf, squared).min(axis=1)
    return nearest

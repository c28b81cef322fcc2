"""Precision-recall curve of ranked detections, whose points can be hovered and brushed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from jurydesk.app.plots.plot import REACH, Plot, pen, tint
from jurydesk.app.plots.plot_description import describe_curve
from jurydesk.app.plots.plot_key import PlotKey, PlotKeyEntry, other_pen
from jurydesk.app.style.theme import px
from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import Axis, Curve, FloatArray, IntArray
from jurydesk.core.tables.columns import DataColumn

EXACT, DRAWN = 300, 900
"""Number of leading points that are all drawn, and number of points sampled from the rest."""
MARK = 9
"""Size of a marked point, in pixels."""

Points = tuple[FloatArray, FloatArray]
"""Recall and precision (n,)."""
NO_ROWS: IntArray = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class RankedDetections:
    """Detections behind the points of a curve.

    Attributes:
        rows: Rows (n,) of the detections in the item table, by rank.
        hits: Ranks (h,) of the true detections, ascending from 0: one for each point.
        ids: Ids of the items, by row.
    """

    rows: IntArray
    hits: IntArray
    ids: Sequence[str]

    @property
    def point_rows(self) -> IntArray:
        """Rows (h,) of the detections at the points."""
        return self.rows[self.hits]

    def point_of(self, row: int) -> int | None:
        """Return the point that a detection leads to, the next one of a false detection."""
        rank = np.flatnonzero(self.rows == row)
        point = int(np.searchsorted(self.hits, rank[0])) if len(rank) else len(self.hits)
        return point if point < len(self.hits) else None

    def leading_to(self, points: IntArray) -> IntArray:
        """Return the rows of the detections ranked after the point before, up to these points."""
        before = np.concatenate([[-1], self.hits])
        ranks = [np.arange(before[point] + 1, self.hits[point] + 1) for point in points.tolist()]
        return self.rows[np.concatenate(ranks)] if ranks else NO_ROWS


NOTHING = RankedDetections(NO_ROWS, NO_ROWS, ())


class PrecisionRecall(Plot):
    """Plot of a precision-recall curve, updated in place.

    A rectangle selects the detections that lead to its points: false ones, which lower the
    precision, and the true one of each point.
    """

    def __init__(self) -> None:
        super().__init__(
            Axis(translate("recall"), limits=(0.0, 1.0)),
            # Detections are ranked over all images: no image has a curve whose mean this would be.
            Axis(
                translate("precision over recall, all images pooled"),
                limits=(0.0, 1.0),
            ),
            translate("Precision over recall"),
        )
        self.points: Points = (np.empty(0), np.empty(0))
        self.detections = NOTHING
        self._curve = pg.PlotCurveItem(antialias=True, fillLevel=0)
        self.others: dict[str, Points] = {}
        self.system = ""
        self.key = PlotKey(self)
        self._others: list[pg.PlotCurveItem] = []
        self._current, self._hovered = (pg.ScatterPlotItem(size=px(MARK)) for _ in range(2))
        for item in (self._curve, self._current, self._hovered):
            self.addItem(item)
        self.numbers = self._thinned_numbers
        self.restyle(self.colours)
        self.show_all()

    def _thinned_numbers(self) -> list[DataColumn]:
        recall, precision = _thin_points(self.points)
        return [("recall", recall.tolist()), ("precision", precision.tolist())]

    def show_points(
        self,
        points: Points,
        others: Mapping[str, Points] = MappingProxyType({}),
        detections: RankedDetections = NOTHING,
        system: str = "",
    ) -> None:
        """Show another curve, which is that of `system`, and curves of other systems by name."""
        if self.has_brush and not np.array_equal(points, self.points):
            self._end_brush()
        self.points, self.detections = points, detections
        recall, precision = _thin_points(points)
        self._curve.setData(recall, precision)
        axes = Axis("Recall"), Axis("Precision")
        self.setAccessibleDescription(describe_curve(Curve("", "", *axes, recall, precision)))
        self._show_others(system, others)
        self.mark()

    def _show_others(self, system: str, others: Mapping[str, Points]) -> None:
        for old in self._others:
            self.removeItem(old)
        self.system, self.others = system, dict(others)
        self._others = [
            pg.PlotCurveItem(*_thin_points(points), antialias=True) for points in others.values()
        ]
        for line in self._others:
            line.setZValue(-1)
            self.addItem(line)
        self._draw_others()

    def _draw_others(self) -> None:
        """Draw the other systems, named in a key as in other plots of curves."""
        pens = [other_pen(self.colours, number) for number in range(len(self._others))]
        for line, drawn in zip(self._others, pens, strict=True):
            line.setPen(drawn)
        own = PlotKeyEntry(self.system, pen(self.colours, "accent", 2))
        entries = [PlotKeyEntry(*one) for one in zip(self.others, pens, strict=True)]
        self.key.show_entries([own, *entries] if entries else [], self.colours)

    def show_all(self) -> None:
        """Show the whole range of both axes."""
        self.getViewBox().setRange(xRange=(0, 1), yRange=(0, 1), padding=0.04)

    def draw(self) -> None:
        self.getPlotItem().getAxis("bottom").showLabel(False)
        self._curve.setPen(pen(self.colours, "accent", 2))
        self._curve.setBrush(tint(self.colours, "accent", 0.08))
        self._draw_others()

    def mark(self) -> None:
        for item, row, name in (
            (self._current, self.current_row, "bad"),
            (self._hovered, self.hovered_row, "accent"),
        ):
            point = None if row is None else self.detections.point_of(row)
            chosen = [] if point is None else [point]
            recall, precision = (values[chosen] for values in self.points)
            item.setData(x=recall, y=precision, pen=None, brush=tint(self.colours, name))

    def row_near(self, x: float, y: float) -> int | None:
        """Return the detection of the nearest point within reach."""
        rows = self.detections.point_rows
        if not len(rows):
            return None
        wide, high = self._pixel()
        distances = np.hypot((self.points[0] - x) / wide, (self.points[1] - y) / high)
        nearest = int(distances.argmin())
        return int(rows[nearest]) if distances[nearest] <= REACH else None

    def row_beside(self, step: int) -> int | None:
        """Return the detection of the point `step` points to the right of the current one."""
        rows, row = self.detections.point_rows, self.current_row
        point = None if row is None else self.detections.point_of(row)
        beside = 0 if point is None else point + step
        return int(rows[beside]) if 0 <= beside < len(rows) else None

    def rows_in(self, brush: QRectF) -> IntArray:
        """Return the detections that lead to the points in a rectangle."""
        recall, precision = self.points
        inside = (recall >= brush.left()) & (recall <= brush.right())
        inside &= (precision >= brush.top()) & (precision <= brush.bottom())
        known = len(self.detections.hits)
        return self.detections.leading_to(np.flatnonzero(inside[:known]))


def _thin_points(points: Points) -> Points:
    """Return the points that can be distinguished on a screen."""
    count = len(points[0])
    if count <= EXACT + DRAWN:
        return points
    later = np.linspace(EXACT, count - 1, DRAWN).astype(int)
    chosen = np.concatenate([np.arange(EXACT), later])
    return points[0][chosen], points[1][chosen]

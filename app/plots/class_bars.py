"""Bars of named classes of items with intervals, beside those of other systems."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from jurydesk.app.plots.plot import Plot, QuietAxis, finite_limits, pen, tint
from jurydesk.app.plots.plot_description import describe_values
from jurydesk.app.plots.plot_key import HUES, PlotKey, PlotKeyEntry
from jurydesk.app.style.distinct_names import fit_names
from jurydesk.app.style.theme import TINY, font, px
from jurydesk.app.style.visible_text import display_text, elide, tip
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.evaluation import Axis, Curve, FloatArray, IntArray
from jurydesk.core.tables.numbers import count, number

ROOM = 0.8
"""Part of a class's height that its bars take."""
WIDEST = 150
"""Widest name of a class, in pixels."""
LEAST_BAR = 5
"""Least height of a bar, in pixels: more classes than have room are scrolled."""
STEP = 3
"""Classes that a step of the mouse wheel scrolls."""
WHEEL_STEP = 120
ABOVE, BELOW = 0.6, 0.4
"""Room above the first and below the last bar, in classes."""


class ClassAxis(QuietAxis):
    """Axis of the names of classes, of which as many are written as have room."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the places of the names: all, every second, every third."""
        low, high = sorted((low, high))  # the axis points down
        height = QFontMetricsF(font(TINY)).height()
        step = max(1, ceil((high - low) * height / max(size, height)))
        places = range(0, len(self.axis.labels), step)
        return [(1.0, [float(place) for place in places if low <= place <= high])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        width_of = QFontMetricsF(font(TINY)).horizontalAdvance
        shown = {name: display_text(name) for name in self.axis.labels}
        cut = fit_names(shown.values(), width_of, px(WIDEST))
        return [cut[shown[self.axis.labels[round(value)]]] for value in values]


class ClassBarsView(Plot):
    """Horizontal bars of the classes of a `Curve`, the highest value first.

    The first other systems have a bar of their own colour below; classes are found by their names.
    Classes without room are scrolled with the mouse wheel, or Shift and an arrow key.
    """

    left_axis = ClassAxis

    def __init__(self, curve: Curve, system: str = "") -> None:
        values = np.where(np.isfinite(curve.mean), curve.mean, -np.inf)
        self.order: IntArray = np.argsort(-values, kind="stable")
        self.names = [translate_text(curve.x_axis.labels[place]) for place in self.order.tolist()]
        down = Axis(curve.x_axis.title, labels=tuple(self.names))
        super().__init__(curve.y_axis, down, translate_text(curve.title))
        self.curve, self.system = curve, system
        self.others: dict[str, Curve] = {}
        self._parts = [self._make() for _ in range(len(HUES) + 1)]
        self._overall = pg.InfiniteLine(angle=90)
        self._overall.setVisible(bool(np.isfinite(curve.overall)))
        if np.isfinite(curve.overall):
            self._overall.setPos(curve.overall)
        self.addItem(self._overall)
        self.getViewBox().sigYRangeChanged.connect(self._show_title)
        self.getViewBox().sigResized.connect(self._make_room)
        self.key = PlotKey(self)
        self.setAccessibleDescription(describe_values(curve.mean))
        self.show_others({})
        self.restyle(self.colours)

    def show_others(self, others: Mapping[str, Curve]) -> None:
        """Show the classes of other systems by name, as many as have colours of their own."""
        self.others = dict(list(others.items())[: len(HUES)])
        curves = [self.curve, *self.others.values()]
        for place, parts in enumerate(self._parts):
            for item in parts:
                item.setVisible(place < len(curves))
            if place < len(curves):
                self._fill(place, curves[place])
        self.show_all()
        self.draw()

    def _make(self) -> tuple[pg.BarGraphItem, pg.PlotCurveItem]:
        """Return bars and intervals of a system, which are filled later."""
        parts = pg.BarGraphItem(x0=[], y=[], width=[], height=1), pg.PlotCurveItem(connect="finite")
        for depth, item in enumerate(parts):
            item.setZValue(depth)
            self.addItem(item)
        return parts

    def _fill(self, place: int, curve: Curve) -> None:
        """Draw the bars and intervals of a system at its place among the systems."""
        bars, whiskers = self._parts[place]
        values, low, high = self._columns(curve)
        height = ROOM / (len(self.others) + 1)
        middle = np.arange(len(values)) - ROOM / 2 + (place + 0.5) * height
        widths = np.where(np.isfinite(values), values, 0.0)
        start = np.zeros(len(middle))
        bars.setOpts(x0=start, y=middle, width=widths, height=0.9 * height)
        ends = np.column_stack([low, high, np.full(len(low), np.nan)]).ravel()
        whiskers.setData(ends, np.repeat(middle, 3))

    def _columns(self, curve: Curve) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return value, low and high (classes,) of a system in the order of the bars."""
        places = {label: place for place, label in enumerate(curve.x_axis.labels)}
        rows = [places.get(self.curve.x_axis.labels[one], -1) for one in self.order.tolist()]
        found = []
        for column in (curve.mean, curve.low, curve.high):
            values = np.full(len(curve.mean), np.nan) if column is None else column
            found.append(np.append(values, np.nan)[rows])
        return found[0], found[1], found[2]

    def show_all(self) -> None:
        """Show the first classes, as many as have room, from zero."""
        low, high = finite_limits(self.curve.y_axis, [0.0, *self.curve.mean.tolist()])
        self.getViewBox().invertY(True)
        self.getViewBox().setXRange(low, high, padding=0.02)
        self.scroll_to(0)

    @property
    def room(self) -> int:
        """Number of classes that are shown at once: all, if their bars and names have room."""
        bars = px(LEAST_BAR) * (len(self.others) + 1) / ROOM
        height = max(QFontMetricsF(font(TINY)).height(), bars)
        return min(len(self.names), max(1, int(self.getViewBox().height() / height)))

    def scroll_to(self, first: int) -> None:
        """Show the classes from one on, as many as have room."""
        first = min(max(first, 0), len(self.names) - self.room)
        self.getViewBox().setYRange(first - ABOVE, first + self.room - BELOW, padding=0)

    def shown_classes(self) -> range:
        """Return the places of the classes in sight."""
        low, high = sorted(self.getViewBox().viewRange()[1])
        return range(max(ceil(low), 0), min(floor(high) + 1, len(self.names)))

    def elided_title(self, metrics: QFontMetricsF, room: int) -> str:
        """Return which of the classes are in sight, if not all."""
        shown = self.shown_classes()
        if len(shown) >= len(self.names):
            return super().elided_title(metrics, room)
        said = translate(
            "{first} to {last} of {count}; the mouse wheel shows the others",
            first=count(shown.start + 1),
            last=count(shown.stop),
            count=count(len(self.names)),
        )
        return elide(metrics, said, Qt.TextElideMode.ElideRight, room)

    def _make_room(self) -> None:
        self.scroll_to(self.shown_classes().start)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll classes that have no room; with all in sight, zoom as other plots do."""
        if self.room >= len(self.names):
            super().wheelEvent(event)
            return
        steps = -event.angleDelta().y() / WHEEL_STEP
        self.scroll_to(self.shown_classes().start + round(STEP * steps))
        event.accept()

    def draw(self) -> None:
        line = pen(self.colours, "muted", 1, 0.9)
        line.setStyle(Qt.PenStyle.DashLine)
        self._overall.setPen(line)
        hues = ("accent", *HUES)
        for (bars, whiskers), hue in zip(self._parts, hues, strict=False):
            bars.setOpts(brush=tint(self.colours, hue, 0.35), pen=pen(self.colours, hue, 1, 0.6))
            whiskers.setPen(pen(self.colours, "text", 1.2, 0.8))
        entries = [
            PlotKeyEntry(name, pen(self.colours, hue, 6, 0.45))
            for name, hue in zip((self.system, *self.others), hues, strict=False)
        ]
        self.key.show_entries(entries if self.others else [], self.colours)

    def mark(self) -> None:
        """Mark nothing: the bars are classes, not items."""

    def row_near(self, x: float, y: float) -> int | None:
        return None

    def class_lines(self, place: int) -> list[str]:
        """Return the name of a class, and the value of every system with its interval."""
        lines = [self.names[place]]
        for name, curve in {self.system: self.curve, **self.others}.items():
            value, low, high = (float(column[place]) for column in self._columns(curve))
            shown = number(value)
            if np.isfinite(low):
                ends = {"low": number(low), "high": number(high)}
                shown = f"{shown} {translate('({low} to {high})', **ends)}"
            lines.append(f"{name}: {shown}" if name else shown)
        return lines

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the values of the class under the mouse."""
        if isinstance(event, QHelpEvent):
            box = self.getViewBox()
            point = box.mapSceneToView(self.mapToScene(event.pos()))
            place = round(point.y())
            inside = box.viewRect().contains(point) and 0 <= place < len(self.names)
            if inside:
                QToolTip.showText(event.globalPos(), tip(*self.class_lines(place)), self)
                return True
        shown: bool = super().viewportEvent(event)
        return shown

    def rows_in(self, brush: QRectF) -> None:
        """Brush nothing."""
        return

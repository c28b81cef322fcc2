"""The cards of the Compare page: the plots of all items, and one item of both systems."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedLayout, QWidget

from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.inspector_registry import make_inspector, show_item
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.plots.bars import BarsView
from jurydesk.app.plots.plot import REACH, Plot, pen, tint
from jurydesk.app.style.distinct_names import shorten_names
from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import Card, ElidedLabel, label, row_layout
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.analysis.pairwise import PairedItems
from jurydesk.core.model.evaluation import Axis, FloatArray

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


PLOTS = ("Differences", "Scatter")
LEAST_PLOT, LEAST_ITEM = 180, 150
"""How low the cards may become."""
SIDE = 16
"""What the card of the plots leaves free at either side."""


class DifferencesCard(Card):
    """All items as sorted differences, or as dots; rows are rows of the items.

    The plot of another pair waits for its turn; the one before stays meanwhile.
    """

    item_chosen = Signal(object)
    item_hovered = Signal(object)

    def __init__(self, frames: FrameQueue, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, padding=(SIDE, 14))
        self.segments = Segments("Plot")
        self.segments.show_words(PLOTS)
        self.plot: Plot | None = None
        self._frames = frames
        self._current: int | None = None
        self._shown: tuple[PairedItems, tuple[str, str], str] | None = None
        self._bars: DifferencesView | None = None
        self._names = ("", "")
        """The short names of the two."""
        self._place = QStackedLayout()
        self.body.addLayout(row_layout(self.segments, None))
        self.body.addLayout(self._place, 1)
        self.segments.chosen.connect(self._chosen)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(0, px(LEAST_PLOT)))

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.segments.set_room(self.contentsRect().width() - 2 * px(SIDE))
        return super().event(event)

    def show_pair(self, items: PairedItems, systems: tuple[str, str], noun: str) -> None:
        """Show two other systems."""
        self._shown = (items, systems, noun)
        first, second = map(shorten_names(systems).get, systems)
        self._names = (first or "", second or "")
        self._current = None
        self.plot = None
        self._frames.add("plot", self._make)

    def clear(self) -> None:
        """Show no plot until the next one is there."""
        self._shown = self.plot = self._current = None
        before = self._place.currentWidget()
        if before is not None:
            before.hide()

    def set_current(self, row: int | None) -> None:
        """Mark the item that is looked at."""
        self._current = row
        if self.plot is not None:
            self.plot.set_current(row)

    def set_hovered(self, row: int | None) -> None:
        """Mark the item under the mouse in the table."""
        if self.plot is not None:
            self.plot.set_hovered(row)

    def _chosen(self) -> None:
        if self._shown is not None:
            self._make()

    def get_ready(self) -> DifferencesView:
        """Make the plot of sorted differences, which takes as long as painting it."""
        if self._bars is None:
            self._bars = DifferencesView()
            self._keep(self._bars)
        return self._bars

    def _keep(self, plot: Plot) -> None:
        """Have a plot that is not in sight yet."""
        plot.setParent(self)
        plot.hide()
        plot.item_chosen.connect(self._item_chosen)
        plot.item_hovered.connect(self._item_hovered)

    def _make(self) -> None:
        """Make the plot; that of sorted differences is there already."""
        if self._shown is None:
            return
        items, _, noun = self._shown
        if self.segments.index == 1:
            self.plot = AgainstView(*self._names, items.first, items.second)
            self._keep(self.plot)
        else:
            bars = self.get_ready()
            bars.show_gains(*self._names, items.gains, noun)
            self.plot = bars
        self._frames.add("plot in sight", self._show)

    def _show(self) -> None:
        """Put the plot in the place of the one before."""
        before, plot = self._place.currentWidget(), self.plot
        if plot is None:
            return
        if self._place.indexOf(plot) < 0:
            self._place.addWidget(plot)
        self._place.setCurrentWidget(plot)
        plot.show()
        plot.set_current(self._current)
        if before not in (None, plot, self._bars):
            self._place.removeWidget(before)
            before.hide()
            before.deleteLater()

    def _item_chosen(self, row: int) -> None:
        if self._place.currentWidget() is self.plot:  # that of the pair before has other items
            self.item_chosen.emit(row)

    def _item_hovered(self, row: int | None) -> None:
        if self._place.currentWidget() is self.plot:
            self.item_hovered.emit(row)


class InspectorPairCard(Card):
    """One item in two inspectors, each with the name of its system."""

    message = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.name = ElidedLabel("", "heading")
        self.nothing = label("", "muted", wrap=True)
        self.nothing.hide()
        self.sides = QSplitter(Qt.Orientation.Horizontal)
        self.sides.setChildrenCollapsible(False)
        self.names = (ElidedLabel("", "muted"), ElidedLabel("", "muted"))
        self.inspectors: tuple[Inspector, ...] = ()
        self.view = "not made"
        self._broken = ""
        self.body.addWidget(self.name)
        self.body.addLayout(row_layout(*self.names))
        self.body.addWidget(self.nothing, 1, Qt.AlignmentFlag.AlignTop)
        self.body.addWidget(self.sides, 1)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(0, px(LEAST_ITEM)))

    def show_side(self, place: int, item: InspectedItem | None) -> None:
        """Show an item as the first (0) or other (1) system has it; None without evidence."""
        reason = "This desk keeps no details of its items."
        if item is not None:
            reason = show_item(self.inspectors[place], item) or self._broken
        self.sides.setVisible(item is not None)
        self.nothing.setVisible(bool(reason))
        self.nothing.setText(reason)

    def clear(self) -> None:
        """Show no item."""
        self.show_names("", ("", ""))
        self.sides.hide()
        self.nothing.hide()

    def show_names(self, item: str, systems: tuple[str, str]) -> None:
        """Say what is shown."""
        self.name.show_text(item)
        for name, system in zip(self.names, systems, strict=True):
            name.show_text(system)

    def needed_width(self) -> int:
        """The width that both views need, in pixels."""
        return sum(
            max(side.minimumSizeHint().width(), px(side.least_width)) for side in self.inspectors
        )

    def begin(self, view: str) -> None:
        """Show items in this kind of view from now on, which `make_side` makes."""
        self.view = view
        for old in self.inspectors:
            old.hide()
            old.setParent(None)
            old.deleteLater()
        self.inspectors = ()

    def make_side(self, place: int) -> None:
        """Make the view of the first (0) or other (1) system, where there is one of that name."""
        if place >= len(self.inspectors):
            side, self._broken = make_inspector(self.view)
            side.message.connect(self.message)
            self.sides.addWidget(side)
            self.inspectors = (*self.inspectors, side)

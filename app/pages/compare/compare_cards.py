"""Cards of the Compare page: plots of all items, and one item of both systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from jurydesk.app.inspectors.comparison import Comparison
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.inspector_registry import (
    COMPARISONS,
    has_comparison,
    make_comparison,
    make_inspector,
    show_item,
    show_items,
    show_names,
)
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.plots.bars import BarsView
from jurydesk.app.plots.legend import Legend, LegendEntry
from jurydesk.app.plots.plot import Plot
from jurydesk.app.plots.plot_description import describe_pairs
from jurydesk.app.plots.plot_export import StampedTable, picture_exports, table_writer
from jurydesk.app.plots.plot_tools import PlotTools
from jurydesk.app.plots.scatter import ScatterView
from jurydesk.app.style.distinct_names import shorten_names
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import elide_pair, tip
from jurydesk.app.widgets.folding_splitter import FoldingSplitter, children
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import (
    Card,
    ElidedLabel,
    NameLabel,
    button,
    clear_layout,
    label,
    row_layout,
    set_spacing,
)
from jurydesk.app.widgets.screen_reader import announce
from jurydesk.app.widgets.scroll import SharedScrollBar, VerticalScrollArea
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.analysis.comparison.pairwise import PairedItems
from jurydesk.core.export.tables.result_tables import DIFFERENCES
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import Axis, FloatArray
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import DataColumn


class DifferencesPlot(BarsView):
    """Bar plot of one system's gains over the other, largest first; initially empty.

    It is created before the systems are known, and shows one pair after the other.
    """

    least_height = 80

    def __init__(self) -> None:
        title, noun = translate("Differences by item"), translate("items")
        self._names = ("", "")
        self._counts = (0, 0)
        super().__init__(title, np.empty(0), Axis("", limits=(-1.0, 1.0)), noun)

    def show_gains(self, first: str, second: str, gains: FloatArray, noun: str) -> None:
        """Show the gains (items,) of the first system over the second."""
        largest = float(np.nanmax(np.abs(gains), initial=0.0)) or 1.0
        self._names = (first, second)
        self._counts = (int((gains > 0).sum()), int((gains < 0).sum()))
        up = Axis(directions(first, second, *self._counts), limits=(-largest, largest))
        sorted_items = translate("{noun}, sorted by difference", noun=translate(noun))
        self.show_values(gains, Axis(sorted_items), up)

    def elided_title(self, metrics: QFontMetricsF, room: int) -> str:
        """Return which system is better in which direction, with names that fit."""
        better, worse = self._counts
        sentence = partial(directions, better=better, worse=worse)
        return elide_pair(metrics, sentence, self._names, room)


def directions(first: str, second: str, better: int, worse: int) -> str:
    """Return which system is better above the axis and which below, and on how many items."""
    return translate(
        "{first} better on {better} ↑ · {second} on {worse} ↓",
        first=first,
        second=second,
        better=numbers.count(better),
        worse=numbers.count(worse),
    )


class ValuesScatter(ScatterView):
    """Scatter plot of all items: the first system's value on x, the second's on y."""

    def __init__(self, first: str, second: str, x: FloatArray, y: FloatArray) -> None:
        super().__init__(translate("Values against each other"), Axis(first), Axis(second), x, y)
        self.setAccessibleDescription(describe_pairs((first, second), x, y))


PLOTS = (translatable("Differences"), translatable("Scatter"))
LINES = (translatable("mean difference"), translatable("equal values"))
"""Meaning of the grey line of each plot."""
LEAST_PLOT, LEAST_ITEM = 148, 215
"""Minimum heights of the cards, so that bars and a few rows of an item are legible."""
ROOM_FOR_LEGEND, ROOM_FOR_AXIS = 230, 190
"""Heights from which the plots have a legend, and bars the numbers of the items below them."""
SIDE = 16
"""Horizontal padding of the card with the plots, and the gap between two inspectors."""
NEXT, SHORT_NEXT = translatable("Next disagreement  N"), translatable("Disagreement  N")
SIDE_GAP = 6
LEAST_SIDE = 290
"""Minimum width of an inspector beside another one."""
EQUAL_SIZE = 1000
"""Size that a splitter gives to both of two parts in proportion."""


def _nothing(kind: str) -> StampedTable:
    return (), None


class DifferencesCard(Card):
    """Plot of all items, as sorted differences or as a scatter plot; rows are rows of the items.

    The plot of another pair is drawn in a later frame; the previous plot stays until then.
    """

    guide_part = translatable("Plots")

    item_chosen = Signal(object)
    item_hovered = Signal(object)
    rows_brushed = Signal(object)
    """Rows (n,) of the items in a brushed rectangle, or None."""

    def __init__(self, frames: FrameQueue) -> None:
        super().__init__(padding=(SIDE, 14))
        self.segments = Segments(translate("Plot"))
        self.segments.show_words(tuple(map(translate, PLOTS)))
        self.plot: Plot | None = None
        self.table: Callable[[str], StampedTable] = _nothing
        """Function that returns the table of the whole pair in a format."""
        self.names_of: Callable[[int], tuple[str, str]] = lambda row: ("", "")
        """Function that returns the title of an item and its id."""
        self._frames = frames
        self._current: int | None = None
        self._shown: tuple[PairedItems, tuple[str, str], str] | None = None
        self._bars: DifferencesPlot | None = None
        self._names = ("", "")
        """Short names of both systems."""
        self._place = QStackedLayout()
        self.tools = PlotTools(lambda: self.plot, self.exports)
        self.legend = Legend()
        self._head = row_layout(self.segments, None, self.tools)
        self.body.addLayout(self._head)
        self.body.addWidget(self.legend)
        self.body.addLayout(self._place, 1)
        self.segments.chosen.connect(self._remake_plot)

    def minimumSizeHint(self) -> QSize:
        """Return the least size without the legend, which gives way in a low card."""
        least, legend = super().minimumSizeHint(), self.legend
        given = 0 if legend.isHidden() else legend.sizeHint().height() + self.body.spacing()
        least.setHeight(least.height() - given)
        return least.expandedTo(QSize(0, px(LEAST_PLOT)))

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            gaps = (self._head.count() - 1) * self._head.spacing()
            room = self.contentsRect().width() - 2 * px(SIDE) - self.tools.sizeHint().width()
            self.segments.set_room(room - gaps)
            self.legend.setVisible(self.height() >= px(ROOM_FOR_LEGEND))
            if self._bars is not None:
                self._fit_axis(self._bars)
        return super().event(event)

    def _fit_axis(self, bars: DifferencesPlot) -> None:
        bars.show_lower_axis(shown=self.height() >= px(ROOM_FOR_AXIS))

    def show_pair(self, items: PairedItems, systems: tuple[str, str], noun: str) -> None:
        """Show two other systems."""
        self._shown = (items, systems, noun)
        first, second = map(shorten_names(systems).get, systems)
        self._names = (first or "", second or "")
        self._current = None
        self.plot = None
        self._frames.add("plot", self._make)

    def clear(self) -> None:
        """Hide the plot until the next one arrives."""
        self._shown = self.plot = self._current = None
        before = self._place.currentWidget()
        if before is not None:
            before.hide()

    def set_current(self, row: int | None) -> None:
        """Mark the current item."""
        self._current = row
        if self.plot is not None:
            self.plot.set_current(row)

    def set_hovered(self, row: int | None) -> None:
        """Mark the item under the mouse in the table."""
        if self.plot is not None:
            self.plot.set_hovered(row)

    def _remake_plot(self) -> None:
        if self._shown is not None:
            self.rows_brushed.emit(None)
            self._make()

    def clear_brush(self) -> None:
        """Remove the brushed rectangle."""
        if self.plot is not None:
            self.plot.clear_brush()

    def exports(self) -> list[Export]:
        """Return exports of the visible plot as PNG and SVG, and of its table as CSV."""
        if self.plot is None or self._shown is None:
            return []
        title = self.plot.accessibleName()
        csv = translate("{title} as CSV", title=title)
        return [
            *picture_exports(self.plot, title),
            Export(csv, "*.csv", table_writer(f"{DIFFERENCES} csv", self.table)),
        ]

    def _columns(self) -> list[DataColumn]:
        """Return the values of both systems and their differences."""
        if self._shown is None:
            return []
        items, systems, _ = self._shown
        return [
            ("item", items.ids),
            *zip(systems, (items.first.tolist(), items.second.tolist()), strict=True),
            ("difference", items.differences.tolist()),
        ]

    def prepare(self) -> DifferencesPlot:
        """Create the plot of sorted differences in advance."""
        if self._bars is None:
            self._bars = DifferencesPlot()
            self._adopt_plot(self._bars)
            self._fit_axis(self._bars)
        return self._bars

    def _adopt_plot(self, plot: Plot) -> None:
        plot.setParent(self)
        plot.hide()
        plot.numbers = self._columns
        plot.tip_lines = self._tip_lines
        plot.item_chosen.connect(self._item_chosen)
        plot.item_hovered.connect(self._item_hovered)
        plot.rows_brushed.connect(self.rows_brushed)
        self.setTabOrder(self.tools.save, plot)

    def _tip_lines(self, row: int) -> tuple[str, ...]:
        """Return the names and the values of the item under the mouse."""
        is_current = self._place.currentWidget() is self.plot
        if self._shown is None or not is_current or row >= len(self._shown[0].ids):
            return ()  # a row of the previous pair
        items, systems, _ = self._shown
        values = zip(systems, (items.first[row], items.second[row]), strict=True)
        return (
            *dict.fromkeys(self.names_of(row)),
            *(f"{name}: {numbers.number(float(value))}" for name, value in values),
        )

    def _make(self) -> None:
        if self._shown is None:
            return
        items, systems, noun = self._shown
        if self.segments.index == 1:
            self.plot = ValuesScatter(*self._names, items.first, items.second)
            self._adopt_plot(self.plot)
        else:
            bars = self.prepare()
            bars.show_gains(*systems, items.gains, noun)
            self.plot = bars
        self._frames.add("plot in sight", self._show)

    def _show(self) -> None:
        before, plot = self._place.currentWidget(), self.plot
        if plot is None:
            return
        if self._place.indexOf(plot) < 0:
            self._place.addWidget(plot)
        self._place.setCurrentWidget(plot)
        plot.show()
        plot.set_current(self._current)
        self.tools.update_reset()
        noun = self._shown[2] if self._shown else "items"
        each = translate("each of the {nouns}", nouns=translate(noun))
        line = translate(LINES[isinstance(plot, ValuesScatter)])
        self.legend.show_entries(
            (LegendEntry("area", "accent", each), LegendEntry("line", "muted", line))
        )
        if before not in (None, plot, self._bars):
            self._place.removeWidget(before)
            before.hide()
            before.deleteLater()

    def _item_chosen(self, row: int) -> None:
        if self._place.currentWidget() is self.plot:  # the previous pair's plot has other items
            self.item_chosen.emit(row)
            if self._shown is not None:
                announce(self, self.names_of(row)[0])

    def _item_hovered(self, row: int | None) -> None:
        if self._place.currentWidget() is self.plot:
            self.item_hovered.emit(row)


class InspectorPair(FoldingSplitter):
    """Two inspectors side by side, or one of them with the system that it shows."""

    switch_changed = Signal()
    """The switch may have come or gone."""
    is_switch_above = False

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal, translate("System"))
        self.systems = ("", "")
        self.names = (NameLabel("", "muted"), NameLabel("", "muted"))
        self._columns: list[QVBoxLayout] = []
        self._least_widths = [0, 0]
        for place, name in enumerate(self.names):
            side = QWidget()
            column = QVBoxLayout(side)
            set_spacing(column, SIDE_GAP)
            column.addWidget(name)
            self._columns.append(column)
            self.addWidget(side)
            self.setStretchFactor(place, 1)
        self.setHandleWidth(px(SIDE))

    def full_width(self) -> int:
        """Return the width in pixels of both sides.

        What an inspector needs at present depends on its present width, and does not count.
        """
        return 2 * px(max([LEAST_SIDE, *self._least_widths])) + self.handleWidth()

    @property
    def is_folded(self) -> bool:
        return self.width() < self.full_width()

    def add_inspector(self, place: int, inspector: Inspector) -> None:
        """Place an inspector below the name of its system; both sides get the same width."""
        self._columns[place].addWidget(inspector)
        self._least_widths[place] = inspector.least_width
        self.setSizes([EQUAL_SIZE, EQUAL_SIZE])

    def show_names(self, systems: tuple[str, str]) -> None:
        """Show the names of both systems."""
        self.systems = systems
        for name, system in zip(self.names, systems, strict=True):
            name.show_name(system, systems)
        self.arrange()

    def _show_titles(self, titles: tuple[str, ...]) -> None:
        super()._show_titles(titles)
        self.switch_changed.emit()

    def parts(self) -> Sequence[tuple[str, QWidget]]:
        """Return the sides with the short names of their systems."""
        short = shorten_names(self.systems)
        titles = [short.get(name, name) for name in self.systems]
        return [(titles[place], side) for place, side in enumerate(children(self))]

    def arrange(self) -> None:
        """Show both sides, or one whose name the switch shows."""
        super().arrange()
        for name in self.names:
            name.setVisible(self.switch.isHidden())


class InspectorPairCard(Card):
    """One item of two systems: in a comparison of its kind, else in two inspectors."""

    message = Signal(object)
    disagreement_requested = Signal(int)
    """The next (1) or the previous (-1) item on which another metric disagrees."""

    def __init__(self) -> None:
        super().__init__(padding=(SIDE, 12))
        self.place = label("", "heading")
        self.name = ElidedLabel("", "muted", Qt.TextElideMode.ElideRight)
        self.opinion = ElidedLabel("", "muted", Qt.TextElideMode.ElideRight)
        self.reason = label("", "muted", wrap=True)
        self.reason.hide()
        self.sides = InspectorPair()
        self.sides.setChildrenCollapsible(False)
        self.names = self.sides.names
        self.inspectors: tuple[Inspector, ...] = ()
        self.comparison: Comparison | None = None
        """View of both systems in place of two inspectors, if their kind has one."""
        self.view = "not made"
        self.scroll_bar = SharedScrollBar(self)
        self._is_compared = self._is_narrow = False
        self._broken = self._broken_comparison = self._nameless = ""
        self._items: tuple[InspectedItem | None, ...] = (None, None)
        self._make_head()
        self.sides.switch_changed.connect(self._fit_head)
        self.body.addWidget(self.reason, 1, Qt.AlignmentFlag.AlignTop)
        self._comparison_place = QVBoxLayout()
        self.body.addLayout(self._comparison_place)
        self._sides_row = row_layout(self.sides, self.scroll_bar)
        self.body.addLayout(self._sides_row, 1)

    def _make_head(self) -> None:
        hint = translate("An item on which raters, or another metric, disagree")
        self.previous = button(translate("← Previous"), self._ask_previous, hint=hint)
        self.next = button(translate(NEXT), self._ask_next, hint=hint)
        self.values = label("", "heading")
        told = (self.place, self.name, self.values, self.opinion)
        head = row_layout(*told, self.sides.switch, self.previous, self.next)
        for place in (1, 3):  # the name and the opinion share what is left
            head.setStretch(place, 1)
        self.body.addLayout(head)

    def set_narrow(self, *, narrow: bool, wide: bool) -> None:
        """Show the values and the way back unless it is narrow, the other opinion if it is wide."""
        self._is_narrow = narrow
        self.opinion.setVisible(wide)
        self._fit_head()

    def _fit_head(self) -> None:
        """Let the head beside the switch need less than both sides, or they would come and go."""
        is_narrow = self._is_narrow or not self.sides.switch.isHidden()
        self.values.setHidden(is_narrow)
        self.previous.setHidden(is_narrow)
        self.next.setText(translate(SHORT_NEXT if is_narrow else NEXT))

    def _ask_previous(self) -> None:
        self.disagreement_requested.emit(-1)

    def _ask_next(self) -> None:
        self.disagreement_requested.emit(1)

    def minimumSizeHint(self) -> QSize:
        return self.content_size().expandedTo(QSize(0, px(LEAST_ITEM)))

    def content_size(self) -> QSize:
        """Return the size below which parts of the card would be cut."""
        return super().minimumSizeHint()

    def show_side(self, place: int, item: InspectedItem | None) -> None:
        """Show an item of the first (0) or second (1) system; None without evidence."""
        reason = translate("This desk contains no details of its items.")
        self._items = (item, None) if place == 0 else (self._items[0], item)
        if item is not None:
            reason = self._show_item(place, item)
        if self.comparison is None:
            self.sides.setVisible(item is not None)
        elif place or item is None:  # it shows another item until it has that of both systems
            self.comparison.setVisible(item is not None)
        self.reason.setVisible(bool(reason))
        self.reason.setText(reason)

    def _show_item(self, place: int, item: InspectedItem) -> str:
        """Show an item; return a sentence if a view of a package fails."""
        if self.comparison is None:
            failed = show_item(self.inspectors[place], item) or self._broken
            return " ".join(filter(None, (self._broken_comparison, translate_text(failed))))
        first, second = self._items
        if first is None or second is None:
            return ""
        return show_items(self.comparison, first, second) or self._nameless

    def clear(self) -> None:
        self.show_names(("", ""), ("", ""))
        self.place.setText("")
        self.opinion.show_text("")
        self.sides.hide()
        if self.comparison is not None:
            self.comparison.hide()
        self.reason.hide()

    def show_names(
        self,
        item: tuple[str, str],
        systems: tuple[str, str],
        values: str = "",
        titled: tuple[str, str] = ("", ""),
    ) -> None:
        """Show the title of an item, its id as the tooltip, its values, and the systems' names.

        `titled` are the values of both systems with the title of their metric, for a comparison.
        """
        self.name.setText(item[0])
        self.name.setToolTip(tip(*dict.fromkeys(item)))
        if self.comparison is not None:
            self._nameless = show_names(self.comparison, systems, titled)
        else:
            self.sides.show_names(systems)
        self.values.setText(values)

    def full_width(self) -> int:
        """Return the width in pixels of the card with both systems side by side."""
        if COMPARISONS.has_own(self.view):
            return px(COMPARISONS.own_class(self.view).least_width) + 2 * px(SIDE)
        if self.comparison is not None:
            return px(self.comparison.least_width) + 2 * px(SIDE)
        return self.sides.full_width() + 2 * px(SIDE) + self.scroll_bar.sizeHint().width()

    def begin(self, view: str) -> None:
        """Use this kind of inspector; `make_side` creates it."""
        self.view = view
        self.scroll_bar.remove_areas()
        clear_layout(self._comparison_place)
        self.comparison = None
        self._broken = self._broken_comparison = self._nameless = ""
        self._set_compared(has_comparison(view))
        for old in self.inspectors:
            old.hide()
            old.setParent(None)
            old.deleteLater()
        self.inspectors = ()

    def _set_compared(self, is_compared: bool) -> None:
        """Give the comparison or both inspectors the height: Qt gives an empty layout its share."""
        self._is_compared = is_compared
        self.body.setStretchFactor(self._comparison_place, int(is_compared))
        self.body.setStretchFactor(self._sides_row, int(not is_compared))

    def make_side(self, place: int) -> None:
        """Create the inspector of the first (0) or second (1) system, or their comparison."""
        if self._is_compared:
            self._make_comparison()
        if not self._is_compared and place >= len(self.inspectors):
            side, self._broken = make_inspector(self.view)
            side.message.connect(self.message)
            self.sides.add_inspector(place, side)
            self.inspectors = (*self.inspectors, side)
            for area in side.findChildren(VerticalScrollArea):
                self.scroll_bar.add_area(area)

    def _make_comparison(self) -> None:
        """Create the comparison; two inspectors stand in for that of a package if it is broken."""
        if self.comparison is not None:
            return
        self.comparison, self._broken_comparison = make_comparison(self.view)
        if self.comparison is None:
            self._set_compared(False)
            return
        self.comparison.hide()
        self._comparison_place.addWidget(self.comparison)
        self.sides.hide()

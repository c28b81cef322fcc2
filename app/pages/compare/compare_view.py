"""View of two systems: table of items, plot of all, and one item of both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QWidget

from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.jobs.responsiveness.gui_priority import gui_priority
from jurydesk.app.jobs.responsiveness.hold import Hold
from jurydesk.app.pages.compare.compare_cards import (
    LEAST_PLOT,
    DifferencesCard,
    InspectorPairCard,
)
from jurydesk.app.pages.compare.compare_model import (
    compare_columns,
)
from jurydesk.app.pages.compare.disagreement_bar import DisagreementBar
from jurydesk.app.pages.compare.sides import ComparedSystem
from jurydesk.app.pages.items.items_listing import (
    ListedCells,
    Listing,
    listing_of,
)
from jurydesk.app.style.theme import px, theme
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.tables.table_view import ROW_HEIGHT
from jurydesk.app.widgets.folding_splitter import FoldingSplitter
from jurydesk.app.widgets.parts import Card
from jurydesk.core.analysis.comparison.pairwise import (
    TIE_TOLERANCE,
    PairedItems,
    disagreements,
    pair_items,
)
from jurydesk.core.competition.task import AnyTask, Inputs
from jurydesk.core.export.tables.result_tables import DIFFERENCE, DISAGREEMENT, SPREAD
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import FloatArray, IntArray, MetricInfo
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column
from jurydesk.core.workflow.evaluation_cache import QUICK_ITEMS

LIST, PLOT, BAR = 360, 210, 40
"""Width of the list, and heights of the plot above it and of the line below it."""
ROWS = 80 + 12 * ROW_HEIGHT
"""Height of the list with twelve rows below its filter and its titles."""
LEAST_NAME = 100
"""Minimum width of an item's name, so that both values and their difference are visible."""

Others = Mapping[str, FloatArray]
"""Values (items,) of other systems by name."""
NONE: Others = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class SystemPair:
    """Two systems and a metric, with the data needed to show an item."""

    items: PairedItems
    sides: tuple[ComparedSystem, ComparedSystem]
    metric: MetricInfo
    nouns: tuple[str, str]
    task: AnyTask
    folders: Inputs
    other: MetricInfo | None = None
    """Metric or question to raters that may prefer the other system."""

    @property
    def systems(self) -> tuple[str, str]:
        """Names of both systems."""
        one, other = (side.evaluation.system for side in self.sides)
        return one, other

    @cached_property
    def listing(self) -> Listing | None:
        """Texts of the first system's items; None if items are listed by id."""
        first = self.sides[0]
        found = listing_of(first.evaluation, self.task, self.folders, self.items.ids, first.row)
        # One line without a picture: the list is narrow, and the item has its pictures.
        return found and replace(found, lines=1, pictures=PictureFolder(None))

    @cached_property
    def other_items(self) -> PairedItems | None:
        """Both systems' values by the other metric; None without it."""
        if self.other is None:
            return None
        return pair_items(self.other, *(side.entries for side in self.sides))

    @property
    def has_quick_opinion(self) -> bool:
        """Whether there is another metric, of few enough items to be asked at once."""
        return self.other is not None and len(self.items.ids) <= QUICK_ITEMS

    @cached_property
    def disagreeing(self) -> IntArray:
        """Rows (n,) of the items on which the other metric prefers the other system."""
        none = np.empty(0, dtype=np.int64)
        return none if self.other_items is None else disagreements(self.items, self.other_items)

    @cached_property
    def _other_places(self) -> Mapping[str, int]:
        found = self.other_items
        return {} if found is None else {key: place for place, key in enumerate(found.ids)}

    def other_opinion(self, row: int) -> str:
        """Say whether the other metric agrees on an item, with its values; empty without them."""
        found, place = self.other_items, self._other_places.get(self.items.ids[row])
        if self.other is None or found is None or place is None:
            return ""
        gains = float(found.gains[place]), float(self.items.gains[row])
        values = (float(one[place]) for one in (found.first, found.second))
        first, second = (numbers.number(value, self.other.decimals) for value in values)
        agrees = translatable("{title} agrees: {first} against {second}")
        differs = translatable("{title} disagrees: {first} against {second}")
        sentence = differs if gains[0] * gains[1] < 0 else agrees
        if abs(gains[0]) <= TIE_TOLERANCE:
            sentence = translatable("{title} is equal: {first} against {second}")
        title = translate_text(self.other.title)
        return translate(sentence, title=title, first=first, second=second)

    def item_names(self, row: int) -> tuple[str, str]:
        """Return the title of an item and its id, which may be equal."""
        key = self.items.ids[row]
        return (key if self.listing is None else self.listing.title(row)), key


class CompareView(FoldingSplitter):
    """Narrow list with the plot above it at the left; an item of both systems at the right.

    Where both systems have no room there, item, table or plot stands alone. In a low window table
    and plot take turns beside the item, so that twelve rows are in sight. For another pair, the
    table is filled first, then plot and item, each in its own frame.
    """

    is_switch_above = False

    message = Signal(object)
    others_requested = Signal(bool)
    item_changed = Signal(str)
    """Id of the current item."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.card = Card("", padding=(1, 1))
        super().__init__(Qt.Orientation.Horizontal, translate("Part of the page"), parent)
        self.pair: SystemPair | None = None
        self.frames = FrameQueue(self)
        self.held = Hold(self, self.frames)
        self.differences = DifferencesCard(self.frames)
        self.differences.names_of = self._item_names
        self.all_systems = QPushButton(translate("All systems"))
        self.items = FilteredTable(translate("Items of both systems"), least_rows=1)
        self.table = self.items.table
        self.table.least = {"item": LEAST_NAME}
        self.table.is_numbered = True
        self.disagreements = DisagreementBar(self.items.filter)
        self._listed = ListedCells(self.table)
        self.inspectors_card = InspectorPairCard()
        self._others = NONE
        self._filled: SystemPair | None = None
        """Pair shown in the table; another pair follows in a later frame."""
        self._is_arranged = self._is_moved = False
        self._build()
        self.all_systems.toggled.connect(self.others_requested)
        self.table.current_row_changed.connect(self._row_changed)
        self.table.opened.connect(self._open_item)
        self.part_changed.connect(self._adapt)
        self.table.row_hovered.connect(self.differences.set_hovered)
        self.items.filter.applied.connect(self._show_place)
        self.table.table_model.rearranged.connect(self._show_place)
        self.differences.item_chosen.connect(self.table.set_current_row)
        self.differences.item_hovered.connect(self.table.set_hovered_row)
        self.differences.rows_brushed.connect(self.items.filter.brush)
        self.items.filter.brush_removed.connect(self.differences.clear_brush)
        self.inspectors_card.message.connect(self.message)

    def _build(self) -> None:
        self.all_systems.setCheckable(True)
        self.all_systems.setToolTip(translate("Show every system's value of each item  (A)"))
        self.items.head.addWidget(self.all_systems, 0, Qt.AlignmentFlag.AlignTop)
        self.setTabOrder(self.all_systems, self.table)
        self.card.body.addWidget(self.items, 1)
        self.card.body.addWidget(self.disagreements)
        self._list = QSplitter(Qt.Orientation.Vertical)
        self._list.addWidget(self.differences)
        self._list.addWidget(self.card)
        self._list.splitterMoved.connect(self._set_moved)
        self.addWidget(self._list)
        self.addWidget(self.inspectors_card)
        for splitter in (self, self._list):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(px(16))
        self._zoom = theme().zoom
        theme().changed.connect(self._follow_zoom)
        self.reset_sizes()

    @property
    def is_wide(self) -> bool:
        """Whether the item has room beside the list."""
        room = self.width() - px(LIST) - self.handleWidth()
        return self.inspectors_card.full_width() <= room and not super().is_folded

    @property
    def is_folded(self) -> bool:
        return not self._has_room(LEAST_PLOT) or not self.is_wide

    def kept_parts(self) -> Sequence[QWidget]:
        """Return the item where it has room beside the list."""
        return (self.inspectors_card,) if self.is_wide else ()

    def _has_room(self, plot: int) -> bool:
        """Return whether a plot of this height has room above twelve rows."""
        return self.height() >= px(plot) + px(ROWS) + self._list.handleWidth()

    def reset_sizes(self) -> None:
        """Give the parts their initial sizes."""
        for splitter in (self, self._list):
            splitter.setStretchFactor(0, 0)
            splitter.setStretchFactor(1, 1)
        self._is_moved = False
        self._fit_plot()
        gap = self.handleWidth()
        self.setSizes([px(LIST), max(px(LIST), self.width() - px(LIST) - gap)])

    def _fit_plot(self) -> None:
        """Give the plot a height that leaves twelve rows, unless the user gave it one."""
        if self._is_moved:
            return
        # The line below the list comes in a later frame, in which nothing must move.
        told = self.pair is not None and self.pair.has_quick_opinion
        plot = px(PLOT if self._has_room(PLOT + BAR if told else PLOT) else LEAST_PLOT)
        self._list.setSizes([plot, max(plot, self.height() - plot - self.handleWidth())])

    def _follow_zoom(self) -> None:
        zoom, self._zoom = self._zoom, theme().zoom
        if zoom != self._zoom:
            QTimer.singleShot(0, self, self.reset_sizes)

    def _set_moved(self) -> None:
        self._is_moved = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_plot()

    def _item_names(self, row: int) -> tuple[str, str]:
        return ("", "") if self.pair is None else self.pair.item_names(row)

    def parts(self) -> Sequence[tuple[str, QWidget]]:
        """Return the item of both systems, the table and the plot."""
        return (
            (translate("Item"), self.inspectors_card),
            (translate("Table"), self.card),
            (translate("Plots"), self.differences),
        )

    def _open_item(self, row: object) -> None:
        """Show the item of a row where the table stands alone."""
        if self.is_alone(self.card):
            self.switch.choose(0)

    def least_size(self, part: QWidget) -> QSize:
        """Return the size of a part that is shown alone; an item scrolls, and may be lower."""
        is_item = part is self.inspectors_card
        return self.inspectors_card.content_size() if is_item else super().least_size(part)

    def prepare(self, view: str) -> None:
        """Create the inspectors and the plot in advance, each in its own frame."""
        if view != self.inspectors_card.view:
            self.inspectors_card.begin(view)
            self._is_arranged = False
        if not self._is_arranged:
            self.frames.add("first side", partial(self.inspectors_card.make_side, 0))
            self.frames.add("other side", partial(self.inspectors_card.make_side, 1))
            self.frames.add("arrangement", self._finish_arrangement)
            self.frames.add("differences", self.differences.prepare)

    def _finish_arrangement(self) -> None:
        self._is_arranged = True
        self.arrange()

    def clear(self) -> None:
        """Clear the view until the next pair arrives."""
        self.frames.clear()
        self.held.end()
        self.pair = self._filled = None
        self._others = NONE
        self.disagreements.clear()
        self.table.table_model.show(())
        self.differences.clear()
        self.inspectors_card.clear()

    def show_pair(self, pair: SystemPair, others: Others = NONE) -> None:
        """Show two other systems; `others` get columns of their own."""
        self.frames.clear()
        self.pair, self._others = pair, others
        self.disagreements.clear()
        self._fit_plot()
        self.frames.add("table", self._fill)
        if pair.other is not None and pair.has_quick_opinion:
            self.frames.add("disagreements", partial(self._show_disagreements, pair, pair.other))
        self.prepare(pair.task.presentation.inspector)
        self.differences.show_pair(pair.items, pair.systems, pair.nouns[1])

    def show_others(self, others: Others) -> None:
        """Show the values of other systems, or of none."""
        self._others = others
        self._fill()

    def _fill(self) -> None:
        if self.pair is None:
            return
        pair = self._filled = self.pair
        others, model = self._others, self.table.table_model
        listing = pair.listing
        self._listed.show_listing(listing, self.items.filter)
        columns = compare_columns(
            pair.items, pair.systems, pair.metric, pair.nouns[0], others, listing
        )
        names = [column.name for column in columns]
        self.table.set_current_row(None)  # the same row may now be another item
        self._show_columns(columns)
        model.sort_by(names.index(SPREAD if others else DISAGREEMENT), descending=True)
        if model.rowCount():
            self.table.set_current_row(int(model.rows[0]))

    def _show_disagreements(self, pair: SystemPair, other: MetricInfo) -> None:
        titles = (translate_text(one.title) for one in (pair.metric, other))
        self.disagreements.show_rows(pair.disagreeing, *titles)

    def _show_place(self) -> None:
        """Say where the current item stands in the table."""
        place = self.table.currentIndex().row() + 1
        whole = numbers.count(self.table.table_model.rowCount())
        text = translate("{part} of {whole}", part=numbers.count(place), whole=whole)
        self.inspectors_card.place.setText(text if place > 0 and self.pair is not None else "")

    def _adapt(self) -> None:
        """Adapt to other parts; the sizes once they have found out how little they need."""
        self._show_columns()
        QTimer.singleShot(0, self, self.reset_sizes)

    def _show_columns(self, replacing: Sequence[Column] | None = None) -> None:
        """Show the columns that have room: beside a narrow list the item has both values."""
        columns = self.table.table_model.columns if replacing is None else replacing
        names = [column.name for column in columns]
        hidden = {DISAGREEMENT}
        if self._others:
            hidden.add(DIFFERENCE)
        elif self.is_wide and self.pair is not None:
            hidden.update(self.pair.systems)
        self.table.show_columns(frozenset(name for name in names if name not in hidden), replacing)

    def show_next(self, rows: Collection[int], direction: int) -> bool:
        """Go to the next (1) or previous (-1) of these items in the table, cyclically.

        Returns False if the table has none of them.
        """
        listed = self.table.table_model.rows.tolist()[::direction]
        here = self.table.current_row
        start = listed.index(here) + 1 if here in listed else 0
        found = next((row for row in listed[start:] + listed[:start] if row in rows), None)
        if found is not None:
            self.table.set_current_row(found)
        return found is not None

    def _row_changed(self, row: int | None) -> None:
        gui_priority().reserve()
        self.differences.set_current(row)
        if row is None or self.pair is None or self._filled is not self.pair:
            return
        self.frames.add("item", self._show_item)
        first = self.pair.sides[0]
        self.item_changed.emit(first.evaluation.items.ids[first.row(self.pair.items.ids[row])])

    def _show_item(self) -> None:
        """Read the item of each system and show it in a later frame."""
        row = self.table.current_row
        if self.pair is None or row is None:
            return
        key = self.pair.items.ids[row]
        names = self.pair.item_names(row)
        self.inspectors_card.show_names(names, self.pair.systems, *self._values(self.pair, row))
        is_quick = len(self.pair.items.ids) <= QUICK_ITEMS
        self.inspectors_card.opinion.show_text(self.pair.other_opinion(row) if is_quick else "")
        self._show_place()
        item = self.pair.sides[0].inspected_item(self.pair.task, key, self.pair.folders)
        self.frames.add("item in sight", partial(self.inspectors_card.show_side, 0, item))
        if item is not None:
            self.frames.add("other item", partial(self._read_other, self.pair, key))

    def _values(self, pair: SystemPair, row: int) -> tuple[str, tuple[str, str]]:
        """Return what stands beside an item's name, and both values with the metric's title."""
        decimals = pair.metric.decimals
        first, second = (
            numbers.number(float(values[row]), decimals)
            for values in (pair.items.first, pair.items.second)
        )
        title = translate_text(pair.metric.title)
        titled = (f"{title} {first}", f"{title} {second}")
        if self.inspectors_card.comparison is None:
            return translate("{first} against {second}", first=first, second=second), titled
        return numbers.signed(float(pair.items.differences[row]), decimals), titled

    def _read_other(self, pair: SystemPair, key: str) -> None:
        item = pair.sides[1].inspected_item(pair.task, key, pair.folders)
        self.frames.add("other item in sight", partial(self.inspectors_card.show_side, 1, item))

    @property
    def others(self) -> Others:
        """Values of the other systems in the table."""
        return self._others

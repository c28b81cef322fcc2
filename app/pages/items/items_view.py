"""View of one evaluation: table of items, figures, and one item."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QWidget

from jurydesk.app.inspectors.panel import Panel, Systems
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.jobs.responsiveness.gui_priority import gui_priority
from jurydesk.app.jobs.responsiveness.hold import Hold
from jurydesk.app.pages.items.figure_card import FigureCard
from jurydesk.app.pages.items.item_card import ItemCard, PanelPlace
from jurydesk.app.pages.items.items_listing import Listing, folded_attributes, listing_of
from jurydesk.app.pages.items.items_table import ItemsTable
from jurydesk.app.style.theme import px, theme
from jurydesk.app.tables.item_columns import (
    SHOWN_AT_FIRST,
    default_columns,
    distance_to,
    item_columns,
)
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.widgets.folding_splitter import FoldingSplitter
from jurydesk.app.widgets.page_export import Export
from jurydesk.core.competition.task import AnyTask, Inputs
from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import BoolArray, Evaluation, MetricInfo

LEFT, RIGHT, NARROW_LEFT = 420, 620, 350
FIGURE, STRIP, ITEM = 410, 160, 280
BOTH = 1120
"""Width of a panel and the list together, of which `Panel.wide` is the panel's share."""
AROUND, ABOVE = 238, 225
"""Width and height of the window, unscaled, that a panel and the list do not have."""
LISTED, STACKED, STACKED_STRIP = 1000, 820, 1000
"""Width and heights of the window, unscaled, from which the list stands beside the plots, and the
item below them; below a strip it needs all the height of usual windows. The window's size depends
on no part within it, so that the layout comes to rest.
"""
GAP = 16


class ItemsSplitter(FoldingSplitter):
    """Splitter with a list at the left and two parts at the right, one above the other.

    A panel stands between them; the item is hidden until it is opened.
    """

    layout_changed = Signal()
    """The user moved a handle."""

    def __init__(
        self, left: QWidget, upper: QWidget, lower: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, translate("Part of the page"), parent)
        self.right = QSplitter(Qt.Orientation.Vertical)
        self.right.addWidget(upper)
        self.right.addWidget(lower)
        self.addWidget(left)
        self.addWidget(self.right)
        for splitter in (self, self.right):
            splitter.setChildrenCollapsible(False)
            splitter.setStretchFactor(1, 1)
            splitter.splitterMoved.connect(self.layout_changed)
        theme().follow(self._scale)

    def _scale(self) -> None:
        self.setHandleWidth(px(GAP))
        self.right.setHandleWidth(px(GAP))

    def put_beside(self, panel: QWidget | None) -> None:
        """Place a panel beside the list, or remove it."""
        if panel is not None:
            self.insertWidget(1, panel)

    def reset_layout(self) -> None:
        panel = self.widget(1)
        if isinstance(panel, Panel):
            room = max(px(BOTH), self.window().width() - px(AROUND) - self.handleWidth())
            wide = max(room * panel.wide // BOTH, panel.least_width)
            self.setSizes([room - wide, wide, 0])
            return
        self.setSizes(self.widths())
        self.right.setSizes(self.heights())

    def widths(self) -> list[int]:
        """Return the initial widths of the list and of the parts at the right."""
        return [px(LEFT), px(RIGHT)]

    def heights(self) -> list[int]:
        """Return the initial heights of the two parts at the right."""
        return [px(FIGURE), px(ITEM)]

    def layout_state(self) -> tuple[QByteArray, QByteArray]:
        """Return the splitter states for `restore_layout`."""
        return self.saveState(), self.right.saveState()

    def restore_layout(self, across: QByteArray, down: QByteArray) -> None:
        """Restore splitter states; an empty state means the initial sizes."""
        self.reset_layout()
        if not across.isEmpty():
            self.restoreState(across)
        if not down.isEmpty():
            self.right.restoreState(down)


EVALUATION, LISTING = "evaluation", "listing"
"""Keys of the first evaluation's items and of their texts in the frame queue."""


class ItemsView(ItemsSplitter):
    """Table, figures and inspector of one evaluation, linked by row of the item table.

    A panel replaces the figures and is placed beside the table; the inspector then waits until an
    item is opened. The table of another evaluation is shown first, figure and inspector in later
    frames.
    """

    item_changed = Signal(str)
    """Id of the current item."""
    message = Signal(object)
    option_changed = Signal(str, object)
    """The panel requests another value of an option."""
    save_requested = Signal(object)
    """An export of a plot should be saved."""
    finding_changed = Signal()
    """The panel's heading or finding changed."""
    is_switch_above = False

    def __init__(self) -> None:
        self.frames = FrameQueue()
        self.list = ItemsTable()
        self.table = self.list.table
        self.figures = FigureCard(self.frames)
        self.item = ItemCard(self.frames)
        self.evaluation: Evaluation | None = None
        self._place = PanelPlace()
        super().__init__(self.list, self.figures, self.item)
        self.frames.setParent(self)
        self._place.setParent(self)
        self.held = Hold(self, self.frames)
        self.nouns = ("item", "items")
        self.ranking = ""
        """Name of the metric that ranks the systems."""
        self._listed: tuple[Evaluation | None, Listing | None] = (None, None)
        self._chosen: frozenset[str] = frozenset()
        self._systems: Systems = {}
        self.compared: tuple[str, ...] = ()
        """Systems that figures compare; none means all."""
        self._connect()

    def least_size(self, part: QWidget) -> QSize:
        """Return the size of a part that is shown alone; an item scrolls, and may be lower."""
        return self.item.content_size() if part is self.item else super().least_size(part)

    def _connect(self) -> None:
        self.table.current_row_changed.connect(self._row_changed)
        self.table.row_hovered.connect(self._table_hovered)
        self.table.opened.connect(self._open_row)
        self.figures.item_chosen.connect(self._choose)
        self.figures.item_hovered.connect(self.table.set_hovered_row)
        self.figures.rows_brushed.connect(self.list.filter.brush)
        self.list.filter.brush_removed.connect(self._clear_brush)
        self.item.open_requested.connect(self.open_item)
        self.item.close_requested.connect(self.close_item)
        self.item.message.connect(self.message)
        self.item.item_requested.connect(self._show_requested_item)
        self.item.evidence_stepped.connect(self._step_evidence)
        self.item.rows_stepped.connect(self._step_rows)
        self._place.columns_changed.connect(self._panel_columns)
        self._place.rows_changed.connect(self._panel_rows)
        self._place.table_requested.connect(self.table.setFocus)
        self._place.finding_changed.connect(self.finding_changed)
        self._place.message.connect(self.message)
        self._place.option_changed.connect(self.option_changed)
        self._place.row_hovered.connect(self.table.set_hovered_row)
        self._place.row_chosen.connect(self._choose)
        self._place.rows_brushed.connect(self.list.filter.brush)
        self._place.save_requested.connect(self.save_requested)
        self.figures.tools.save_requested.connect(self.save_requested)

    @property
    def _plots(self) -> FigureCard | Panel:
        return self.figures if self.panel is None else self.panel

    def _table_hovered(self, row: int | None) -> None:
        self._plots.set_hovered(row)

    def _clear_brush(self) -> None:
        self._plots.clear_brush()

    @property
    def panel(self) -> Panel | None:
        """Panel beside the table, if the competition declares one."""
        return self._place.panel

    def parts(self) -> Sequence[tuple[str, QWidget]]:
        """Return the parts that the competition, the figures and an opened item leave."""
        item, table = (translate("Item"), self.item), (translate("Table"), self.list)
        if self.item.opened:
            return (item,)
        is_empty = self.evaluation is None
        if self.panel is not None:
            return (table,) if is_empty else ((translate("Overview"), self.panel), table)
        if is_empty or not self.figures.figures:
            return (table, item)
        plots = translate("Plots"), self.figures
        return (table, item, plots) if self.figures.is_strip else (table, plots, item)

    def widths(self) -> list[int]:
        """Return the widths of the list and of the item, which gets the rest beside a strip."""
        if not self.figures.is_strip:
            return super().widths()
        return [px(NARROW_LEFT), max(px(NARROW_LEFT), self.width() - px(NARROW_LEFT))]

    def heights(self) -> list[int]:
        """Return the heights of the figures and of the item, which gets the rest beside a strip."""
        if not self.figures.is_strip:
            return super().heights()
        rest = self.height() - px(STRIP) - self.right.handleWidth()
        return [px(STRIP), max(px(ITEM), rest)]

    def kept_parts(self) -> Sequence[QWidget]:
        has_room = self.window().width() >= px(LISTED)
        return (self.list,) if has_room and self.panel is None and not self.item.opened else ()

    @property
    def is_folded(self) -> bool:
        if self.panel is not None:
            return not self._has_room_beside(self.panel)
        least = STACKED_STRIP if self.figures.is_strip else STACKED
        return self.window().height() < px(least) or super().is_folded

    def _has_room_beside(self, panel: Panel) -> bool:
        """Return whether the list has room beside a panel."""
        listed = max(px(NARROW_LEFT), self.list.least_width)
        wide = listed + self.handleWidth() + panel.least_width + px(AROUND)
        high = panel.least_height + px(ABOVE)
        return self.window().width() >= wide and self.window().height() >= high

    # Content

    def read_listing(self, evaluation: Evaluation, task: AnyTask, folders: Inputs) -> None:
        """Read in advance what the list shows of the evaluation that is shown next."""
        self._listed = evaluation, listing_of(evaluation, task, folders)

    def show_evaluation(
        self,
        evaluation: Evaluation,
        metrics: Sequence[MetricInfo],
        nouns: tuple[str, str],
        task: AnyTask,
        folders: Inputs,
        chosen: frozenset[str] = frozenset(),
        systems: Systems = MappingProxyType({}),
    ) -> None:
        """Show another system's items; keep order and filter as far as they apply.

        `chosen` are the columns that the user chose; `systems` are those that figures and a panel
        may compare with.
        """
        self.frames.clear()
        self.evaluation, self.nouns = evaluation, nouns
        self._chosen, self._systems = chosen, systems
        self.figures.shown = task.presentation.figures
        self.figures.scatters = task.presentation.scatters
        self.figures.item_points = task.presentation.item_points
        self.figures.points_title = task.presentation.points_title
        self.item.use(task, folders, systems)
        read, listing = self._listed
        self._listed = (None, None)
        if read is not evaluation:
            listing = listing_of(evaluation, task, folders)
        self.list.show_listing(listing)
        self.list.filter.attributes = folded_attributes(evaluation, task)
        self.figures.name_of = self.item_name
        if self.panel is not None:
            self.panel.show_evaluation(evaluation, systems)
            self.arrange()
            return
        columns = item_columns(evaluation, metrics, nouns[0], self.ranking)
        there = chosen & {column.name for column in columns}
        self.list.filter.subset = None
        is_long = listing is not None and task.presentation.listed_lines > 1
        most = 1 if is_long else SHOWN_AT_FIRST
        first = default_columns(columns, metrics, most)
        self.list.show_columns(columns, there or first, nouns, fitting=not there)

    def item_name(self, row: int) -> str:
        """Return the first words of an item's listed text, else its id."""
        listing = self.list.listing
        if listing is not None:
            return listing.title(row)
        return "" if self.evaluation is None else self.evaluation.items.ids[row]

    def clear(self) -> None:
        """Clear the view until the next evaluation arrives."""
        self.frames.clear()
        self.evaluation = None
        self.list.clear()
        self.figures.clear()
        self.item.clear()
        self.arrange()

    def make_panel(self, name: str) -> None:
        """Prepare a panel for `use_panel`."""
        self._place.prepare(name, self.list)

    def complete_panel(self) -> None:
        self._place.complete()

    def make_inspector(self, task: AnyTask) -> None:
        """Prepare the inspector for the next items."""
        self.item.use(task, {})
        self.item.prepare()

    def use_panel(self, name: str) -> bool:
        """Show the panel of that name beside the table, or none; return whether it changed."""
        if not self._place.use(name):
            return False
        panel = self.panel
        if panel is not None:
            panel.marks = self.figures.marks
        self.put_beside(panel)
        self.list.set_filter_bar(None if panel is None else panel.filter_bar())
        self.arrange()
        self.reset_layout()
        return True

    def _panel_columns(self) -> None:
        if self.panel is None:
            return
        columns, is_first = self.panel.columns(), self.table.table_model.sorting is None
        there = self._chosen & {column.name for column in columns}
        narrow, self.table.dropped = self.panel.narrow_columns()
        self.table.growing, self.table.least = tuple(narrow), {**self.table.least, **narrow}
        self.list.filter.subset = self.panel.shown_rows
        self.list.show_columns(columns, there or self.panel.initial_columns(), self.nouns)
        if is_first:
            self.list.sort_again(self.panel.initial_sorting(), True)

    def _panel_rows(self) -> None:
        """Apply the panel's rows; most often only their cells changed."""
        self.list.filter.subset = None if self.panel is None else self.panel.shown_rows
        if self.list.filter.is_whole:
            self.table.viewport().update()
        else:
            self.list.filter.apply()
        if self.item.opened:
            self._inspect(self.table.current_row)

    def show_metric(self, info: MetricInfo | None) -> bool:
        """Show the figures, with the distribution of a metric; return whether their place changed.

        Figures that are a strip have a place of their own.
        """
        was_strip = self.figures.is_strip
        if self.evaluation is not None and self.panel is None:
            metrics, there = [info] if info else [], self.compared or tuple(self._systems)
            systems = {name: load for name, load in self._systems.items() if name in there}
            self.figures.show_evaluation(self.evaluation, metrics, self.nouns, systems)
            self.arrange()
        return self.figures.is_strip != was_strip

    def show_item(self, name: str) -> None:
        """Select the item of that id in table, figures and inspector, else the first."""
        if self.evaluation is None:
            return
        ids, row = self.evaluation.items.ids, self.table.current_row
        if name and (row is None or ids[row] != name) and name in ids:
            self._reveal(ids.index(name))
        if self.table.current_row is None:
            self.table.step(1)
        self._inspect(self.table.current_row)

    def _reveal(self, row: int) -> None:
        if self.table.table_model.place(row) is None:
            self.list.line.clear()
        self.table.set_current_row(row)

    def _choose(self, row: int) -> None:
        focused = self.focusWidget()
        self._reveal(row)
        if focused is None or not self._plots.isAncestorOf(focused):
            self.table.setFocus()

    def step(self, rows: int) -> None:
        """Move down (or up) by a number of items."""
        self.frames.do_now(EVALUATION)
        self.table.step(rows)

    def select_all(self) -> None:
        self.frames.do_now(EVALUATION)
        self.table.selectAll()

    def _row_changed(self, row: int | None) -> None:
        if self.evaluation is not None and row is not None:
            self._inspect(row)
            self.item_changed.emit(self.evaluation.items.ids[row])

    def _inspect(self, row: int | None) -> None:
        evaluation = self.evaluation
        if evaluation is None or row is None:
            return
        gui_priority().reserve()
        if self.panel is None:
            self.figures.set_current(row)
        else:
            self.panel.set_current(row)
            if not self.item.opened:
                return
        context = None if self.panel is None else self.panel.context()
        self.item.show_item(evaluation, row, self._item_summary(row), context, self.item_name(row))

    def _item_summary(self, row: int) -> str:
        """Return the first three numbers of an item, for the line above it."""
        shown = [column for column in self.list.shown_columns() if column.numeric]
        return "   ".join(f"{column.heading} {column.text(row)}" for column in shown[:3])

    def _show_requested_item(self, name: str) -> None:
        if self.evaluation is None:
            return
        row = self.evaluation.items.ids.index(name)
        if self.table.table_model.place(row) is None:
            self._inspect(row)
        else:
            self.table.set_current_row(row)

    def _step_evidence(self, direction: int) -> None:
        """Go down (1) or up (-1) to the next item with different evidence."""
        evaluation, here = self.evaluation, self.table.currentIndex()
        shared = None if evaluation is None else evaluation.items.evidence_of
        if shared is None or not here.isValid():
            self.table.step(direction)
            return
        known = shared[self.table.table_model.rows]
        self.table.step(distance_to(known != known[here.row()], here.row(), direction))

    def _step_rows(self, direction: int, wanted: BoolArray) -> None:
        """Go down (1) or up (-1) to the next item of a mask (items,)."""
        here = self.table.currentIndex().row()
        distance = distance_to(wanted[self.table.table_model.rows], here, direction)
        if distance:
            self.table.step(distance)
        else:
            self.message.emit(translate("There is no further one in this direction."))

    # Full-page item

    def _open_row(self, row: int) -> None:
        self.open_item()

    def open_item(self) -> None:
        """Give the whole page to the current item."""
        gui_priority().reserve()
        self.frames.do_now(EVALUATION)
        if self.table.current_row is not None and self.evaluation is not None:
            self.item.set_opened(True)
            self.arrange()
            self._inspect(self.table.current_row)
            self.item.take_keyboard()

    def close_item(self) -> None:
        """Show the table and the figures again."""
        if self.item.opened:
            gui_priority().reserve()
            self.item.set_opened(False)
            self.arrange()
            self.table.setFocus()

    # Copies, exports, keys

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selection of the focused part."""
        inspector = self.item.inspector
        focused = self.focusWidget()
        if inspector is not None and focused is not None and inspector.isAncestorOf(focused):
            return inspector.selection_text(headers)
        return self.table.selection_text(headers=headers)

    def exports(self) -> tuple[Export, ...]:
        """Return exports of the visible items, the visible figure and the inspector."""
        if self.evaluation is None:
            return ()
        inspector = self.item.inspector
        return (
            *self.list.exports(
                self.nouns[1], self.evaluation, self.figures.ratings, self.figures.marks
            ),
            *(self.figures.exports() if self.panel is None else self.panel.exports()),
            *(inspector.exports() if inspector else ()),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_J | Qt.Key.Key_BracketRight:
                self.step(1)
            case Qt.Key.Key_K | Qt.Key.Key_BracketLeft:
                self.step(-1)
            case Qt.Key.Key_Escape if self.item.opened:
                self.close_item()
            case _:
                super().keyPressEvent(event)

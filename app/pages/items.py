"""The items of one system: their table, the figures of the evaluation, and one item opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QSplitter, QWidget

from app import format
from app.commands import Command
from app.models.items import finding, headline, item_columns, shown_at_first
from app.models.query import matching
from app.pages.items_parts import ItemCard, ItemsTable
from app.pages.page import Export, Page
from app.theme import px
from app.views.figure import FigureCard
from app.views.inspectors import InspectedItem
from app.widgets.parts import beside, button
from core.model import Evaluation, Inputs, MetricInfo

if TYPE_CHECKING:
    from app.session import Session

LEFT, RIGHT = 420, 620
FIGURE, ITEM = 270, 360


class ItemsPage(Page):
    """Items at the left; the figures and the inspector of the selected item at the right."""

    id = "items"
    title = "Items"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.evaluation: Evaluation | None = None
        self.measure: MetricInfo | None = None
        self.list = ItemsTable()
        self.figures = FigureCard()
        self.item = ItemCard()
        self.systems = QComboBox()
        self.systems.setAccessibleName("System")
        self.previous = button("← Previous", self.previous_item, hint="Previous  (K or [)")
        self.next = button("Next →", self.next_item, hint="Next  (J or ])")
        self._bar = QWidget()
        self._stale = True
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._right = QSplitter(Qt.Orientation.Vertical)
        self._right.addWidget(self.figures)
        self._right.addWidget(self.item)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.list)
        self._split.addWidget(self._right)
        for splitter, sizes in ((self._split, (LEFT, RIGHT)), (self._right, (FIGURE, ITEM))):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(px(16))
            splitter.setSizes([px(size) for size in sizes])
            splitter.setStretchFactor(1, 1)
        self.body.addWidget(self._split, 1)
        self._bar.setLayout(beside(self.systems, self.previous, self.next))
        self._split.hide()

    def _connect(self) -> None:
        table = self.list.table
        table.current_row_changed.connect(self._row_changed)
        table.row_hovered.connect(self.figures.set_hovered)
        table.opened.connect(self._open_row)
        self.list.search.textChanged.connect(self._search)
        self.figures.item_chosen.connect(self._choose_row)
        self.figures.item_hovered.connect(table.set_hovered_row)
        self.item.asked_open.connect(self.open_item)
        self.item.asked_close.connect(self.close_item)
        self.item.told.connect(self.told)
        self.systems.activated.connect(self._choose_system)
        self.session.evaluations_changed.connect(self._changed)
        self.session.options_changed.connect(self._changed)
        self.session.desk_changed.connect(self._changed)
        self.session.selection_changed.connect(self._changed)

    # What is shown

    def arrive(self) -> None:
        """Show what the session has: nothing heavy happens before the page is seen."""
        self._refresh()
        self.list.table.setFocus()

    def _changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        if not self._stale:
            return
        self._stale = False
        systems = [summary.system for summary in self.session.shown()]
        chosen = self.session.selection.system
        system = chosen if chosen in systems else next(iter(systems), "")
        self._fill_systems(systems, system)
        evaluation = self.session.evaluation(system) if system else None
        self._split.setVisible(evaluation is not None)
        if evaluation is None:
            self.evaluation = None
            self.say(self._empty_sentence())
            return
        if evaluation is not self.evaluation:
            self._show(evaluation)
        self._follow_selection()

    def _empty_sentence(self) -> str:
        if self.session.task is None:
            return "Open a desk or drop files on the window; the items of every system appear here."
        return "Nothing has been scored yet: press Ctrl+R, and every item appears here."

    def _fill_systems(self, systems: Sequence[str], chosen: str) -> None:
        self.systems.clear()
        self.systems.addItems(list(systems))
        self.systems.setCurrentText(chosen)
        self.systems.setVisible(len(systems) > 1)

    def _show(self, evaluation: Evaluation) -> None:
        """Show another system's items, in the same order and filter as far as they fit."""
        self.evaluation = evaluation
        metrics = self._metrics()
        self.measure = self._chosen_metric() or headline(evaluation, metrics)
        columns = item_columns(evaluation, metrics, self.nouns[0])
        self.list.show_columns(columns, shown_at_first(columns, metrics), self.nouns)
        self._search(self.list.search.text())
        self._show_metric()

    def _show_metric(self) -> None:
        if self.evaluation is None:
            return
        info = self.measure
        profiles = [] if info is None else [info]
        self.figures.show_evaluation(self.evaluation, profiles, self.nouns)
        self.figures.setVisible(bool(self.figures.figures))
        if info is None:
            self.say(f"{format.counted(len(self.evaluation.items), *self.nouns)}.")
            return
        score = next((s.value for s in self.evaluation.scores if s.metric == info.name), None)
        name = self.evaluation.system
        title = name if score is None else (
            f"{name}: {info.title} {format.number(score, info.decimals)}"
        )  # fmt: skip
        self.say(finding(self.evaluation, info, self.nouns), title)

    def _follow_selection(self) -> None:
        """Show the metric and the item that were chosen on another page."""
        evaluation = self.evaluation
        if evaluation is None:
            return
        chosen = self._chosen_metric()
        if chosen is not None and chosen is not self.measure:
            self.measure = chosen
            self.list.show_metric(chosen.name)
            self._show_metric()
        table = self.list.table
        item = self.session.selection.item
        if item and not self._is_current(item):
            row = next((row for row, name in enumerate(evaluation.items.ids) if name == item), None)
            table.set_current_row(row)
        elif table.current_row is None and len(table.table_model.rows):
            table.set_current_row(int(table.table_model.rows[0]))
        else:
            self._show_item(table.current_row)

    def _is_current(self, item: str) -> bool:
        row = self.list.table.current_row
        return row is not None and self.evaluation is not None and (
            self.evaluation.items.ids[row] == item
        )  # fmt: skip

    def _metrics(self) -> list[MetricInfo]:
        """The declared metrics, then those of a family that the evaluation has scores of."""
        task = self.session.task
        declared = list(task.metrics) if task else []
        known = {info.name for info in declared}
        scored = [score.metric for score in self.evaluation.scores] if self.evaluation else []
        others = [self.session.metric(name) for name in scored if name not in known]
        return declared + [info for info in others if info is not None]

    def _chosen_metric(self) -> MetricInfo | None:
        name = self.session.selection.metric
        if self.evaluation is None or name not in self.evaluation.items.columns:
            return None
        return next((info for info in self._metrics() if info.name == name), None)

    @property
    def nouns(self) -> tuple[str, str]:
        """What an item is called: one, and many."""
        return self.session.task.item_noun if self.session.task else ("item", "items")

    # One item

    def _row_changed(self, row: int | None) -> None:
        if self.evaluation is None or row is None:
            return
        self._show_item(row)
        self.session.select(item=self.evaluation.items.ids[row])

    def _show_item(self, row: int | None) -> None:
        """Mark an item in the figures and open it in its inspector, unless it is there already."""
        evaluation = self.evaluation
        if evaluation is None or row is None:
            return
        self.figures.set_current(row)
        if self.item.shows(evaluation, row):
            return
        evidence = evaluation.items.show(row)
        values = {name: float(column[row]) for name, column in evaluation.items.columns.items()}
        item = InspectedItem(
            evaluation.items.ids[row], evaluation.system, evidence, values, self._folders()
        )
        name = self.session.task.inspector if self.session.task else ""
        self.item.show_item(evaluation, row, item, name, self._in_short(row))

    def _in_short(self, row: int) -> str:
        """The first columns of an item, for the line above it."""
        shown = [column for column in self.list.shown_columns() if column.numeric]
        return "   ".join(f"{column.title} {column.text(row)}" for column in shown[:3])

    def _folders(self) -> Inputs:
        task = self.session.task
        roles = {entry.role for entry in task.inputs if entry.kind == "folder"} if task else set()
        found: dict[str, list[Path]] = {}
        for role, paths in self.session.inputs().items():
            there = [path for path in paths if path.is_dir()]
            if role in roles and there:
                found[role] = there
        return found

    def _choose_row(self, row: int) -> None:
        """An item was clicked in a figure: a filter that hides it gives way."""
        if self.list.table.table_model.place(row) is None:
            self.list.search.clear()
        self.list.table.set_current_row(row)
        self.list.table.setFocus()

    def _open_row(self, row: int) -> None:
        self.open_item()

    def open_item(self) -> None:
        """Give the whole page to the item that is looked at."""
        if self.list.table.current_row is not None and self.evaluation is not None:
            self.list.hide()
            self.figures.hide()
            self.item.set_opened(True)

    def close_item(self) -> None:
        """Show the table and the figures again."""
        if self.item.opened:
            self.item.set_opened(False)
            self.list.show()
            self.figures.setVisible(bool(self.figures.figures))
            self.list.table.setFocus()

    def next_item(self) -> None:
        """Go to the next item of the table."""
        self.list.table.step(1)

    def previous_item(self) -> None:
        """Go to the previous item of the table."""
        self.list.table.step(-1)

    # The table

    def _search(self, text: str) -> None:
        model = self.list.table.table_model
        model.filter(matching(text, model.columns))
        self.list.count()

    def _choose_system(self, index: int) -> None:
        self.session.select(system=self.systems.itemText(index))

    # What the window asks of a page

    def commands(self) -> Sequence[Command]:
        return (
            Command("items.next", "Next item", "View", "next_item", ("J", "]")),
            Command("items.previous", "Previous item", "View", "previous_item", ("K", "[")),
            Command("items.open", "Open the item", "View", "open_item", ("Ctrl+Return",)),
            Command("items.columns", "Choose columns", "View", "choose_columns", ("Ctrl+K",)),
        )

    def choose_columns(self) -> None:
        """Open the list of columns."""
        self.list.choose_columns()

    def actions_bar(self) -> QWidget | None:
        return self._bar

    def find(self) -> None:
        self.close_item()
        self.list.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.list.search.selectAll()

    def copied(self, headers: bool) -> str:
        inspector = self.item.inspector
        if inspector is not None and inspector.isAncestorOf(self.focusWidget() or self):
            return inspector.copied(headers)
        return self.list.table.copied(headers=headers)

    def select_all(self) -> None:
        self.list.table.selectAll()

    def exports(self) -> Sequence[Export]:
        if self.evaluation is None:
            return ()
        inspector = self.item.inspector
        return (
            *self.list.exports(self.nouns[1]),
            *self.figures.exports(),
            *(inspector.exports() if inspector else ()),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_J | Qt.Key.Key_BracketRight:
                self.next_item()
            case Qt.Key.Key_K | Qt.Key.Key_BracketLeft:
                self.previous_item()
            case Qt.Key.Key_Escape if self.item.opened:
                self.close_item()
            case _:
                super().keyPressEvent(event)

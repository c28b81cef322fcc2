"""Compare: two systems item by item, the largest disagreement first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSplitter, QWidget

from app import format
from app.commands import Command
from app.jobs import Job
from app.models.against import neighbours
from app.models.compare import (
    DIFFERENCE,
    DISAGREEMENT,
    SPREAD,
    compare_columns,
    counts_sentence,
    tests_tip,
    verdict,
)
from app.models.items import folders, metrics_of
from app.pages.compare_bar import PairBar
from app.pages.compare_field import Field
from app.pages.compare_parts import Differences, SideBySide
from app.pages.compare_whole import WholeCard
from app.pages.compare_work import Side, Sides, compared, entrant_of
from app.pages.page import Export, Page
from app.theme import px
from app.views.export import csv_writer, json_writer
from app.widgets.parts import Card, beside
from app.widgets.table import Table
from core.comparison import Comparison, PerItem, per_item
from core.separating import Entrant

if TYPE_CHECKING:
    from app.services import Services
    from app.session import Session
    from core.model import MetricInfo

LEFT, RIGHT = 480, 560
PLOTS, ITEM = 270, 360


class ComparePage(Page):
    """The table at the left; differences, and both systems' views of an item, at the right."""

    id = "compare"
    title = "Compare"
    needs_scores = True

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._services: Services | None = None
        self._job: Job | None = None
        self._stale = True
        self._followed = ""
        self.items: PerItem | None = None
        self.comparison: Comparison | None = None
        self._shown: tuple[Side, Side] | None = None
        self._sides = Sides()
        self._field = Field(session, self)
        self.pair = PairBar()
        self.all_systems = QPushButton("All systems")
        self.table = Table("Items of both systems")
        self.differences = Differences()
        self.both = SideBySide()
        self.whole = WholeCard(session)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.all_systems.setCheckable(True)
        self.all_systems.setToolTip("Show every system's value of each item  (A)")
        card = Card("", padding=(1, 1))
        top = beside(None, self.all_systems)
        top.setContentsMargins(px(9), px(9), px(9), px(3))
        card.body.addLayout(top)
        card.body.addWidget(self.table, 1)
        self._right = QSplitter(Qt.Orientation.Vertical)
        self._right.addWidget(self.differences)
        self._upper = QSplitter(Qt.Orientation.Horizontal)
        self._upper.addWidget(card)
        self._upper.addWidget(self._right)
        self.view = QSplitter(Qt.Orientation.Vertical)
        self.view.addWidget(self._upper)
        for splitter in (self.view, self._upper, self._right):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(px(16))
        self._upper.setSizes([px(LEFT), px(RIGHT)])
        self.body.addWidget(self.whole)
        self.body.addWidget(self.view, 1)
        self.body.addStretch(0)

    def _arrange(self) -> None:
        """Put the item below the plot; below the table, too, where its views are wide."""
        holder = self.view if self.both.needed_width() > px(RIGHT) else self._right
        if self.both.parent() is not holder:
            holder.addWidget(self.both)
            holder.setSizes([px(PLOTS), px(ITEM)])

    def _connect(self) -> None:
        self.pair.chosen.connect(self._show_pair)
        self.all_systems.toggled.connect(self._fill_table)
        self._field.changed.connect(self._fill_table)
        self.table.current_row_changed.connect(self._show_row)
        self.table.row_hovered.connect(self.differences.set_hovered)
        self.differences.item_chosen.connect(self.table.set_current_row)
        self.differences.item_hovered.connect(self.table.set_hovered_row)
        self.both.told.connect(self.told)
        self.whole.tested.connect(self._tested_whole)
        session = self.session
        for signal in (
            session.desk_changed,
            session.options_changed,
            session.evaluations_changed,
        ):
            signal.connect(self._session_changed)

    def join(self, services: Services) -> None:
        self._services = services
        self.whole.join(services.evaluator.jobs)
        self._field.join(services.evaluator.jobs)

    def arrive(self) -> None:
        if self._stale:
            self._offer()
        self._follow()
        self.table.setFocus()

    def _follow(self) -> None:
        """Compare another system that was looked at since with its neighbour on the board."""
        system, board = self.session.selection.system, self.session.board()
        if system == self._followed or board is None:
            return
        self._followed = system
        row = next((one for one in board.rows if one.summary.system == system), None)
        pair = None if row is None else neighbours(board, row)
        if pair is not None and pair != self.systems:
            self.pair.choose(*pair)
            self._show_pair()

    def _session_changed(self) -> None:
        self._stale = True
        self._sides.clear()
        if self.isVisible():
            self._offer()

    # What can be compared

    def _offer(self) -> None:
        """Offer the systems of the board, the two best ones at first."""
        self._stale = False
        board = self.session.board()
        systems = [row.summary.system for row in board.rows] if board else []
        enough = len(systems) > 1
        self.view.setVisible(enough)
        self.pair.setEnabled(enough)
        if not enough:
            self.whole.hide()
            self.items = self.comparison = self._shown = None
            self.say("Two systems are needed: score a second one, and compare them here.")
            return
        self.all_systems.setVisible(len(systems) > len(self.systems))
        self.pair.offer(systems, self.session.selection.system)
        self._offer_metrics()
        self._show_pair()

    def _offer_metrics(self) -> None:
        evaluation = self.session.evaluation(self.systems[0])
        if evaluation is None:
            return
        side = self._sides.of(self.session.task, evaluation)
        if side is None:
            return
        columns = side.entries.columns
        ranking = [
            info
            for info in metrics_of(self.session.task, evaluation)
            if (info.name in columns or self._on_request(info)) and info.better != "neither"
        ]
        self.pair.offer_metrics(ranking, self.session.selection.metric)

    def _on_request(self, metric: MetricInfo) -> bool:
        """Whether the metric is a number of whole sets, which is tested where somebody asks."""
        task = self.session.task
        return task is not None and metric.name in task.on_request

    # What is shown

    @property
    def systems(self) -> tuple[str, str]:
        """The two systems that are compared."""
        return self.pair.systems

    @property
    def metric(self) -> MetricInfo | None:
        """The metric that they are compared by."""
        return self.session.metric(self.pair.metric) if self.pair.metric else None

    def _show_pair(self) -> None:
        metric = self.metric
        one, other = (
            self._sides.of(self.session.task, self.session.evaluation(name))
            for name in self.systems
        )
        if one is None or other is None:
            return
        self.items = self.comparison = None
        self._field.forget()
        self._shown = (one, other)
        whole = metric is not None and self._on_request(metric)
        if metric is not None and not whole:
            self.items = per_item(metric, one.entries, other.entries)
        self.view.setVisible(self.items is not None)
        self.whole.setVisible(whole)
        if metric is not None and whole:
            self.say(self.whole.show_pair(metric, self.systems), self._heading())
            return
        if metric is None or self.items is None:
            self.say("This competition keeps no number for each item: see the board.")
            return
        noun = self.nouns
        self.say(f"{metric.title}: {counts_sentence(self.items, noun)}.", self._heading())
        self.differences.show_pair(self.items, self.systems, noun[1])
        self._fill_table()
        self._test(metric, *(entrant_of(side.evaluation, metric) for side in (one, other)))
        self.changed.emit()

    def _heading(self) -> str:
        first, second = self.systems
        return f"{first} against {second}"

    @property
    def nouns(self) -> tuple[str, str]:
        """What an item (or a unit) and several of them are called."""
        if self.items is not None and self.items.unit:
            return self.items.unit.removesuffix("s"), self.items.unit
        return self.session.task.item_noun if self.session.task else ("item", "items")

    def _fill_table(self) -> None:
        metric = self.metric
        if self.items is None or metric is None:
            return
        others = self._field.values if self.all_systems.isChecked() else {}
        if self.all_systems.isChecked() and not others:
            self._field.read(self.items, self.systems, metric)
        columns = compare_columns(self.items, self.systems, metric, self.nouns[0], others)
        names = [column.name for column in columns]
        by = SPREAD if others else DISAGREEMENT
        hidden = {DISAGREEMENT, DIFFERENCE} if others else {DISAGREEMENT}
        self.table.set_current_row(None)  # the same row may be another item now
        self.table.table_model.show(columns)
        self.table.table_model.sort_by(names.index(by), descending=True)
        self.table.show_columns(frozenset(name for name in names if name not in hidden))
        if self.table.table_model.rowCount():
            self.table.set_current_row(int(self.table.table_model.rows[0]))

    def _show_row(self, row: int | None) -> None:
        self.differences.set_current(row)
        if row is None or self.items is None or self._shown is None or self.session.task is None:
            return
        there = folders(self.session.task, self.session.inputs())
        key, inspector = self.items.ids[row], self.session.task.inspector
        self.both.show_names(key, self.systems)
        self.both.use(inspector)
        self._arrange()
        self.both.show_item(tuple(side.inspected(key, there) for side in self._shown))
        first = self._shown[0]
        self.session.select(item=first.evaluation.items.ids[first.row(key)])

    # Whether it is real

    def _test(self, metric: MetricInfo, one: Entrant, other: Entrant) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        task = self.session.task
        if task is None or self._services is None:
            return
        work = partial(compared, task, metric, self.session.profile, one, other)
        self._job = Job("Comparing two systems", work, quiet=True)
        self._job.succeeded.connect(self._tested)
        self._services.evaluator.jobs.start(self._job)

    def _tested(self, found: Comparison) -> None:
        if self.items is None or (found.first.system, found.second.system) != self.systems:
            return
        if self.metric is None or found.metric.name != self.metric.name:
            return
        self.comparison = found
        counts = counts_sentence(self.items, self.nouns)
        self.say(f"{found.metric.title}: {verdict(found)} · {counts}.", self._heading())
        self.sentence.setToolTip(tests_tip(found))

    def _tested_whole(self, found: Comparison) -> None:
        if (found.first.system, found.second.system) == self.systems:
            self.comparison = found
            over = f"over {format.count(found.n)} {found.unit}"
            self.say(f"{found.metric.title}: {verdict(found)} {over}.", self._heading())
            self.sentence.setToolTip(tests_tip(found))

    # What the user asks

    def actions_bar(self) -> QWidget | None:
        return self.pair

    def commands(self) -> Sequence[Command]:
        return (
            Command("compare.swap", "Swap the systems", "View", "swap", ("X",)),
            Command("compare.all", "Show all systems", "View", "toggle_all", ("A",)),
        )

    def swap(self) -> None:
        """Turn the comparison round."""
        self.pair.swap()
        self._show_pair()

    def toggle_all(self) -> None:
        """Show every system's values beside the two, or only the two."""
        self.all_systems.toggle()

    def copied(self, headers: bool) -> str:
        return self.table.copied(headers=headers)

    def select_all(self) -> None:
        self.table.selectAll()

    def exports(self) -> Sequence[Export]:
        if self.items is None:
            return ()
        return (
            Export("Differences as table", "*.csv", csv_writer(self._data)),
            Export("Differences as JSON", "*.json", json_writer(self._data)),
        )

    def _data(self) -> list[tuple[str, Sequence[object]]]:
        model = self.table.table_model
        return [(column.name, column.cells(model.rows)) for column in model.columns]

"""Compare: two systems item by item, the largest disagreement first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton, QSplitter, QWidget

from app.commands import Command
from app.jobs import Job, Tell
from app.models.compare import compare_columns, counts_sentence, of_items, tests_tip, verdict
from app.models.items import folders, metrics_of
from app.pages.compare_parts import Differences, SideBySide
from app.pages.page import Export, Page
from app.theme import px
from app.views.export import csv_writer, json_writer
from app.widgets.parts import Card, beside, label
from app.widgets.table import Table
from core.comparison import Comparison, PerItem, compare, per_item
from core.separation import Entrant

if TYPE_CHECKING:
    from app.services import Services
    from app.session import Session
    from core.model import Evaluation, MetricInfo
    from core.run.run import Run
    from core.tasks.registry import AnyTask

LEFT, RIGHT = 480, 560
PLOTS, ITEM = 270, 360
BY_SIZE = 4
"""The column of the table that it is sorted by at first."""


class ComparePage(Page):
    """The table at the left; differences, and both systems' views of an item, at the right."""

    id = "compare"
    title = "Compare"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._services: Services | None = None
        self._job: Job | None = None
        self._stale = True
        self.items: PerItem | None = None
        self.comparison: Comparison | None = None
        self._pair: tuple[Evaluation, Evaluation] | None = None
        self.first, self.second, self.metrics = QComboBox(), QComboBox(), QComboBox()
        self.all_systems = QPushButton("All systems")
        self.table = Table("Items of both systems")
        self.differences = Differences()
        self.both = SideBySide()
        self._build()
        self._connect()

    def _build(self) -> None:
        for box, name in (
            (self.first, "First system"),
            (self.second, "Second system"),
            (self.metrics, "Metric"),
        ):
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.all_systems.setCheckable(True)
        self.all_systems.setToolTip("Show every system's value of each item  (A)")
        self._bar = QWidget()
        against = label("against", "muted")
        self._bar.setLayout(beside(self.first, against, self.second, self.metrics))
        card = Card("", padding=(1, 1))
        top = beside(None, self.all_systems)
        top.setContentsMargins(px(9), px(9), px(9), px(3))
        card.body.addLayout(top)
        card.body.addWidget(self.table, 1)
        right = QSplitter(Qt.Orientation.Vertical)
        right.addWidget(self.differences)
        right.addWidget(self.both)
        self.view = QSplitter(Qt.Orientation.Horizontal)
        self.view.addWidget(card)
        self.view.addWidget(right)
        for splitter in (self.view, right):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(px(16))
        self.view.setSizes([px(LEFT), px(RIGHT)])
        right.setSizes([px(PLOTS), px(ITEM)])
        self.body.addWidget(self.view, 1)
        self.body.addStretch(0)

    def _connect(self) -> None:
        self.first.activated.connect(self._chosen)
        self.second.activated.connect(self._chosen)
        self.metrics.activated.connect(self._chosen)
        self.all_systems.toggled.connect(self._fill_table)
        self.table.current_row_changed.connect(self._show_row)
        self.table.row_hovered.connect(self.differences.set_hovered)
        self.differences.item_chosen.connect(self.table.set_current_row)
        self.differences.item_hovered.connect(self.table.set_hovered_row)
        self.both.told.connect(self.told)
        session = self.session
        for signal in (
            session.desk_changed,
            session.options_changed,
            session.evaluations_changed,
        ):
            signal.connect(self._session_changed)

    def join(self, services: Services) -> None:
        self._services = services

    def arrive(self) -> None:
        if self._stale:
            self._offer()
        self.table.setFocus()

    def _session_changed(self) -> None:
        self._stale = True
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
        self._bar.setEnabled(enough)
        if not enough:
            self.items = self.comparison = self._pair = None
            self.say("Two systems are needed: score a second one, and compare them here.")
            return
        selected = self.session.selection.system
        chosen = self.first.currentText() or selected
        first = chosen if chosen in systems else systems[0]
        rest = [name for name in systems if name != first]
        second = self.second.currentText()
        for box, current in ((self.first, first), (self.second, second)):
            box.clear()
            box.addItems(systems)
            box.setCurrentText(current if current in systems else rest[0])
        if self.second.currentText() == first:
            self.second.setCurrentText(rest[0])
        self._offer_metrics()
        self._show_pair()

    def _offer_metrics(self) -> None:
        evaluation = self.session.evaluation(self.first.currentText())
        if evaluation is None:
            return
        columns = evaluation.items.columns
        ranking = [
            info
            for info in metrics_of(self.session.task, evaluation)
            if info.name in columns and info.better != "neither"
        ]
        kept = self.metrics.currentData() or self.session.selection.metric
        names = [info.name for info in ranking]
        main = next((info.name for info in ranking if info.headline), next(iter(names), ""))
        self.metrics.clear()
        for info in ranking:
            self.metrics.addItem(info.title, info.name)
        wanted = kept if kept in names else main
        self.metrics.setCurrentIndex(names.index(wanted) if wanted in names else -1)

    def _chosen(self) -> None:
        if self.first.currentText() == self.second.currentText():
            other = 1 if self.second.currentIndex() == 0 else 0
            self.second.setCurrentIndex(other)
        self._show_pair()

    # What is shown

    @property
    def systems(self) -> tuple[str, str]:
        """The two systems that are compared."""
        return self.first.currentText(), self.second.currentText()

    @property
    def metric(self) -> MetricInfo | None:
        """The metric that they are compared by."""
        name = self.metrics.currentData()
        return self.session.metric(name) if name else None

    def _show_pair(self) -> None:
        metric = self.metric
        one, other = (self.session.evaluation(name) for name in self.systems)
        if one is None or other is None:
            return
        self.items = self.comparison = None
        self._pair = (one, other)
        pair = None if metric is None else (_entrant(one, metric), _entrant(other, metric))
        self.items = None if metric is None or pair is None else per_item(metric, *pair)
        self.view.setVisible(self.items is not None)
        if metric is None or pair is None or self.items is None:
            self.say("This competition keeps no number for each item: see the board.")
            return
        noun = self.nouns
        self.say(f"{metric.title}: {counts_sentence(self.items, noun)}.", self._heading())
        self.differences.show_pair(self.items, self.systems, noun[1])
        self._fill_table()
        self._test(metric, *pair)
        self.changed.emit()

    def _heading(self) -> str:
        first, second = self.systems
        return f"{first} against {second}"

    @property
    def nouns(self) -> tuple[str, str]:
        """What an item and several items are called."""
        return self.session.task.item_noun if self.session.task else ("item", "items")

    def _fill_table(self) -> None:
        metric = self.metric
        if self.items is None or metric is None:
            return
        others = {}
        if self.all_systems.isChecked():
            others = {
                summary.system: of_items(self.items, found.items, metric.name)
                for summary in self.session.shown()
                if summary.system not in self.systems
                and (found := self.session.evaluation(summary.system)) is not None
            }
        columns = compare_columns(self.items, self.systems, metric, self.nouns[0], others)
        self.table.table_model.show(columns)
        self.table.table_model.sort_by(BY_SIZE, descending=True)
        shown = {column.name for column in columns if column.name != "disagreement"}
        self.table.show_columns(frozenset(shown))
        if self.table.table_model.rowCount():
            self.table.set_current_row(int(self.table.table_model.rows[0]))

    def _show_row(self, row: int | None) -> None:
        self.differences.set_current(row)
        if row is None or self.items is None or self._pair is None or self.session.task is None:
            return
        there = folders(self.session.task, self.session.inputs())
        item = self.items.ids[row]
        self.both.show_item(item, self._pair, self.session.task.inspector, there)
        self.session.select(item=item)

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

    # What the user asks

    def actions_bar(self) -> QWidget | None:
        return self._bar

    def commands(self) -> Sequence[Command]:
        return (
            Command("compare.swap", "Swap the systems", "View", "swap", ("X",)),
            Command("compare.all", "Show all systems", "View", "toggle_all", ("A",)),
        )

    def swap(self) -> None:
        """Turn the comparison round."""
        first, second = self.systems
        self.first.setCurrentText(second)
        self.second.setCurrentText(first)
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


def _entrant(evaluation: Evaluation, metric: MetricInfo) -> Entrant:
    value = next((s.value for s in evaluation.scores if s.metric == metric.name), float("nan"))
    return Entrant(evaluation.system, value, evaluation.items)


def compared(
    task: AnyTask,
    metric: MetricInfo,
    profile: str,
    one: Entrant,
    other: Entrant,
    run: Run,
    tell: Tell,
) -> Comparison:
    """Whether the difference of two systems is real."""
    return compare(task, metric, profile, one, other, run)

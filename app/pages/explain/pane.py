"""Base class of the Explain page's panes: controls above, tables below, one job at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.jobs.job import Notify
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.tables.item_columns import available_metrics
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.tables.table_view import Table, TableCellDelegate
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.parts import Card, set_spacing
from jurydesk.core.language import translate, translate_text
from jurydesk.core.tables.columns import Column

if TYPE_CHECKING:
    from jurydesk.app.state.session import Session
    from jurydesk.app.state.workspace import Workspace
    from jurydesk.core.analysis.comparison.item_differences import ItemDifference
    from jurydesk.core.desk import Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import Json, MetricInfo


@dataclass(frozen=True, slots=True)
class ChangedItems:
    """Items of a system that differ between two results, by one metric."""

    items: Sequence[ItemDifference]
    metric: str
    stamps: Sequence[Json]
    """Stamps of both results."""
    reference: bool = False
    """Whether the results have different reference data."""


class Pane(QWidget):
    """Part of the page; `finding_changed` carries a sentence, `opened` system, metric and item."""

    finding_changed = Signal(str)
    opened = Signal(str, str, str)
    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.session = workspace.session
        self.finding = ""
        self._job = DeskJob[str, Any](self, workspace.session, workspace.jobs)
        self._job.arrived.connect(self._take_result)
        self._job.refused.connect(self.say)
        self._job.ended.connect(self.changed)
        self.items = TableCard(translate("Items"))
        self.column = QVBoxLayout(self)
        set_spacing(self.column, 16)

    def refresh(self) -> None:
        """Show the current session; called when the pane comes to the front."""

    @property
    def busy(self) -> bool:
        return self._job.is_busy

    def say(self, finding: str) -> None:
        self.finding = translate_text(finding)
        self.finding_changed.emit(self.finding)

    def start(self, title: str, work: Callable[..., Any], *arguments: object) -> None:
        """Start a job; `take` receives the result, `say` a refusal."""
        evaluator = self.workspace.evaluator
        self._job.start(
            title,
            title,
            partial(call_without_messages, work, arguments),
            quiet=False,
            device=evaluator.device,
            processes=evaluator.processes,
        )
        self.changed.emit()

    def stop(self) -> None:
        """Stop the job and discard its result."""
        self._job.cancel()

    def take(self, result: Any) -> None:
        """Show the result of the job."""

    def changed_items(self) -> ChangedItems | None:
        """Return the visible items, for export; None without any."""
        return None

    def _take_result(self, result: Any) -> None:
        self.take(result)


def call_without_messages(
    work: Callable[..., Any], arguments: Sequence[object], run: Run, notify: Notify
) -> Any:
    """Call work that has no intermediate results."""
    return work(*arguments, run)


def offer(list_: NameBox, entries: Sequence[tuple[str, object]], wanted: object) -> None:
    """Offer entries (title, data); keep the current choice, else take the wanted one."""
    current = list_.currentData() if list_.count() else wanted
    list_.blockSignals(True)
    list_.clear()
    for title, data in entries:
        list_.addItem(title, data)
    known = [data for _, data in entries]
    chosen = current if current in known else wanted if wanted in known else next(iter(known), None)
    list_.setCurrentIndex(known.index(chosen) if chosen in known else -1)
    list_.blockSignals(False)
    list_.show_tip()


def systems_of(session: Session) -> list[Summary]:
    """Return the systems on the board, best first."""
    board = session.leaderboard()
    return [row.summary for row in board.rows if row.summary.id] if board else []


def ranking_metrics(session: Session, system: str) -> list[MetricInfo]:
    """Return a system's metrics that rank, the headline first."""
    evaluation = session.evaluation(system)
    if evaluation is None:
        return []
    names = {score.metric for score in evaluation.scores}
    found = [
        info
        for info in available_metrics(session.task, evaluation)
        if info.name in names and info.better != "neither"
    ]
    ranking = session.ranking_metric
    return sorted(found, key=lambda info: (info.name != ranking, not info.headline))


class TableCard(Card):
    """Card with a table and its filter line."""

    def __init__(
        self, name: str, cells: Callable[[Table], TableCellDelegate] = TableCellDelegate
    ) -> None:
        super().__init__(padding=(1, 1))
        self.filtered = FilteredTable(name, Table(name, cells=cells))
        self.table = self.filtered.table
        self.body.addWidget(self.filtered, 1)

    def show_columns(
        self, columns: Sequence[Column], growing: str = "", hidden: frozenset[str] = frozenset()
    ) -> None:
        """Show these columns but the `hidden` ones; `growing` takes the remaining width."""
        self.table.growing = (growing,)
        self.table.show_columns(frozenset(column.name for column in columns), columns)
        if hidden:
            self.table.hidden |= hidden
            self.table.fit_columns()
        if self.table.table_model.rowCount():
            self.table.set_current_row(0)

"""What the parts of the Explain page share: controls above, tables below, one job at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.jobs.job import Tell
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.tables.columns import Column
from jurydesk.app.tables.item_columns import available_metrics
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.parts import Card, set_spacing

if TYPE_CHECKING:
    from jurydesk.app.state.session import Session
    from jurydesk.app.window.services import Services
    from jurydesk.core.desk import Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import MetricInfo


class Pane(QWidget):
    """One part of the page. `said` is its finding, `opened` an item (system, metric, item)."""

    said = Signal(str)
    opened = Signal(str, str, str)
    changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.services: Services | None = None
        self.finding = ""
        self._job = LatestJob[str, Any](self, session)
        self._job.arrived.connect(self._arrived)
        self._job.refused.connect(self.say)
        self._job.ended.connect(self.changed)
        self.items = TableCard("Items")
        self.column = QVBoxLayout(self)
        set_spacing(self.column, 16)

    def refresh(self) -> None:
        """Show the session as it is now; called when the pane comes to the front."""

    @property
    def busy(self) -> bool:
        return self._job.is_busy

    def say(self, finding: str) -> None:
        self.finding = finding
        self.said.emit(finding)

    def start(self, title: str, work: Callable[..., Any], *arguments: object) -> None:
        """Do some work on another thread; `take` gets the result, `say` a refusal."""
        if self.services is None:
            return
        evaluator = self.services.evaluator
        self._job.join(evaluator.jobs)
        self._job.start(
            title,
            title,
            partial(without_messages, work, arguments),
            quiet=False,
            device=evaluator.device,
            processes=evaluator.processes,
        )
        self.changed.emit()

    def stop(self) -> None:
        """Stop what is being done, and do not take its result."""
        self._job.cancel()

    def take(self, result: Any) -> None:
        """Show what the work found."""

    def _arrived(self, result: Any) -> None:
        self.take(result)


def without_messages(
    work: Callable[..., Any], arguments: Sequence[object], run: Run, tell: Tell
) -> Any:
    """Do work that has no intermediate results."""
    return work(*arguments, run)


def box(name: str) -> NameBox:
    """A list to choose from, as wide as its entries where there is room."""
    return NameBox(name)


def offer(list_: NameBox, entries: Sequence[tuple[str, object]], wanted: object) -> None:
    """Offer entries (title, data), the wanted one or what was chosen before."""
    kept = list_.currentData() if list_.count() else wanted
    list_.blockSignals(True)
    list_.clear()
    for title, data in entries:
        list_.addItem(title, data)
    known = [data for _, data in entries]
    chosen = kept if kept in known else wanted if wanted in known else next(iter(known), None)
    list_.setCurrentIndex(known.index(chosen) if chosen in known else -1)
    list_.blockSignals(False)
    list_.show_tip()


def systems_of(session: Session) -> list[Summary]:
    """The systems that are shown, the best first."""
    board = session.leaderboard()
    return [row.summary for row in board.rows if row.summary.id] if board else []


def ranking_metrics(session: Session, system: str) -> list[MetricInfo]:
    """The metrics of a system that rank, the headline first."""
    evaluation = session.evaluation(system)
    if evaluation is None:
        return []
    names = {score.metric for score in evaluation.scores}
    found = [
        info
        for info in available_metrics(session.task, evaluation)
        if info.name in names and info.better != "neither"
    ]
    return sorted(found, key=lambda info: not info.headline)


class TableCard(Card):
    """A table in a card."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, padding=(1, 1))
        self.table = Table(name)
        self.body.addWidget(self.table, 1)

    def show_columns(self, columns: Sequence[Column], growing: str = "") -> None:
        """Show these columns; `growing` takes the room that is left."""
        self.table.growing = growing
        self.table.table_model.show(columns)
        self.table.show_columns(frozenset(column.name for column in columns))
        if self.table.table_model.rowCount():
            self.table.set_current_row(0)

    def data(self) -> list[tuple[str, Sequence[object]]]:
        """The rows in their order, for a file."""
        model = self.table.table_model
        return [(column.title, column.cells(model.rows)) for column in model.columns]

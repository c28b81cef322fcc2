"""The slice of the items that the board shows, computed in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Jobs, Tell
from app.latest_job import LatestJob
from app.session import Part, Session

if TYPE_CHECKING:
    from app.models.attributes import Sliceable
    from core.board import Board
    from core.desk import Desk, Summary
    from core.run.run import Run
    from core.slices import Slice
    from core.tasks.registry import AnyTask


class Slicing(QObject):
    """The slice in use with its board; `changed` says that it is another one.

    `found` carries the groups of a column, `offered` by what the items can be sliced, and
    `refused` what a query or a column lacks.
    """

    changed = Signal()
    found = Signal(object)
    offered = Signal(object)
    refused = Signal(str)

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._job = LatestJob[str, object](self, session, jobs)
        self._job.arrived.connect(self._take)
        self._job.refused.connect(self.refused)
        self._columns = LatestJob[str, "Sliceable"](self, session, jobs)
        self._columns.arrived.connect(self.offered)
        self.slice: Slice | None = None
        self.board: Board | None = None
        session.subscribe(Part.DESK, self.clear)
        session.subscribe(Part.RESULTS | Part.OPTIONS, self._again)

    @property
    def busy(self) -> bool:
        """Whether a slice is being computed."""
        return self._job.is_busy

    def look(self) -> None:
        """Find out by what the items can be sliced, once for every desk and competition."""
        session = self._session
        summaries = session.shown()
        if session.desk is not None and session.task is not None and summaries:
            work = partial(columns_of, session.desk, session.task, summaries[0])
            self._columns.request(session.task.id, "Looking at the items", work)

    def ask(self, query: str) -> None:
        """Show the items that fit a query; all of them where it is empty."""
        if query.strip():
            self._start("Finding the slice", asked_for, query)
        else:
            self.clear()

    def ask_by(self, column: str) -> None:
        """Find the groups of a column; `found` carries them."""
        self._start("Finding the groups", grouped_by, column)

    def choose(self, chosen: Slice) -> None:
        self._start("Scoring the slice", scored, chosen)

    def clear(self) -> None:
        self._job.clear()
        if self.slice is not None:
            self.slice = self.board = None
            self.changed.emit()

    def _again(self) -> None:
        """Score the slice of other results."""
        if self.slice is not None:
            self.choose(self.slice)

    def _start(self, title: str, what: Callable[..., object], wish: object) -> None:
        session = self._session
        summaries = session.shown()
        if session.desk is not None and session.task is not None and summaries:
            work = partial(what, session.desk, session.task, summaries, wish)
            self._job.start(title, title, work, quiet=False)
        else:
            self._job.cancel()

    def _take(self, result: object) -> None:
        if isinstance(result, tuple):
            self.slice, self.board = result
            self.changed.emit()
        else:
            self.found.emit(result)


def columns_of(desk: Desk, task: AnyTask, summary: Summary, run: Run, tell: Tell) -> Sliceable:
    """Return by what the items of a system can be sliced."""
    from app.models.attributes import sliceable

    return sliceable(task, desk.load(summary.id, task.readers.load_evidence))


def asked_for(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], query: str, run: Run, tell: Tell
) -> tuple[Slice, Board]:
    """The items that fit a query, and their board."""
    from core.attributes import Attributes
    from core.slices import queried

    chosen = queried(Attributes(desk, task, summaries, run), query)
    return scored(desk, task, summaries, chosen, run, tell)


def grouped_by(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], column: str, run: Run, tell: Tell
) -> list[Slice]:
    """The groups of a column."""
    from core.attributes import Attributes
    from core.slices import grouped

    return grouped(Attributes(desk, task, summaries, run), column)


def scored(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], chosen: Slice, run: Run, tell: Tell
) -> tuple[Slice, Board]:
    """A slice and its board."""
    from core.slice_board import slice_board

    return chosen, slice_board(desk, task, summaries, chosen, run)

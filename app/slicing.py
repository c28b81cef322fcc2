"""The slice of the items that the board shows, computed in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs, Tell
from app.newest import Newest
from app.session import Session

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
        self._jobs = jobs
        self._newest = Newest(self)
        self._newest.found.connect(self._take)
        self._looked: tuple[object, str] | None = None
        self.slice: Slice | None = None
        self.board: Board | None = None
        session.desk_changed.connect(self.clear)
        session.evaluations_changed.connect(self._again)
        session.options_changed.connect(self._again)

    @property
    def busy(self) -> bool:
        """Whether a slice is being computed."""
        return self._newest.busy

    def look(self) -> None:
        """Find out by what the items can be sliced, once for every desk and competition."""
        session = self._session
        summaries = session.shown()
        if session.desk is None or session.task is None or not summaries:
            return
        key = (session.desk, session.task.id)
        if self._looked != key:
            self._looked = key
            work = partial(looked, session.desk, session.task, summaries[0])
            job = Job("Looking at the items", work, quiet=True)
            job.succeeded.connect(self._offer)
            self._jobs.start(job)

    def _offer(self, sliceable: object) -> None:
        if sliceable is not None:
            self.offered.emit(sliceable)

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
        """Show the items of a slice."""
        self._start("Scoring the slice", scored, chosen)

    def clear(self) -> None:
        """Show all items again."""
        self._newest.stop()
        if self.slice is not None:
            self.slice = self.board = None
            self.changed.emit()

    def _again(self) -> None:
        """Score the slice of other results."""
        if self.slice is not None:
            self.choose(self.slice)

    def _start(self, title: str, what: Callable[..., object], wish: object) -> None:
        self._newest.stop()
        session = self._session
        summaries = session.shown()
        if session.desk is None or session.task is None or not summaries:
            return
        work = partial(guarded, what, session.desk, session.task, summaries, wish)
        self._newest.begin(Job(title, work), self._jobs)

    def _take(self, result: object) -> None:
        if isinstance(result, str):
            self.refused.emit(result)
        elif isinstance(result, tuple):
            self.slice, self.board = result
            self.changed.emit()
        else:
            self.found.emit(result)


def guarded(
    what: Callable[..., object],
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    wish: object,
    run: Run,
    tell: Tell,
) -> object:
    """What one of the functions below gives, or the sentence that says why it gives nothing."""
    from core.model import UsageError

    try:
        return what(desk, task, summaries, wish, run)
    except UsageError as error:
        return str(error)


def looked(desk: Desk, task: AnyTask, summary: Summary, run: Run, tell: Tell) -> Sliceable | None:
    """By what the items of a system can be sliced; None where it was removed meanwhile."""
    from app.models.attributes import sliceable
    from core.desk import DeskError

    try:
        return sliceable(task, desk.load(summary.id, task.load_evidence))
    except DeskError:
        return None


def asked_for(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], query: str, run: Run
) -> tuple[Slice, Board]:
    """The items that fit a query, and their board."""
    from core.attributes import Attributes
    from core.slices import queried

    chosen = queried(Attributes(desk, task, summaries, run), query)
    return scored(desk, task, summaries, chosen, run)


def grouped_by(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], column: str, run: Run
) -> list[Slice]:
    """The groups of a column."""
    from core.attributes import Attributes
    from core.slices import grouped

    return grouped(Attributes(desk, task, summaries, run), column)


def scored(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], chosen: Slice, run: Run
) -> tuple[Slice, Board]:
    """A slice and its board."""
    from core.slice_board import slice_board

    return chosen, slice_board(desk, task, summaries, chosen, run)

"""The slice line of the Board page, joined to the desk: what it asks is computed elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QWidget

from jurydesk.app.jobs.job import Jobs, Tell
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.filter_line import FilterLine
from jurydesk.app.widgets.parts import button, row_layout

if TYPE_CHECKING:
    from jurydesk.app.pages.leaderboard.slice_columns import Sliceable
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.analysis.slices import ItemSlice
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


ALL = "All items"


class SliceLine(QWidget):
    """Emits what the user wishes: `asked` a query, `asked_by` a column, `chose` a group or None."""

    asked = Signal(str)
    asked_by = Signal(str)
    chose = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns: Mapping[str, tuple[str, str]] = {}
        self._slices: Sequence[ItemSlice] = ()
        self.line = FilterLine("Slice", live=False)
        self.query = self.line.field
        self.by = button("By …", self.choose_column, hint="One board for each value of a column")
        self.by.setAccessibleName("Slice by a column")
        self.by.hide()  # until it is known what there is to choose
        self.groups = QComboBox()
        self.groups.setAccessibleName("Group")
        self.groups.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.groups.hide()
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        row = row_layout(self.line, self.groups, self.by)
        row.setStretch(0, 1)
        for part in (self.groups, self.by):
            row.setAlignment(part, Qt.AlignmentFlag.AlignTop)
        self.setLayout(row)
        self.line.changed.connect(self._ask)
        self.line.left.connect(self.left)
        self.groups.activated.connect(self._choose)

    def offer(self, sliceable: Sliceable) -> None:
        self._columns = sliceable.columns
        example = f", or {sliceable.example}" if sliceable.example else ""
        words = f"Slice: {sliceable.noun[1]} with these words{example}"
        self.line.offer(sliceable.filters, words)
        self.by.setVisible(bool(self._columns))

    def show_groups(self, slices: Sequence[ItemSlice]) -> None:
        """Offer the groups of a column, the first of them chosen."""
        self._slices = slices
        self.groups.clear()
        self.groups.addItem(ALL)
        for one in slices:
            self.groups.addItem(f"{one.title} ({one.size})")
        self.groups.show()
        self.line.clear()
        if slices:
            self.groups.setCurrentIndex(1)
            self._choose(1)

    def reset(self) -> None:
        self.groups.hide()
        self._slices = ()
        self.line.clear()

    def choose_column(self) -> None:
        self.menu.clear()
        for name, (title, hint) in self._columns.items():
            action = self.menu.addAction(title.replace("&", "&&"))
            action.setData(name)
            action.setToolTip(tip(*hint.splitlines()))
            action.triggered.connect(self._by)
        corner = self.by.rect().bottomLeft() + QPoint(0, px(4))
        self.menu.popup(self.by.mapToGlobal(corner))

    def _by(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.asked_by.emit(action.data())

    def _ask(self, query: str) -> None:
        """Ask for the items of a query; an empty line leaves a chosen group as it is."""
        if query or self.groups.isHidden():
            self.groups.hide()
            self.asked.emit(query)

    def _choose(self, index: int) -> None:
        if index == 0:
            self.groups.hide()
            self.chose.emit(None)
        else:
            self.chose.emit(self._slices[index - 1])


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
        self.slice: ItemSlice | None = None
        self.board: Leaderboard | None = None
        session.subscribe(SessionPart.DESK, self.clear)
        session.subscribe(SessionPart.RESULTS | SessionPart.OPTIONS, self._again)

    @property
    def busy(self) -> bool:
        """Whether a slice is being computed."""
        return self._job.is_busy

    def look(self) -> None:
        """Find out by what the items can be sliced, once for every desk and competition."""
        session = self._session
        summaries = session.profile_systems()
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

    def choose(self, chosen: ItemSlice) -> None:
        self._start("Scoring the slice", scored_slices, chosen)

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
        summaries = session.profile_systems()
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
    from jurydesk.app.pages.leaderboard.slice_columns import sliceable

    return sliceable(task, desk.load(summary.id, task.readers.load_evidence))


def asked_for(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], query: str, run: Run, tell: Tell
) -> tuple[ItemSlice, Leaderboard]:
    """The items that fit a query, and their board."""
    from jurydesk.core.analysis.item_attributes import ItemAttributes
    from jurydesk.core.analysis.slices import slice_by_query

    chosen = slice_by_query(ItemAttributes(desk, task, summaries, run), query)
    return scored_slices(desk, task, summaries, chosen, run, tell)


def grouped_by(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], column: str, run: Run, tell: Tell
) -> list[ItemSlice]:
    """The groups of a column."""
    from jurydesk.core.analysis.item_attributes import ItemAttributes
    from jurydesk.core.analysis.slices import slices_by_column

    return slices_by_column(ItemAttributes(desk, task, summaries, run), column)


def scored_slices(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], chosen: ItemSlice, run: Run, tell: Tell
) -> tuple[ItemSlice, Leaderboard]:
    """A slice and its board."""
    from jurydesk.core.analysis.slice_leaderboard import slice_leaderboard

    return chosen, slice_leaderboard(desk, task, summaries, chosen, run)


class BoardSlices(SliceLine):
    """`changed` says that another slice is in use; `refused` why one cannot be."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.slicing: Slicing | None = None

    def join(self, session: Session, jobs: Jobs) -> None:
        """Work for this session from now on."""
        slicing = self.slicing = Slicing(session, jobs, self)
        slicing.changed.connect(self.changed)
        slicing.refused.connect(self.refused)
        slicing.found.connect(self.show_groups)
        slicing.offered.connect(self.offer)
        self.asked.connect(slicing.ask)
        self.asked_by.connect(slicing.ask_by)
        self.chose.connect(self._use)
        session.subscribe(SessionPart.DESK, self.reset)

    @property
    def busy(self) -> bool:
        """Whether a slice is being computed."""
        return self.slicing is not None and self.slicing.busy

    @property
    def slice(self) -> ItemSlice | None:
        """The slice in use; None where all items count."""
        return None if self.slicing is None else self.slicing.slice

    def sliced(self, whole: Leaderboard | None) -> Leaderboard | None:
        """The board of the slice in use; nothing where there is no board at all."""
        board = None if self.slicing is None else self.slicing.board
        return whole if whole is None or board is None else board

    def show_for(self, board: Leaderboard | None) -> None:
        """Show the line where there is a board, and learn by what it can be sliced."""
        has_rows = board is not None and bool(board.rows)
        self.setVisible(has_rows)
        if self.slicing is not None and has_rows:
            self.slicing.look()

    def clear(self) -> None:
        """Let all items count again."""
        if self.slicing is not None:
            self.slicing.clear()

    def _use(self, chosen: ItemSlice | None) -> None:
        if self.slicing is not None:
            self.slicing.clear() if chosen is None else self.slicing.choose(chosen)

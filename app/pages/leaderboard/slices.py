"""Slice line of the Board page, and the jobs that find and score slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QWidget

from jurydesk.app.jobs.job import Jobs, Notify
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.item_columns import available_metrics, column_heading
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.app.widgets.filter_line import FilterLine
from jurydesk.app.widgets.filtering import SAMPLED
from jurydesk.app.widgets.parts import button, row_layout
from jurydesk.core.analysis.units import resampling_units
from jurydesk.core.language import translatable, translate
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

if TYPE_CHECKING:
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.analysis.slices import ItemSlice
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import Evaluation

MAX_COLUMNS = 24


@dataclass(frozen=True, slots=True)
class SliceColumns:
    """Columns for slicing, with the noun of the items and an example query.

    `columns` maps names to titles and tooltips.
    """

    columns: Mapping[str, tuple[str, str]]
    noun: tuple[str, str]
    example: str
    filters: tuple[Column, ...] = ()
    """Columns that a query can name."""


def find_slice_columns(task: AnyTask, evaluation: Evaluation) -> SliceColumns:
    """Return the columns by which the items can be sliced.

    Text columns come first (a sub-task, say), then numbers that are not metrics, then the main
    metrics. Others, and statistics of combined scores such as METEOR's matches, can be named in a
    query alone.
    """
    found = resampling_units(task, evaluation.items, evaluation.profile)
    attributes = task.presentation.attributes(evaluation.items)
    texts = list(attributes)
    known = {info.name: info for info in available_metrics(task, evaluation)}
    infos = [info for info in known.values() if info.better != "neither"]
    ranking = [info.name for info in infos if info.name in found.columns]
    headlines = [info.name for info in infos if info.headline and info.name in ranking]
    parts = {name for info in infos for name in info.statistics}  # of combined scores
    plain = [name for name in found.columns if name not in ranking and name not in parts]
    noun = (found.noun.removesuffix("s"), found.noun) if found.noun else task.item_noun
    main = next(iter((*headlines, *ranking)), "")
    example = f"{main} < 0.2" if main else f"{plain[0]} > 3" if plain else ""
    names = [*texts, *plain, *(headlines or ranking)][:MAX_COLUMNS]
    columns = {
        name: column_heading(name, known.get(name), task.presentation.statistics.get(name))
        for name in names
    }
    few = len(evaluation.items) <= SAMPLED  # texts may have to be read item by item
    filters: tuple[Column, ...] = (
        *(TextColumn(name, "", of() if few else ()) for name, of in attributes.items()),
        *(NumberColumn(name, "", values) for name, values in found.columns.items()),
    )
    return SliceColumns(columns, noun, example, filters)


ALL = translatable("All items")


class SliceLine(QWidget):
    """Controls that choose a slice: a query, a column, or one of its groups."""

    guide_part = translatable("Slices")

    query_entered = Signal(str)
    column_chosen = Signal(str)
    group_chosen = Signal(object)
    leave_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns: Mapping[str, tuple[str, str]] = {}
        self._slices: Sequence[ItemSlice] = ()
        self.line = FilterLine(translate("Slice"), live=False)
        self.line.guide_part = self.guide_part
        self.query = self.line.field
        self.column_button = button(
            translate("By …"),
            self.choose_column,
            hint=translate("One board for each value of a column"),
        )
        self.column_button.setAccessibleName(translate("Slice by a column"))
        self.column_button.hide()  # until the columns are known
        self.groups = ChoiceBox()
        self.groups.setAccessibleName(translate("Group"))
        self.groups.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.groups.hide()
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        row = row_layout(self.line, self.groups, self.column_button)
        row.setStretch(0, 1)
        for part in (self.groups, self.column_button):
            row.setAlignment(part, Qt.AlignmentFlag.AlignTop)
        self.setLayout(row)
        self.line.changed.connect(self._emit_query)
        self.line.leave_requested.connect(self.leave_requested)
        self.groups.activated.connect(self._choose)

    def offer(self, columns: SliceColumns) -> None:
        self._columns = columns.columns
        noun = translate(columns.noun[1])
        words = translate("Slice: {nouns} with these words", nouns=noun)
        if columns.example:
            words = translate(
                "Slice: {nouns} with these words, or {condition}",
                nouns=noun,
                condition=columns.example,
            )
        self.line.offer(columns.filters, words)
        self.column_button.setVisible(bool(self._columns))

    def show_groups(self, slices: Sequence[ItemSlice]) -> None:
        """Offer the groups of a column and choose the first."""
        self._slices = slices
        self.groups.clear()
        self.groups.addItem(translate(ALL))
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
            action.triggered.connect(self._emit_chosen_column)
        corner = self.column_button.rect().bottomLeft() + QPoint(0, px(4))
        self.menu.popup(self.column_button.mapToGlobal(corner))

    def _emit_chosen_column(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.column_chosen.emit(action.data())

    def _emit_query(self, query: str) -> None:
        if query or self.groups.isHidden():
            self.groups.hide()
            self.query_entered.emit(query)

    def _choose(self, index: int) -> None:
        if index == 0:
            self.groups.hide()
            self.group_chosen.emit(None)
        else:
            self.group_chosen.emit(self._slices[index - 1])


class SliceController(QObject):
    """Slice in use and its board; `changed` is emitted when it is another one.

    `groups_found` carries the groups of a column, `columns_found` the columns for slicing,
    `refused` the reason why a query or column cannot be used. `busy_changed` is emitted when a
    slice begins or ends to be scored.
    """

    changed = Signal()
    busy_changed = Signal()
    groups_found = Signal(object)
    columns_found = Signal(object)
    refused = Signal(object)

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._job = DeskJob[str, object](self, session, jobs)
        self._job.arrived.connect(self._show_result)
        self._job.refused.connect(self.refused)
        self._job.ended.connect(self.busy_changed)
        self._columns = DeskJob[str, "SliceColumns"](self, session, jobs)
        self._columns.arrived.connect(self.columns_found)
        self.slice: ItemSlice | None = None
        self.board: Leaderboard | None = None
        self._family: Sequence[tuple[ItemSlice, Leaderboard]] = ()
        """Scored slices of one column, whose claims hold together."""
        session.subscribe(SessionPart.DESK, self.clear)
        session.subscribe(SessionPart.RESULTS | SessionPart.OPTIONS, self._rescore)

    @property
    def busy(self) -> bool:
        return self._job.is_busy

    def find_columns(self) -> None:
        """Find the columns for slicing, once for every desk and competition."""
        session = self._session
        summaries = session.profile_systems()
        if summaries:
            work = partial(load_slice_columns, session.desk, session.task, summaries[0])
            self._columns.request(session.task.id, translate("Reading the columns"), work)

    def score_query(self, query: str) -> None:
        """Score the items that match a query; all items if it is empty."""
        if query.strip():
            self._start(translate("Finding the slice"), slice_query, query)
        else:
            self.clear()

    def find_groups(self, column: str) -> None:
        """Find the groups of a column; `groups_found` carries them."""
        self._start(translate("Finding the groups"), group_items, column)

    def choose(self, chosen: ItemSlice) -> None:
        """Show the board of a slice, and score it with the others of its column if need be."""
        known = next((board for one, board in self._family if one.ids == chosen.ids), None)
        if known is None:
            self._start(translate("Scoring the slice"), score_slice, chosen)
        else:
            self.slice, self.board = chosen, known
            self.changed.emit()

    def clear(self) -> None:
        self._job.clear()
        self._family = ()
        self.busy_changed.emit()
        if self.slice is not None:
            self.slice = self.board = None
            self.changed.emit()

    def _rescore(self) -> None:
        self._family = ()
        if self.slice is not None:
            self.choose(self.slice)

    def _start(self, title: str, what: Callable[..., object], wish: object) -> None:
        session = self._session
        summaries = session.profile_systems()
        if summaries:
            work = partial(what, session.desk, session.task, summaries, wish)
            self._job.start(title, title, work, quiet=False)
        else:
            self._job.cancel()
        self.busy_changed.emit()

    def _show_result(self, result: object) -> None:
        if isinstance(result, tuple):
            self._family = result
            self.slice, self.board = result[0]
            self.changed.emit()
        else:
            self.groups_found.emit(result)


def load_slice_columns(
    desk: Desk, task: AnyTask, summary: Summary, run: Run, notify: Notify
) -> SliceColumns:
    """Return the columns by which a system's items can be sliced."""
    return find_slice_columns(task, desk.load(summary.id, task.readers.load_evidence))


def slice_query(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], query: str, run: Run, notify: Notify
) -> tuple[tuple[ItemSlice, Leaderboard], ...]:
    """Return the items that match a query, and their board."""
    from jurydesk.core.analysis.item_attributes import ItemAttributes
    from jurydesk.core.analysis.slices import slice_by_query

    chosen = slice_by_query(ItemAttributes(desk, task, summaries, run), query)
    return score_slice(desk, task, summaries, chosen, run, notify)


def group_items(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], column: str, run: Run, notify: Notify
) -> list[ItemSlice]:
    """Return the groups of a column."""
    from jurydesk.core.analysis.item_attributes import ItemAttributes
    from jurydesk.core.analysis.slices import slices_by_column

    return slices_by_column(ItemAttributes(desk, task, summaries, run), column)


def score_slice(
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    chosen: ItemSlice,
    run: Run,
    notify: Notify,
) -> tuple[tuple[ItemSlice, Leaderboard], ...]:
    """Return a slice and its board, followed by the others of its column."""
    from jurydesk.core.analysis.slice_leaderboard import slice_leaderboards

    return tuple(slice_leaderboards(desk, task, summaries, (chosen, *chosen.others), run))


class BoardSlices(SliceLine):
    """Slice line of a session; `changed` announces another slice, `refused` a failure."""

    changed = Signal()
    busy_changed = Signal()
    refused = Signal(object)

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__()
        slicing = self.slicing = SliceController(session, jobs, self)
        slicing.changed.connect(self.changed)
        slicing.busy_changed.connect(self.busy_changed)
        slicing.refused.connect(self.refused)
        slicing.groups_found.connect(self.show_groups)
        slicing.columns_found.connect(self.offer)
        self.query_entered.connect(slicing.score_query)
        self.column_chosen.connect(slicing.find_groups)
        self.group_chosen.connect(self._apply_slice)
        session.subscribe(SessionPart.DESK, self.reset)

    @property
    def busy(self) -> bool:
        return self.slicing.busy

    @property
    def slice(self) -> ItemSlice | None:
        """Slice in use; None for all items."""
        return self.slicing.slice

    def board_of_slice(self, whole: Leaderboard | None) -> Leaderboard | None:
        """Return the board of the slice in use; without a slice, the whole board."""
        return whole if whole is None else self.slicing.board or whole

    def show_for(self, board: Leaderboard | None) -> None:
        """Show the line if the board has rows, and find the columns for slicing."""
        has_rows = board is not None and bool(board.rows)
        self.setVisible(has_rows)
        if has_rows:
            self.slicing.find_columns()

    def clear(self) -> None:
        """Return to all items."""
        self.slicing.clear()

    def _apply_slice(self, chosen: ItemSlice | None) -> None:
        self.slicing.clear() if chosen is None else self.slicing.choose(chosen)

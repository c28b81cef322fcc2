"""Board page: systems by metrics with intervals; every score opens its items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from jurydesk.app.jobs.job import Job
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.jobs.leaderboard_significance_job import LeaderboardSignificance
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.pages.leaderboard.board_maps import BoardMaps
from jurydesk.app.pages.leaderboard.column_chooser import ColumnsButton
from jurydesk.app.pages.leaderboard.leaderboard_cards import BoardFacts, Drawer
from jurydesk.app.pages.leaderboard.leaderboard_exports import ExportedBoards, board_exports
from jurydesk.app.pages.leaderboard.leaderboard_model import Remark, random_remarks, rating_remarks
from jurydesk.app.pages.leaderboard.leaderboard_table import BoardView, IntervalAxis
from jurydesk.app.pages.leaderboard.ranking_button import RankingButton
from jurydesk.app.pages.leaderboard.slices import BoardSlices
from jurydesk.app.pages.page import Page
from jurydesk.app.state.session import SessionPart
from jurydesk.app.style.theme import px
from jurydesk.app.tables.left_out_label import LeftOutLabel
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, button, set_spacing
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.analysis.contradictions import CONTRADICTED
from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.significance.copied_systems import CopiedPair
from jurydesk.core.language import counted, name_list, translatable, translate, translate_text
from jurydesk.core.model.evaluation import MetricInfo
from jurydesk.core.model.look_alikes import first_look_alike

if TYPE_CHECKING:
    from jurydesk.app.pages.leaderboard.robustness_sheet import Assessments, RobustnessSheet
    from jurydesk.app.state.workspace import Workspace
    from jurydesk.core.workflow.added_scores import AddedScores

ROOM_FOR_FACTS = 960
"""Page width from which the facts are open initially."""

NARROW = 700
"""Width of the window, unscaled, below which the button of the ranking metric is short."""


class BoardPage(Page):
    """Board, with a drawer of facts that is filled a frame later."""

    id = "board"
    title = translatable("Board")
    needs_scores = True
    says_scoring = True

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        session, jobs = workspace.session, workspace.jobs
        self.significance = LeaderboardSignificance(self, session, jobs)
        self.assessments: Assessments = DeskJob(self, session, jobs)
        """Ranks under other choices, which are computed even while their sheet is closed."""
        self._sheet: RobustnessSheet | None = None
        self._stale = True
        self._facts_of: tuple[int, frozenset[int]] | None = None
        """Number of the desk, and the results that the cards show."""
        self._facts_are_current = False
        """True if the cards show the results of the table."""
        self.board: Leaderboard | None = None
        self.frames = FrameQueue(self)
        self.view = BoardView()
        self.profiles = Segments(translate("Profile"))
        self.profiles.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.maps = BoardMaps(session, jobs)
        self.columns = ColumnsButton(workspace.settings)
        self.ranking = RankingButton()
        self._profiles: list[str] = []
        self._bar = QWidget()
        self.facts_button = QPushButton(translate("Facts"))
        self.facts_button.setCheckable(True)
        self.facts_button.setToolTip(translate("Facts about the system and the metric  (F)"))
        self.robustness_button = button(translate("Other choices …"), self.show_robustness)
        self.robustness_button.setToolTip(
            translate("Ranks under other profiles, tie rules, groups and items")
        )
        self._bar.setLayout(
            FlowLayout(
                *(self.profiles, self.ranking, self.columns),
                *(self.robustness_button, self.facts_button),
            )
        )
        self.table = Card("", padding=(1, 1))
        self.table.body.addWidget(self.view)
        self.axis = IntervalAxis(self.view)
        self.table.body.addWidget(self.axis)
        self.table.body.addWidget(LeftOutLabel(self.view))
        self.table.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.slices = BoardSlices(session, jobs)
        self.facts = BoardFacts(session, jobs)
        self.drawer = Drawer(self.facts)
        self.drawer.hide()
        left = QVBoxLayout()
        left.addWidget(self.table)
        left.addWidget(self.maps)
        left.addStretch(1)
        row = QHBoxLayout()
        set_spacing(row, 16)
        row.addLayout(left, 1)
        row.addWidget(self.drawer)
        head = QHBoxLayout()
        set_spacing(head, 8)
        head.addWidget(self.slices, 1)
        head.addWidget(self.maps.part, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self.body.addLayout(row, 1)
        self._place_facts()
        self._connect()

    def _connect(self) -> None:
        session = self.session
        self.view.cell_opened.connect(self._open)
        self.view.current_cell_changed.connect(self._show_cell_facts)
        self.view.systems_selected.connect(session.compare)
        self.facts_button.toggled.connect(self._facts_toggled)
        self.drawer.closed.connect(self.close_facts)
        self.facts.neighbour.comparison_requested.connect(self._compare_neighbours)
        self.profiles.chosen.connect(self._choose_profile)
        self.maps.chosen.connect(self._show_form)
        self.columns.changed.connect(self._refresh)
        self.ranking.chosen.connect(self.workspace.evaluator.rank_by)
        self.view.head_menu_requested.connect(self.ranking.open_head_menu)
        self.slices.leave_requested.connect(self.activate)
        self.slices.changed.connect(self._refresh)
        self.slices.busy_changed.connect(self._say)
        self.slices.refused.connect(self.message)
        self.significance.arrived.connect(self._session_changed)
        self.significance.refused.connect(self.message)
        self.assessments.arrived.connect(self._ranks_arrived)
        self.workspace.evaluator.busy_changed.connect(self._busy_changed)
        session.subscribe(SessionPart.DESK, self.assessments.clear)
        shown = (
            SessionPart.COMPETITION
            | SessionPart.FILES
            | SessionPart.OPTIONS
            | SessionPart.RESULTS
            | SessionPart.RATINGS
        )
        session.subscribe(shown, self._session_changed)

    def activate(self) -> None:
        if self._stale:
            self._refresh()
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    # Content

    @property
    def is_empty(self) -> bool:
        return self.board is None

    def _session_changed(self) -> None:
        if self.isVisible():
            self._refresh()
        else:
            self._stale = True
            self._compare()

    def _busy_changed(self) -> None:
        self._compare()
        if self.isVisible():
            self._say()
            self.view.emit_current_cell()
        else:
            self._stale = True

    def _refresh(self) -> None:
        was_away, self._stale = self._stale, False
        self._compare()
        current = None if was_away else self.view.cell(self.view.currentIndex())
        before = self._systems()
        self.board = self.slices.board_of_slice(self._whole_board())
        task = self.session.task.id
        self.slices.line.keep_filters(
            self.workspace.settings, task, self.workspace.evaluator.change
        )
        self.slices.line.count(self._size())
        self.columns.offer(self.board, task)
        self.ranking.offer(
            self._whole_board(),
            self.session.task,
            self.columns.chosen_metrics(),
            locked=self.session.read_only,
        )
        self.view.set_current_row(None)
        chosen = self.columns.chosen_metrics()
        self.view.board_model.show_board(self.board, chosen, self._marks(), self._remarks())
        # Columns that the user chose are all there, even if the table then scrolls.
        self.view.let_wait(columns=not self.columns.stored_names())
        has_rows = self.board is not None and bool(self.board.rows)
        self.maps.offer(None if self.slices.slice else self.board)
        self._show_form()
        self.slices.show_for(self.board)
        self._facts_are_current = has_rows and self._facts_of == self._results()
        self._show_drawer()
        self._show_profiles()
        if has_rows:
            kept = current[0].summary.system if current else self.session.selection.system
            # While systems are being scored, the cursor follows the leader.
            came_in = not was_away and bool(before) and before != self._systems()
            self._restore("" if came_in else kept, current[1].name if current else "")
            if self._facts_of is not None and self._facts_of[0] == self.session.desk_number:
                self._update_facts()
        self._say()
        self.changed.emit()

    def _size(self) -> str:
        chosen = self.slices.slice
        return "" if chosen is None else chosen.size

    def _whole_board(self) -> Leaderboard | None:
        return self.session.leaderboard(
            self.significance.significance.significance_tests, rated=True
        )

    def _compare(self) -> None:
        if not self._is_scoring:
            self.significance.compare()

    def take_files(self, paths: Sequence[Path]) -> bool:
        """Join the scores of a dropped table to those of the board; leave other files."""
        from jurydesk.core.readers.foreign_tables.table_signature import is_results_table
        from jurydesk.core.readers.text_file import file_head, text_head
        from jurydesk.core.workflow.added_scores import join_scores

        session = self.session
        is_open = session.has_desk and not session.read_only and not self._is_scoring
        if not is_open or len(paths) != 1 or not session.systems or not paths[0].is_file():
            return False
        head = text_head(file_head(paths[0]))
        if session.task.readers.sniff(head) is not None or not is_results_table(head):
            return False
        work = partial(join_scores, session.desk.path, session.task, paths[0])
        job = Job(translate("Joining scores"), work)
        job.succeeded.connect(self._scores_joined)
        self.workspace.jobs.start(job)
        return True

    def _scores_joined(self, found: AddedScores) -> None:
        """Show the joined scores, or say why there are none."""
        if found.systems:
            names, count = name_list(found.metrics), len(found.systems)
            added = translate_text(counted(count, "system"))
            self.message.emit(
                translate("{metrics}: added to {systems}.", metrics=names, systems=added)
            )
            self.session.reload_statistics()
            shown = self.columns.chosen_metrics()
            self.columns.store_names(list(dict.fromkeys([*shown, *found.metrics])))
        elif found.defects:
            self.message.emit(translate_text(found.defects[-1].found))

    @property
    def _is_scoring(self) -> bool:
        return self.workspace.evaluator.scoring is not None

    def _show_form(self) -> None:
        """Show the table, or a map in its place; the page keeps the focus meanwhile."""
        shown = bool(self.board and self.board.rows)
        self.maps.setVisible(shown and self.maps.is_chosen)
        shown = shown and not self.maps.is_chosen
        if not shown and self.view.hasFocus():
            self.setFocus()
        self.table.setVisible(shown)
        if shown and self.hasFocus():
            self.view.setFocus()

    def _results(self) -> tuple[int, frozenset[int]]:
        return self.session.desk_number, frozenset(one.id for one in self.session.profile_systems())

    def _systems(self) -> set[str]:
        return {row.summary.system for row in self.board.rows} if self.board else set()

    def _restore(self, system: str, metric: str) -> None:
        """Keep the cursor on the same system and metric, else move it to the first."""
        model = self.view.board_model
        places = [n for n, row in enumerate(model.shown_rows()) if row.summary.system == system]
        metrics = [one.name for one in model.number_columns()]
        numbers = {
            column.name: n
            for n, column in enumerate(model.columns)
            if column.name in metrics and not self.view.isColumnHidden(n)
        }
        number = numbers.get(metric, next(iter(numbers.values()), 0))
        self.view.setCurrentIndex(model.index(places[0] if places else 0, number))

    def _show_profiles(self) -> None:
        known = dict.fromkeys(summary.profile for summary in self.session.systems)
        if self.session.has_task:
            known[self.session.profile] = None
        declared = self.session.task.scoring.profiles
        profiles = sorted(known, key=lambda p: declared.index(p) if p in declared else 99)
        chosen = profiles.index(self.session.profile) if profiles else 0
        if profiles != self._profiles or chosen != self.profiles.index:
            self._profiles = profiles
            self.profiles.show_words(profiles, chosen)

    def _say(self) -> None:
        self.say(self._finding())

    def _finding(self) -> str:
        session = self.session
        if self.board is not None and self.slices.busy:
            return translate("The items of the slice are being found and scored.")
        if self.board is not None:
            outdated = translate_text(session.describe_outdated())
            finding = translate_text(self.board.finding)
            chosen = self.slices.slice
            if chosen is not None:
                head = translate(
                    "Only {slice} ({size}).", slice=chosen.title, size=translate_text(chosen.size)
                )
                from jurydesk.core.analysis.slice_leaderboard import family_of_slices

                family = translate_text(family_of_slices([chosen]))
                return " ".join(filter(None, (head, finding, family, outdated)))
            received = translate_text(session.state.results.received)
            warnings = map(translate_text, self._warnings())
            return " ".join(part for part in (finding, received, *warnings, outdated) if part)
        if self._is_scoring:
            return translate("The first system is being scored.")
        if session.systems:
            return translate(
                "Nothing was scored with the profile {profile} yet: press Ctrl+R.",
                profile=session.profile,
            )
        if not session.files:
            return translate(
                "Drop reference data and submissions on the window; their scores appear here."
            )
        if session.missing_inputs():
            return translate("A required file is still missing: Check says which.")
        return translate("Nothing has been scored yet: press Ctrl+R.")

    def _warnings(self) -> Iterator[str]:
        """Yield what may be wrong with systems: one sentence of each kind."""
        yield from (one.sentence(self._nouns()) for one in self._copies()[:1])
        yield from [*self.significance.significance.contradicted.values()][:1]
        names = tuple(one.system for one in self.session.profile_systems())
        yield from filter(None, [first_look_alike(names)])

    def _marks(self) -> dict[str, str]:
        """Return the remarks on submissions, and a mark of scores that are not of their items."""
        marks = dict(self.session.remarks)
        for system in self.significance.significance.contradicted:
            marks[system] = "\n".join(filter(None, [marks.get(system, ""), CONTRADICTED]))
        return marks

    def _remarks(self) -> dict[str, Remark]:
        random = random_remarks(self.board.metrics if self.board else ())
        return {**rating_remarks(self.session.study_findings), **random}

    def _copies(self) -> Sequence[CopiedPair]:
        return self.significance.significance.copies.get(self.session.profile, ())

    def _nouns(self) -> tuple[str, str]:
        return self.session.task.item_noun

    # Actions

    def actions_bar(self) -> QWidget | None:
        return self._bar

    def choose_columns(self) -> None:
        self.columns.choose()

    def choose_ranking(self) -> None:
        """Choose the metric that ranks the systems."""
        if not self.ranking.isHidden():
            self.ranking.choose()

    def reset_layout(self) -> None:
        self._set_layout([], "")

    def layout_restorer(self) -> Callable[[], object]:
        return partial(self._set_layout, self.columns.stored_names(), self._stored_facts())

    def _set_layout(self, columns: list[str], facts: str) -> None:
        self.columns.store_names(columns)
        self.workspace.settings.keep("board/facts", facts)
        self._place_facts()

    def _stored_facts(self) -> str:
        """Return whether the user left the facts open or closed; empty if neither."""
        return self.workspace.settings.text("board/facts")

    def show_robustness(self) -> None:
        """Show the ranks of all systems under other reasonable choices."""
        from jurydesk.app.pages.leaderboard.robustness_sheet import RobustnessSheet

        if self.board is not None:
            self._sheet = RobustnessSheet(self.session, self.assessments, self.window())
            self._sheet.closed.connect(self._forget_sheet)
            self._sheet.open()

    def _forget_sheet(self) -> None:
        closed = self.sender()
        if closed is self._sheet:
            self._sheet = None
        if closed is not None:
            closed.deleteLater()

    def _ranks_arrived(self) -> None:
        if self._sheet is None:
            self.message.emit(
                translate("The ranks under other choices are there: press Other choices.")
            )

    def toggle_facts(self) -> None:
        """Open or close the facts."""
        self.facts_button.toggle()

    def close_facts(self) -> None:
        self.facts_button.setChecked(False)
        self.view.setFocus()

    def _facts_toggled(self, shown: bool) -> None:
        self.workspace.settings.keep("board/facts", "open" if shown else "closed")
        self._show_drawer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.axis.set_room(has_room=not self.is_lowest)
        self.ranking.shorten(self.window().width() < px(NARROW))
        self.maps.part.set_room(self.width() // 3)
        self._place_facts()

    def _place_facts(self) -> None:
        """Open the facts as the user left them; initially, if the page is wide enough."""
        kept = self._stored_facts()
        with QSignalBlocker(self.facts_button):
            wide = self.width() >= px(ROOM_FOR_FACTS)
            self.facts_button.setChecked(kept == "open" if kept else wide)
        self._show_drawer()

    def _show_drawer(self) -> None:
        self.facts_button.setVisible(self.board is not None)
        self.robustness_button.setVisible(self.board is not None)
        self.drawer.setVisible(self.facts_button.isChecked() and self._facts_are_current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.drawer.isHidden():
            self.close_facts()
        else:
            super().keyPressEvent(event)

    def slice_by(self) -> None:
        """Choose a column to slice by."""
        self.slices.choose_column()

    def sort_here(self) -> None:
        """Sort by the current column."""
        self.view.sort_column(self.view.currentIndex().column())

    def open_items(self) -> None:
        """Open the items of the current system."""
        cell = self.view.cell(self.view.currentIndex())
        if cell is not None:
            metric = self.view.board_model.metric(cell[1])
            self._open(cell[0].summary.system, metric.name if metric else "")

    def remove_system(self) -> None:
        """Remove the current system from the board; it can be scored again."""
        cell = self.view.cell(self.view.currentIndex())
        if cell is not None:
            self.workspace.evaluator.remove_system(cell[0].summary.system)

    def _open(self, system: str, metric: str) -> None:
        if self.session.summary(system) is None:
            self.message.emit(
                translate(
                    "{system} was rated by people but not scored, so it has no items.",
                    system=system,
                )
            )
            return
        self.session.select(system, metric or None, "")
        self.page_requested.emit("items")

    def _show_cell_facts(self, row: LeaderboardRow, metric: MetricInfo | None) -> None:
        if self.board is not None:
            metric = metric or self.board.headline
            self.frames.add("cards", partial(self._show_cards, row, metric))
            self.session.select(row.summary.system, metric.name if metric else None)

    def _show_cards(self, row: LeaderboardRow, metric: MetricInfo | None) -> None:
        task, board = self.session.task, self.board
        if board is None:
            return
        self._facts_of = self._results()
        self._facts_are_current = True
        self._show_drawer()
        self.facts.show_cell(row, metric, task.item_noun)
        whole = self.slices.slice is None
        waiting = self.significance.waiting(scoring=self._is_scoring) if whole else ""
        waiting = translate_text(waiting)
        self.facts.show_against(board, row, task.item_noun[1], whole=whole, waiting=waiting)
        self.facts.show_people(board, metric, self.session.study_findings, self.session.profile)

    def _update_facts(self) -> None:
        if self._facts_of != self._results():
            self.frames.do_now("cards")

    def _compare_neighbours(self) -> None:
        self.page_requested.emit("compare")

    def _choose_profile(self, index: int) -> None:
        self.workspace.evaluator.choose_options({"profile": self._profiles[index]})

    # Copy and export

    def selection_text(self, headers: bool) -> str:
        return self.view.board_model.selection_text(self.view.selected_places(), headers=headers)

    def search(self) -> None:
        self.slices.line.focusInside()

    def select_all(self) -> None:
        self.view.selectAll()

    def exports(self) -> Sequence[Export]:
        board = self.board
        if board is None or not self.session.has_desk:
            return ()
        chosen = self.columns.chosen_metrics()
        shown = [m for m in board.metrics if m is board.headline or m.name in chosen]
        part = self.slices.slice
        whole = self._whole_board() if part else board
        parts = ExportedBoards(self.session.desk, self.session.task, board, shown, whole, part)
        return board_exports(parts, self.view.picture)

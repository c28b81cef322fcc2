"""Compare page: two systems item by item, largest difference first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.pages.compare.compare_model import counts_sentence, pair_verdict, tests_tip
from jurydesk.app.pages.compare.compare_view import NONE, CompareView, Others, SystemPair
from jurydesk.app.pages.compare.pair_bar import PairBar
from jurydesk.app.pages.compare.set_metric_card import SetMetricCard
from jurydesk.app.pages.compare.sides import (
    KNOWN_PAIRS,
    ComparedSystem,
    ComparedSystems,
    OtherSystems,
    pair_test,
)
from jurydesk.app.pages.leaderboard.neighbour_verdict import neighbours
from jurydesk.app.pages.page import Page
from jurydesk.app.plots.plot_export import StampedTable, marks_of, table_exports
from jurydesk.app.state.session import SessionPart
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import elide_pair
from jurydesk.app.tables.item_columns import add_doubt, available_metrics, input_folders
from jurydesk.app.widgets.page_export import Export
from jurydesk.core.analysis.comparison.pairwise import (
    MetricComparison,
    PairedItems,
    pair_items,
)
from jurydesk.core.export.tables.result_tables import DIFFERENCES
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables import numbers

if TYPE_CHECKING:
    from jurydesk.app.state.next_step import Step
    from jurydesk.app.state.workspace import Workspace
    from jurydesk.app.tables.large_copy import LargeCopy
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.model.evaluation import Json, MetricInfo, Source


NARROW, WIDE = 760, 1180
"""Unscaled widths of the page below which an item's head has one button, and from which it has
another metric's opinion."""
READING = translatable("Both systems are being read.")
AFTER_SCORING = ("file.save_as", "view.board")
"""Commands of the next step once everything is scored."""


class ComparePage(Page):
    """Narrow list at the left; both inspectors of an item at the right."""

    id = "compare"
    title = translatable("Compare")
    needs_scores = True
    most_title_lines = 1
    most_lines = 2  # the rows of the list need the height

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        session, jobs = workspace.session, workspace.jobs
        self._stale = True
        self._last_selection = ""
        self.items: PairedItems | None = None
        self.comparison: MetricComparison | None = None
        self._sides = ComparedSystems(self, session, jobs, limit=KNOWN_PAIRS)
        self._metrics_due = True
        self._other_systems = OtherSystems(self, session, jobs)
        self._test = DeskJob[str, MetricComparison](self, session, jobs)
        self.pair = PairBar()
        self.view = CompareView()
        self.view.differences.table = partial(self._table, is_whole=True)
        self.set_metric_card = SetMetricCard(session, jobs)
        self.body.addWidget(self.set_metric_card)
        self.heading.shorten = self._shorter_heading
        self.put_beside_heading(self.view.switch)
        self.body.addWidget(self.view, 1)
        self.body.addStretch(0)
        self._connect()
        theme().follow(self._fit_head)

    def _connect(self) -> None:
        self.pair.chosen.connect(self._show_pair)
        self.view.others_requested.connect(self._show_others)
        self.view.item_changed.connect(self._item_changed)
        self.view.message.connect(self.message)
        self.view.inspectors_card.disagreement_requested.connect(self._go_to_disagreement)
        self.view.part_changed.connect(self._fit_finding)
        self.view.frames.emptied.connect(self.changed)
        self._other_systems.arrived.connect(self._show_others)
        self._sides.arrived.connect(self._show_pair)
        self._sides.refused.connect(self._reading_failed)
        self._test.arrived.connect(self._show_comparison)
        for job in (self._other_systems, self._test):
            job.refused.connect(self.message)
        self.set_metric_card.tested.connect(self._set_metric_tested)
        self.view.differences.tools.save_requested.connect(self.workspace.files.ask_export)
        self.session.subscribe(SessionPart.DESK, self._clear)
        self.session.subscribe(SessionPart.OPTIONS | SessionPart.RESULTS, self._session_changed)

    def activate(self) -> None:
        """Show the session; systems are read only while the page is visible."""
        if self._stale or self.session.selection.system != self._last_selection:
            board = self.session.leaderboard()
            if self._stale:
                self._offer_pair(board)
            self._follow(board)
        self.view.table.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_finding()
        self._fit_head()

    def _fit_head(self) -> None:
        """Leave what keys and columns offer, too, out of a narrow item's head."""
        width = self.width()
        self.view.inspectors_card.set_narrow(narrow=width < px(NARROW), wide=width >= px(WIDE))

    def _fit_finding(self) -> None:
        """Leave the room of the finding to an item that is shown alone in a very low window."""
        view = self.view
        self.sentence.setHidden(self.is_lowest and view.is_alone(view.inspectors_card))

    def _follow(self, board: Leaderboard | None) -> None:
        system = self.session.selection.system
        if system == self._last_selection or board is None:
            return
        self._last_selection = system
        row = next((one for one in board.rows if one.summary.system == system), None)
        pair = None if row is None else neighbours(board, row)
        if pair is not None and pair != self.systems:
            self.pair.choose(*pair)
            self._schedule_pair()

    @property
    def is_empty(self) -> bool:
        has_no_metric = not self._metrics_due and not self.pair.metrics.count()
        return has_no_metric or len(self.session.profile_systems()) < 2

    def offer_step(self, step: Step) -> None:
        """Offer to add the file of a second system, where nothing else has to be done first."""
        if step.command in AFTER_SCORING and len(self.session.profile_systems()) == 1:
            can_add = not self.session.read_only
            step = replace(
                step, button=translate("Add files …"), command="file.open" if can_add else ""
            )
        super().offer_step(step)

    def _clear(self) -> None:
        self.items = self.comparison = None
        self._last_selection, self._metrics_due = "", True
        self._test.cancel()
        self.pair.clear()
        self.view.clear()
        self.set_metric_card.hide()

    def _session_changed(self) -> None:
        self._stale = True
        self._sides.clear()
        self.view.frames.clear()  # queued work may use outdated results
        if self.isVisible():
            self._offer_pair(self.session.leaderboard())
        else:
            self.prepare_views()

    def prepare_views(self) -> None:
        inspector = self.session.task.presentation.inspector if self.session.has_task else ""
        if INSPECTORS.is_loaded(inspector):
            self.view.prepare(inspector)

    def _offer_pair(self, board: Leaderboard | None) -> None:
        self._stale = False
        systems = [row.summary.system for row in board.rows] if board else []
        enough = len(systems) > 1
        self.view.setVisible(enough)
        self.pair.show_choice(enough)
        if not enough:
            self.set_metric_card.hide()
            self.items = self.comparison = None
            if systems:
                self.say(
                    translate("Two systems are needed: score a second one to compare them here.")
                )
            else:
                self.say(translate("Two systems are needed: score them to compare them here."))
            return
        self.view.all_systems.setVisible(len(systems) > len(self.systems))
        self.pair.offer(systems, self.session.selection.system)
        self._metrics_due = True
        self._schedule_pair()

    def _offer_metrics(self, side: ComparedSystem) -> None:
        self._metrics_due = False
        columns = side.entries.columns
        ranking = [
            info
            for info in available_metrics(self.session.task, side.evaluation)
            if (info.name in columns or self._is_on_request(info)) and info.better != "neither"
        ]
        wanted = self.session.selection.metric or self.session.ranking_metric
        self.pair.offer_metrics(ranking, wanted)

    def _is_on_request(self, metric: MetricInfo) -> bool:
        return metric.name in self.session.task.scoring.on_request

    @property
    def systems(self) -> tuple[str, str]:
        """The two compared systems."""
        return self.pair.systems

    @property
    def compared_metric(self) -> MetricInfo | None:
        return self.session.metric(self.pair.metric_name) if self.pair.metric_name else None

    def _schedule_pair(self) -> None:
        """Show the pair in a later frame, because reading it is as slow as painting the page."""
        if self.items is None:
            self._say(translate(READING))
            self.view.held.begin()
        self.view.frames.add("pair", self._show_pair)

    def _show_pair(self) -> None:
        sides = self._sides.of(self.systems)
        if not sides:
            self._wait()
            return
        one, other = sides
        if self._metrics_due:
            self._offer_metrics(one)
        metric = self.compared_metric
        self.items = self.comparison = None
        whole = metric is not None and self._is_on_request(metric)
        if metric is not None and not whole:
            self.items = pair_items(metric, one.entries, other.entries)
        self.view.setVisible(self.items is not None)
        self.set_metric_card.setVisible(whole)
        if metric is not None and whole:
            self._say(add_doubt(self.set_metric_card.show_pair(metric, self.systems), metric))
            return
        if metric is None or self.items is None:
            self.say(translate("This competition has no scores by item: see the page Board."))
            self.changed.emit()
            return
        self._show_items(self.items, metric, (one, other))

    def _wait(self) -> None:
        if self._sides.is_pending:
            self.items = self.comparison = None
            self.view.hide()
            self.set_metric_card.hide()
            self._say(translate(READING))

    def _reading_failed(self, reason: str) -> None:
        self._say(translate_text(reason))

    def _show_items(
        self, items: PairedItems, metric: MetricInfo, sides: tuple[ComparedSystem, ComparedSystem]
    ) -> None:
        session, task = self.session, self.session.task
        counts = f"{translate_text(metric.title)}: {counts_sentence(items, self.nouns)}."
        self._say(add_doubt(counts, metric))
        there = input_folders(task, session.inputs())
        pair = SystemPair(items, sides, metric, self.nouns, task, there, self._other_opinion())
        self.view.items.line.keep_filters(
            self.workspace.settings, f"compare/{task.id}", self.workspace.evaluator.change
        )
        self.view.show_pair(pair, self._other_values())
        pair_of = (sides[0].evaluation, sides[1].evaluation)
        summaries = session.profile_systems()
        work = partial(pair_test, task, metric, session.profile, pair_of, summaries, session.desk)
        self._test.start(metric.name, translate("Comparing two systems"), work)

    def _heading(self) -> str:
        return _pair_title(*map(self.session.short_name, self.systems))

    def _shorter_heading(self, room: int) -> str:
        """Return the heading with each name shortened for itself."""
        first, second = map(self.session.short_name, self.systems)
        return elide_pair(self.heading.fontMetrics(), _pair_title, (first, second), room)

    def _say(self, sentence: str, hint: str = "") -> None:
        self.say(sentence, self._heading(), _pair_title(*self.systems), hint)

    @property
    def nouns(self) -> tuple[str, str]:
        """Singular and plural noun of an item or unit."""
        if self.items is not None and self.items.unit:
            return self.items.unit.removesuffix("s"), self.items.unit
        return self.session.task.item_noun

    def _show_others(self) -> None:
        if self.items is not None:
            self.view.show_others(self._other_values())

    def _other_values(self) -> Others:
        metric = self.compared_metric
        if not self.view.all_systems.isChecked() or self.items is None or metric is None:
            return NONE
        return self._other_systems.values(self.items, self.systems, metric)

    def _item_changed(self, name: str) -> None:
        self.session.select(item=name)

    def _show_comparison(self, found: MetricComparison) -> None:
        if self.items is None or not self._is_current(found):
            return
        self.comparison = found
        remarks = "".join(f" {translate_text(one)}" for one in found.remarks(self.nouns))
        finding = f"{pair_verdict(found, self.nouns)}.{remarks}"
        counts = counts_sentence(self.items, self.nouns)
        self._say(add_doubt(finding, found.metric), f"{counts}\n{tests_tip(found)}")

    def _set_metric_tested(self, found: MetricComparison) -> None:
        if self._is_current(found):
            self.comparison = found
            one = found.unit.removesuffix("s")
            over = translate("over {items}", items=numbers.quantity(found.n, one, found.unit))
            finding = f"{pair_verdict(found)} {over}."
            self._say(add_doubt(finding, found.metric), tests_tip(found))

    def _is_current(self, found: MetricComparison) -> bool:
        same = self.compared_metric is not None and found.metric.name == self.compared_metric.name
        return same and (found.first.system, found.second.system) == self.systems

    def actions_bar(self) -> QWidget | None:
        return self.pair

    def swap(self) -> None:
        """Swap the two systems."""
        self.pair.swap()
        self._show_pair()

    def next_disagreement(self) -> None:
        """Go to the next item on which people, or else another metric, prefer the other system."""
        self._go_to_disagreement(1)

    def _go_to_disagreement(self, direction: int) -> None:
        pair = self.view.pair
        if self.items is None or pair is None or pair.other is None:
            self.message.emit(translate("There is no second metric by item here."))
            return
        rows = frozenset(pair.disagreeing.tolist())
        title = translate_text(pair.other.title)
        if self.view.show_next(rows, direction):
            count = numbers.quantity(len(rows), *self.nouns)
            self.message.emit(translate("{title} disagrees on {items}.", title=title, items=count))
        else:
            self.message.emit(translate("{title} disagrees on no listed item.", title=title))

    def _other_opinion(self) -> MetricInfo | None:
        """Return the first question to raters, or else the first other metric, with values."""
        metric, sides = self.compared_metric, self._sides.of(self.systems)
        if metric is None or not sides:
            return None
        columns = sides[0].entries.columns
        given = available_metrics(self.session.task, sides[0].evaluation)
        return next(
            (
                info
                for info in (*self.session.questions, *given)
                if info.name in columns and info.name != metric.name and info.better != "neither"
            ),
            None,
        )

    def toggle_all(self) -> None:
        """Show or hide the other systems' values."""
        self.view.all_systems.toggle()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        return self.view.table.selection_text(headers=headers)

    def select_all(self) -> None:
        self.view.table.selectAll()

    def search(self) -> None:
        self.view.items.line.focusInside()

    def reset_layout(self) -> None:
        self.view.reset_sizes()

    def layout_restorer(self) -> Callable[[], object]:
        return partial(self.view.restore_sizes, self.view.layout_sizes())

    def exports(self) -> Sequence[Export]:
        if self.items is None:
            return ()
        return (
            *table_exports(
                translate("Differences as table"),
                translate("Differences as JSON"),
                DIFFERENCES,
                self._table,
            ),
            *self.view.differences.exports(),
        )

    def _table(self, kind: str, *, is_whole: bool = False) -> StampedTable:
        """Return the visible table, or the whole pair, with the stamps of all systems in it."""
        from jurydesk.core.export.export_settings import table_origin
        from jurydesk.core.export.tables.result_tables import difference_table
        from jurydesk.core.tables.columns import data_columns
        from jurydesk.core.tables.table_file import take_rows

        pair, rows = self.view.pair, self.view.table.table_model.rows
        if pair is None:
            return (), None
        others: Others = {} if is_whole else self.view.others
        rows = np.arange(len(pair.items.ids)) if is_whole else rows
        columns = data_columns(difference_table(pair.items, pair.systems, others))
        stamps, ratings = self._stamps([*pair.systems, *others])
        origin = table_origin(
            *(kind, pair.sides[0].evaluation.task, stamps, rows, len(pair.items.ids), ratings),
            systems=[*pair.systems, *others],
            metric=pair.metric.name,
            **marks_of(self.session, [*pair.systems, *others]),
        )
        return take_rows(columns, rows.tolist()), origin

    def _stamps(self, systems: Sequence[str]) -> tuple[list[Json], Source | None]:
        """Return the stamps of systems of the desk, and the source of the ratings."""
        from jurydesk.core.desk.item_queries import load_stamps
        from jurydesk.core.human_evaluation.design.study_store import ratings_source

        desk = self.session.desk
        known, summaries = load_stamps(desk), map(self.session.summary, systems)
        return [known.get(one.id) if one else None for one in summaries], ratings_source(desk)


def _pair_title(first: str, second: str) -> str:
    return translate("{first} against {second}", first=first, second=second)

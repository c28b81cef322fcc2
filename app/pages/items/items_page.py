"""Items page: table of one system's items, figures, and one item."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from jurydesk.app.inspectors.inspector_registry import INSPECTORS, PANELS
from jurydesk.app.inspectors.panel import Panel
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.pages.items.item_suspects import QUERY, SUSPECT, ItemSuspects
from jurydesk.app.pages.items.items_view import EVALUATION, LISTING, ItemsView
from jurydesk.app.pages.page import Page
from jurydesk.app.plots.plot_export import marks_of
from jurydesk.app.state.session import SessionPart
from jurydesk.app.style.theme import theme
from jurydesk.app.style.visible_text import elide
from jurydesk.app.tables.item_columns import (
    available_metrics,
    headline_item_metric,
    input_folders,
    summarize_metric,
)
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import button
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.language.text_direction import isolate
from jurydesk.core.model.evaluation import Evaluation, MetricInfo, Source
from jurydesk.core.tables import numbers
from jurydesk.core.workflow.evaluation_cache import QUICK_ITEMS, load_rated

if TYPE_CHECKING:
    from jurydesk.app.jobs.job import Notify
    from jurydesk.app.state.workspace import Workspace
    from jurydesk.app.tables.large_copy import LargeCopy
    from jurydesk.core.execution.run import Run
    from jurydesk.core.human_evaluation.results.findings import StudyFindings


LAYOUT = ("items/across", "items/down")
"""Settings keys of the splitter positions."""


class ItemsLayoutSettings(QObject):
    """Stores layout and columns of the view; the default layout follows the zoom."""

    def __init__(self, view: ItemsView, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._session = workspace.session
        self._settings = workspace.settings
        self._change = workspace.evaluator.change
        self._zoom, self._is_due = theme().zoom, False
        theme().changed.connect(self._follow_zoom)
        view.layout_changed.connect(self._keep_layout)
        view.list.columns_chosen.connect(self._keep_columns)

    def restore_filters(self) -> None:
        """Offer the filters saved for this competition."""
        self._view.list.line.keep_filters(self._settings, self._session.task.id, self._change)

    def restore_layout(self) -> None:
        self._view.restore_layout(*map(self._settings.blob, self._layout_keys()))

    def _follow_zoom(self) -> None:
        has_zoom, self._zoom = self._zoom == theme().zoom, theme().zoom
        if not has_zoom:
            self._is_due = not self._view.isVisible()
            self._reset_unless_stored()

    def _reset_unless_stored(self) -> None:
        stored = map(self._settings.blob, self._layout_keys())
        if all(part.isEmpty() for part in stored):
            self._view.reset_layout()

    def follow_late(self) -> None:
        """Follow a zoom that was changed out of sight, where parts kept the sizes of the last."""
        if self._is_due:
            self._is_due = False
            self._reset_unless_stored()

    def reset_layout(self) -> None:
        """Forget the layout."""
        self.set_layout((QByteArray(), QByteArray()))

    def set_layout(self, state: tuple[QByteArray, QByteArray]) -> None:
        self._view.restore_layout(*state)
        self._store_layout(state)

    def columns(self) -> frozenset[str]:
        """Return the columns chosen for this competition; empty if none were."""
        return frozenset(self._settings.texts(self._columns_key()))

    def _keep_layout(self) -> None:
        self._store_layout(self._view.layout_state())

    def _store_layout(self, state: tuple[QByteArray, QByteArray]) -> None:
        for key, part in zip(self._layout_keys(), state, strict=True):
            self._settings.keep(key, part)

    def _layout_keys(self) -> tuple[str, ...]:
        suffix = "-strip" if self._view.figures.is_strip else ""
        suffix = suffix if self._view.panel is None else "-panel"
        return tuple(f"{key}{suffix}" for key in LAYOUT)

    def _keep_columns(self) -> None:
        self._settings.keep(self._columns_key(), sorted(self._view.list.chosen))

    def _columns_key(self) -> str:
        return f"items/columns/{self._session.task.id}"


class ItemsPage(Page):
    """Items of the session's system, sorted by the session's metric."""

    id = "items"
    title = translatable("Items")
    needs_scores = True
    says_scoring = True
    most_title_lines = 1  # the rows of the table need the height

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.evaluation: Evaluation | None = None
        self.measure: MetricInfo | None = None
        self.heading.shorten = self._shorter_heading
        self._number = ""
        """End of the heading, behind the name of the system."""
        self.view = ItemsView()
        self.view.figures.ratings = self._ratings
        self.view.figures.marks = partial(marks_of, workspace.session)
        self.view.hide()
        self.layout_settings = ItemsLayoutSettings(self.view, workspace, self)
        self.reading = DeskJob[tuple[int, int], Evaluation](self, workspace.session, workspace.jobs)
        self.systems = NameBox(translate("System"))
        self.previous = button(
            translate("← Previous"), self.previous_item, hint=translate("Previous  (K or [)")
        )
        self.next = button(translate("Next →"), self.next_item, hint=translate("Next  (J or ])"))
        self.suspects = ItemSuspects(workspace.session, workspace.jobs, self)
        self._bar = QWidget()
        self._bar.setLayout(
            FlowLayout(self.systems, self.previous, self.next, self.suspects.button)
        )
        self._metrics: list[MetricInfo] = []
        self._sorted_for = ""
        self._stale = True
        self._was_sized = False
        self.put_beside_heading(self.view.switch)
        self.body.addWidget(self.view, 1)
        self.body.addStretch(0)
        self._connect()

    def _connect(self) -> None:
        self.view.item_changed.connect(self._item_changed)
        self.view.message.connect(self.message)
        self.view.save_requested.connect(self.workspace.files.ask_export)
        self.view.option_changed.connect(self.workspace.evaluator.choose_option)
        self.view.finding_changed.connect(self._show_panel_finding)
        self.view.figures.segments.chosen.connect(self.changed)
        self.view.frames.emptied.connect(self.changed)
        self.systems.activated.connect(self._choose_system)
        self.suspects.found.connect(self._list_suspects)
        self.suspects.message.connect(self.message)
        self.reading.arrived.connect(self._session_changed)
        self.reading.refused.connect(self._reading_failed)
        self.workspace.evaluator.busy_changed.connect(self._busy_changed)
        self.session.subscribe(SessionPart.DESK, self._clear)
        shown = (
            SessionPart.OPTIONS
            | SessionPart.FILES
            | SessionPart.RESULTS
            | SessionPart.RATINGS
            | SessionPart.SELECTION
        )
        self.session.subscribe(shown, self._session_changed)

    def activate(self) -> None:
        """Show the session, unless the page was filled ahead; then its item counts as chosen."""
        is_ahead = not self._stale
        self._refresh()
        row = self.view.table.current_row
        if is_ahead and self.evaluation is not None and row is not None:
            self._item_changed(self.evaluation.items.ids[row])
        if not self._was_sized:
            self._was_sized = True
            self.layout_settings.restore_layout()
        QTimer.singleShot(0, self, self.layout_settings.follow_late)  # its parts are shown by then
        self.view.table.setFocus()

    @property
    def is_empty(self) -> bool:
        return not self.session.profile_systems()

    def _busy_changed(self) -> None:
        if self.is_empty:
            self._session_changed()

    def _clear(self) -> None:
        self.evaluation = self.measure = None
        self._sorted_for = ""
        self.view.close_item()
        self.view.clear()

    def _session_changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self._refresh()
            return
        if not self.view.frames.is_empty:
            self.view.frames.clear()  # queued work may use outdated results
            self.evaluation = None
        self.prepare_views()

    def prepare_views(self) -> None:
        """Create panel, figures and inspector in advance, while the page is hidden."""
        task, frames = self.session.task, self.view.frames
        if not self.session.has_task:
            return
        if PANELS.is_loaded(task.presentation.panel):
            frames.add("panel", partial(self.view.make_panel, task.presentation.panel))
            frames.add("all of the panel", self.view.complete_panel)
            frames.add("panel in place", partial(self._use_panel, task.presentation.panel))
        if not task.presentation.panel and "jurydesk.app.plots.curve" in sys.modules:
            frames.add("curves", self.view.figures.prepare)
        if INSPECTORS.is_loaded(task.presentation.inspector):
            frames.add("inspector", partial(self.view.make_inspector, task))
            if not task.presentation.panel:
                frames.add("items", self._show_ahead)

    def _show_ahead(self) -> None:
        """Fill the hidden page once, if its items are read quickly, so that it opens at once."""
        summary = self.session.summary(self._system())
        is_quick = summary is not None and summary.n_items <= QUICK_ITEMS
        is_busy = self.workspace.evaluator.scoring is not None
        is_due = self._stale and self.evaluation is None
        if is_quick and is_due and not is_busy and not self.has_hidden_scores:
            self._refresh()

    def _use_panel(self, name: str) -> None:
        if self.view.use_panel(name) and self._was_sized:
            self.layout_settings.restore_layout()

    def _refresh(self) -> None:
        if self._stale:
            self._stale = False
            self._show_session()
            if self.view.frames.is_empty:  # else it follows when the queue is empty
                self.changed.emit()

    def _show_session(self) -> None:
        system = self._system()
        self._offer_chosen(system)
        self.suspects.offer()
        evaluation = self._evaluation(system) if system else None
        self.view.setVisible(evaluation is not None)
        self.previous.setEnabled(evaluation is not None)
        self.next.setEnabled(evaluation is not None)
        if evaluation is None:
            self.view.frames.clear()
            self.view.held.end()
            self.evaluation = self.measure = None
            self._say_of(system, self._empty_sentence(system))
            return
        task = self.session.task
        self._use_panel(task.presentation.panel)
        if self.evaluation is not None:
            self._show_evaluation(evaluation)
        else:  # painting the empty page is as slow as filling it
            there = input_folders(task, self.session.inputs())
            read = partial(self.view.read_listing, evaluation, task, there)
            self.view.held.begin()
            self.view.frames.add(LISTING, read)
            self.view.frames.add(EVALUATION, partial(self._show_evaluation, evaluation))
            self._say_of(system, self._empty_sentence(system))

    def _evaluation(self, system: str) -> Evaluation | None:
        """Return the evaluation of a system; None if there is none or it is being read."""
        session = self.session
        summary = session.summary(system)
        if (
            summary is None
            or summary.n_items <= QUICK_ITEMS
            or summary.id in session.evaluation_cache
        ):
            self.reading.cancel()
            return session.evaluation(system)
        work = partial(
            load_evaluation, session.evaluation_loaders()[system], session.study_findings
        )
        found = self.reading.request(
            (summary.id, id(session.study_findings)), translate("Reading the items"), work
        )
        if found is not None:
            session.evaluation_cache.put(summary.id, found)
        return found

    def _reading_failed(self, reason: str) -> None:
        self.say(translate_text(reason), self.heading.text())

    def _show_evaluation(self, evaluation: Evaluation) -> None:
        is_new = evaluation is not self.evaluation
        if is_new:
            self._show(evaluation)
        compared = self.session.selection.compared
        is_new = is_new or compared != self.view.compared
        self.view.compared = compared
        if self.view.panel is not None:
            self.view.panel.show_options(self.session.options, editable=not self.session.read_only)
            if is_new:
                self.view.panel.show_compared(compared)
        self._follow_metric(evaluation, is_new)
        self.view.show_item(self.session.selection.item)

    def _empty_sentence(self, system: str) -> str:
        if system:
            return translate("The items are being read.")
        if not self.session.has_task:
            return translate(
                "Open a desk, or drop files on the window: each system's items appear here."
            )
        if self.workspace.evaluator.scoring is not None:
            return translate("The first system is being scored; its items will appear here.")
        return translate("Nothing has been scored yet. Score with Ctrl+R to see the items.")

    def _system(self) -> str:
        """Return the chosen system, else the first one."""
        systems = [summary.system for summary in self.session.profile_systems()]
        chosen = self.session.selection.system
        return chosen if chosen in systems else next(iter(systems), "")

    def _offer_chosen(self, chosen: str) -> None:
        systems = [summary.system for summary in self.session.profile_systems()]
        if systems != [self.systems.itemText(i) for i in range(self.systems.count())]:
            self.systems.clear()
            self.systems.addItems(list(systems))
        self.systems.setCurrentText(chosen)
        self.systems.setVisible(len(systems) > 1)

    def _show(self, evaluation: Evaluation) -> None:
        task = self.session.task
        self.evaluation = evaluation
        self._metrics = [
            *map(self.session.with_doubt, available_metrics(task, evaluation)),
            *self.session.questions,
        ]
        there = input_folders(task, self.session.inputs())
        self.layout_settings.restore_filters()
        self.view.list.extra = self.suspects.columns(evaluation)
        self.view.ranking = self.session.ranking_metric
        self.view.show_evaluation(
            evaluation,
            self._metrics,
            self.nouns,
            task,
            there,
            self.layout_settings.columns(),
            self.session.evaluation_loaders(),
        )

    def _follow_metric(self, evaluation: Evaluation, is_new: bool) -> None:
        """Show the chosen metric, else the headline; sort by a newly chosen one."""
        if self.view.panel is not None:
            self._follow_metric_in(self.view.panel)
            return
        chosen = self._chosen_measure(evaluation)
        if chosen is not None and chosen.name != self._sorted_for:
            self._sorted_for = chosen.name
            self.view.list.show_metric(chosen.name)
        wanted = chosen or headline_item_metric(
            evaluation, self._metrics, self.session.ranking_metric
        )
        if is_new or wanted != self.measure:
            self._show_measure(wanted)

    def _follow_metric_in(self, panel: Panel) -> None:
        name = self.session.selection.metric
        if name != self._sorted_for:
            self._sorted_for = name
            panel.show_metric(name)
        self._show_panel_finding()

    def _show_panel_finding(self) -> None:
        panel = self.view.panel
        if panel is not None:
            self.say(translate_text(panel.finding), translate_text(panel.heading))

    def _chosen_measure(self, evaluation: Evaluation) -> MetricInfo | None:
        name = self.session.selection.metric
        return self.session.metric(name) if name in evaluation.items.columns else None

    def _show_measure(self, info: MetricInfo | None) -> None:
        evaluation = self.evaluation
        self.measure = info
        if self.view.show_metric(info) and self._was_sized:
            self.layout_settings.restore_layout()
        if evaluation is None:
            return
        if info is None:
            count = numbers.quantity(len(evaluation.items), *self.nouns)
            self._say_of(
                evaluation.system, translate("{count}, without a metric by item.", count=count)
            )
            return
        score = next((s.value for s in evaluation.scores if s.metric == info.name), float("nan"))
        number = f": {translate_text(info.title)} {numbers.score(score, info)}"
        self._say_of(evaluation.system, summarize_metric(evaluation, info, self.nouns), number)

    def _shorter_heading(self, room: int) -> str:
        """Return the heading with the end of the name left out, and its score whole."""
        metrics, text = self.heading.fontMetrics(), self.heading.text()
        number = self._number if text.endswith(self._number) else ""
        left = room - metrics.horizontalAdvance(number)
        right = Qt.TextElideMode.ElideRight
        return elide(metrics, text.removesuffix(number), right, left) + number

    def _say_of(self, system: str, sentence: str, number: str = "") -> None:
        self._number = number
        self.say(sentence, f"{isolate(self.session.short_name(system))}{number}", system)

    @property
    def nouns(self) -> tuple[str, str]:
        """Singular and plural noun of an item."""
        return self.session.task.item_noun

    def _item_changed(self, name: str) -> None:
        if self.isVisible():  # else nobody has chosen it
            self.session.select(item=name)

    def _choose_system(self, index: int) -> None:
        self.session.select(system=self.systems.itemText(index))

    def next_item(self) -> None:
        """Go to the next item of the table."""
        self.view.step(1)

    def previous_item(self) -> None:
        """Go to the previous item of the table."""
        self.view.step(-1)

    def open_item(self) -> None:
        """Show the current item on the whole page."""
        self.view.open_item()

    def close_item(self) -> None:
        """Show the table and the figures again."""
        self.view.close_item()

    def choose_columns(self) -> None:
        self.view.list.choose_columns()

    def show_suspects(self) -> None:
        """Show the items that may have a wrong reference, those to look at first on top."""
        self.suspects.find()

    def _list_suspects(self) -> None:
        evaluation = self.evaluation
        if evaluation is None:
            return
        self.view.close_item()
        self.view.list.add_columns(self.suspects.columns(evaluation))
        self.view.list.sort_again(SUSPECT, False)
        self.view.list.line.set_query(QUERY)
        shown = self.view.table.table_model.rows
        if len(shown):
            self.view.show_item(evaluation.items.ids[int(shown[0])])

    def actions_bar(self) -> QWidget | None:
        return self._bar

    def search(self) -> None:
        self.view.close_item()
        self.view.list.line.focusInside()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        return self.view.selection_text(headers)

    def select_all(self) -> None:
        self.view.select_all()

    def exports(self) -> Sequence[Export]:
        return self.view.exports()

    def _ratings(self) -> Source | None:
        from jurydesk.core.human_evaluation.design.study_store import ratings_source

        return ratings_source(self.session.desk)

    def reset_layout(self) -> None:
        self.layout_settings.reset_layout()

    def layout_restorer(self) -> Callable[[], object]:
        return partial(self.layout_settings.set_layout, self.view.layout_state())


def load_evaluation(
    load: Callable[[], Evaluation], people: StudyFindings | None, run: Run, notify: Notify
) -> Evaluation:
    """Return an evaluation together with its ratings; the work of a job."""
    return load_rated(load, people)

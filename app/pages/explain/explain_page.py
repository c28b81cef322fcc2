"""Explain page: options behind another number, profiles, new reference data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
)

from jurydesk.app.pages.explain.distance_cells import DistanceCells
from jurydesk.app.pages.explain.errata_pane import ErrataPane
from jurydesk.app.pages.explain.explain_model import explanation_columns, silent_columns
from jurydesk.app.pages.explain.pane import (
    ChangedItems,
    Pane,
    TableCard,
    offer,
    ranking_metrics,
    systems_of,
)
from jurydesk.app.pages.explain.way_card import WayCard, line_to_cite
from jurydesk.app.pages.page import MARGIN, Page
from jurydesk.app.plots.plot_export import StampedTable, marks_of, table_exports
from jurydesk.app.state.session import SessionPart
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.item_columns import add_doubt
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import button, label, row_layout, set_spacing
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.analysis.comparison.item_differences import change_table
from jurydesk.core.export.tables.result_tables import CHANGES
from jurydesk.core.language import translatable, translate, translate_plural, translate_text
from jurydesk.core.tables import numbers

if TYPE_CHECKING:
    from jurydesk.app.state.workspace import Workspace
    from jurydesk.app.tables.large_copy import LargeCopy
    from jurydesk.core.analysis.comparison.profile_comparison import ProfileComparison
    from jurydesk.core.analysis.explain_number import Explanation
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import IntArray, MetricInfo


MOST_RULES = 8
"""Rules in sight; the table scrolls to others."""


class ProfilesPane(Pane):
    """Controls for system, metric and two profiles; the items that differ below."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.found: ProfileComparison | None = None
        self.systems, self.metrics = NameBox(translate("System")), NameBox(translate("Metric"))
        self.first, self.second = (
            NameBox(translate("First profile")),
            NameBox(translate("Second profile")),
        )
        self.score = button(
            translate("Score the profile"),
            self.look,
            "primary",
            translate("The desk is not changed"),
        )
        against = label(translate("against"), "muted")
        self.column.addLayout(
            FlowLayout(self.systems, self.metrics, self.first, against, self.second, self.score)
        )
        self.rules = TableCard(translate("What each rule costs"))
        self.rules.table.most_rows = MOST_RULES
        self.column.addWidget(self.rules)
        self.column.addWidget(self.items, 1)
        self.column.addStretch(0)
        self.systems.activated.connect(self._choose_pair)
        for list_ in (self.metrics, self.first, self.second):
            list_.activated.connect(self._ask)
        self.items.table.opened.connect(self._open)
        self._show(None)

    def refresh(self) -> None:
        systems = [(one.system, one.system) for one in systems_of(self.session)]
        offer(self.systems, systems, self.session.selection.system)
        self._offer_metrics()
        profiles = self.session.task.scoring.profiles
        entries = [(name, name) for name in profiles]
        offer(self.first, entries, profiles[0] if profiles else "")
        offer(self.second, entries, profiles[1] if len(profiles) > 1 else "")
        self.setEnabled(bool(systems) and len(profiles) > 1)
        if not systems:
            self.say(translate("Score a system first."))
        elif len(profiles) < 2:
            self.say(translate("This competition has one profile only."))
        elif self.found is None:
            self._ask()
        else:
            self.say(self.finding)

    def clear(self) -> None:
        """Discard the result, because the session's results have changed."""
        self.stop()
        self.score.hide()
        if self.found is not None:
            self._show(None)

    def _offer_metrics(self) -> None:
        found = ranking_metrics(self.session, self.systems.currentText())
        offer(self.metrics, [(translate_text(info.title), info.name) for info in found], "")

    def _choose_pair(self) -> None:
        self._offer_metrics()
        self._ask()

    def _ask(self) -> None:
        pair = (self.first.currentText(), self.second.currentText())
        self._show(None)
        self.stop()
        if pair[0] == pair[1]:
            self.say(translate("Choose two different profiles."))
            return
        system = self.systems.currentText()
        known = {one.profile for one in self.session.systems if one.system == system}
        lacking = [name for name in pair if name not in known]
        self.score.setVisible(bool(lacking))
        if lacking:
            profiles = translate("{one} or {other}", one=pair[0], other=pair[1])
            self.say(
                translate(
                    "{system} was not scored with the profile {profile} yet.",
                    system=system,
                    profile=profiles if len(lacking) > 1 else lacking[0],
                )
            )
        else:
            self.look()

    def look(self) -> None:
        """Compare the profiles; a profile missing in the desk is scored for it."""
        session = self.session
        info = session.metric(self.metrics.currentData() or "")
        if info is None:
            return
        pair = (self.first.currentText(), self.second.currentText())
        self.say(translate("Both profiles are being compared."))
        self.start(
            translate("Comparing two profiles"),
            load_and_compare,
            session.desk,
            session.task,
            self.systems.currentText(),
            pair,
            info,
        )

    def take(self, result: ProfileComparison) -> None:
        self._show(result)
        self.score.hide()
        nouns = self.session.task.item_noun
        one, other = (numbers.score(score.value, result.metric) for score in result.scores)
        first, second = result.profiles
        of_all = numbers.quantity(result.n, *nouns)
        sentence = (
            translatable("{system}: {metric} {one} {first}, {other} {second}; 1 of {all} differs.")
            if len(result.items) == 1
            else translatable(
                "{system}: {metric} {one} {first}, {other} {second}; {count} of {all} differ."
            )
        )
        finding = translate(
            sentence,
            system=result.system,
            metric=translate_text(result.metric.title),
            one=one,
            first=first,
            other=other,
            second=second,
            count=numbers.count(len(result.items)),
            all=of_all,
        )
        self.say(add_doubt(finding, result.metric))

    def _show(self, found: ProfileComparison | None) -> None:
        from jurydesk.core.analysis.comparison.profile_comparison import rule_table

        self.found = found
        self.score.hide()
        self.items.setVisible(found is not None and bool(found.items))
        self.rules.setVisible(found is not None and bool(found.steps))
        if found is not None:
            self.rules.show_columns(rule_table(found), "rule")
            noun = self.session.task.item_noun[0]
            heads = (found.profiles[0].capitalize(), found.profiles[1].capitalize())
            columns = change_table(found.items, noun, heads, found.metric)
            self.items.show_columns(columns, "reason" if len(columns) > 4 else "item")
        self.changed.emit()

    def changed_items(self) -> ChangedItems | None:
        found = self.found
        if found is None:
            return None
        return ChangedItems(found.items, found.metric.name, found.stamps)

    def _open(self, row: int) -> None:
        if self.found is not None:
            item = self.found.items[row].item
            self.opened.emit(self.found.system, self.found.metric.name, item)


def load_and_compare(
    desk: Desk, task: AnyTask, system: str, pair: tuple[str, str], info: MetricInfo, run: Run
) -> ProfileComparison:
    """Compare one metric of a system in two profiles; the work of a job."""
    from jurydesk.core.analysis.comparison.profile_comparison import (
        compare_profiles,
        load_in_profile,
        with_rule_steps,
    )

    first, second = (load_in_profile(desk, task, system, name, run) for name in pair)
    return with_rule_steps(compare_profiles(task, first, second, info, run), desk, task, run)


WIDE, SIDE = 1000, 300
"""Width of a pane with a card beside the table, and of that card."""
HINT = translatable("Type a score from a paper or a message to find the options that produce it.")


class NumberPane(Pane):
    """Controls for system, metric and number; matching options and changed items below."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.ways: list[Explanation] = []
        self.number = QLineEdit()
        self.number.setAccessibleName(translate("Number"))
        self.number.setPlaceholderText(translate("0.231 or 23.1 %"))
        theme().follow(self._scale)
        self.systems, self.metrics = NameBox(translate("System")), NameBox(translate("Metric"))
        self.find_button = button(
            translate("Find"),
            self.ask,
            "primary",
            translate("Try every choice of options  (Enter)"),
        )
        said = label(translate("The paper says"), "muted")
        of = label(translate(translatable("for", "a system")), "muted")
        self.column.addLayout(
            FlowLayout(said, self.number, of, self.systems, self.metrics, self.find_button)
        )
        self.table = TableCard(translate("Options that were tried"), DistanceCells)
        self.use = button(translate("Score with these options"), self.score_with_options)
        self.cite = button(
            translate("Copy line to cite"),
            self.copy_line,
            hint=translate("The short stamp of this result: files, options, versions"),
        )
        self.table.body.addLayout(row_layout(self.use, self.cite, None, margins=(9, 6, 9, 8)))
        self.way = WayCard()
        tables, row = QVBoxLayout(), QHBoxLayout()
        set_spacing(tables, 16)
        set_spacing(row, 16)
        tables.addWidget(self.table, 1)
        tables.addWidget(self.items, 2)
        row.addLayout(tables, 1)
        row.addWidget(self.way, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(row, 1)
        self.column.addStretch(0)
        theme().follow(self._place_way)
        self.number.returnPressed.connect(self.ask)
        self.systems.activated.connect(self._offer_metrics)
        self.table.table.current_row_changed.connect(self._show_items)
        self.items.table.opened.connect(self._open)
        self._show([])
        self.finding = translate(HINT)

    def _scale(self) -> None:
        self.number.setFixedWidth(px(180))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_way()

    def _place_way(self) -> None:
        """Show the card of the current row where there is room beside the table."""
        self.way.setFixedWidth(px(SIDE))
        self.way.setVisible(bool(self.ways) and self.width() >= px(WIDE))

    def copy_line(self) -> None:
        """Copy what a paper can cite the number by."""
        row = self.table.table.current_row
        if row is not None and row < len(self.ways):
            QGuiApplication.clipboard().setText(line_to_cite(self.ways[row]))

    def refresh(self) -> None:
        systems = [(one.system, one.system) for one in systems_of(self.session)]
        offer(self.systems, systems, self.session.selection.system)
        self._offer_metrics()
        self.setEnabled(bool(systems))
        self.say(self.finding if systems else translate("Score a system first."))

    def clear(self) -> None:
        """Discard the result, because the session's results have changed."""
        self.stop()
        self._show([])
        self.finding = translate(HINT)

    def _offer_metrics(self) -> None:
        found = ranking_metrics(self.session, self.systems.currentText())
        offer(self.metrics, [(translate_text(info.title), info.name) for info in found], "")

    def ask(self) -> None:
        """Search the options that produce the number."""
        session, text = self.session, self.number.text().strip()
        summary = session.summary(self.systems.currentText())
        if summary is None or not text:
            self.number.setFocus()
            return
        metric = self.metrics.currentData()
        self._show([])
        self.say(translate("Every choice of options is being tried."))
        self.start(
            translate("Trying other options"),
            find_explanations,
            session.desk,
            session.task,
            summary,
            metric,
            text,
        )

    def take(self, result: list[Explanation]) -> None:
        self._show(result)
        written = self.number.text().strip()
        name = self.systems.currentText()
        ways = [one for one in result if one.is_match]
        if not ways:
            missed = translate(
                "No profile and no option of this competition gives {system} {number}.",
                system=name,
                number=written,
            )
            nearest = translate("The options tried are below, the nearest first.")
            self._say_found(f"{missed} {nearest}" if result else missed)
            return
        if not result[0].changes and result[0].metric == self.metrics.currentData():
            self._say_found(
                translate(
                    "The options in use give {system} the score {number}.",
                    system=name,
                    number=written,
                )
            )
        else:
            self._say_found(
                translate_plural(
                    "{count} choice of options gives {system} the score {number}; fewest changes "
                    "first.",
                    "{count} choices of options give {system} the score {number}; fewest changes "
                    "first.",
                    len(ways),
                    system=name,
                    number=written,
                )
            )

    def _say_found(self, sentence: str) -> None:
        """Show a finding on the chosen metric, and why its values are not reliable, if so."""
        self.say(add_doubt(sentence, self.session.metric(self.metrics.currentData() or "")))

    def _show(self, ways: list[Explanation]) -> None:
        self.ways = ways
        self.table.setVisible(bool(ways))
        self.items.setVisible(False)
        self._place_way()
        if ways:
            doubtful = self.session.random_metrics()
            columns = explanation_columns(ways, self.session.task, doubtful)
            self.table.show_columns(columns, "way", silent_columns(ways))
            self._show_items(0)

    def _show_items(self, row: int | None) -> None:
        task = self.session.task
        if row is None or row >= len(self.ways):
            return
        way = self.ways[row]
        self.use.setEnabled(bool(way.changes) and not self.session.read_only)
        self.use.setToolTip(tip(self._refusal_text(way)))
        self.cite.setEnabled(bool(line_to_cite(way)))
        self.way.show_way(way, task, self.session.summary(self.systems.currentText()))
        self.items.setVisible(bool(way.moves))
        columns = change_table(
            way.moves,
            task.item_noun[0],
            (translatable("Desk"), translatable("Other options")),
            self.session.metric(way.metric),
        )
        self.items.show_columns(columns, "reason" if len(columns) > 4 else "item")

    def _refusal_text(self, way: Explanation) -> str:
        if self.session.read_only:
            return translate("This desk is open for reading only.")
        if not way.changes:
            return translate("The desk is scored with these options.")
        return translate("Change the options of the competition and score all its systems again")

    def score_with_options(self) -> None:
        """Score the competition with the options in the current row."""
        row = self.table.table.current_row
        if row is None or not self.use.isEnabled():
            return
        evaluator = self.workspace.evaluator
        evaluator.choose_options(dict(self.ways[row].changes))
        evaluator.score()

    def changed_items(self) -> ChangedItems | None:
        row = self.table.table.current_row
        if row is None or row >= len(self.ways):
            return None
        way = self.ways[row]
        return ChangedItems(way.moves, way.metric, way.stamps)

    def _open(self, row: int) -> None:
        model = self.items.table.table_model
        item = model.columns[0].text(row)
        self.opened.emit(self.systems.currentText(), self.metrics.currentData() or "", item)


def find_explanations(
    desk: Desk, task: AnyTask, summary: Summary, metric: str, text: str, run: Run
) -> list[Explanation]:
    """Return the options that produce a number, from the recorded files; the work of a job."""
    from jurydesk.core.analysis.explain_number import explain, parse_target
    from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
    from jurydesk.core.competition.stamped_options import options_of_stamp

    number = parse_target(text)
    stamp = require_stamp(desk, summary)
    inputs = stamped_inputs(desk, task, stamp)
    return explain(task, inputs, options_of_stamp(task, stamp), metric, number, run)


WELCOME = translatable(
    "Finds which options give a published number, why two profiles differ, and what new reference "
    "data change. A system must be scored first."
)
TITLES = (translatable("A number"), translatable("Profiles"), translatable("New reference data"))


class ExplainPage(Page):
    """Three panes, one visible at a time."""

    id = "why"
    title = translatable("Explain")
    needs_scores = True

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.number = NumberPane(workspace)
        self.profiles = ProfilesPane(workspace)
        self.errata = ErrataPane(workspace)
        self.panes: tuple[Pane, ...] = (self.number, self.profiles, self.errata)
        self.segments = Segments(translate("Question"))
        self._offered = 0
        """Number of panes that the segments offer."""
        self.segments.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.stack = QStackedWidget()
        for pane in self.panes:
            self.stack.addWidget(pane)
            pane.finding_changed.connect(self._show_finding)
            pane.opened.connect(self._open)
            pane.changed.connect(self.changed)
            pane.changed.connect(self._offer_panes)
        self._offer_panes()
        room = self.stack.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.stack.setSizePolicy(room)
        self.put_beside_heading(self.segments)
        self.body.addWidget(self.stack, 1)
        self.segments.chosen.connect(self._choose)
        self.session.subscribe(SessionPart.RESULTS, self._discard_results)
        self.session.subscribe(SessionPart.OPTIONS, self._options_changed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.segments.set_room(
            self.width() - 2 * px(MARGIN) - self.heading.sizeHint().width() - px(16)
        )

    def activate(self) -> None:
        self._refresh()
        self.number.number.setFocus()

    @property
    def is_empty(self) -> bool:
        return not self.session.systems

    @property
    def pane(self) -> Pane:
        return self.panes[self.stack.currentIndex()]

    def _choose(self, index: int) -> None:
        self.stack.setCurrentIndex(index)
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        has_systems = bool(self.session.systems)
        self.segments.setVisible(has_systems)
        self.stack.setVisible(has_systems)
        if has_systems:
            self.errata.load_past_errata()
            self.pane.refresh()
            self._offer_panes()
        else:
            self.say(translate(WELCOME))

    def _offer_panes(self) -> None:
        """Offer the panes, that of new reference data only with such data or in front."""
        is_needed = self.pane is self.errata or self.errata.has_data
        count = len(TITLES) if is_needed else len(TITLES) - 1
        if count != self._offered:
            self._offered = count
            index = self.stack.currentIndex()
            self.segments.show_words([*map(translate, TITLES[:count])], index)

    def _show_finding(self, finding: str) -> None:
        if self.sender() is self.pane:
            self.say(finding)

    def _discard_results(self) -> None:
        self.number.clear()
        self.profiles.clear()
        self.errata.clear()
        if self.isVisible():
            self._refresh()

    def _options_changed(self) -> None:
        if self.isVisible():
            self._refresh()

    def _open(self, system: str, metric: str, item: str) -> None:
        self.session.select(system, metric or None, item)
        self.page_requested.emit("items")

    def show_number(self) -> None:
        """Show the pane that explains a number."""
        self.segments.choose(0)

    def show_profiles(self) -> None:
        self.segments.choose(1)

    def show_errata(self) -> None:
        """Show the pane of new reference data, which the segments offer from now on."""
        self.stack.setCurrentWidget(self.errata)
        self._offer_panes()
        self.segments.choose(self.stack.currentIndex())

    def search(self) -> None:
        self.segments.choose(0)
        self.number.number.setFocus()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        return self._table().table.selection_text(headers=headers)

    def select_all(self) -> None:
        self._table().table.selectAll()

    def exports(self) -> Sequence[Export]:
        if self._table().isHidden():
            return ()
        return table_exports(
            translate("Items as table …"),
            translate("Items as JSON …"),
            CHANGES,
            self._changed_items,
        )

    def _changed_items(self, kind: str) -> StampedTable:
        """Return the visible items, with the stamps of both results."""
        from jurydesk.core.export.export_settings import table_origin
        from jurydesk.core.tables.columns import data_columns
        from jurydesk.core.tables.table_file import take_rows

        found, rows, task = self.pane.changed_items(), self._rows(), self.session.task
        if found is None:
            return (), None
        origin = table_origin(
            *(kind, task.id, found.stamps, rows, len(found.items)),
            metric=found.metric,
            reference=found.reference,
            **marks_of(self.session, (one["system"] for one in found.stamps if one)),
        )
        return take_rows(data_columns(change_table(found.items)), rows.tolist()), origin

    def _rows(self) -> IntArray:
        return self._table().table.table_model.rows

    def _table(self) -> TableCard:
        return self.panes[self.stack.currentIndex()].items

"""Sheet that plans a competition like the open one: items, raters and ratings that it needs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.plots.curve import CurveView
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.theme import px
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.parts import button, label, number_box, row_layout
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.language import translate, translate_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jurydesk.app.jobs.job import Jobs, Notify
    from jurydesk.app.state.session import Session
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.human_evaluation.results.competition_plan import Plan, PlanWish

PLOT_HEIGHT = 190
MOST_ROWS = 8
"""A longer table scrolls."""
MOST_SYSTEMS, MOST_IN_GROUP = 1000, 10_000
PATIENCE = 250
"""Milliseconds after the last change of a number until the plan is made."""


class PlanSheet(Sheet):
    """Sheet with the plan of scores, or that of ratings, for numbers that can be changed."""

    def __init__(self, session: Session, jobs: Jobs, parent: QWidget) -> None:
        title = translate("Plan a competition like this one")
        super().__init__(title, parent, width=780, top=24)
        self._session = session
        self._plan: Plan | None = None
        self._job = DeskJob[tuple[int, int, int], "Plan"](self, session, jobs, limit=20)
        self._job.arrived.connect(self.show_plan)
        self._job.refused.connect(self._say)
        self.kind = Segments(translate("Plan of"))
        self.kind.show_words([translate("Scores"), translate("Ratings")], 0)
        self.kind.chosen.connect(self._show_part)
        count = max(2, len(session.profile_systems()))
        self.systems = number_box(translate("Systems"), 2, MOST_SYSTEMS, count)
        self.power = number_box(translate("Found in % of boards"), 10, 99, 80)
        self.group_size = number_box(translate("Items in a group"), 0, MOST_IN_GROUP, 0)
        self.group_size.setSpecialValueText(translate("as here"))
        self.head, self.note = label("", wrap=True), label("", "muted", wrap=True)
        self.table = Table(title)
        self.table.most_rows = MOST_ROWS
        self.curve = CurveView.empty()
        self.curve.setFixedHeight(px(PLOT_HEIGHT))
        self.add_head()
        self.body.addLayout(row_layout(self.kind, None))
        self._group_field = _field(translate("Items in a group"), self.group_size)
        fields = (
            _field(translate("Systems"), self.systems),
            _field(translate("Found in % of boards"), self.power),
            self._group_field,
        )
        row = QWidget()
        row.setLayout(FlowLayout(*fields))
        self.body.addWidget(row)
        for part in (self.head, self.table, self.curve, self.note):
            self.body.addWidget(part)
        self.body.addLayout(row_layout(None, button(translate("Close"), self.close)))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE)
        self._timer.timeout.connect(self._request)
        for box in (self.systems, self.power, self.group_size):
            box.valueChanged.connect(self._timer.start)
        self.table.hide()
        self.curve.hide()
        self._request()

    def initial_focus(self) -> QWidget:
        return self.systems

    def _key(self) -> tuple[int, int, int]:
        return self.systems.value(), self.power.value(), self.group_size.value()

    def _request(self) -> None:
        from jurydesk.core.human_evaluation.results.competition_plan import PlanWish

        systems, percent, size = self._key()
        wanted = PlanWish(self._session.profile, systems, power=percent / 100, group_size=size)
        work = partial(plan_competition, self._session.desk, self._session.task, wanted)
        if self._plan is None:
            self._say(translate("The numbers are being computed …"))
        found = self._job.request(self._key(), translate("Planning"), work)
        if found is not None:
            self.show_plan(found)

    def _say(self, sentence: str) -> None:
        self.head.setText(translate_text(sentence))
        self.adjustSize()

    def show_plan(self, plan: Plan) -> None:
        """Show the numbers of a plan."""
        self._plan = plan
        self._show_part()

    def _show_part(self) -> None:
        from jurydesk.core.human_evaluation.results import competition_plan

        plan = self._plan
        if plan is None:
            return
        is_scores = self.kind.index == 0
        self._group_field.setVisible(is_scores)
        items = plan.items if is_scores else None
        for part in (self.table, self.curve):
            part.setVisible(items is not None or not is_scores)
        if items is not None:
            columns = competition_plan.item_plan_table(items)
            head, notes = (
                competition_plan.item_plan_sentences(items),
                competition_plan.pilot_sentences(items),
            )
            self.curve.show_curve(items.curve)
        elif is_scores:
            self.note.clear()
            self._say(translate("The pilot has no two systems with different means of items."))
            return
        else:
            columns = competition_plan.rating_plan_table(plan.ratings)
            head = competition_plan.rating_plan_sentences(plan.ratings)
            notes = competition_plan.component_sentences(plan.ratings)
            self.curve.show_curve(plan.ratings.curve)
        self.table.table_model.show(columns)
        self.note.setText(_joined(notes))
        self._say(_joined(head))


def _field(title: str, box: QWidget) -> QWidget:
    """Return a box after its title, which stay in one row."""
    field = QWidget()
    field.setLayout(row_layout(label(title), box))
    return field


def _joined(sentences: Iterable[str]) -> str:
    return " ".join(map(translate_text, sentences))


def plan_competition(
    desk: Desk, task: AnyTask, request: PlanWish, run: Run, notify: Notify
) -> Plan:
    """Return the plan; the work of a job."""
    from jurydesk.core.human_evaluation.results.competition_plan import plan_from_pilot

    return plan_from_pilot(desk, task, request, run)

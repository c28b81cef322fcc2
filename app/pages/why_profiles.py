"""Two profiles of a system side by side: the items that differ, with the reason of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app import format
from app.models.why import apart_columns
from app.pages.why_parts import Pane, box, offer, ranking_metrics, systems_of
from app.widgets.flow import Flow
from app.widgets.parts import button, label

if TYPE_CHECKING:
    from app.session import Session
    from core.desk import Desk
    from core.model import MetricInfo
    from core.profiles import SideBySide
    from core.run.run import Run
    from core.tasks.registry import AnyTask


class ProfilesPane(Pane):
    """System, metric and two profiles above; below the items that differ."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.found: SideBySide | None = None
        self.systems, self.metrics = box("System"), box("Metric")
        self.first, self.second = box("First profile"), box("Second profile")
        self.score = button("Score it", self.look, "primary", "The desk is not changed by it")
        against = label("against", "muted")
        self.column.addLayout(
            Flow(self.systems, self.metrics, self.first, against, self.second, self.score)
        )
        self.column.addWidget(self.items, 1)
        self.column.addStretch(0)
        self.systems.activated.connect(self._chosen)
        for list_ in (self.metrics, self.first, self.second):
            list_.activated.connect(self._ask)
        self.items.table.opened.connect(self._open)
        self._show(None)

    def refresh(self) -> None:
        systems = [(one.system, one.system) for one in systems_of(self.session)]
        offer(self.systems, systems, self.session.selection.system)
        self._offer_metrics()
        profiles = self.session.task.scoring.profiles if self.session.task else ()
        entries = [(name, name) for name in profiles]
        offer(self.first, entries, profiles[0] if profiles else "")
        offer(self.second, entries, profiles[1] if len(profiles) > 1 else "")
        self.setEnabled(bool(systems) and len(profiles) > 1)
        if not systems:
            self.say("Score a system first.")
        elif len(profiles) < 2:
            self.say("This competition has one profile only.")
        elif self.found is None:
            self._ask()
        else:
            self.say(self.finding)

    def clear(self) -> None:
        """Forget the answer: the results are others now."""
        self.stop()
        self._show(None)

    def _offer_metrics(self) -> None:
        found = ranking_metrics(self.session, self.systems.currentText())
        offer(self.metrics, [(info.title, info.name) for info in found], "")

    def _chosen(self) -> None:
        self._offer_metrics()
        self._ask()

    def _ask(self) -> None:
        """Look at once where both profiles are in the desk, else offer to score."""
        pair = (self.first.currentText(), self.second.currentText())
        self._show(None)
        self.stop()
        if pair[0] == pair[1]:
            self.say("Choose two different profiles.")
            return
        system = self.systems.currentText()
        known = {one.profile for one in self.session.systems if one.system == system}
        lacking = [name for name in pair if name not in known]
        self.score.setVisible(bool(lacking))
        if lacking:
            self.say(f"{system} was not scored with the profile {' or '.join(lacking)} yet.")
        else:
            self.look()

    def look(self) -> None:
        """Set the profiles beside each other; one that the desk lacks is scored for it."""
        session = self.session
        info = session.metric(self.metrics.currentData() or "")
        if session.desk is None or session.task is None or info is None:
            return
        pair = (self.first.currentText(), self.second.currentText())
        self.say("Both profiles are being looked at.")
        self.start("Comparing two profiles", beside_each_other, session.desk, session.task,
                   self.systems.currentText(), pair, info)  # fmt: skip

    def take(self, result: SideBySide) -> None:
        """Show the items that differ."""
        self._show(result)
        self.score.hide()
        if self.session.task is None:
            return
        decimals, nouns = result.metric.decimals, self.session.task.item_noun
        one, other = (format.number(score.value, decimals) for score in result.scores)
        first, second = result.profiles
        of_all = format.counted(result.n, *nouns)
        differ = "differs" if len(result.items) == 1 else "differ"
        self.say(
            f"{result.system}: {result.metric.title} {one} {first}, {other} {second}; "
            f"{format.count(len(result.items))} of {of_all} {differ}."
        )

    def _show(self, found: SideBySide | None) -> None:
        self.found = found
        self.score.hide()
        self.items.setVisible(found is not None and bool(found.items))
        if found is not None and self.session.task is not None:
            noun, decimals = self.session.task.item_noun[0], found.metric.decimals
            heads = (found.profiles[0].capitalize(), found.profiles[1].capitalize())
            columns = apart_columns(found.items, noun, heads, decimals)
            self.items.show_columns(columns, "reason" if len(columns) > 4 else "item")
        self.changed.emit()

    def _open(self, row: int) -> None:
        if self.found is not None:
            item = self.found.items[row].item
            self.opened.emit(self.found.system, self.found.metric.name, item)


def beside_each_other(
    desk: Desk, task: AnyTask, system: str, pair: tuple[str, str], info: MetricInfo, run: Run
) -> SideBySide:
    """One metric of a system in two profiles."""
    from core.profiles import in_profile, side_by_side

    first, second = (in_profile(desk, task, system, name, run) for name in pair)
    return side_by_side(task, first, second, info, run)

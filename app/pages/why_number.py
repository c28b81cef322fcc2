"""A number from a paper or a mail: the options that give it, and the items that move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QWidget

from app import format
from app.models.why import apart_columns, way_columns
from app.pages.why_parts import Pane, TableCard, box, offer, ranking_metrics, systems_of
from app.theme import px
from app.widgets.flow import Flow
from app.widgets.parts import button, label

if TYPE_CHECKING:
    from app.session import Session
    from core.desk import Desk, Summary
    from core.run.run import Run
    from core.tasks.registry import AnyTask
    from core.why import Explanation

HINT = "Type a score from a paper or a mail: the desk looks for the options that give it."


class NumberPane(Pane):
    """System, metric and the number above; the ways to it, and the items of the chosen one."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.ways: list[Explanation] = []
        self.systems, self.metrics = box("System"), box("Metric")
        self.number = QLineEdit()
        self.number.setAccessibleName("Number")
        self.number.setPlaceholderText("0.231 or 23.1 %")
        self.number.setMaximumWidth(px(180))
        self.find = button("Find", self.ask, "primary", "Try every choice of options  (Enter)")
        said = label("said to be", "muted")
        self.column.addLayout(Flow(self.systems, self.metrics, said, self.number, self.find))
        self.table = TableCard("Ways to the number")
        self.column.addWidget(self.table, 1)
        self.column.addWidget(self.items, 2)
        self.column.addStretch(0)
        self.number.returnPressed.connect(self.ask)
        self.systems.activated.connect(self._offer_metrics)
        self.table.table.current_row_changed.connect(self._show_items)
        self.items.table.opened.connect(self._open)
        self._show([])
        self.finding = HINT

    def refresh(self) -> None:
        systems = [(one.system, one.system) for one in systems_of(self.session)]
        offer(self.systems, systems, self.session.selection.system)
        self._offer_metrics()
        self.setEnabled(bool(systems))
        self.say(self.finding if systems else "Score a system first.")

    def clear(self) -> None:
        """Forget the answer: the results are others now."""
        self.stop()
        self._show([])
        self.finding = HINT

    def _offer_metrics(self) -> None:
        found = ranking_metrics(self.session, self.systems.currentText())
        offer(self.metrics, [(info.title, info.name) for info in found], "")

    def ask(self) -> None:
        """Look for the options that give the number."""
        session, text = self.session, self.number.text().strip()
        summary = session.summary(self.systems.currentText())
        if session.desk is None or session.task is None or summary is None or not text:
            self.number.setFocus()
            return
        metric = self.metrics.currentData()
        self._show([])
        self.say("Every choice of options is being tried.")
        self.start("Trying other options", explained, session.desk, session.task, summary,
                   metric, text)  # fmt: skip

    def take(self, result: list[Explanation]) -> None:
        """Show the ways that were found."""
        self._show(result)
        written = self.number.text().strip()
        name = self.systems.currentText()
        if not result:
            self.say(f"No profile and no option of this competition gives {name} {written}.")
            return
        if not result[0].changes and result[0].metric == self.metrics.currentData():
            self.say(f"{written} is what the options in use give {name}.")
        else:
            count = format.counted(len(result), "choice of options", "choices of options")
            verb = "gives" if len(result) == 1 else "give"
            self.say(f"{count} {verb} {name} {written}; fewer changes come first.")

    def _show(self, ways: list[Explanation]) -> None:
        self.ways = ways
        self.table.setVisible(bool(ways))
        self.items.setVisible(False)
        if ways and self.session.task is not None:
            self.table.show_columns(way_columns(ways, self.session.task), "way")
            self._show_items(0)

    def _show_items(self, row: int | None) -> None:
        task = self.session.task
        if row is None or task is None or row >= len(self.ways):
            return
        way = self.ways[row]
        self.items.setVisible(bool(way.moves))
        info = self.session.metric(way.metric)
        decimals = info.decimals if info else 4
        columns = apart_columns(way.moves, task.item_noun[0], ("Here", "There"), decimals)
        self.items.show_columns(columns, "reason" if len(columns) > 4 else "item")

    def _open(self, row: int) -> None:
        model = self.items.table.table_model
        item = model.columns[0].text(row)
        self.opened.emit(self.systems.currentText(), self.metrics.currentData() or "", item)


def explained(
    desk: Desk, task: AnyTask, summary: Summary, metric: str, text: str, run: Run
) -> list[Explanation]:
    """The ways to a number, from the files that the desk recorded."""
    from core.rescoring import inputs_of, stamp_of
    from core.verify import options_from
    from core.why import explain, wanted

    number = wanted(text)
    stamp = stamp_of(desk, summary)
    inputs = inputs_of(desk, task, stamp)
    return explain(task, inputs, options_from(task, stamp), metric, number, run)

"""What stands below the board: the system and the metric that the keyboard is on."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel

from app import format
from app.theme import px
from app.widgets.parts import Card, label
from core.board import Row
from core.model import Aggregate, MetricInfo

BETTER = {
    "higher": "higher is better",
    "lower": "lower is better",
    "neither": "a count that ranks nobody",
}
MADE_OF: dict[Aggregate, str] = {
    "mean": "Averaged over",
    "sum": "Summed over",
    "own": "Made of",
}


class FactsCard(Card):
    """A title, a sentence, and a few facts in two columns."""

    def __init__(self) -> None:
        super().__init__("")
        self.sentence = label("", "muted", wrap=True)
        self._form = QFormLayout()
        self._form.setContentsMargins(0, px(6), 0, 0)
        self._form.setVerticalSpacing(px(5))
        self._form.setHorizontalSpacing(px(18))
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.sentence)
        self.body.addLayout(self._form)
        self.body.addStretch(1)

    def show_facts(self, title: str, sentence: str, facts: dict[str, str]) -> None:
        """Show other facts; empty ones are left out."""
        self.title.setText(title)
        self.title.setVisible(True)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        while self._form.rowCount():
            self._form.removeRow(0)
        for name, value in facts.items():
            if value:
                self._form.addRow(label(name, "small"), _value(value))


def _value(text: str) -> QLabel:
    value = label(text, wrap=True)
    value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return value


def system_facts(row: Row, metric: MetricInfo | None, noun: tuple[str, str]) -> dict[str, str]:
    """What is known of a system, and its number of one metric in full."""
    summary = row.summary
    facts = {}
    score = next((s for s in summary.scores if metric and s.metric == metric.name), None)
    if score is not None and metric is not None:
        facts[metric.title] = format.exact(score.value)
        if score.interval is not None:
            ends = format.interval(score.interval, metric.decimals)
            facts[f"{format.percent(score.interval.level)} interval"] = ends
            facts["Interval by"] = score.interval.method
        if score.std == score.std:
            facts["Standard deviation"] = format.number(score.std, metric.decimals)
        facts[MADE_OF[metric.aggregate]] = format.counted(score.n, *noun)
    facts["Profile"] = summary.profile
    facts["Scored"] = _moment(summary.created)
    return facts


def metric_facts(metric: MetricInfo) -> dict[str, str]:
    """The declaration of a metric."""
    low, high = (f"{end:g}".replace("inf", "∞") for end in metric.range)
    return {
        "Name in exports": metric.name,
        "Range": f"{low} to {high}, {BETTER[metric.better]}",
        "Source": metric.source,
    }


def _moment(created: str) -> str:
    try:
        when = datetime.fromisoformat(created).astimezone()
    except ValueError:
        return ""
    return format.moment(when, datetime.now().astimezone())

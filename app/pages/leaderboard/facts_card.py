"""What stands below the board: the system and the metric that the keyboard is on."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel

from jurydesk.app.style import numbers
from jurydesk.app.style.theme import font, px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import Card, clear_layout, label
from jurydesk.core.analysis.leaderboard import LeaderboardRow
from jurydesk.core.model.evaluation import Aggregate, MetricInfo

NARROWEST = 90
"""How narrow a fact's value may become."""
LONGEST_WORD = 14
"""A longer word, such as a number with all its digits, takes the whole width below its name."""
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
        super().__init__("", elided=True)
        self.sentence = label("", "muted", wrap=True)
        # No QFormLayout: at the width that it would like best it forgets its rows' heights.
        self._facts = QGridLayout()
        self._facts.setContentsMargins(0, px(6), 0, 0)
        self._facts.setVerticalSpacing(px(5))
        self._facts.setHorizontalSpacing(px(18))
        self._facts.setColumnStretch(1, 1)
        self.body.addWidget(self.sentence)
        self.body.addLayout(self._facts)
        self.body.addStretch(1)

    def show_facts(self, title: str, sentence: str, facts: dict[str, str]) -> None:
        """Show other facts; empty ones are left out."""
        self.title.setText(title)
        self.title.setToolTip(tip(title))
        self.title.setVisible(True)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        clear_layout(self._facts)
        told = {name: value for name, value in facts.items() if value}
        for name, value in told.items():
            row = self._facts.rowCount()
            if max(map(len, value.split())) > LONGEST_WORD:
                self._facts.addWidget(Name(name), row, 0, 1, 2)
                self._facts.addWidget(_value(value), row + 1, 0, 1, 2)
            else:
                self._facts.addWidget(Name(name), row, 0, Qt.AlignmentFlag.AlignTop)
                self._facts.addWidget(_value(value), row, 1)


class Name(QLabel):
    """What a fact is called: as high as a line of its value, and so beside the first one."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setProperty("kind", "small")
        self.setTextFormat(Qt.TextFormat.PlainText)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint.expandedTo(QSize(0, QFontMetrics(font()).height()))


def _value(text: str) -> QLabel:
    value = label(text, wrap=True)
    value.setMinimumWidth(px(NARROWEST))
    value.setToolTip(tip(text))  # a number with all its digits is one word, which cannot be broken
    value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return value


def system_facts(
    row: LeaderboardRow, metric: MetricInfo | None, noun: tuple[str, str]
) -> dict[str, str]:
    """What is known of a system, and its number of one metric in full."""
    summary = row.summary
    facts = {}
    score = next((s for s in summary.scores if metric and s.metric == metric.name), None)
    if score is not None and metric is not None:
        facts[metric.title] = numbers.exact(score.value)
        if score.interval is not None:
            ends = numbers.interval(score.interval, metric.decimals)
            facts[f"{numbers.percent(score.interval.level)} interval"] = ends
            facts["Interval by"] = score.interval.method
        if score.std == score.std:
            facts["Standard deviation"] = numbers.number(score.std, metric.decimals)
        facts[MADE_OF[metric.aggregate]] = numbers.quantity(score.n, *noun)
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
    return numbers.moment(when, datetime.now().astimezone())

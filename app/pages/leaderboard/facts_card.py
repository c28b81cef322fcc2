"""Card of facts about the system and the metric at the cursor."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel

from jurydesk.app.style.theme import font, px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.page_label import PageLabel
from jurydesk.app.widgets.parts import Card, clear_layout, label
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.reliability import few_groups
from jurydesk.core.language import localize_number, translatable, translate, translate_text
from jurydesk.core.language.local_formats import local_moment, stored_moment
from jurydesk.core.model.evaluation import Aggregate, MetricInfo
from jurydesk.core.tables import numbers

WIDEST_NAME = 160
"""Width of a name above which the value stands below it."""
NARROWEST = 90
"""Minimum width of a fact's value."""
LONGEST_WORD = 14
"""Length of a word (such as an exact number) above which a value is placed below its name."""
RANGES = {
    "higher": translatable("{low} to {high}, higher is better"),
    "lower": translatable("{low} to {high}, lower is better"),
    "neither": translatable("{low} to {high}, a count, which does not rank"),
}
MADE_OF: dict[Aggregate, str] = {
    "mean": translatable("Averaged over"),
    "sum": translatable("Summed over"),
    "own": translatable("Made of"),
}


class FactsCard(Card):
    """Card with a title, a sentence, and facts in two columns."""

    def __init__(self) -> None:
        super().__init__(PageLabel("", "heading"))  # a name is here in full
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
        """Show other facts; empty ones are omitted."""
        self.title.setText(title)
        self.title.setToolTip(tip(title))
        self.title.setVisible(True)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        clear_layout(self._facts)
        known = {name: value for name, value in facts.items() if value}
        for name, value in known.items():
            row = self._facts.rowCount()
            shown = FactName(name)
            is_wide = shown.sizeHint().width() > px(WIDEST_NAME)
            if is_wide or max(map(len, value.split())) > LONGEST_WORD:
                self._facts.addWidget(shown, row, 0, 1, 2)
                self._facts.addWidget(FactValue(value), row + 1, 0, 1, 2)
            else:
                self._facts.addWidget(shown, row, 0, Qt.AlignmentFlag.AlignTop)
                self._facts.addWidget(FactValue(value), row, 1)


class FactName(QLabel):
    """Name of a fact, as high as one line, so that it aligns with the first line of the value."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setProperty("kind", "small")
        self.setTextFormat(Qt.TextFormat.PlainText)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint.expandedTo(QSize(0, QFontMetrics(font()).height()))


class FactValue(QLabel):
    """Value of a fact, on as many lines as it needs, and as narrow as the zoom allows."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setToolTip(tip(text))  # a number with all its digits is one word, never broken
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(NARROWEST), super().minimumSizeHint().height())


def system_facts(
    row: LeaderboardRow, metric: MetricInfo | None, noun: tuple[str, str]
) -> dict[str, str]:
    """Return facts about a system, with its score of one metric."""
    summary = row.summary
    facts = {}
    score = next((s for s in summary.scores if metric and s.metric == metric.name), None)
    if score is not None and metric is not None:
        rounded = numbers.number(score.value, metric.decimals)
        shown = numbers.parenthesize(rounded) if metric.doubt else rounded
        facts[translate_text(metric.title)] = shown
        if score.interval is not None:
            ends = numbers.interval(score.interval, metric.decimals)
            ends += numbers.FEW if ends and few_groups(score) else ""
            level = 100 * score.interval.level
            facts[translate("{level:g} % interval", level=level)] = ends
            facts[translate("Interval by")] = translate_text(score.interval.method)
        if score.std == score.std:
            facts[translate("Standard deviation")] = numbers.number(score.std, metric.decimals)
        facts[translate(MADE_OF[metric.aggregate])] = numbers.quantity(score.n, *noun)
    facts[translate("Profile")] = summary.profile
    facts[translate("Scored")] = _moment(summary.created)
    return facts


def metric_facts(metric: MetricInfo) -> dict[str, str]:
    """Return the declaration of a metric as facts."""
    low, high = (localize_number(f"{end:g}".replace("inf", "∞")) for end in metric.range)
    return {
        translate("Name in exports"): metric.name,
        translate("Range"): translate(RANGES[metric.better], low=low, high=high),
        translate("Source"): translate_text(metric.source),
    }


def _moment(created: str) -> str:
    when = stored_moment(created)
    return "" if when is None else local_moment(when, datetime.now().astimezone())

"""Drawer with facts about the system and the metric at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.jobs.neighbour_differences import KNOWN_PAIRS, NeighbourDifferences
from jurydesk.app.pages.leaderboard.facts_card import FactsCard, metric_facts, system_facts
from jurydesk.app.pages.leaderboard.neighbour_card import NeighbourCard
from jurydesk.app.pages.leaderboard.neighbour_verdict import (
    NeighbourComparison,
    compare_with_neighbour,
)
from jurydesk.app.pages.leaderboard.rating_correlation import correlation_caption, correlation_facts
from jurydesk.app.style.theme import px, theme
from jurydesk.app.widgets.parts import button, label, row_layout, scroll_area, set_spacing
from jurydesk.core.language import translate, translate_text

if TYPE_CHECKING:
    from jurydesk.app.jobs.job import Jobs
    from jurydesk.app.state.session import Session
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.model.evaluation import MetricInfo

WIDTH, LEAST = 316, 120
"""Width and minimum height of the drawer."""


class Drawer(QWidget):
    """Scrollable facts beside the board; `closed` requests to close it."""

    closed = Signal()

    def __init__(self, cards: BoardFacts) -> None:
        super().__init__()
        self.close_button = button("×", self.closed.emit, "quiet", translate("Close  (Esc)"))
        self.close_button.setAccessibleName(translate("Close the facts"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row_layout(label(translate("Facts"), "heading"), None, self.close_button))
        column.addWidget(scroll_area(cards), 1)
        theme().follow(self._scale)

    def _scale(self) -> None:
        self.setFixedWidth(px(WIDTH))

    def minimumSizeHint(self) -> QSize:
        """Allow any height, because the content scrolls."""
        return QSize(super().minimumSizeHint().width(), px(LEAST))


class BoardFacts(QWidget):
    """Cards of the system, its neighbour, the metric, and the metric's correlation with ratings."""

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__()
        self.system = FactsCard()
        self.neighbour = NeighbourCard()
        self.measure = FactsCard()
        self.people = FactsCard()
        self._differences = NeighbourDifferences(self, session, jobs, limit=KNOWN_PAIRS)
        self._differences.arrived.connect(self._show_gains)
        self._pair: NeighbourComparison | None = None
        self._noun = ""
        self._whole = False
        column = QVBoxLayout(self)
        set_spacing(column, 12)
        for card in (self.system, self.neighbour, self.measure, self.people):
            column.addWidget(card)
        column.addStretch(1)
        self.people.hide()

    def show_cell(
        self, row: LeaderboardRow, metric: MetricInfo | None, nouns: tuple[str, str]
    ) -> None:
        facts = system_facts(row, metric, nouns)
        self.system.show_facts(row.summary.system, row.summary.about, facts)
        if metric is not None:
            title, summary = translate_text(metric.title), translate_text(metric.summary)
            self.measure.show_facts(title, summary, metric_facts(metric))

    def show_against(
        self, board: Leaderboard, row: LeaderboardRow, noun: str, *, whole: bool, waiting: str = ""
    ) -> None:
        """Show the test between the system and its neighbour.

        `noun` is the plural of the items; differences by item are shown only for the `whole` board.
        `waiting` is the sentence shown while the tests are running.
        """
        self._pair, self._noun, self._whole = (
            compare_with_neighbour(board, row, noun, waiting),
            noun,
            whole,
        )
        self.neighbour.show_pair(self._pair)
        self._show_gains()

    def _show_gains(self) -> None:
        pair, differences, gains = self._pair, self._differences, None
        if pair is None:
            return
        if not pair.comparable:
            self.neighbour.show_gains(None, self._noun, reading=False)
            return
        if self._whole:
            gains = differences.gains(pair.first, pair.second, pair.metric)
        reading = self._whole and differences.is_pending
        self.neighbour.show_gains(gains, self._noun, reading=reading)

    def show_people(
        self,
        board: Leaderboard,
        metric: MetricInfo | None,
        people: StudyFindings | None,
        profile: str,
    ) -> None:
        """Show the metric's correlations with ratings, if there are any."""
        titles = {info.name: translate_text(info.title) for info in board.metrics}
        facts = correlation_facts(people, metric, titles, profile)
        self.people.setVisible(bool(facts))
        if people is not None and metric is not None and facts:
            asked = metric.name in {info.name for info in people.metrics}
            name = titles.get(metric.name, translate_text(metric.title))
            title = translate("{title} and metrics" if asked else "{title} and people", title=name)
            self.people.show_facts(
                title, correlation_caption(people.correlations[profile], people.entry), facts
            )

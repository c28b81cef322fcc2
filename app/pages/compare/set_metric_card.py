"""Two systems by a number of whole sets, such as FID: tested only where somebody asks for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from jurydesk.app.jobs.job import Jobs, Tell
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.style import numbers
from jurydesk.app.widgets.parts import Card, label, row_layout
from jurydesk.core.analysis.leaderboard import find_score

if TYPE_CHECKING:
    from jurydesk.app.state.session import Session
    from jurydesk.core.analysis.pairwise import MetricComparison
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import MetricInfo

WORDS = (
    "This number belongs to all pictures together; a single one has none. Whether the difference "
    "is real is told by resampling the pictures, from the features that scoring kept. It takes "
    "seconds for hundreds of pictures and minutes for thousands."
)


class WholeCard(Card):
    """Says why there are no items, and offers the test; `tested` hands out what it found."""

    tested = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._session = session
        self._test = LatestJob[str, "Comparison"](self, session)
        self._test.arrived.connect(self.tested)
        self._test.refused.connect(self._offer)
        self._test.ended.connect(self._over)
        self._asked: tuple[MetricInfo, tuple[Summary, Summary]] | None = None
        self.words = label(WORDS, "muted", wrap=True)
        self.button = QPushButton("Resample the pictures")
        self.button.clicked.connect(self.resample)
        self.body.addWidget(self.words)
        self.body.addLayout(row_layout(self.button, None))
        self.hide()

    def join(self, jobs: Jobs) -> None:
        """Let tests run among these jobs."""
        self._test.join(jobs)

    def show_pair(self, metric: MetricInfo, systems: tuple[str, str]) -> str:
        """Offer to test these two; returns what both have, in a few words."""
        self._test.cancel()
        self._over()
        one, other = (self._session.summary(name) for name in systems)
        if one is None or other is None:
            return ""
        self._asked = (metric, (one, other))
        self._offer("")
        scores = (find_score(summary, metric.name) for summary in (one, other))
        first, second = (
            numbers.UNDEFINED if score is None else numbers.number(score.value, metric.decimals)
            for score in scores
        )
        return f"{metric.title}: {first} against {second}."

    def resample(self) -> None:
        """Test the difference; the strip shows how far it is, and can stop it."""
        desk, task = self._session.desk, self._session.task
        if self._asked is None or desk is None or task is None:
            return
        metric, pair = self._asked
        title = f"Resampling {pair[0].system} and {pair[1].system}"
        self.button.setEnabled(False)
        work = partial(requested, desk, task, metric, pair)
        self._test.start(metric.name, title, work, quiet=False)

    def _over(self) -> None:
        self.button.setEnabled(True)

    def _offer(self, refused: str) -> None:
        self.words.setText(f"{refused}\n\n{WORDS}" if refused else WORDS)
        self.words.setTextFormat(Qt.TextFormat.PlainText)


def requested(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    pair: tuple[Summary, Summary],
    run: Run,
    tell: Tell,
) -> MetricComparison:
    """Test a pair of systems by a number of whole sets."""
    from jurydesk.core.analysis.stamped_inputs import compare_requested

    return compare_requested(desk, task, metric, pair, run)

"""Card that compares two systems by a metric of whole sets, such as FID, on request."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from jurydesk.app.jobs.job import Jobs, Notify
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.widgets.parts import Card, label, row_layout
from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables import numbers

if TYPE_CHECKING:
    from jurydesk.app.state.session import Session
    from jurydesk.core.analysis.comparison.pairwise import MetricComparison
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import MetricInfo

EXPLANATION = translatable(
    "This metric is defined for all pictures together, not for a single one. The "
    "significance of the difference is estimated by resampling the pictures, "
    "from the features kept by scoring. This takes seconds for hundreds of "
    "pictures and minutes for thousands."
)


class SetMetricCard(Card):
    """Explains why there are no items, and offers the test; `tested` carries its result."""

    tested = Signal(object)

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__()
        self._session = session
        self._test = DeskJob[str, "MetricComparison"](self, session, jobs)
        self._test.arrived.connect(self.tested)
        self._test.refused.connect(self._offer_test)
        self._test.ended.connect(self._enable_button)
        self._request: tuple[MetricInfo, tuple[Summary, Summary]] | None = None
        self.words = label(translate(EXPLANATION), "muted", wrap=True)
        self.button = QPushButton(translate("Resample the pictures"))
        self.button.clicked.connect(self.resample)
        self.body.addWidget(self.words)
        self.body.addLayout(row_layout(self.button, None))
        self.hide()

    def show_pair(self, metric: MetricInfo, systems: tuple[str, str]) -> str:
        """Offer to test two systems; return a summary of their scores."""
        self._test.cancel()
        self._enable_button()
        one, other = (self._session.summary(name) for name in systems)
        if one is None or other is None:
            return ""
        self._request = (metric, (one, other))
        self._offer_test("")
        scores = (find_score(summary, metric.name) for summary in (one, other))
        first, second = (
            numbers.UNDEFINED if score is None else numbers.score(score.value, metric)
            for score in scores
        )
        return translate(
            "{metric}: {first} against {second}.",
            metric=translate_text(metric.title),
            first=first,
            second=second,
        )

    def resample(self) -> None:
        """Test the difference in a job; the strip shows its progress and can stop it."""
        if self._request is None:
            return
        desk, task = self._session.desk, self._session.task
        metric, pair = self._request
        title = translate(
            "Resampling {first} and {second}", first=pair[0].system, second=pair[1].system
        )
        self.button.setEnabled(False)
        work = partial(run_set_metric_test, desk, task, metric, pair)
        self._test.start(metric.name, title, work, quiet=False)

    def _enable_button(self) -> None:
        self.button.setEnabled(True)

    def _offer_test(self, refused: str) -> None:
        explanation = translate(EXPLANATION)
        self.words.setText(
            f"{translate_text(refused)}\n\n{explanation}" if refused else explanation
        )
        self.words.setTextFormat(Qt.TextFormat.PlainText)


def run_set_metric_test(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    pair: tuple[Summary, Summary],
    run: Run,
    notify: Notify,
) -> MetricComparison:
    """Test a pair of systems by a metric of whole sets; the work of a job."""
    from jurydesk.core.analysis.stamped_inputs import compare_requested

    return compare_requested(desk, task, metric, pair, run)

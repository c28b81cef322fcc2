"""Whether the difference of the two systems that are compared is real: asked in the background."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs
from app.newest import Newest
from core.comparison import Comparison, compare
from core.separating import Entrant

if TYPE_CHECKING:
    from app.jobs import Tell
    from core.model import Evaluation, MetricInfo
    from core.run.run import Run
    from core.tasks.registry import AnyTask


class PairTest(QObject):
    """Tests one pair at a time, the newest that was asked for; `found` carries what came out."""

    found = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: Jobs | None = None
        self._newest = Newest(self)
        self._newest.found.connect(self.found)

    def join(self, jobs: Jobs) -> None:
        """Let tests run among these jobs."""
        self._jobs = jobs

    def ask(
        self, task: AnyTask, metric: MetricInfo, profile: str, pair: tuple[Evaluation, Evaluation]
    ) -> None:
        """Test this pair by a metric."""
        if self._jobs is None:
            return
        one, other = (entrant_of(evaluation, metric) for evaluation in pair)
        work = partial(compared, task, metric, profile, one, other)
        self._newest.begin(Job("Comparing two systems", work, quiet=True), self._jobs)


def entrant_of(evaluation: Evaluation, metric: MetricInfo) -> Entrant:
    """A system as it enters the comparison."""
    value = next((s.value for s in evaluation.scores if s.metric == metric.name), float("nan"))
    return Entrant(evaluation.system, value, evaluation.items)


def compared(
    task: AnyTask,
    metric: MetricInfo,
    profile: str,
    one: Entrant,
    other: Entrant,
    run: Run,
    tell: Tell,
) -> Comparison:
    """Whether the difference of two systems is real."""
    return compare(task, metric, profile, one, other, run)

"""Findings of a study: ranks, agreement, rater reports, and correlations with metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jurydesk.core.competition.rating_design import Noun
from jurydesk.core.desk import Summary
from jurydesk.core.human_evaluation.results.metric_correlation import (
    AnyTask,
    RatingCorrelation,
    rated_systems,
    rated_task,
)
from jurydesk.core.human_evaluation.results.ranking import QuestionAgreement, QuestionResult
from jurydesk.core.human_evaluation.results.rater_reports import RaterReport
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Evaluation, FloatArray, MetricInfo


@dataclass(frozen=True, slots=True, eq=False)
class StudyFindings:
    """Results of the ratings: questions as metrics, their outcomes, and agreement.

    `entry` is the noun of what a system has for each item of `sequences`; `stories[question]` is
    the mean rating of every entry, (items, systems), NaN without ratings. `correlations` are by
    profile of the metrics. `defects` name the raters whose answers contradict each other and do not
    count.
    """

    systems: tuple[str, ...]
    entry: Noun
    sequences: tuple[str, ...]
    metrics: tuple[MetricInfo, ...]
    outcomes: tuple[QuestionResult, ...]
    agreements: tuple[QuestionAgreement, ...]
    raters: tuple[RaterReport, ...]
    correlations: Mapping[str, tuple[RatingCorrelation, ...]]
    stories: Mapping[str, FloatArray]
    defects: tuple[Defect, ...]

    def on_board(
        self, task: AnyTask, summaries: Sequence[Summary], profile: str
    ) -> tuple[AnyTask, tuple[Summary, ...]]:
        """Return the task and the systems with the ratings as additional metrics.

        A rated system that is not scored (human texts) is a row of that profile.
        """
        by_system = rated_systems(self.systems, summaries, self.outcomes, profile)
        return rated_task(task, self.metrics), by_system

    def with_ratings(self, evaluation: Evaluation) -> Evaluation:
        """Return the evaluation with the ratings of its system and of its entries."""
        if evaluation.system not in self.systems:
            return evaluation
        place = self.systems.index(evaluation.system)
        items = evaluation.items
        rows = {id: row for row, id in enumerate(self.sequences)}
        at = np.array([rows.get(id, -1) for id in items.ids], np.int64)
        columns = dict(items.columns)
        rated = self.stories if (at >= 0).any() else {}  # ratings may be of images, not items
        for question, means in rated.items():
            column = np.where(at < 0, np.nan, means[at, place])
            columns.setdefault(question, column)
        metrics = {score.metric for score in evaluation.scores}
        scores = (one.scores[place] for one in self.outcomes if one.question not in metrics)
        return replace(
            evaluation,
            items=replace(items, columns=columns),
            scores=(*evaluation.scores, *scores),
        )

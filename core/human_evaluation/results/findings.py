"""Findings of a study: ranks, agreement, rater reports, and correlations with metrics.

They follow only from the answers and evaluations in a desk, which keeps those of its present state:
a board opens at once, also without the files that were scored.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jurydesk.core.analysis.equal_rules import under_equal_rules
from jurydesk.core.competition.rating_design import Noun
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.answers.merge_answers import find_conflicts
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.completion import (
    SystemRatings,
    count_ratings,
    missing_warning,
)
from jurydesk.core.human_evaluation.results.metric_correlation import (
    RatingCorrelation,
    correlate_metrics,
    rated_systems,
    rated_task,
    rating_metrics,
)
from jurydesk.core.human_evaluation.results.preferences import (
    QuestionPreferences,
    question_preferences,
    strength_results,
)
from jurydesk.core.human_evaluation.results.program_judges import ProgramJudge, program_judges
from jurydesk.core.human_evaluation.results.ranking import (
    QuestionAgreement,
    QuestionResult,
    agreements,
    question_results,
    story_means,
)
from jurydesk.core.human_evaluation.results.rater_reports import RaterReport, rater_reports
from jurydesk.core.human_evaluation.results.ratings import collect_ratings
from jurydesk.core.language import fill
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Evaluation, FloatArray, MetricInfo
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.statistics.inference import Inference

CACHE_KEY = "findings of ratings"
VERSION = 13
STEPS = 4


@dataclass(frozen=True, slots=True, eq=False)
class StudyFindings:
    """Results of the ratings: questions as metrics, their outcomes, and agreement.

    `entry` is the noun of what a system has for each item of `sequences`; `stories[question]` is
    the mean rating of every entry, (items, systems), NaN without ratings. `correlations` are by
    profile of the metrics. `defects` name the raters whose answers contradict each other and do not
    count. `counts` are the planned and given ratings of each system. `preferences` are those of
    questions that compare entries, whose strengths are among the outcomes. `imported` names the
    file of another program that the ratings are from. `judges` are programs among the raters,
    which count for no rank and no agreement of people.
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
    counts: tuple[SystemRatings, ...] = ()
    preferences: tuple[QuestionPreferences, ...] = ()
    imported: str = ""
    judges: tuple[ProgramJudge, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Limits of few raters or items, and of ratings that are not missing by chance."""
        found = [one.remark for one in self.outcomes]
        found += [one.remark for one in self.preferences]
        found.append(missing_warning(self.counts))
        found.append(self.imported_remark)
        return tuple(dict.fromkeys(filter(None, found)))

    @property
    def imported_remark(self) -> str:
        """Remark on ratings that another program collected; empty for those of packets."""
        if not self.imported:
            return ""
        return fill("Ratings imported from {file}: no rater signed them.", self.imported)

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


def load_findings(
    desk: Desk, run: Run, *, keep: bool = True, task: AnyTask | None = None
) -> StudyFindings | None:
    """Load the findings of a desk; None without answers. Raises Cancelled.

    Cached findings are reused. With `keep`, new ones are stored, unless the desk is read-only.
    """
    store = RatingStore(desk)
    answers = store.fingerprint()
    if not answers:
        return None
    summaries = _evaluations(desk, task)
    state = _state(answers, summaries, load_inference(desk))
    cached = _load_cached(desk, state)
    if cached is not None:
        return cached
    found = compute_findings(desk, run, task=task)
    if keep and not desk.read_only:
        content = json.dumps({"state": state, "findings": to_json(found, messages=True)})
        desk.cache.put(CACHE_KEY, zlib.compress(content.encode()))
    return found


def _state(answers: str, summaries: Sequence[Summary], inference: Inference) -> str:
    scored = [[one.id, one.system, one.profile, to_json(one.scores)] for one in summaries]
    whole = json.dumps([VERSION, answers, scored, inference.interval, inference.grouped])
    return hashlib.sha256(whole.encode()).hexdigest()


def _load_cached(desk: Desk, state: str) -> StudyFindings | None:
    content = desk.cache.get(CACHE_KEY)
    if content is None:
        return None
    try:
        data = json.loads(zlib.decompress(content))
        return from_json(StudyFindings, data["findings"]) if data["state"] == state else None
    except DAMAGE:
        return None  # damaged: it is computed again


def _evaluations(desk: Desk, task: AnyTask | None) -> Sequence[Summary]:
    """Return the evaluations that a board of the competition has, all without a competition."""
    summaries = desk.evaluations()
    return summaries if task is None else under_equal_rules(task, summaries)[0]


def compute_findings(
    desk: Desk, run: Run, profiles: Collection[str] | None = None, task: AnyTask | None = None
) -> StudyFindings:
    """Compute the findings of a desk, with the correlations of these profiles (default: all).

    With a `task`, metrics are correlated over the systems that its board has.

    Raises DeskError without a study, and Cancelled.
    """

    def step(done: int, text: str) -> None:
        run.report(done, STEPS, text)

    def check(done: int) -> None:
        run.check()

    store, inference, summaries = RatingStore(desk), load_inference(desk), _evaluations(desk, task)
    step(0, "Reading the ratings")
    answers = store.histories()
    ratings = collect_ratings(store.required_study(), answers)
    step(1, "Ranking the systems")
    found = question_results(ratings, inference=inference)
    preferences = question_preferences(ratings)
    found = (*found, *strength_results(ratings, preferences, found))
    step(2, "Computing agreement")
    agreed = agreements(ratings, check=check, inference=inference)
    step(3, "Correlating metrics with ratings")
    by_profile: dict[str, list[Summary]] = {}
    for one in summaries:
        if profiles is None or one.profile in profiles:
            by_profile.setdefault(one.profile, []).append(one)
    return StudyFindings(
        ratings.study.pool.systems,
        ratings.study.words.entry,
        tuple(ratings.study.pool.items[one].id for one in ratings.sequences),
        rating_metrics(ratings, found),
        found,
        agreed,
        rater_reports(ratings),
        {
            profile: correlate_metrics(desk, ratings, listed, check=check)
            for profile, listed in by_profile.items()
        },
        story_means(ratings),
        tuple(find_conflicts(answers)),
        count_ratings(ratings),
        preferences,
        ratings.study.imported,
        program_judges(ratings),
    )

"""Human ratings as metrics on the board, and their correlation with automatic metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.competition.rating_design import Noun
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.human_evaluation.design.questionnaire import RatingQuestion
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.preferences import (
    SUFFIX,
    question_preferences,
    strength_metric,
    strength_results,
)
from jurydesk.core.human_evaluation.results.ranking import (
    QuestionResult,
    question_results,
    story_means,
)
from jurydesk.core.human_evaluation.results.ratings import StudyRatings, load_ratings
from jurydesk.core.language import counted, fill, join_messages, translatable
from jurydesk.core.model.evaluation import Better, FloatArray, MetricInfo
from jurydesk.core.statistics.correlation import (
    KINDS,
    Kind,
    correlate_both,
    correlate_systems,
    correlate_within_systems,
)
from jurydesk.core.statistics.raters.agreement import Agreement

BOTH = "both"
"""Level of the correlations over systems and entries."""
SOURCE = "ratings by people"
ONE_RATER = translatable("Not reliable: only 1 rater judged.")
REVERSED = translatable("Mean of all statements; those by which less is better are reversed.")
UNSIGNED = translatable("Imported ratings: no rater signed them.")


@dataclass(frozen=True, slots=True)
class RatingCorrelation:
    """Correlation of a metric with the ratings of a question over `n` entries or systems.

    `level` is the noun of the entries (such as `story`), compared within systems, `both` where
    entries of all systems are compared, or `system`.
    """

    metric: str
    question: str
    level: str
    kind: Kind
    found: Agreement
    n: int

    @property
    def pair(self) -> tuple[str, str]:
        """Metric and question."""
        return self.metric, self.question


def add_ratings(
    task: AnyTask, summaries: Sequence[Summary], desk: Desk, *, is_noted: bool = True
) -> tuple[AnyTask, tuple[Summary, ...]]:
    """Add the ratings in the desk to the task and its systems as metrics.

    Without ratings both are returned unchanged. A rated system that is not scored (human texts) is
    an additional row. Metrics that are not `is_noted` do not say how many raters judged.
    """
    store = RatingStore(desk)
    if not store.fingerprint():
        return task, tuple(summaries)
    ratings = load_ratings(store)
    found = question_results(ratings, inference=load_inference(desk))
    found = (*found, *strength_results(ratings, question_preferences(ratings), found))
    systems = ratings.study.pool.systems
    return (
        rated_task(task, rating_metrics(ratings, found, is_noted=is_noted)),
        rated_systems(systems, summaries, found, task.scoring.profiles[0]),
    )


def rated_task(task: AnyTask, metrics: Sequence[MetricInfo]) -> AnyTask:
    """Return the task with the questions as additional metrics."""
    return replace(task, scoring=replace(task.scoring, metrics=(*task.scoring.metrics, *metrics)))


def rating_metrics(
    ratings: StudyRatings, found: Iterable[QuestionResult], *, is_noted: bool = True
) -> tuple[MetricInfo, ...]:
    """Return the questions as metrics, which say how many raters judged if they are `is_noted`."""
    by_id = {one.id: one for one in ratings.study.questionnaire.questions}
    scale = len(ratings.study.questionnaire.scale)
    raters = sum(any(item.answers for item in items) for items in ratings.given)
    doubt = ONE_RATER if raters == 1 else ""
    unsigned = UNSIGNED if ratings.study.imported else ""
    infos = []
    for one in found:
        question = by_id.get(one.question)
        asked = question or by_id.get(one.question.removesuffix(SUFFIX))
        lower = asked is not None and asked.lower
        info = _info(one.question, question, scale, lower=lower)
        if asked is None and any(other.lower for other in by_id.values()):
            info = replace(info, summary=REVERSED)
        counts = is_noted and not doubt
        judged = _judged(raters, one, ratings.study.words.entry) if counts else ""
        caveat = join_messages(filter(None, [unsigned, judged]))
        infos.append(replace(info, doubt=doubt, caveat=caveat))
    return tuple(infos)


def _judged(raters: int, found: QuestionResult, entry: Noun) -> str:
    """Say how many raters judged how many entries of the systems."""
    counts = {score.n for score in found.scores}
    template = (
        translatable("{raters} judged {entries} of each system.")
        if len(counts) < 2
        else translatable("{raters} judged up to {entries} of a system.")
    )
    return fill(template, counted(raters, "rater"), counted(max(counts, default=0), *entry))


def _info(id: str, question: RatingQuestion | None, scale: int, *, lower: bool) -> MetricInfo:
    title = id.removesuffix(SUFFIX).replace("-", " ").replace("_", " ").capitalize()
    if id.endswith(SUFFIX) and question is None:
        return strength_metric(id, title, lower=lower)
    kind = "likert" if question is None else question.kind
    span = (1.0, float(scale)) if question is None else question.span(scale)
    summary = "Mean of all statements." if question is None else question.statement
    share = {
        "pairwise": "Share of comparisons won; a tie counts half."
        if question is not None and question.tie
        else "Share of comparisons won.",
        "best-worst": "Share best less share worst.",
    }.get(kind, "")
    summary = join_messages([summary, share])
    better: Better = "lower" if lower else "higher"
    return MetricInfo(id, title, summary, span, better, SOURCE, aggregate="own", decimals=2)


def rated_systems(
    systems: Sequence[str],
    summaries: Sequence[Summary],
    found: Sequence[QuestionResult],
    profile: str,
) -> tuple[Summary, ...]:
    """Return the summaries with their ratings, and a summary of `profile` per unscored system.

    The latter have distinct negative ids.
    """
    scores = {
        name: tuple(one.scores[i] for one in found if one.scores[i].n)
        for i, name in enumerate(systems)
    }
    known = {one.system for one in summaries}
    profile = summaries[0].profile if summaries else profile
    alone = [name for name in systems if name not in known and scores[name]]
    more = [
        Summary(-number, name, profile, scores[name], "", False, "", scores[name][0].n)
        for number, name in enumerate(alone, 1)
    ]
    beside = [replace(one, scores=(*one.scores, *scores.get(one.system, ()))) for one in summaries]
    return (*beside, *more)


def correlate_metrics(
    desk: Desk,
    ratings: StudyRatings,
    summaries: Sequence[Summary],
    check: Callable[[int], None] = lambda done: None,
) -> tuple[RatingCorrelation, ...]:
    """Correlate every metric of the board with every question, over entries and over systems.

    Entries are compared within their systems. `check` is called regularly, and may raise to cancel.
    """
    scored = [one for one in summaries if one.system in ratings.study.pool.systems]
    if not scored:
        return ()
    profile = scored[0].profile
    scored = [one for one in scored if one.profile == profile]
    stories = _metric_columns(desk, ratings, scored)
    means = story_means(ratings)
    places = [ratings.study.pool.systems.index(one.system) for one in scored]
    entry = ratings.study.words.entry[0]
    found = []
    for metric in dict.fromkeys(score.metric for one in scored for score in one.scores):
        of_systems = np.array([_value(one, metric) for one in scored])
        for question, question_means in means.items():
            rated = question_means[:, places]
            for kind in KINDS if metric in stories else ():
                one = stories[metric]
                within = correlate_within_systems(one, rated, kind, ratings.study.words.item, check)
                n = int((~(np.isnan(one) | np.isnan(rated))).sum())
                found.append(RatingCorrelation(metric, question, entry, kind, within, n))
                over = correlate_both(one, rated, kind, ratings.study.words.item, check)
                found.append(RatingCorrelation(metric, question, BOTH, kind, over, n))
            mean = _means(rated)
            n = int((~(np.isnan(of_systems) | np.isnan(mean))).sum())
            found += [
                RatingCorrelation(
                    metric, question, "system", kind, correlate_systems(of_systems, mean, kind), n
                )
                for kind in KINDS
            ]
    return tuple(found)


def _value(summary: Summary, metric: str) -> float:
    score = find_score(summary, metric)
    return float("nan") if score is None else score.value


def _means(rated: FloatArray) -> FloatArray:
    known = ~np.isnan(rated)
    total = np.where(known, rated, 0.0).sum(axis=0)
    count = known.sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _metric_columns(
    desk: Desk, ratings: StudyRatings, scored: Sequence[Summary]
) -> Mapping[str, FloatArray]:
    """Return each metric's values (sequences, systems), if the desk has them by item."""
    names = [ratings.study.pool.items[one].id for one in ratings.sequences]
    found: dict[str, FloatArray] = {}
    for column, summary in enumerate(scored):
        items = desk.load(summary.id).items
        rows = {id: row for row, id in enumerate(items.ids)}
        for score in summary.scores:
            numbers = items.columns.get(score.metric)
            if numbers is None:
                continue
            target = found.setdefault(score.metric, np.full((len(names), len(scored)), np.nan))
            for row, name in enumerate(names):
                if name in rows:
                    target[row, column] = numbers[rows[name]]
    return found

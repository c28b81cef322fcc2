"""Results by question: means with intervals, agreement, and ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from jurydesk.core.competition.rating_design import Noun, Wording
from jurydesk.core.human_evaluation.design.questionnaire import Questionnaire, RatingQuestion
from jurydesk.core.human_evaluation.results.crossed_ratings import (
    complete_table,
    crossed_errors,
    resampled_ratings,
)
from jurydesk.core.human_evaluation.results.ratings import StudyRatings
from jurydesk.core.language import Message, counted, fill, translatable
from jurydesk.core.model.evaluation import FloatArray, Interval, Score
from jurydesk.core.statistics.bootstrap import (
    LEVEL,
    RESAMPLES,
    SEED,
    ResamplingPlan,
    percentile_interval,
    resampled_means,
)
from jurydesk.core.statistics.combined_scores import stepdown_p, student_interval
from jurydesk.core.statistics.group_intervals import student_method
from jurydesk.core.statistics.groups import FEW_GROUPS, FEWEST_GROUPS, Groups
from jurydesk.core.statistics.inference import Inference, clip_interval
from jurydesk.core.statistics.paired_tests import PairedDifferences, all_pairs, holm
from jurydesk.core.statistics.rank_intervals import ranks
from jurydesk.core.statistics.raters.agreement import (
    FEWEST_RATERS,
    ICC,
    SHARE,
    Agreement,
    Scale,
    agreement_with_interval,
    alpha,
    alpha_change,
    alpha_sums,
    alpha_without_raters,
    exact_share,
    exact_share_sums,
    icc_1k,
    icc_1k_sums,
    icc_2k,
)
from jurydesk.core.statistics.raters.crossed_intervals import CrossedErrors
from jurydesk.core.statistics.raters.gwet_agreement import (
    gwet_ac,
    gwet_sums,
    gwet_without_raters,
)
from jurydesk.core.statistics.raters.left_out import (
    exact_share_without_raters,
    icc_1k_without_raters,
    icc_2k_without_raters,
)
from jurydesk.core.statistics.raters.two_way import two_way_mean, two_way_tests

RATER: Noun = ("rater", "raters")
MOST_TWO_WAY = 12
"""Maximum number of raters for two-way random effects, as far as simulations confirm them."""


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """Agreement of the raters on one question, each measure with an interval over stories.

    `icc` is ICC(2,k), which needs stories that all have rated; `icc_1k` does not. `gwet` is AC2, or
    AC1 of answers without an order.
    """

    question: str
    alpha: Agreement
    icc: Agreement
    icc_1k: Agreement
    exact: Agreement
    gwet: Agreement


@dataclass(frozen=True, slots=True)
class SharedRank:
    """Rank interval of a system, from `first` to `last`.

    Systems without a significant difference share their ranks.
    """

    system: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """Mean rating and rank of every system for one question, in the order of the systems.

    `remark` describes the limits of few raters or items.
    """

    question: str
    scores: tuple[Score, ...]
    ranks: tuple[SharedRank, ...]
    remark: str = ""


def question_results(
    ratings: StudyRatings,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    inference: Inference = Inference(),  # noqa: B008 - frozen
) -> tuple[QuestionResult, ...]:
    """Return the result of every question, and that of all statements together.

    Raters and items are both random samples; percentile intervals without groups treat raters as
    fixed. Systems without a significant difference share ranks: by two-way random effects with
    Holm's correction if 3 to 12 raters rated every item, else by the step-down procedure of Romano
    and Wolf or, with percentile intervals, by the interval of their paired difference.
    """
    if inference.interval != "percentile":
        return tuple(
            _crossed_outcome(ratings, question, means, seed)
            for question, means in story_means(ratings).items()
        )
    systems, count = ratings.study.pool.systems, len(ratings.sequences)
    found = []
    for question, means in story_means(ratings).items():
        resampled = None
        if count > 1 and inference.grouped:
            resampled = resampled_ratings(ratings, question, resamples, seed)
        elif count > 1:
            resampled = resampled_means(means, ResamplingPlan(count, resamples, seed))
        scores = tuple(
            _score(question, means[:, i], None if resampled is None else resampled[:, i])
            for i in range(len(systems))
        )
        lower = ratings.study.questionnaire.is_lower(question)
        shared = rank_systems(systems, scores, resampled, lower=lower)
        found.append(QuestionResult(question, scores, shared))
    return tuple(found)


def _crossed_outcome(
    ratings: StudyRatings, question: str, means: FloatArray, seed: int
) -> QuestionResult:
    systems, words = ratings.study.pool.systems, ratings.study.words
    errors = crossed_errors(ratings, question, means)
    scores = [_score(question, column, None) for column in means.T]
    table = complete_table(ratings, question)
    if table is not None and FEWEST_RATERS <= len(table) <= MOST_TWO_WAY:
        spans, p = _two_way(scores, table, words)
    elif min(errors.rows, errors.columns) >= FEWEST_GROUPS:
        spans, p = _crossed(scores, errors, words, seed)
    else:
        spans, p = [None] * len(scores), None
    limits = _limits(ratings.study.questionnaire, question)
    return QuestionResult(
        question,
        tuple(
            replace(score, interval=span and clip_interval(span, limits))
            for score, span in zip(scores, spans, strict=True)
        ),
        _shared_ranks(systems, scores, p, lower=ratings.study.questionnaire.is_lower(question)),
        _remark(errors, words, has_intervals=p is not None),
    )


Outcome = tuple[list[Interval | None], FloatArray]
"""Intervals of all systems, and corrected p values of the pairs of rated ones."""


def _two_way(scores: Sequence[Score], table: FloatArray, words: Wording) -> Outcome:
    """Return intervals and tests of a complete table (raters, items, systems)."""
    known = [place for place, score in enumerate(scores) if score.n]
    spans: list[Interval | None] = [None] * len(scores)
    for place in known:
        found = two_way_mean(table[:, :, place])
        method = _method(student_method(found.degrees), len(table), table.shape[1], words)
        spans[place] = student_interval(scores[place].value, found.error, found.degrees, method)
    places = [(known[one], known[other]) for one, other in all_pairs(len(known))]
    return spans, holm(two_way_tests(table, places))


def _crossed(scores: Sequence[Score], errors: CrossedErrors, words: Wording, seed: int) -> Outcome:
    """Return intervals and tests by the errors of crossed samples, of any plan."""
    method = _method(student_method(errors.degrees), errors.rows, errors.columns, words)
    spans = [
        student_interval(score.value, error, errors.degrees, method)
        for score, error in zip(scores, errors.of_means().tolist(), strict=True)
    ]
    known = [place for place, score in enumerate(scores) if score.n]
    places = [(known[one], known[other]) for one, other in all_pairs(len(known))]
    if not places:
        return spans, np.ones(0)
    apart = np.array([scores[one].value - scores[other].value for one, other in places])
    found = PairedDifferences(apart, errors.of_differences(places), np.ones(len(places)))
    return spans, stepdown_p(found, errors.spread, places, errors.degrees, seed=seed)[0]


def _method(name: str, raters: int, items: int, words: Wording) -> str:
    return fill(
        "{method}, of {raters} and {items}",
        name,
        counted(raters, *RATER),
        counted(items, *words.item),
    )


def _shared_ranks(
    systems: Sequence[str], scores: Sequence[Score], p: FloatArray | None, *, lower: bool
) -> tuple[SharedRank, ...]:
    """Rank all systems by corrected p values; without them all ranks are shared."""
    known = [place for place, score in enumerate(scores) if score.n]
    pairs = all_pairs(len(known))
    worth = [-one.value if lower else one.value for one in scores]
    apart = [worth[known[one]] - worth[known[other]] for one, other in pairs]
    shared = [SharedRank(system, len(systems), len(systems)) for system in systems]
    tested = np.ones(len(pairs)) if p is None else p
    intervals = ranks(len(known), pairs, np.array(apart), tested, 1 - LEVEL)
    for place, rank in zip(known, intervals, strict=True):
        shared[place] = SharedRank(systems[place], rank.best, rank.worst)
    return tuple(shared)


def _remark(errors: CrossedErrors, words: Wording, *, has_intervals: bool) -> str:
    if errors.rows == 1:
        return translatable("One rater: this is one person's opinion.")
    fewest, noun = min((errors.rows, RATER), (errors.columns, words.item), key=lambda one: one[0])
    found = counted(fewest, *noun)
    if has_intervals:
        if fewest >= FEW_GROUPS:
            return ""
        return fill("The intervals are based on only {found}: interpret them with caution.", found)
    if noun is RATER and fewest >= FEWEST_RATERS and errors.columns >= FEWEST_GROUPS:
        return fill(
            "{found} are too few for intervals if not all rate every {item}: no ranks are claimed.",
            found,
            Message(words.item[0]),
        )
    needed = FEWEST_RATERS if noun is RATER else FEWEST_GROUPS
    if fewest == 1:
        return fill(
            "{found} is too few for intervals, which need {fewest_groups} or more: no ranks are "
            "claimed.",
            found,
            needed,
        )
    return fill(
        "{found} are too few for intervals, which need {fewest_groups} or more: no ranks are "
        "claimed.",
        found,
        needed,
    )


def _limits(questionnaire: Questionnaire, question: str) -> tuple[float, float]:
    scale = len(questionnaire.scale)
    spans = {one.id: one.span(scale) for one in questionnaire.questions}
    return spans.get(question, (1.0, float(scale)))


def story_means(ratings: StudyRatings) -> Mapping[str, FloatArray]:
    """Return the mean ratings (sequences, systems) of every question, and of all statements.

    In the mean of all, statements by which less is better are reversed.
    """
    ordered = (one.id for one in ratings.study.questionnaire.rated if one.kind != "category")
    means = {id: ratings.by_system(id) for id in ordered}
    likert = ratings.study.questionnaire.statements
    overall = ratings.study.words.overall
    if len(likert) > 1 and overall not in means:
        means[overall] = np.mean([_worth(ratings, id, means[id]) for id in likert], axis=0)
    return means


def _worth(ratings: StudyRatings, question: str, means: FloatArray) -> FloatArray:
    """Return means on the common scale of statements, reversed where less is better."""
    questionnaire = ratings.study.questionnaire
    return 1 + len(questionnaire.scale) - means if questionnaire.is_lower(question) else means


def _score(question: str, values: FloatArray, resampled: FloatArray | None) -> Score:
    known = values[~np.isnan(values)]
    if not len(known):
        return Score(question, float("nan"), 0, float("nan"))
    span = percentile_interval(resampled) if resampled is not None and len(known) > 1 else None
    return Score(question, float(known.mean()), len(known), float(known.std()), span)


def rank_systems(
    systems: Sequence[str],
    scores: Sequence[Score],
    resampled: FloatArray | None,
    *,
    lower: bool = False,
) -> tuple[SharedRank, ...]:
    """Rank systems by resampled means (resamples, systems); without them all ranks are shared."""
    resampled = -resampled if lower and resampled is not None else resampled
    known = [i for i, score in enumerate(scores) if score.n]
    better = {(i, j): _is_above(resampled, i, j) for i in known for j in known if i != j}
    ranks = []
    for i, system in enumerate(systems):
        if i not in known:
            ranks.append(SharedRank(system, len(systems), len(systems)))
            continue
        above = sum(better[j, i] for j in known if j != i)
        below = sum(better[i, j] for j in known if j != i)
        ranks.append(SharedRank(system, 1 + above, len(known) - below))
    return tuple(ranks)


def _is_above(resampled: FloatArray | None, one: int, other: int) -> bool:
    if resampled is None:
        return False
    span: Interval | None = percentile_interval(resampled[:, one] - resampled[:, other])
    return span is not None and span.low > 0


def question_scale(question: RatingQuestion) -> Scale:
    """Return the level of measurement of a question's answers."""
    if question.kind == "number":
        return "ordinal" if question.labels else "interval"
    return "ordinal" if question.kind == "likert" else "nominal"


def question_steps(questionnaire: Questionnaire, question: RatingQuestion) -> tuple[float, ...]:
    """Return all values that an answer may have; none if only the answers tell."""
    if question.kind == "likert":
        return tuple(range(1, len(questionnaire.scale) + 1))
    if question.limits is not None and question.labels:
        return tuple(question.limits[0] + step for step in range(len(question.labels)))
    return tuple(range(1, len(question.labels) + 1)) if question.kind == "category" else ()


def _gwet(interval: Callable[..., Agreement], scale: Scale, steps: tuple[float, ...]) -> Agreement:
    """Return AC1 or AC2; numbers have neither."""
    sums = None if scale == "interval" else partial(gwet_sums, scale=scale, categories=steps)
    return interval(
        partial(gwet_ac, scale=scale, categories=steps),
        sums=sums,
        without_raters=partial(gwet_without_raters, scale=scale, categories=steps),
    )


def agreements(
    ratings: StudyRatings,
    check: Callable[[int], None] = lambda done: None,
    inference: Inference = Inference(),  # noqa: B008 - frozen
) -> tuple[QuestionAgreement, ...]:
    """Return the agreement of the raters on every question.

    Entries of one item, such as all systems' stories for one album, are left out together unless
    `inference` has no groups. `check` is called regularly, and may raise to cancel.
    """
    found = []
    items = [unit[0] for unit in ratings.units] if inference.grouped else range(len(ratings.units))
    groups = Groups.of_labels(items)
    noun = ratings.study.words.item if inference.grouped else ratings.study.words.entry
    for question in ratings.study.questionnaire.rated:
        values = ratings.values[question.id]
        scale = question_scale(question)
        interval = partial(
            agreement_with_interval, ratings=values, groups=groups, noun=noun, check=check
        )
        found.append(
            QuestionAgreement(
                question.id,
                interval(
                    partial(alpha, scale=scale),
                    sums=partial(alpha_sums, scale=scale),
                    change=alpha_change(values),
                    without_raters=partial(alpha_without_raters, scale=scale),
                ),
                interval(icc_2k, change=ICC, without_raters=icc_2k_without_raters),
                interval(
                    icc_1k, sums=icc_1k_sums, change=ICC, without_raters=icc_1k_without_raters
                ),
                interval(
                    exact_share,
                    sums=exact_share_sums,
                    change=SHARE,
                    without_raters=exact_share_without_raters,
                ),
                _gwet(interval, scale, question_steps(ratings.study.questionnaire, question)),
            )
        )
    return tuple(found)

"""Strengths of systems by questions that ask which of several entries is better."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from jurydesk.core.human_evaluation.design.questionnaire import RatingQuestion
from jurydesk.core.human_evaluation.results.ranking import QuestionResult, SharedRank
from jurydesk.core.human_evaluation.results.ratings import ItemRatings, StudyRatings
from jurydesk.core.language import Message, counted, fill, join_messages, name_list, translatable
from jurydesk.core.model.evaluation import Better, Interval, Json, MetricInfo, Score
from jurydesk.core.statistics.preferences.davidson import FIRST, NEITHER, SECOND, Comparisons
from jurydesk.core.statistics.preferences.strengths import (
    Effect,
    StrengthEstimate,
    estimate_strengths,
)

PREFERENCE_KINDS = ("pairwise", "best-worst")
SOURCE = "Bradley and Terry 1952; Davidson 1970, where neither may be better"
UNBOUNDED = (-math.inf, math.inf)
SUFFIX = "-strength"


@dataclass(frozen=True, slots=True)
class PreferencePair:
    """Two systems: how often each was preferred, and the difference of their strengths.

    `interval` and `p` are corrected for all pairs; `p` is NaN without them.
    """

    system: str
    other: str
    preferred: int
    other_preferred: int
    neither: int
    difference: float = math.nan
    interval: Interval | None = None
    p: float = math.nan


@dataclass(frozen=True, slots=True)
class QuestionPreferences:
    """Preferences of a question: strengths of all systems, their pairs, position and ties.

    `strengths` and `ranks` are in the order of the systems, empty without a finite estimate; a
    rank is its first and its last place. `remark` says what has no estimate or interval, and why.
    """

    question: str
    comparisons: int
    strengths: tuple[Effect, ...]
    ranks: tuple[tuple[int, int], ...]
    pairs: tuple[PreferencePair, ...]
    position: Effect | None
    ties: Effect | None
    log_likelihood: float
    remark: str

    @property
    def metric(self) -> str:
        """Name of the strengths as a metric."""
        return f"{self.question}{SUFFIX}"


def question_preferences(ratings: StudyRatings) -> tuple[QuestionPreferences, ...]:
    """Return the strengths by every question that compares entries."""
    found = []
    for question in ratings.study.questionnaire.rated:
        if question.kind in PREFERENCE_KINDS:
            comparisons = collect_comparisons(ratings, question)
            if len(comparisons.first):
                found.append(_of_question(ratings, question.id, comparisons))
    return tuple(found)


def strength_results(
    ratings: StudyRatings,
    preferences: Sequence[QuestionPreferences],
    results: Sequence[QuestionResult],
) -> tuple[QuestionResult, ...]:
    """Return the strengths as results of questions; `results` are those of the answers."""
    systems = ratings.study.pool.systems
    entries = {one.question: [score.n for score in one.scores] for one in results}
    return tuple(
        QuestionResult(
            one.metric,
            tuple(
                Score(one.metric, effect.value, n, interval=effect.interval)
                for effect, n in zip(one.strengths, entries[one.question], strict=True)
            ),
            tuple(
                SharedRank(system, *rank) for system, rank in zip(systems, one.ranks, strict=True)
            ),
            one.remark,
        )
        for one in preferences
        if one.strengths
    )


def strength_metric(metric: str, title: str, *, lower: bool) -> MetricInfo:
    """Return strengths as a metric; `title` is that of the question."""
    better: Better = "lower" if lower else "higher"
    summary = translatable("Logarithm of the odds to be preferred to a system of mean strength.")
    named = fill("{question}, strength", Message(title))
    return MetricInfo(
        metric, named, summary, UNBOUNDED, better, SOURCE, aggregate="own", decimals=2
    )


def collect_comparisons(ratings: StudyRatings, question: RatingQuestion) -> Comparisons:
    """Return the comparisons in the answers to a question, in the order shown on the page.

    Of several entries the best is preferred to each other one, and each to the worst.
    """
    rows = [
        (*row, rater, given.item.sequence)
        for rater, items in enumerate(ratings.given)
        for given in items
        if given.item.kind == "story" and given.judged
        for row in _rows(given, question)
    ]
    columns = np.array(rows, np.int64).reshape(-1, 5).T
    return Comparisons(len(ratings.study.pool.systems), *columns)


def _rows(given: ItemRatings, question: RatingQuestion) -> Iterator[tuple[int, int, int]]:
    """Yield the first and the second system, and the outcome, of the pairs in an answer."""
    answer = given.answers.get(question.id)
    if answer is None:
        return
    values = dict(enumerate(_values(answer, len(given.item.systems)), 1))
    for one, other in combinations(values, 2):
        if question.kind == "best-worst" and values[one] == values[other]:
            continue  # neither the best nor the worst: not compared
        apart = values[one] - values[other]
        outcome = NEITHER if apart == 0 else FIRST if apart > 0 else SECOND
        yield given.item.systems[one - 1], given.item.systems[other - 1], outcome


def _values(answer: Json, entries: int) -> list[int]:
    best, worst = answer if isinstance(answer, list) else (answer, 0)
    return [(place == best) - (place == worst) for place in range(1, entries + 1)]


def _of_question(
    ratings: StudyRatings, question: str, comparisons: Comparisons
) -> QuestionPreferences:
    systems = ratings.study.pool.systems
    found = estimate_strengths(comparisons)
    wins, ties = comparisons.wins.astype(int).tolist(), comparisons.ties.astype(int).tolist()
    effects = {one.pair: one for one in found.pairs}
    pairs = []
    for one, other in combinations(range(len(systems)), 2):
        counts = wins[one][other], wins[other][one], ties[one][other]
        effect = effects.get((one, other))
        known = (effect.difference.value, effect.difference.interval, effect.p) if effect else ()
        pairs.append(PreferencePair(systems[one], systems[other], *counts, *known))
    ranks = tuple((rank.best, rank.worst) for rank in found.ranks)
    if ratings.study.questionnaire.is_lower(question):
        ranks = tuple((len(ranks) + 1 - worst, len(ranks) + 1 - best) for best, worst in ranks)
    return QuestionPreferences(
        question,
        len(comparisons.first),
        found.strengths,
        ranks,
        tuple(pairs),
        found.position,
        found.ties,
        found.log_likelihood,
        join_messages(_remarks(ratings, comparisons, found)),
    )


def _remarks(
    ratings: StudyRatings, comparisons: Comparisons, found: StrengthEstimate
) -> Iterator[str]:
    """Yield what has no finite estimate, no interval or no rank, and why."""
    if not found.strengths:
        yield _no_estimate(ratings.study.pool.systems, comparisons, found.groups)
        return
    if found.position is None:
        yield translatable("The effect of position has no finite estimate and is left out.")
    raters = len(np.unique(comparisons.rater))
    if raters == 1:
        yield translatable("One rater: this is one person's opinion.")
    elif found.sample == "items":
        yield fill(
            "The intervals are for these {raters} alone; ranks need 3 or more.",
            counted(raters, "rater", "raters"),
        )
    elif not found.sample:
        yield fill(
            "{items} with {raters} are too few for intervals of strengths.",
            counted(len(np.unique(comparisons.item)), *ratings.study.words.item),
            counted(raters, "rater", "raters"),
        )


def _no_estimate(
    systems: Sequence[str], comparisons: Comparisons, groups: Sequence[tuple[int, ...]]
) -> str:
    """Return why there are no finite strengths, for groups of systems from the strongest."""
    if len(groups) == 1:
        return translatable("Nobody preferred an entry to another: there are no strengths.")
    compared = comparisons.wins + comparisons.wins.T + comparisons.ties
    named = [name_list([systems[one] for one in group]) for group in groups]
    others = [one for group in groups[1:] for one in group]
    if not compared[np.ix_(groups[0], others)].any():
        return fill("Never compared with the others: {systems}. There are no strengths.", named[0])
    if len(groups[0]) == 1 or len(groups[-1]) > 1:
        return fill(
            "{systems} never lost to the others: strengths would be infinite, so only counts are "
            "given.",
            named[0],
        )
    return fill(
        "{system} never won: strengths would be infinite, so only counts are given.", named[-1]
    )

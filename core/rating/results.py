"""What a study found: means with intervals, agreement, and a ranking with shared ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.model import FloatArray, Interval, Score
from core.rating.ratings import Ratings
from core.stats.agreement import (
    Agreement,
    Scale,
    alpha,
    exact_share,
    icc_1k,
    icc_2k,
    with_interval,
)
from core.stats.bootstrap import RESAMPLES, SEED, Plan, interval, resampled_means


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """How far the raters agree on one question, each measure with an interval over stories.

    `icc` is ICC(2,k), which needs stories that all have rated; `icc_1k` does without.
    """

    question: str
    alpha: Agreement
    icc: Agreement
    icc_1k: Agreement
    exact: Agreement


@dataclass(frozen=True, slots=True)
class Rank:
    """A system's place: from `first` to `last`, since systems that no interval tells apart share
    their ranks.
    """

    system: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question: every system's mean rating, and its rank, in the order of the systems."""

    question: str
    scores: tuple[Score, ...]
    ranks: tuple[Rank, ...]


def outcomes(ratings: Ratings, resamples: int = RESAMPLES, seed: int = SEED) -> tuple[Outcome, ...]:
    """Every question's outcome, and that of all statements together.

    Intervals are percentile bootstrap over sequences; two systems share ranks where the interval
    of their paired difference holds 0.
    """
    systems = ratings.study.pool.systems
    stories = story_means(ratings)
    count = len(ratings.sequences)
    plan = Plan(count, resamples, seed)
    found = []
    for question, means in stories.items():
        resampled = resampled_means(means, plan) if count > 1 else None
        scores = tuple(
            _score(question, means[:, i], None if resampled is None else resampled[:, i])
            for i in range(len(systems))
        )
        found.append(Outcome(question, scores, ranking(systems, scores, resampled)))
    return tuple(found)


def story_means(ratings: Ratings) -> Mapping[str, FloatArray]:
    """The mean ratings (sequences, systems) of every question, and of all statements together."""
    means = {id: ratings.by_system(id) for id in ratings.values}
    likert = [one.id for one in ratings.study.questionnaire.rated if one.kind == "likert"]
    overall = ratings.study.words.overall
    if len(likert) > 1 and overall not in means:
        means[overall] = np.mean([means[id] for id in likert], axis=0)
    return means


def _score(question: str, values: FloatArray, resampled: FloatArray | None) -> Score:
    known = values[~np.isnan(values)]
    if not len(known):
        return Score(question, float("nan"), 0, float("nan"))
    span = interval(resampled) if resampled is not None and len(known) > 1 else None
    return Score(question, float(known.mean()), len(known), float(known.std()), span)


def ranking(
    systems: Sequence[str], scores: Sequence[Score], resampled: FloatArray | None
) -> tuple[Rank, ...]:
    """Ranks from the resampled means (resamples, systems); all are shared without them."""
    known = [i for i, score in enumerate(scores) if score.n]
    better = {(i, j): _beats(resampled, i, j) for i in known for j in known if i != j}
    ranks = []
    for i, system in enumerate(systems):
        if i not in known:
            ranks.append(Rank(system, len(systems), len(systems)))
            continue
        above = sum(better[j, i] for j in known if j != i)
        below = sum(better[i, j] for j in known if j != i)
        ranks.append(Rank(system, 1 + above, len(known) - below))
    return tuple(ranks)


def _beats(resampled: FloatArray | None, one: int, other: int) -> bool:
    if resampled is None:
        return False
    span: Interval | None = interval(resampled[:, one] - resampled[:, other])
    return span is not None and span.low > 0


def agreements(
    ratings: Ratings,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    check: Callable[[int], None] = lambda done: None,
) -> tuple[QuestionAgreement, ...]:
    """How far the raters agree on every question.

    `check` is called now and then, and may raise to stop.
    """
    found = []
    for question in ratings.study.questionnaire.rated:
        values = ratings.values[question.id]
        scale: Scale = "ordinal" if question.kind == "likert" else "nominal"
        found.append(
            QuestionAgreement(
                question.id,
                _alpha(compact(values), scale, resamples, seed, check),
                with_interval(icc_2k, values, resamples, seed, check),
                with_interval(icc_1k, compact(values), resamples, seed, check),
                _exact(compact(values), resamples, seed),
            )
        )
    return tuple(found)


def compact(values: FloatArray) -> FloatArray:
    """The ratings (raters, items) moved up into as few rows as an item has ratings at most.

    Who gave a rating is forgotten, which ICC(2,k) alone asks.
    """
    known = ~np.isnan(values)
    most = int(known.sum(axis=0).max(initial=0))
    order = np.argsort(~known, axis=0, kind="stable")
    return np.asarray(np.take_along_axis(values, order, axis=0)[:most])


def _alpha(
    values: FloatArray, scale: Scale, resamples: int, seed: int, check: Callable[[int], None]
) -> Agreement:
    return with_interval(lambda drawn: alpha(drawn, scale), values, resamples, seed, check)


def _exact(values: FloatArray, resamples: int, seed: int) -> Agreement:
    """The share of equal pairs with its interval: a ratio of two sums over items."""
    found = exact_share(values)
    if found.undefined or values.shape[1] < 2:
        return found
    known = ~np.isnan(values)
    pairs = known.sum(axis=0) * (known.sum(axis=0) - 1)
    equal = sum(
        (values[i] == values[j]).astype(np.float64)
        for i in range(len(values))
        for j in range(len(values))
        if i != j
    )
    columns = np.column_stack([equal, pairs])
    means = resampled_means(columns, Plan(len(columns), resamples, seed))
    with np.errstate(invalid="ignore", divide="ignore"):
        return Agreement(found.value, interval(means[:, 0] / means[:, 1]))

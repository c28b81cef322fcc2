"""Programs that judge like raters: their agreement with people, and what people would say."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from jurydesk.core.human_evaluation.results.ratings import StudyRatings
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.correlation import spearman
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.raters.agreement import Agreement, agreement_with_interval, fisher
from jurydesk.core.statistics.raters.judged_means import JudgedMean, judged_mean

FEWEST_UNITS = 3


@dataclass(frozen=True, slots=True)
class ProgramJudge:
    """A program and a question: Spearman's correlation with people's means over entries.

    `bias` is the mean difference to people; `means` estimate the mean that people would give to
    every entry that the program judged, for each system.
    """

    program: str
    question: str
    agreement: Agreement
    bias: float
    means: tuple[JudgedMean, ...]


def program_judges(ratings: StudyRatings) -> tuple[ProgramJudge, ...]:
    """Return what each program adds to people's ratings, by question; categories have none."""
    ordered = [one.id for one in ratings.study.questionnaire.rated if one.kind != "category"]
    people = {question: _mean_of_people(ratings.values[question]) for question in ordered}
    return tuple(
        _judge(ratings, program, question, people, values[question])
        for program, values in ratings.programs.items()
        for question in ordered
        if not np.isnan(values[question]).all()
    )


def _mean_of_people(values: FloatArray) -> FloatArray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # units that only programs judged
        return np.asarray(np.nanmean(values, axis=0))


def _judge(
    ratings: StudyRatings,
    program: str,
    question: str,
    people: Mapping[str, FloatArray],
    judged: FloatArray,
) -> ProgramJudge:
    rated = people[question]
    both = ~np.isnan(rated) & ~np.isnan(judged)
    items, systems = ratings.places
    groups = Groups.of_labels(items.tolist())
    pair = np.where(both, np.vstack([judged, rated]), np.nan)
    noun = ratings.study.words.item
    agreement = agreement_with_interval(_rank_correlation, pair, groups, noun, change=fisher(2))
    bias = float((judged - rated)[both].mean()) if both.any() else float("nan")
    means = tuple(
        judged_mean(rated[systems == system], judged[systems == system])
        for system in range(len(ratings.study.pool.systems))
    )
    return ProgramJudge(program, question, agreement, bias, means)


def _rank_correlation(pair: FloatArray) -> Agreement:
    """Return Spearman's correlation of two rows (2, units), of the units that both have."""
    known = ~np.isnan(pair).any(axis=0)
    if known.sum() < FEWEST_UNITS:
        return Agreement(np.nan, undefined=translatable("fewer than three items"))
    value = spearman(*pair[:, known])
    flat = translatable("one of the columns does not vary")
    return Agreement(value, undefined="" if np.isfinite(value) else flat)

"""Errors and resamples of mean ratings, with both raters and items as random samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurydesk.core.human_evaluation.results.ratings import StudyRatings
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan, count_draws
from jurydesk.core.statistics.groups import FEWEST_GROUPS
from jurydesk.core.statistics.raters.crossed_intervals import CrossedErrors, pigeonhole_means

COMPLETE = 0.8
"""Share of the rated items that all raters rated, above which a plan counts as complete."""


def statements_of(ratings: StudyRatings, question: str) -> tuple[str, ...]:
    """Return the questions in the mean of a question: itself, or all statements."""
    return (question,) if question in ratings.values else ratings.study.questionnaire.statements


def complete_table(ratings: StudyRatings, question: str) -> FloatArray | None:
    """Return the ratings (raters, items, systems) of the items that all raters rated completely.

    Systems without any rating are NaN. None unless these are at least `COMPLETE` of all rated
    items, and five.
    """
    tables = [_totals(ratings, one) for one in statements_of(ratings, question)]
    with np.errstate(invalid="ignore"):
        table = np.mean([total / number for total, number in tables], axis=0)
    known = np.isfinite(table)
    rated = table[known.any(axis=(1, 2))]
    given = np.isfinite(rated)
    systems, items = given.any(axis=(0, 1)), given.any(axis=(0, 2))
    whole = given[:, :, systems].all(axis=(0, 2))
    if whole.sum() < max(FEWEST_GROUPS, COMPLETE * items.sum()):
        return None
    return np.asarray(rated[:, whole])


def crossed_errors(ratings: StudyRatings, question: str, means: FloatArray) -> CrossedErrors:
    """Return the errors of the systems' means of `means` (sequences, systems).

    A cell contains all ratings of one rater for the entries of one item.
    """
    known = ~np.isnan(means)
    statements = statements_of(ratings, question)
    given = ~np.isnan(np.array([ratings.values[one] for one in statements])).all(axis=0)
    sequence, system = ratings.places
    given &= known[sequence, system]
    rater, unit = np.nonzero(given)
    row, column = sequence[unit], system[unit]
    parts = np.zeros(len(rater))
    for one in statements:
        parts += _contributions(ratings.values[one][rater, unit], row, column, known) / len(
            statements
        )
    cells, cell = np.unique(rater * len(known) + row, return_inverse=True)
    summed = np.zeros((len(cells), known.shape[1]))
    np.add.at(summed, (cell, column), parts)
    return CrossedErrors(summed, cells // len(known), cells % len(known))


def _contributions(
    values: FloatArray, row: IntArray, column: IntArray, known: FloatArray
) -> FloatArray:
    """Return each rating's contribution to its system's mean, minus its share of the mean."""
    answered = ~np.isnan(values)
    number, total = np.zeros(known.shape), np.zeros(known.shape)
    np.add.at(number, (row, column), answered)
    np.add.at(total, (row, column), np.where(answered, values, 0.0))
    items = np.maximum(known.sum(axis=0), 1)
    mean = (total / np.maximum(number, 1)).sum(axis=0) / items
    share = np.maximum(number[row, column], 1) * items[column]
    return np.asarray(np.where(answered, values - mean[column], 0.0) / share)


def resampled_ratings(
    ratings: StudyRatings, question: str, resamples: int, seed: int
) -> FloatArray:
    """Return the systems' means (resamples, systems) over resampled raters and items."""
    statements, items = statements_of(ratings, question), len(ratings.sequences)
    drawn_items = ResamplingPlan(items, resamples, seed + 1).draws()
    weights = np.concatenate([count_draws(draws) for draws in drawn_items])
    found = np.empty((resamples, len(ratings.study.pool.systems)))
    plan = ResamplingPlan(len(ratings.raters), resamples, seed)
    streams = [pigeonhole_means(*_totals(ratings, one), plan) for one in statements]
    for blocks in _combine_streams(streams):
        means = np.mean([block for _, block in blocks], axis=0)
        at = blocks[0][0]
        defined = ~np.isnan(means)
        weight = weights[at][:, :, np.newaxis] * defined
        with np.errstate(invalid="ignore", divide="ignore"):
            found[at] = (weight * np.where(defined, means, 0.0)).sum(axis=1) / weight.sum(axis=1)
    return found


def _combine_streams(
    streams: list[Iterator[tuple[slice, FloatArray]]],
) -> Iterator[tuple[tuple[slice, FloatArray], ...]]:
    return zip(*streams, strict=True)


def _totals(ratings: StudyRatings, question: str) -> tuple[FloatArray, FloatArray]:
    values = ratings.values[question]
    shape = (len(values), len(ratings.sequences), len(ratings.study.pool.systems))
    total, number = np.zeros(shape), np.zeros(shape)
    sequence, system = ratings.places
    every = np.arange(len(values))[:, np.newaxis]
    np.add.at(total, (every, sequence, system), np.nan_to_num(values))
    np.add.at(number, (every, sequence, system), ~np.isnan(values))
    return total, number

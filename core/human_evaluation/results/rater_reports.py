"""Report on each rater: speed, attention, severity, drift, and consistency."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from jurydesk.core.human_evaluation.design.balanced_plan import PlannedItem
from jurydesk.core.human_evaluation.design.questionnaire import (
    PHOTOS_MISSING,
    Questionnaire,
    RatingQuestion,
)
from jurydesk.core.human_evaluation.results.ratings import (
    ItemRatings,
    StudyRatings,
    numeric_answers,
    rated_units,
)
from jurydesk.core.model.evaluation import FloatArray, IntArray, Json
from jurydesk.core.statistics.correlation import spearman

Sums = tuple[FloatArray, FloatArray, IntArray]
"""Values (raters, units) of a question, with their sums and numbers by unit."""


@dataclass(frozen=True, slots=True)
class RaterReport:
    """Report on a rater; undefined numbers are NaN.

    `seconds` is the median time of an item; `straight` the share of items with one answer to all
    statements; `drift` Spearman's correlation of severity with time; `severity` the mean distance
    to the mean of the others (below 0 is stricter); `attention` (passed, asked); `consistency` the
    share of equal answers to repeated items.
    """

    rater: str
    done: int
    items: int
    seconds: float
    straight: float
    drift: float
    severity: float
    attention: tuple[int, int]
    consistency: float
    missing: int

    @property
    def is_unfinished(self) -> bool:
        """Whether the rater has answered some of the items."""
        return 0 < self.done < self.items


def rater_reports(ratings: StudyRatings) -> tuple[RaterReport, ...]:
    """Return a report on every rater with answers in the desk."""
    likert = ratings.study.questionnaire.statements
    place = {unit: place for place, unit in enumerate(ratings.units)}
    places = cache(lambda item: [place[unit] for unit in rated_units(item)])
    sums = [
        (values, np.nan_to_num(values).sum(axis=0), (~np.isnan(values)).sum(axis=0))
        for values in ratings.values.values()
    ]
    return tuple(
        _report(ratings, row, items, likert, _distances(row, items, sums, places))
        for row, items in enumerate(ratings.given)
    )


def _report(
    ratings: StudyRatings,
    row: int,
    items: Sequence[ItemRatings],
    likert: Sequence[str],
    distances: FloatArray,
) -> RaterReport:
    judged = [one for one in items if one.judged]
    checks = [one for one in judged if one.item.kind == "attention"]
    passed = sum(all(one.answers.get(id) == one.item.answer for id in likert) for one in checks)
    is_timed = not ratings.study.imported or any(one.seconds for one in judged)
    return RaterReport(
        rater=ratings.raters[row],
        done=sum(bool(one.answers) for one in items),
        items=len(items),
        seconds=_median([one.seconds for one in judged if is_timed]),
        straight=_straight_lining_share(
            [one for one in judged if one.item.kind == "story"], likert
        ),
        drift=_drift(distances),
        severity=float(np.mean(distances)) if len(distances) else float("nan"),
        attention=(passed, len(checks)),
        consistency=_consistency(items, likert, ratings.study.questionnaire),
        missing=sum(PHOTOS_MISSING in one.answers for one in items),
    )


def _median(values: Sequence[float]) -> float:
    return float(np.median(values)) if values else float("nan")


def _straight_lining_share(items: Sequence[ItemRatings], likert: Sequence[str]) -> float:
    if len(likert) < 2 or not items:
        return float("nan")
    same = sum(len({one.answers.get(id) for id in likert}) == 1 for one in items)
    return same / len(items)


def _distances(
    row: int, items: Sequence[ItemRatings], sums: Sequence[Sums], places: Callable[..., list[int]]
) -> FloatArray:
    """Return the rater's distances to the mean of the others, by item in their order."""
    means = []
    for values, total, count in sums:
        own, others = values[row], count - ~np.isnan(values[row])
        with np.errstate(invalid="ignore", divide="ignore"):  # units without other ratings
            means.append(own - (total - np.nan_to_num(own)) / others)
    if not means:
        return np.empty(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        distance = np.nanmean(np.array(means), axis=0)
    order = [at for one in items if one.item.kind == "story" for at in places(one.item)]
    found = distance[order]
    return np.asarray(found[~np.isnan(found)])


def _drift(distances: FloatArray) -> float:
    if len(distances) < 4:
        return float("nan")
    return spearman(np.arange(len(distances), dtype=np.float64), distances)


def _consistency(
    items: Sequence[ItemRatings], likert: Sequence[str], questionnaire: Questionnaire
) -> float:
    """Return the share of equal answers to repeated stories, in whatever order they were shown."""
    first = {_shown(one.item): one for one in items if one.item.kind == "story"}
    again = [one for one in items if one.item.kind == "repeat" and one.judged]
    pairs = [(first[_shown(one.item)], one) for one in again if _shown(one.item) in first]
    ids = likert or sorted({id for one in items for id in one.answers})
    questions = {one.id: one for one in questionnaire.rated}
    equal = [
        _by_system(before, id, questions) == _by_system(again, id, questions)
        for before, again in pairs
        for id in ids
        if id in before.answers and id in again.answers
    ]
    return sum(equal) / len(equal) if equal else float("nan")


def _shown(item: PlannedItem) -> tuple[int, tuple[int, ...]]:
    return item.sequence, tuple(sorted(item.systems))


def _by_system(given: ItemRatings, id: str, questions: Mapping[str, RatingQuestion]) -> Json:
    """Return an answer, as a number for each system if it compares several."""
    systems, answer = given.item.systems, given.answers[id]
    if len(systems) == 1 or id not in questions:
        return answer
    return dict(zip(systems, numeric_answers(questions[id], answer, len(systems)), strict=True))

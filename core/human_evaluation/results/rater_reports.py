"""Report on each rater: speed, attention, severity, drift, and consistency."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.human_evaluation.design.questionnaire import PHOTOS_MISSING
from jurydesk.core.human_evaluation.results.ratings import ItemRatings, StudyRatings, rated_units
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.correlation import spearman


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
    return tuple(_report(ratings, row, items, likert) for row, items in enumerate(ratings.given))


def _report(
    ratings: StudyRatings, row: int, items: Sequence[ItemRatings], likert: Sequence[str]
) -> RaterReport:
    judged = [one for one in items if one.judged]
    checks = [one for one in judged if one.item.kind == "attention"]
    passed = sum(all(one.answers.get(id) == one.item.answer for id in likert) for one in checks)
    distances = _distances(ratings, row, items)
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
        consistency=_consistency(items, likert),
        missing=sum(PHOTOS_MISSING in one.answers for one in items),
    )


def _median(values: Sequence[float]) -> float:
    return float(np.median(values)) if values else float("nan")


def _straight_lining_share(items: Sequence[ItemRatings], likert: Sequence[str]) -> float:
    if len(likert) < 2 or not items:
        return float("nan")
    same = sum(len({one.answers.get(id) for id in likert}) == 1 for one in items)
    return same / len(items)


def _distances(ratings: StudyRatings, row: int, items: Sequence[ItemRatings]) -> FloatArray:
    """Return the rater's distances to the mean of the others, by item in their order."""
    means = []
    for values in ratings.values.values():
        others = np.delete(values, row, axis=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # columns without other ratings
            means.append(values[row] - np.nanmean(others, axis=0))
    if not means:
        return np.empty(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        distance = np.nanmean(np.array(means), axis=0)
    index = {unit: place for place, unit in enumerate(ratings.units)}
    order = [
        index[unit] for one in items if one.item.kind == "story" for unit in rated_units(one.item)
    ]
    found = distance[order]
    return np.asarray(found[~np.isnan(found)])


def _drift(distances: FloatArray) -> float:
    if len(distances) < 4:
        return float("nan")
    return spearman(np.arange(len(distances), dtype=np.float64), distances)


def _consistency(items: Sequence[ItemRatings], likert: Sequence[str]) -> float:
    """Return the share of equal answers to repeated stories."""
    first = {
        (one.item.sequence, one.item.systems): one for one in items if one.item.kind == "story"
    }
    pairs = [
        (first[one.item.sequence, one.item.systems], one)
        for one in items
        if one.item.kind == "repeat" and one.judged
    ]
    ids = likert or sorted({id for one in items for id in one.answers})
    equal = [
        before.answers[id] == again.answers[id]
        for before, again in pairs
        for id in ids
        if id in before.answers and id in again.answers
    ]
    return sum(equal) / len(equal) if equal else float("nan")

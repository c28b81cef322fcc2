"""Planned and given ratings of each system."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.human_evaluation.results.completion import (
    SystemRatings,
    _chi_squared,
    count_ratings,
    missing_warning,
)
from jurydesk.core.human_evaluation.results.ratings import StudyRatings
from support.rating import studies
from tests.core.human_evaluation.results.test_ranking import by_system, rate


@pytest.fixture(scope="module")
def ratings() -> StudyRatings:
    """Return ratings whose raters skip the poor stories of the last system by missing pictures."""

    def judge(number: int, item: object, question: object) -> object:
        poor = item.systems == (2,) and number > 1  # type: ignore[attr-defined]
        return True if poor else by_system(number, item, question)

    return rate(studies.study(sequences=10, raters=4, ratings=4), judge)


def test_planned_and_given_ratings_are_counted_by_system(ratings: StudyRatings) -> None:
    counts = count_ratings(ratings)
    assert [(one.planned, one.given) for one in counts] == [(40, 40), (40, 40), (40, 20)]


def test_ratings_that_are_not_missing_by_chance_give_a_warning(ratings: StudyRatings) -> None:
    counts = count_ratings(ratings)
    assert missing_warning(counts) == (
        f"Ratings are not missing by chance: {counts[2].system} has 20 of 40 planned ratings. "
        "Its mean may be wrong beyond its interval."
    )


@pytest.mark.parametrize("given", [[40, 40, 40], [38, 36, 37], [0, 0, 0]])
def test_ratings_that_are_missing_alike_give_none(given: list[int]) -> None:
    counts = tuple(SystemRatings(f"s{place}", 40, one) for place, one in enumerate(given))
    assert missing_warning(counts) == ""


def test_a_single_rated_system_gives_none() -> None:
    assert missing_warning((SystemRatings("a", 40, 10), SystemRatings("b", 0, 0))) == ""


def test_the_statistic_equals_scipy_s() -> None:
    table = np.array([[12, 28], [4, 36], [5, 35]])
    expected = scipy.stats.chi2_contingency(table, correction=False).statistic
    assert _chi_squared(table) == pytest.approx(expected)

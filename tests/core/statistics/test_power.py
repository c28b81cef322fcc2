"""Planning: power of a t test, groups needed, and designs of ratings."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.human_evaluation.results.rating_planning import difference_found
from jurydesk.core.statistics import power
from jurydesk.core.statistics.paired_tests import all_pairs
from jurydesk.core.statistics.power import (
    PlannedTest,
    comparisonwise_level,
    largest_critical,
    power_of_t,
)
from jurydesk.core.statistics.quantiles import student_quantile
from jurydesk.core.statistics.raters.two_way import VarianceComponents, two_way_mean

TYPICAL = VarianceComponents(0.0, 0.18, 1.28)
TASTES = VarianceComponents(0.18, 0.18, 1.28)


def test_the_groups_of_the_example_are_found() -> None:
    one = PlannedTest(0.3)
    assert one.groups(0.1) == 73
    assert PlannedTest(0.3, alpha=0.05 / 45).groups(0.1) == 157
    assert one.power(0.1, 73) >= 0.8 > one.power(0.1, 72)


def test_power_is_that_of_a_simulated_t_test() -> None:
    drawn = np.random.default_rng(1).normal(0.1, 0.3, (20_000, 40))
    found = scipy.stats.ttest_1samp(drawn, 0.0, axis=1).pvalue < 0.05
    assert PlannedTest(0.3).power(0.1, 40) == pytest.approx(found.mean(), abs=0.01)


def test_the_detectable_difference_is_the_inverse_of_the_groups() -> None:
    planned = PlannedTest(0.3, 0.4, 0.01)
    groups = planned.groups(0.07)
    assert groups is not None
    assert planned.detectable(groups) <= 0.07 < planned.detectable(groups - 1)
    assert planned.power(planned.detectable(50), 50) == pytest.approx(0.8, abs=1e-6)


def test_a_difference_beyond_reach_needs_no_number_of_groups() -> None:
    assert PlannedTest(1.0).groups(1e-6) is None
    assert PlannedTest(1e-3).groups(1.0) == 6


@pytest.mark.parametrize("systems", [3, 10, 40])
def test_the_level_of_one_pair_is_that_of_the_studentized_range(systems: int) -> None:
    largest = scipy.stats.studentized_range.ppf(0.95, systems, np.inf) / np.sqrt(2)
    expected = 2 * scipy.stats.norm.sf(largest)
    assert comparisonwise_level(np.eye(systems)) == pytest.approx(expected, rel=0.06)
    assert comparisonwise_level(np.eye(2)) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("components", "raters", "stories", "difference", "power"),
    [
        (TYPICAL, 3, 50, 0.3, 0.52),
        (TYPICAL, 3, 50, 0.6, 0.97),
        (TASTES, 3, 50, 0.3, 0.11),
        (TASTES, 3, 50, 0.6, 0.28),
        (TASTES, 5, 50, 0.3, 0.21),
        (TASTES, 5, 50, 0.6, 0.61),
        (TASTES, 12, 40, 0.3, 0.48),
        (TASTES, 12, 40, 0.6, 0.97),
    ],
)
def test_the_power_at_the_expected_mean_squares_is_that_of_the_examples(
    components: VarianceComponents, raters: int, stories: int, difference: float, power: float
) -> None:
    error, degrees = components.error(raters, stories)
    found = power_of_t(difference / error, degrees, student_quantile(degrees, 0.975))
    assert found == pytest.approx(power, abs=0.006)


@pytest.mark.parametrize(("difference", "power"), [(0.3, 0.43), (0.6, 0.90)])
def test_the_power_of_three_raters_is_the_simulated_one(difference: float, power: float) -> None:
    assert TYPICAL.power(difference, 3, 50, 0.05) == pytest.approx(power, abs=0.03)


def test_the_power_of_a_design_is_that_of_simulated_studies() -> None:
    dice, found = np.random.default_rng(5), 0
    for _ in range(1500):
        table = 0.6 + np.sqrt(1.28) * dice.standard_normal((5, 30))
        table += np.sqrt(0.18) * (dice.standard_normal((5, 1)) + dice.standard_normal((1, 30)))
        found += two_way_mean(table).p < 0.05
    assert TASTES.power(0.6, 5, 30, 0.05) == pytest.approx(found / 1500, abs=0.03)


def test_three_raters_and_fifty_stories_have_few_degrees() -> None:
    assert TYPICAL.error(3, 50)[1] == pytest.approx(3.67, abs=0.005)


def test_components_are_estimated_by_their_mean_squares() -> None:
    table = np.array([[1.0, 0, 2, 1], [0, 0, 1, 1], [2, 1, 2, 0]])
    found = VarianceComponents.of_tables([table])
    assert found.rest == pytest.approx(0.472222, abs=1e-6)
    assert found.raters == pytest.approx((0.583333 - 0.472222) / 4, abs=1e-6)
    assert found.stories == pytest.approx((0.972222 - 0.472222) / 3, abs=1e-6)


def test_components_of_many_raters_are_those_they_were_drawn_with() -> None:
    dice = np.random.default_rng(3)
    table = dice.normal(0, 0.5, (400, 1)) + dice.normal(0, 0.4, (1, 500))
    found = VarianceComponents.of_tables([table + dice.normal(0, 1.0, (400, 500))])
    assert found.raters == pytest.approx(0.25, rel=0.15)
    assert found.stories == pytest.approx(0.16, rel=0.15)
    assert found.rest == pytest.approx(1.0, rel=0.02)


def test_ratings_without_any_variance_show_every_difference():
    certain = VarianceComponents(0.0, 0.0, 0.0)
    assert certain.power(0.1, 3, 10, 0.05) == 1.0
    assert certain.power(0.0, 3, 10, 0.05) == 0.05
    assert difference_found(certain, 3, 10, 0.05, 0.8) < 1e-6


def test_the_critical_value_of_all_pairs_does_not_depend_on_how_they_are_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sums = np.random.default_rng(2).normal(size=(9, 14))
    pairs = all_pairs(14)
    of_moments = largest_critical(sums, pairs, 0.95, 8.0)
    twice = [*pairs, *pairs[::-1]]
    # The largest of a third of the pairs is smaller, and of all given twice the same.
    assert largest_critical(sums, pairs[::3], 0.95, 8.0) < of_moments
    assert largest_critical(sums, twice, 0.95, 8.0) == pytest.approx(of_moments, rel=1e-12)
    third = pairs[::3]  # of which the differences are squared; of so many, moments are taken
    by_pair = largest_critical(sums, third, 0.95, 8.0)
    assert largest_critical(sums, [*third, *third], 0.95, 8.0) == pytest.approx(by_pair, rel=1e-9)
    monkeypatch.setattr(power, "BLOCK", 40)  # a pair, and a few draws, at a time
    few = sorted({(0, one) for one in range(1, 14)} | {(one, one + 1) for one in range(13)})
    small = largest_critical(sums, few, 0.95, 8.0)
    monkeypatch.undo()
    assert largest_critical(sums, few, 0.95, 8.0) == small


def test_squared_differences_of_pairs_are_summed_over_groups() -> None:
    sample = np.random.default_rng(3).normal(size=(5, 4, 7))
    first, second = np.array([(0, 1), (2, 6), (5, 3)]).T
    wanted = ((sample[:, :, first] - sample[:, :, second]) ** 2).sum(axis=1)
    assert (power._squared_differences(sample, first, second) == wanted).all()

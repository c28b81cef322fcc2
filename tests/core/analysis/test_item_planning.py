"""Planning from a pilot: variation of its systems, and the groups that a difference needs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.analysis.significance.item_planning import (
    Pilot,
    pilot_of_values,
    plan_items,
)
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.power import PlannedTest
from support import toy

NOUN = ("keyword", "keywords")


def pilot_of(values: FloatArray, groups: Groups | None = None) -> Pilot:
    units = Groups.singletons(len(values)) if groups is None else groups
    found = pilot_of_values(toy.CLOSENESS, "published", values, units, NOUN)
    assert found is not None
    return found


def results(items: int, systems: int, seed: int = 1) -> FloatArray:
    dice = np.random.default_rng(seed)
    return dice.normal(0.5, 0.2, (items, 1)) + dice.normal(0, 0.1, (items, systems))


def test_of_independent_items_the_deviation_is_that_of_the_differences() -> None:
    values = results(40, 2)
    found = pilot_of(values)
    apart = values[:, 0] - values[:, 1]
    assert found.deviation == pytest.approx(apart.std(ddof=1))
    assert (found.degrees, found.share, found.groups) == (39, 1, 40)
    assert (found.between, found.within) == (0, pytest.approx(apart.var(ddof=1)))


def test_the_median_and_the_least_precise_pair_are_told_apart() -> None:
    values = results(40, 3)
    values[:, 2] += np.random.default_rng(2).normal(0, 0.4, 40)
    found = pilot_of(values)
    spread = sorted((values[:, a] - values[:, b]).std(ddof=1) for a, b in ((0, 1), (0, 2), (1, 2)))
    assert found.deviation == pytest.approx(spread[1])
    assert found.largest == pytest.approx(spread[2])


def test_variances_between_and_within_groups_are_those_they_were_drawn_with() -> None:
    dice = np.random.default_rng(4)
    codes = np.repeat(np.arange(3000), dice.integers(2, 6, 3000))
    values = np.zeros((len(codes), 2))
    values[:, 0] = 0.3 * dice.standard_normal(3000)[codes] + 0.5 * dice.standard_normal(len(codes))
    found = pilot_of(values, Groups(codes, 3000))
    assert found.between == pytest.approx(0.09, rel=0.1)
    assert found.within == pytest.approx(0.25, rel=0.05)
    assert found.deviation_in_groups_of(10) == pytest.approx(np.sqrt(0.09 + 0.025), rel=0.05)
    assert found.deviation_in_groups_of(0) == found.deviation


def test_the_uncertainty_is_that_of_a_variance_with_its_degrees() -> None:
    low, high = pilot_of(results(21, 2)).uncertainty
    assert low == pytest.approx(np.sqrt(20 / scipy.stats.chi2(20).ppf(0.9)))
    assert high == pytest.approx(np.sqrt(20 / scipy.stats.chi2(20).ppf(0.1)))


def test_the_plan_of_two_systems_is_that_of_a_t_test() -> None:
    pilot = pilot_of(results(200, 2))
    (size,) = plan_items(pilot, differences=(0.05,)).sizes
    expected = PlannedTest(pilot.deviation).groups(0.05)
    assert size.groups == size.least_precise == size.bound == expected
    assert size.low < size.groups < size.high


def test_more_systems_need_more_groups_but_fewer_than_bonferroni_s_bound() -> None:
    pilot = pilot_of(results(60, 4))
    needed = [plan_items(pilot, n, (0.05,)).sizes[0] for n in (2, 4, 10, 40)]
    groups = [one.groups for one in needed]
    assert groups == sorted(set(groups))
    assert all(one.groups < one.bound for one in needed[1:])


def test_the_curve_passes_through_the_planned_sizes() -> None:
    plan = plan_items(pilot_of(results(60, 2)), power=0.9)
    assert len(plan.sizes) > 2
    assert plan.curve.x[-1] == 600
    shown = [one for one in plan.sizes if one.groups <= 600]
    assert len(shown) > 1
    for one in shown:
        found = np.interp(one.groups, plan.curve.x, plan.curve.mean)
        assert found == pytest.approx(one.difference, rel=0.08)
    assert (plan.curve.low < plan.curve.mean).all()
    assert (plan.curve.mean < plan.curve.high).all()


def test_identical_systems_and_few_groups_give_no_pilot() -> None:
    same = np.repeat(results(30, 1), 3, axis=1)
    for values in (same, results(4, 2)):
        units = Groups.singletons(len(values))
        assert pilot_of_values(toy.CLOSENESS, "published", values, units, NOUN) is None


def test_the_order_of_systems_changes_nothing() -> None:
    values = results(50, 4)
    one, other = (plan_items(pilot_of(v), 9, (0.1,)).sizes for v in (values, values[:, ::-1]))
    assert one == other

"""Intervals of values that are 0 or 1, or nearly all equal."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.model.evaluation import Interval
from jurydesk.core.statistics.bootstrap import ResamplingPlan
from jurydesk.core.statistics.few_values import clopper_pearson, share_interval
from jurydesk.core.statistics.group_intervals import mean_intervals
from jurydesk.core.statistics.groups import Groups

UNIT = (0.0, 1.0)


def interval_of(
    values: list[float], span: tuple[float, float] = UNIT, groups: Groups | None = None
) -> Interval | None:
    column = np.array(values)[:, np.newaxis]
    units = groups or Groups.singletons(len(values))
    return mean_intervals(column, units, ResamplingPlan(units.count, 200), ranges=[span])[0]


def ends(limits: Interval | None) -> tuple[float, float]:
    assert limits is not None
    return limits.low, limits.high


class TestShares:
    def test_events_in_unequal_groups_are_those_of_the_worked_example(self) -> None:
        found = share_interval(np.array([3.0, 0, 5, 1, 2, 4]), np.array([5.0, 4, 6, 3, 4, 8]), 0.95)
        assert ends(found) == pytest.approx((0.230041, 0.769959), abs=5e-7)
        assert found.method == "Clopper-Pearson, effective sample size 14.0"

    @pytest.mark.parametrize("events", [0, 1, 20, 39, 40])
    def test_a_proportion_s_interval_is_that_of_clopper_and_pearson(self, events: int) -> None:
        expected = scipy.stats.binomtest(events, 40).proportion_ci()
        found = clopper_pearson(events / 40, 40, 0.95)
        assert found == pytest.approx((expected.low, expected.high), abs=1e-9)

    def test_without_any_event_there_is_still_an_upper_end(self) -> None:
        found = share_interval(np.zeros(38), np.full(38, 8.0), 0.95)
        assert found.low == 0
        assert 0.05 < found.high < 0.12
        assert found.method.endswith("too few events")

    def test_similar_items_in_a_group_count_for_less(self) -> None:
        alike = share_interval(np.tile([0.0, 8.0], 30), np.full(60, 8.0), 0.95)
        apart = share_interval(np.tile([4.0, 4.0], 30), np.full(60, 8.0), 0.95)
        assert alike.high - alike.low > 2 * (apart.high - apart.low)

    def test_events_in_most_of_fifteen_groups_show_their_correlation(self) -> None:
        events = np.array([4.0, 5, 3, 4, 4, 3, 5, 4, 4, 4, 5, 3, 4, 4, 4])
        found = share_interval(events, np.full(15, 8.0), 0.95)
        assert "too few" not in found.method
        assert found.high - found.low < 0.2

    def test_the_range_is_that_of_the_metric(self) -> None:
        low, high = ends(interval_of([0.0] * 39 + [100.0], (0.0, 100.0)))
        expected = [100 * one for one in clopper_pearson(1 / 40, 39, 0.95)]
        assert [low, high] == pytest.approx(expected)


class TestNearlyEqualValues:
    @pytest.mark.parametrize("other", [0.99, 0.5, 0.01])
    def test_one_other_value_of_forty_could_be_as_far_away_as_the_range(self, other: float) -> None:
        low, high = ends(interval_of([0.0] * 39 + [other]))
        assert low == 0
        assert high == pytest.approx(0.133746, abs=5e-7)

    def test_values_mirrored_in_their_range_mirror_their_interval(self) -> None:
        low, high = ends(interval_of([0.2] * 30 + [0.0, 0.1, 0.5, 1.0]))
        mirrored = ends(interval_of([0.8] * 30 + [1.0, 0.9, 0.5, 0.0]))
        assert mirrored == pytest.approx((1 - high, 1 - low), rel=1e-12)

    def test_equal_values_leave_room_on_both_sides(self) -> None:
        limits = interval_of([0.5] * 40)
        assert ends(limits) == pytest.approx((0.5 - 0.088097 / 2, 0.5 + 0.088097 / 2), abs=5e-7)
        assert limits is not None
        assert limits.method == "few values other than 0.5000, effective sample size 40.0"

    def test_the_order_of_items_changes_nothing(self) -> None:
        values = [0.0] * 30 + [0.1, 0.4, 0.9]
        assert ends(interval_of(values)) == ends(interval_of(values[::-1]))

    def test_without_a_limit_of_the_range_there_is_no_interval(self) -> None:
        assert interval_of([0.0] * 39 + [7.0], (0.0, math.inf)) is None
        assert interval_of([3.0] * 40, (-math.inf, math.inf)) is None

    def test_different_values_keep_the_bootstrap(self) -> None:
        limits = interval_of([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        assert limits is not None
        assert "studentized bootstrap" in limits.method

    def test_other_values_in_many_groups_keep_the_bootstrap(self) -> None:
        dice = np.random.default_rng(2)
        limits = interval_of([0.0] * 60 + dice.random(20).tolist())
        assert limits is not None
        assert "studentized bootstrap" in limits.method

    def test_many_values_of_one_group_count_as_one(self) -> None:
        groups = Groups(np.repeat(np.arange(10), 5), 10)
        limits = interval_of([*np.linspace(0.1, 0.9, 5), *[0.0] * 45], groups=groups)
        low, high = ends(limits)
        assert low == 0
        assert high > 0.4


def test_items_beyond_the_range_of_their_mean_have_no_interval() -> None:
    values = [360.0] * 57 + [1800.0] * 3
    assert interval_of(values, (0.0, 600.0)) is None
    assert interval_of([360.0] * 60, (0.0, 600.0)) is not None

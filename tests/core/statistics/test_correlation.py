"""Correlations compared with SciPy."""

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.statistics.correlation import (
    KINDS,
    correlate_both,
    correlate_items,
    correlate_systems,
    correlate_within_systems,
    mean_ranks,
    permutation_p,
)
from jurydesk.core.statistics.groups import Groups


@pytest.fixture(scope="module")
def scipy_stats():
    return pytest.importorskip("scipy.stats")


def columns(seed, ties):
    generator = np.random.default_rng(seed)
    one = generator.normal(size=40)
    other = one + generator.normal(size=40)
    return (np.round(one), np.round(other)) if ties else (one, other)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    ("kind", "peer"),
    [("pearson", "pearsonr"), ("spearman", "spearmanr"), ("kendall", "kendalltau")],
)
def test_values_equal_scipy_s(scipy_stats, kind, peer, ties):
    one, other = columns(7, ties)
    expected = getattr(scipy_stats, peer)(one, other).statistic
    assert correlate_systems(one, other, kind).value == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_ranks_equal_scipy_s(values):
    from scipy.stats import rankdata

    assert mean_ranks(np.array(values, float)).tolist() == rankdata(values).tolist()


def test_items_missing_in_one_column_are_left_out():
    one = np.array([1, 2, 3, 4, np.nan])
    other = np.array([2, 4, 6, 8, 0.0])
    assert correlate_systems(one, other).value == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ([5, 5, 5, 5], "one of the columns does not vary"),
        ([1, 2, np.nan, np.nan], "fewer than three items"),
    ],
)
def test_an_undefined_correlation_has_a_reason(other, reason):
    assert correlate_systems(np.arange(4.0), np.array(other, float)).undefined == reason


def test_three_systems_have_a_coefficient_without_an_interval():
    found = correlate_systems(np.array([0.1, 0.2, 0.3]), np.array([2.0, 3.0, 5.0]))
    assert (found.value, found.interval) == (pytest.approx(1.0), None)
    assert found.note == "3 systems: no interval"


@pytest.mark.parametrize(
    ("kind", "variance"),
    [
        ("pearson", lambda r: 1 / 37),
        ("spearman", lambda r: (1 + r**2 / 2) / 37),
        ("kendall", lambda r: 0.437 / 36),
    ],
)
def test_the_interval_of_systems_is_fisher_s(kind, variance):
    one, other = columns(3, ties=False)
    found = correlate_systems(one, other, kind)
    reach = 1.959964 * np.sqrt(variance(found.value))
    expected = np.tanh([np.arctanh(found.value) - reach, np.arctanh(found.value) + reach])
    assert [found.interval.low, found.interval.high] == pytest.approx(expected, abs=1e-6)
    assert found.interval.method == "Fisher's transformation, 40 systems"
    assert found.note.startswith("permutation p = ")


@pytest.mark.parametrize("kind", KINDS)
def test_seven_systems_in_perfect_order_have_the_exact_p_value(kind):
    """Of 5,040 orders two are perfect."""
    found = correlate_systems(np.arange(7.0), np.arange(7.0) * 2, kind)
    assert found.interval is None
    assert found.note == "permutation p = 0.0004, this correlation alone"


@pytest.mark.parametrize(
    ("kind", "peer"),
    [("pearson", "pearsonr"), ("spearman", "spearmanr"), ("kendall", "kendalltau")],
)
def test_the_p_value_is_the_share_of_orders_with_as_large_a_coefficient(scipy_stats, kind, peer):
    one, other = (column[:6] for column in columns(5, ties=False))
    measure = getattr(scipy_stats, peer)
    drawn = [abs(measure(one, other[list(o)]).statistic) for o in itertools.permutations(range(6))]
    as_large = np.array(drawn) >= abs(measure(one, other).statistic) - 1e-12
    assert permutation_p(one, other, kind) == pytest.approx(as_large.mean(), abs=1e-12)


def test_many_systems_have_a_p_value_of_random_orders(scipy_stats):
    one, other = columns(5, ties=False)
    other = other + 3 * np.random.default_rng(1).normal(size=40)
    expected = scipy_stats.pearsonr(one, other).pvalue
    assert permutation_p(one, other, "pearson") == pytest.approx(expected, abs=0.03)


def tables(seed, stories=12, systems=3):
    dice = np.random.default_rng(seed)
    one = dice.normal(size=(stories, systems)) + 3 * np.arange(systems)
    return one, one + dice.normal(size=(stories, systems)) - 9 * np.arange(systems)


class TestWithinSystems:
    """Items of several systems, each less the mean of its system."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_level_of_a_system_has_no_effect(self, kind):
        one, other = tables(2)
        found = correlate_within_systems(one, other, kind)
        moved = correlate_within_systems(one - [5.0, 2.0, 0.0], 3 * other + [0.0, 1.0, 7.0], kind)
        assert moved.value == pytest.approx(found.value, abs=1e-9)
        assert moved.interval.low == pytest.approx(found.interval.low, abs=1e-9)
        assert found.value > 0.3

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_interval_is_the_jackknife_over_items_by_its_definition(self, kind):
        one, other = tables(2)

        def z(a, b):
            return np.arctanh(KINDS[kind]((a - a.mean(0)).ravel(), (b - b.mean(0)).ravel()))

        left = np.array([z(np.delete(one, k, 0), np.delete(other, k, 0)) for k in range(12)])
        variance = 11 / 12 * ((left - left.mean()) ** 2).sum()
        reach = 2.200985 * np.sqrt(variance)  # Student's t with 11 degrees of freedom
        expected = np.tanh([z(one, other) - reach, z(one, other) + reach])
        found = correlate_within_systems(one, other, kind, ("story", "stories"))
        assert [found.interval.low, found.interval.high] == pytest.approx(expected, abs=1e-6)
        assert found.interval.method == "within systems, jackknife over 12 stories"

    def test_many_items_are_left_out_in_a_hundred_blocks(self):
        one, other = tables(2, stories=250)
        called = []
        found = correlate_within_systems(one, other, "pearson", check=called.append)
        assert called == list(range(100))
        assert found.interval.high - found.interval.low == pytest.approx(0.09, abs=0.03)

    def test_unknown_cells_are_left_out(self):
        one, other = tables(2)
        one[0] = np.nan
        expected = correlate_within_systems(one[1:], other[1:])
        assert correlate_within_systems(one, other) == expected

    def test_four_items_have_no_interval(self):
        assert correlate_within_systems(*tables(2, stories=4)).interval is None
        assert correlate_within_systems(*tables(2, stories=5)).interval is not None

    def test_systems_without_variation_have_no_coefficient(self):
        _, other = tables(2)
        constant = np.tile([0.1, 0.7, 0.3], (12, 1))
        found = correlate_within_systems(constant, other)
        assert found.undefined == "one of the columns does not vary"


def test_copies_of_every_item_in_its_group_change_nothing():
    one, other = columns(3, ties=True)
    once = correlate_items(one, other, "pearson", Groups.singletons(40), ("item", "items"))
    groups = Groups.of_labels([*range(40), *range(40)])
    twice = correlate_items(
        np.tile(one, 2), np.tile(other, 2), "pearson", groups, ("image", "images")
    )
    assert twice.value == pytest.approx(once.value, abs=1e-12)
    assert twice.interval.low == pytest.approx(once.interval.low, abs=1e-9)
    assert twice.interval.method == "jackknife over 40 images"


def test_items_without_a_number_leave_their_groups():
    one, other = columns(3, ties=False)
    one[8:] = np.nan
    pairs = Groups.of_labels(number // 2 for number in range(40))
    assert correlate_items(one, other, "kendall", pairs, ("pair", "pairs")).interval is None


def test_over_systems_and_stories_both_are_left_out_in_turn() -> None:
    dice = np.random.default_rng(14)
    one, other = dice.standard_normal((2, 8, 6)) + dice.standard_normal(6)
    found = correlate_both(one, other, "pearson", ("story", "stories"))
    parts = []
    for axis, count in ((0, 8), (1, 6)):
        left = [
            np.corrcoef(np.delete(one, at, axis).ravel(), np.delete(other, at, axis).ravel())
            for at in range(count)
        ]
        z = np.arctanh([table[0, 1] for table in left])
        parts.append(((count - 1) / count * ((z - z.mean()) ** 2).sum(), count - 1))
    variance = sum(part for part, _ in parts)
    degrees = variance**2 / sum(part**2 / left for part, left in parts)
    reach = scipy.stats.t.ppf(0.975, degrees) * np.sqrt(variance)
    r = np.corrcoef(one.ravel(), other.ravel())[0, 1]
    assert found.value == pytest.approx(r)
    assert found.interval is not None
    expected = np.tanh([np.arctanh(r) - reach, np.arctanh(r) + reach])
    assert [found.interval.low, found.interval.high] == pytest.approx(expected.tolist())
    assert found.interval.method == "jackknife over 8 stories and 6 systems"


def test_over_fewer_than_six_systems_and_stories_there_is_no_interval() -> None:
    one, other = np.random.default_rng(15).standard_normal((2, 20, 5))
    found = correlate_both(one, other)
    assert (found.interval, found.note) == (None, "5 systems: no interval")

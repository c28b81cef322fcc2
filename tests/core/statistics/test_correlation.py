"""Correlations compared with SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.statistics.correlation import KINDS, correlation, mean_ranks
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
    assert correlation(one, other, kind, resamples=20).value == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_ranks_equal_scipy_s(values):
    from scipy.stats import rankdata

    assert mean_ranks(np.array(values, float)).tolist() == rankdata(values).tolist()


def test_items_missing_in_one_column_are_left_out():
    one = np.array([1, 2, 3, 4, np.nan])
    other = np.array([2, 4, 6, 8, 0.0])
    assert correlation(one, other, resamples=20).value == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ([5, 5, 5, 5], "one of the columns does not vary"),
        ([1, 2, np.nan, np.nan], "fewer than three items"),
    ],
)
def test_an_undefined_correlation_has_a_reason(other, reason):
    assert correlation(np.arange(4.0), np.array(other, float)).undefined == reason


@pytest.mark.parametrize("kind", KINDS)
def test_the_interval_contains_the_value_and_is_reproducible(kind):
    one, other = columns(3, ties=False)
    found = correlation(one, other, kind, resamples=100)
    assert found.interval.low <= found.value <= found.interval.high
    assert correlation(one, other, kind, resamples=100) == found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most_paired", [10, 3000])
def test_copies_of_every_item_in_its_group_change_no_interval(monkeypatch, kind, most_paired):
    monkeypatch.setattr(f"{correlation.__module__}_resampled.MOST_PAIRED", most_paired)
    one, other = columns(3, ties=True)
    once = correlation(one, other, kind, resamples=60)
    groups = Groups.of_labels([*range(40), *range(40)])
    twice = correlation(np.tile(one, 2), np.tile(other, 2), kind, resamples=60, groups=groups)
    assert twice.value == pytest.approx(once.value, abs=1e-12)
    assert twice.interval.low == pytest.approx(once.interval.low, abs=1e-12)
    assert twice.interval.high == pytest.approx(once.interval.high, abs=1e-12)
    assert twice.interval.method == (
        "percentile bootstrap over 40 groups of 80 items, 60 resamples"
    )


def test_fewer_than_five_groups_have_no_interval():
    one, other = columns(3, ties=False)
    four = Groups.of_labels(number % 4 for number in range(40))
    five = Groups.of_labels(number % 5 for number in range(40))
    assert correlation(one, other, resamples=20, groups=four).interval is None
    assert correlation(one, other, resamples=20, groups=five).interval is not None


def test_items_without_a_number_leave_their_groups():
    one, other = columns(3, ties=False)
    one[5:] = np.nan
    pairs = Groups.of_labels(number // 2 for number in range(40))
    assert correlation(one, other, resamples=20, groups=pairs).interval is None
    assert correlation(one, other, resamples=20).interval is not None
